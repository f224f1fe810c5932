//! The bots of a full game: they join, a few at a time, then one task each.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quizhall_client::api::RetryPolicy;
use quizhall_client::{Api, ApiError, Carrier, Options, Participant, Schedule, Seat, Token};
use quizhall_protocol::http::join::{JoinRequest, JoinResponse};
use quizhall_protocol::{Dialect, Role};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::bot::{Bot, Manner};
use super::loader::Loader;
use super::watch::Watch;
use super::world::World;
use crate::names::{another, nicknames};

/// Joins on their way at the same time.
const AT_ONCE: usize = 64;
/// Names tried before a bot gives up.
const NAMES: usize = 5;
/// A venue behind one address is let in slowly when the server's limits are the default ones.
const TIMEOUT: Duration = Duration::from_mins(15);

/// The players who come, and when.
pub struct VirtualUsers {
    /// The game.
    pub world: Arc<World>,
    /// The nodes of the server, without a host's token: bots are spread over them one by one.
    pub nodes: Vec<Api>,
    /// The game's code.
    pub code: String,
    /// How the bots behave; each gets a seed of its own.
    pub manner: Manner,
    /// This many of them join only once the gate is open.
    pub late: usize,
    /// Opened for the late ones.
    pub gate: CancellationToken,
    /// The end for all.
    pub stop: CancellationToken,
}

impl VirtualUsers {
    /// Starts them all.
    pub fn start(self) -> JoinSet<()> {
        let users = Arc::new(self);
        let bots = users.world.desks.len();
        let names = nicknames(bots, &mut SmallRng::seed_from_u64(users.manner.seed));
        let room = Arc::new(Semaphore::new(AT_ONCE));
        let mut tasks = JoinSet::new();
        for (me, name) in names.into_iter().enumerate() {
            let (users, room) = (Arc::clone(&users), Arc::clone(&room));
            tasks.spawn(async move {
                if me + users.late >= bots {
                    tokio::select! {
                        () = users.gate.cancelled() => {}
                        () = users.stop.cancelled() => return,
                    }
                }
                if let Some(bot) = users.enter(me, name, &room).await {
                    bot.run(users.stop.clone()).await;
                }
            });
        }
        tasks
    }

    async fn enter(&self, me: usize, name: String, room: &Semaphore) -> Option<Bot> {
        let seed = self.manner.seed.wrapping_add(1 + me as u64);
        let mut chance = SmallRng::seed_from_u64(seed ^ 0x5EA7);
        let request = tokio::select! {
            request = self.request(me, name) => request,
            () = self.stop.cancelled() => return None,
        };
        let permit = room.acquire().await.ok()?;
        let started = Instant::now();
        let joined = tokio::select! {
            joined = self.join(me, request, &mut chance) => joined,
            () = self.stop.cancelled() => return None,
        };
        drop(permit);
        match joined {
            Ok(joined) => {
                self.world.timing.join.record(started.elapsed());
                let participant = self.participant(me, &joined, seed);
                if self.world.seating.has_teams() {
                    self.world.joined_team(me, &joined);
                } else {
                    self.world.joined(me, joined.player_id, joined.display_name);
                }
                let manner = Manner { seed, ..self.manner };
                let bot = Bot::new(Arc::clone(&self.world), me, manner, participant);
                let loads = self.world.features.media && self.world.dialect_of(me) == Dialect::QuizhallV1;
                let loader = || Loader::new(Arc::clone(&self.world), self.node_of(me).endpoint().clone());
                Some(if loads { bot.with_loader(loader()) } else { bot })
            }
            Err(error) => {
                self.world.violations.note("join_failed", format!("bot {me}: {error}"));
                self.world.desks[me].stopped.store(true, Ordering::SeqCst);
                None
            }
        }
    }

    /// The first phone of a team makes it, and the others wait for its code.
    async fn request(&self, me: usize, name: String) -> JoinRequest {
        let seating = self.world.seating;
        let alone = JoinRequest::new(self.code.clone(), name);
        match (seating.has_teams(), seating.is_first(me)) {
            (false, _) => alone,
            (true, true) => JoinRequest { team: true, ..alone },
            (true, false) => {
                let code = self.world.teams.code(seating.player_of(me)).await;
                JoinRequest { team_code: Some(code), ..alone }
            }
        }
    }

    async fn join(&self, me: usize, mut request: JoinRequest, chance: &mut SmallRng) -> Result<JoinResponse, ApiError> {
        let time_limit = RetryPolicy { give_up_after: TIMEOUT, ..RetryPolicy::default() };
        let node = self.node_of(me);
        for _ in 0..NAMES {
            self.world.name_asked(&request.display_name);
            let joined = node.join_with_retries(&request, time_limit, chance).await;
            match joined {
                Err(error) if error.status() == Some(409) => {
                    request.display_name = another(&request.display_name, chance);
                }
                Ok(joined) => {
                    let same = (&joined.game_code, &joined.display_name) == (&self.code, &request.display_name);
                    let team = self.world.player_of(me);
                    let of_team = request.team_code.is_none()
                        || (joined.player_id, &joined.team_code) == (team, &request.team_code);
                    self.world
                        .violations
                        .check(same && of_team, "join_answer", || format!("player {}", joined.player_id));
                    return Ok(joined);
                }
                Err(error) => return Err(error),
            }
        }
        node.join(&request, None).await
    }

    fn node_of(&self, me: usize) -> &Api {
        &self.nodes[me % self.nodes.len()]
    }

    fn participant(&self, me: usize, joined: &JoinResponse, seed: u64) -> Participant<Watch> {
        let dialect = self.world.dialect_of(me);
        let options = Options {
            endpoint: self.node_of(me).endpoint().clone(),
            seat: Seat {
                code: joined.game_code.clone(),
                token: Token::new(joined.session_token.clone()),
                role: Role::Player,
            },
            carrier: if me.is_multiple_of(2) { Carrier::Bearer } else { Carrier::Query },
            dialect,
            schedule: Schedule { first: Duration::from_millis(500), ..Schedule::default() },
            seed: Some(seed),
        };
        Participant::with_reader(options, Watch::new(Arc::clone(&self.world), dialect))
    }
}
