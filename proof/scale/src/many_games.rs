//! Many small games at a human pace: a question every thirty seconds, which all players answer.

use quizhall_engine::Message;
use quizhall_engine::Participant;
use quizhall_engine::wire::FromHost;
use quizhall_protocol::from_host::ReleaseQuestion;

use super::big_game::{SECOND, said};
use super::costs::Costs;
use super::machine::Meters;
use super::world::{Said, What, World};
use crate::game::{asking, participant, question};

/// A question comes this often.
pub const ROUND: u64 = 30 * SECOND;
/// The answers to it come within this, beginning a second after it.
const THINKING: u64 = 25 * SECOND;
/// When the counting begins.
const BEGIN: u64 = 2 * SECOND;

/// The scenario.
#[derive(Debug, Clone, Copy)]
pub struct ManyGames {
    pub games: usize,
    pub players: u64,
    pub nodes: usize,
    /// Whether the balancer puts sockets anywhere, or those of a game together.
    pub spread: bool,
}

/// What one round of every game came to.
#[derive(Debug)]
pub struct Pace {
    pub many_games: ManyGames,
    pub meters: Meters,
    /// Nodes with sockets of a game, on the average.
    pub edges: f64,
    /// Nanoseconds of CPU on all nodes, in Redis, in the database.
    pub nodes_ns: u64,
    pub redis_ns: u64,
    pub database_ns: u64,
    /// From an answer's arrival to its acknowledgement: the middle, and one in a hundred, in microseconds.
    pub wait: (u32, u32),
}

impl ManyGames {
    pub fn play(self, costs: Costs) -> Pace {
        let mut world = World::new(costs, self.nodes);
        let mut edges = 0;
        for number in 0..self.games {
            let by_node = self.by_node(number);
            edges += by_node.iter().filter(|participants| !participants.is_empty()).count();
            let game = world.open(asking(self.players), number % self.nodes, &by_node);
            self.plan(&mut world, game, &by_node);
        }
        world.run_until(BEGIN, |_| false);
        let busy = |world: &World| world.nodes.iter().map(|node| node.cores.busy.iter().sum::<u64>()).sum::<u64>();
        let before = (world.meters, busy(&world), world.redis.busy, world.database.busy);
        world.run_until(BEGIN + ROUND, |_| false);
        world.waits.sort_unstable();
        let wait = |share: usize| world.waits.get(world.waits.len() * share / 100).copied().unwrap_or_default();
        #[expect(clippy::cast_precision_loss, reason = "an average for people to read")]
        Pace {
            many_games: self,
            meters: world.meters.since(&before.0),
            edges: edges as f64 / self.games as f64,
            nodes_ns: busy(&world) - before.1,
            redis_ns: world.redis.busy - before.2,
            database_ns: world.database.busy - before.3,
            wait: (wait(50), wait(99)),
        }
    }

    fn by_node(self, game: usize) -> Vec<Vec<Participant>> {
        let home = game % self.nodes;
        let mut by_node = vec![Vec::new(); self.nodes];
        for player in 1..=self.players {
            let node = if self.spread { place(game as u64, player, self.nodes as u64) } else { home as u64 };
            by_node[usize::try_from(node).expect("few nodes")].push(participant(player));
        }
        by_node[home].push(Participant::Host);
        by_node
    }

    /// Question 2 comes somewhere in the round; answers before that are to question 1, which was open before.
    fn plan(self, world: &mut World, game: usize, by_node: &[Vec<Participant>]) {
        let released = place(game as u64, 0, ROUND);
        let message = Message::Host(FromHost::ReleaseQuestion(ReleaseQuestion { question_id: question(2).uuid() }));
        let connection = world.host_at(game);
        world.at(BEGIN + released, What::Readable(game % self.nodes, Said { game, connection, message }));
        for (node, participants) in by_node.iter().enumerate() {
            for (number, _) in (1..).zip(participants).filter(|(_, who)| **who != Participant::Host) {
                let after = released + SECOND + place(game as u64, number + 1_000 * node as u64 + 1, THINKING);
                let of = if after < ROUND { 2 } else { 1 };
                world.at(BEGIN + after % ROUND, What::Readable(node, said(game, number, of)));
            }
        }
    }
}

/// A number below `below` that depends on both others and looks like chance.
fn place(game: u64, player: u64, below: u64) -> u64 {
    let mut mixed = (game << 32 | player).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed ^ (mixed >> 32)) % below
}
