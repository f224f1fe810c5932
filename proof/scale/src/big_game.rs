//! One game of many players over many nodes: a question, the answers of all players, the scores.

use quizhall_engine::wire::{FromHost, FromPlayer};
use quizhall_engine::{ConnectionId, Message, Participant};
use quizhall_protocol::from_host::ReleaseQuestion;
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_rules::Change;

use super::bus::Mirrors;
use super::costs::Costs;
use super::machine::Meters;
use super::world::{Said, What, World};
use crate::game::{event, lobby, participant, question};

pub const SECOND: u64 = 1_000_000_000;
/// When the measurement begins: what the opening left behind is over.
const BEGIN: u64 = SECOND / 10;
/// Anything that takes longer does not end.
const TIMEOUT: u64 = 20 * SECOND;

/// The scenario.
#[derive(Debug, Clone, Copy)]
pub struct BigGame {
    pub players: u64,
    pub nodes: usize,
    /// All players answer within this.
    pub within: u64,
    /// Whether all nodes but the first and the last are copies of the last (`bus`).
    pub mirrored: bool,
}

/// What it came to. Times in nanoseconds.
#[derive(Debug)]
pub struct Came {
    pub big_game: BigGame,
    /// From the host's message to the last player's screen.
    pub question: u64,
    /// From the first answer to the last acknowledgement; none if a player never got one.
    pub answered: Option<u64>,
    /// The counts of the measured time, and its length.
    pub meters: Meters,
    pub busy: Busy,
    /// From the host's message to the last player's scores; none if a player never got them.
    pub scores: Option<u64>,
}

/// How much of the time something was busy while the answers were taken; 1.0 is all of it, and of a node all its cores.
#[derive(Debug, Clone, Copy)]
pub struct Busy {
    pub owner: f64,
    pub inbox: f64,
    /// The busier of the edges.
    pub edge: f64,
    pub home: f64,
    pub node: f64,
    pub redis: f64,
    /// What Redis gives, of its link.
    pub link: f64,
    pub database: f64,
}

impl Busy {
    /// The busiest part.
    pub fn fullest(&self) -> (&'static str, f64) {
        let parts = [
            ("owner's task", self.owner),
            ("inbox's task", self.inbox),
            ("edge's task", self.edge),
            ("owner's node", self.home),
            ("other nodes", self.node),
            ("Redis' core", self.redis),
            ("link of Redis", self.link),
            ("database", self.database),
        ];
        parts.into_iter().max_by(|one, other| one.1.total_cmp(&other.1)).expect("there are parts")
    }
}

impl BigGame {
    pub fn play(self, costs: Costs) -> Came {
        let mut stage = Stage::open(self, costs);
        let question = stage.release();
        let before = (stage.world.meters, stage.busy());
        let begun = stage.world.now;
        stage.answer(begun);
        let all = before.0.acknowledged + stage.really_here();
        let done = stage.world.run_until(begun + self.within + TIMEOUT, |world| world.meters.acknowledged >= all);
        let answered = done.then(|| stage.world.last_acknowledged - begun);
        let elapsed = stage.world.last_acknowledged.max(begun + 1) - begun;
        let busy = stage.busy_since(&before.1, elapsed);
        let meters = stage.world.meters.since(&before.0);
        let scores = stage.scores();
        Came { big_game: self, question, answered, meters, busy, scores }
    }
}

struct Stage {
    world: World,
    big_game: BigGame,
    game: usize,
    each: u64,
    last: usize,
}

impl Stage {
    fn open(big_game: BigGame, costs: Costs) -> Self {
        let mut world = World::new(costs, big_game.nodes);
        let (each, last) = (big_game.players / big_game.nodes as u64, big_game.nodes - 1);
        let players_from: Vec<u64> = (0..big_game.nodes as u64).map(|node| node * each).collect();
        let mut by_node: Vec<Vec<Participant>> = players_from
            .iter()
            .enumerate()
            .map(|(node, from)| {
                let is_real = !big_game.mirrored || node == 0 || node == last;
                (1..=each).filter(|_| is_real).map(|number| participant(from + number)).collect()
            })
            .collect();
        by_node[0].push(Participant::Host);
        let mut state = lobby(each * big_game.nodes as u64);
        state.apply(&event(Change::Started));
        let game = world.open(state, 0, &by_node);
        if big_game.mirrored {
            let sessions = vec![Vec::new(); big_game.nodes];
            world.mirrors = Some(Mirrors { model: last, first: 1, players_from, sessions });
            world.attach_mirrors(game, each);
        }
        world.run_until(BEGIN, |_| false);
        Self { world, big_game, game, each, last }
    }

    /// Players whose edges are simulated.
    fn really_here(&self) -> u64 {
        self.real_nodes().len() as u64 * self.each
    }

    fn real_nodes(&self) -> Vec<usize> {
        (0..self.big_game.nodes).filter(|node| self.world.games[self.game].edges[*node].is_some()).collect()
    }

    fn host_says(&mut self, message: FromHost) -> u64 {
        let connection = self.world.host_at(self.game);
        let said = Said { game: self.game, connection, message: Message::Host(message) };
        self.world.at(self.world.now, What::Readable(0, said));
        self.world.now
    }

    fn shown(&self) -> Vec<usize> {
        let edges = &self.world.games[self.game].edges;
        edges.iter().flatten().map(|slot| slot.shown.len()).collect()
    }

    fn release(&mut self) -> u64 {
        let (before, game) = (self.shown(), self.game);
        let begun = self.host_says(FromHost::ReleaseQuestion(ReleaseQuestion { question_id: question(1).uuid() }));
        let all = self.world.run_until(begun + TIMEOUT, |world| {
            world.games[game].edges.iter().flatten().zip(&before).all(|(slot, before)| slot.shown.len() > *before)
        });
        assert!(all, "the question did not reach all nodes");
        let shown = self.world.games[game].edges.iter().flatten().filter_map(|slot| slot.shown.last());
        let last = shown.max().copied().unwrap_or_default();
        self.world.run_until(last, |_| false);
        last - begun
    }

    /// The moments are spread evenly, in an order of no meaning.
    fn answer(&mut self, begun: u64) {
        for node in self.real_nodes() {
            for number in 0..self.each {
                let place = ((number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) * self.big_game.within) >> 24;
                self.world.at(begun + place, What::Readable(node, said(self.game, number + 1, 1)));
            }
        }
    }

    fn scores(&mut self) -> Option<u64> {
        let game = self.game;
        // Everything of the round before is over.
        self.world.run_until(self.world.now + SECOND, |_| false);
        let before = self.shown();
        self.host_says(FromHost::EndRound);
        let end = self.world.now + TIMEOUT;
        self.world.run_until(end, |world| {
            world.games[game].edges.iter().flatten().zip(&before).all(|(slot, before)| slot.shown.len() > *before)
        });
        self.world.run_until(self.world.now + SECOND, |_| false);
        let begun = self.host_says(FromHost::ReleaseScores);
        let all = self.world.run_until(begun + TIMEOUT, |world| {
            world.games[game].edges.iter().flatten().all(|slot| slot.scored_at.is_some_and(|at| at <= world.now))
        });
        // The last run of frames is noted when it begins.
        self.world.run_until(self.world.now + 3 * SECOND, |_| false);
        let scored = self.world.games[game].edges.iter().flatten().filter_map(|slot| slot.scored_at);
        scored.max().filter(|_| all).map(|last| last - begun)
    }

    fn busy(&self) -> Vec<u64> {
        let node = |node: usize| self.world.nodes[node].cores.busy;
        let (home, other) = (node(0), node(self.last));
        vec![
            home[3],
            home[4].max(other[4]),
            home[1].max(other[1]),
            home.iter().sum(),
            other.iter().sum(),
            self.world.redis.busy,
            self.world.database.busy,
            self.world.meters.redis_out * SECOND / self.world.costs.link,
        ]
    }

    fn busy_since(&self, before: &[u64], elapsed: u64) -> Busy {
        let costs = &self.world.costs;
        let lines = [1, 1, 1, costs.node_cores, costs.node_cores, 1, costs.database_cores, 1];
        let now = self.busy();
        #[expect(clippy::cast_precision_loss, reason = "shares for people to read")]
        let share = |place: usize| (now[place] - before[place]) as f64 / elapsed as f64 / f64::from(lines[place]);
        Busy {
            owner: share(0),
            inbox: share(1),
            edge: share(2),
            home: share(3),
            node: share(4),
            redis: share(5),
            link: share(7),
            database: share(6),
        }
    }
}

/// The player at this socket answers a question.
pub fn said(game: usize, connection: u64, of: u64) -> Said {
    let answer = if connection.is_multiple_of(2) { format!("key{of}") } else { format!("answer {connection}") };
    let submit = SubmitAnswer { question_id: question(of).uuid(), answer };
    let message = Message::Player(FromPlayer::SubmitAnswer(submit));
    Said { game, connection: ConnectionId(connection), message }
}
