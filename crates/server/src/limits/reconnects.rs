//! How often one participant of a game may open a socket, and how long it has to wait after too many.
//!
//! Called by `upgrade_limits`. Time is an argument. Only verified tokens are counted, so the number of participants is
//! bounded by the players that have joined. Knows no connections: a refusal does not affect the socket that a
//! participant has open.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quizhall_engine::{Holder, Seat};
use quizhall_rules::{GameId, PlayerId};

use super::bucket::Bucket;
use super::keyed::Keyed;
use crate::moment::Moment;

/// The period in which [`Reconnects`] allows its number of sockets.
const PERIOD: Duration = Duration::from_secs(10);
/// The sockets that a host may open, as a multiple of a player's: a game cannot continue without its host, and a host
/// changes between devices.
const HOST_FACTOR: u32 = 5;
/// The wait after the first refusal is 2 s; it doubles with each further one up to [`LONGEST_WAIT`].
const FIRST_WAIT: u16 = 2;
/// In seconds; the window in the close reason ends at twice that, 30 s.
const LONGEST_WAIT: u16 = 15;
/// A participant that was not refused for this long after its wait begins with the shortest wait again.
const FORGIVEN_AFTER: Duration = Duration::from_mins(1);
/// Locks, so that ten thousand phones that reconnect at once do not wait for a single one.
const SHARDS: usize = 16;
/// Participants remembered per shard. Beyond it, new ones are let through: the limits of the game and of the process
/// follow.
const MOST_PARTICIPANTS: usize = 16_384;
/// A shard of this size looks for participants to forget.
const FIRST_SWEEP: usize = 256;

/// One participant of one game, or one screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParticipantKey {
    /// The game.
    pub game: GameId,
    /// The participant or the screen in it.
    pub seat: Seat,
}

/// A refusal: the participant has opened too many sockets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany {
    /// Seconds (from, to) after which the client should come back.
    pub retry: (u16, u16),
    /// Whether a close frame may carry the refusal. A client that ignores it is refused over HTTP, which costs no
    /// socket.
    pub by_close: bool,
}

/// The allowances of all participants.
pub(super) struct Reconnects {
    per_period: u32,
    shards: [Mutex<Participants>; SHARDS],
}

type Participants = Keyed<ParticipantKey, History>;

/// The recent attempts of one participant.
#[derive(Debug, Clone, Copy, Default)]
struct History {
    opened: Bucket,
    closed: Bucket,
    waits_until: Moment,
    wait: u16,
}

impl Reconnects {
    /// Every player may open `per_period` sockets in 10 s, a host five times as many.
    pub(super) fn new(per_period: u32) -> Self {
        let participants = || Mutex::new(Participants::new(FIRST_SWEEP, MOST_PARTICIPANTS));
        Self { per_period: per_period.max(1), shards: std::array::from_fn(|_| participants()) }
    }

    /// Counts a socket of this participant.
    ///
    /// # Errors
    /// How long the client has to wait; the time does not grow with attempts during the wait.
    pub(super) fn open(&self, key: ParticipantKey, now: Moment) -> Result<(), TooMany> {
        let mut participants = self.shard(key);
        let history = participants.entry(key, now, |history| history.is_forgotten(now));
        history.map_or(Ok(()), |history| history.open(self.burst(key), now))
    }

    /// Takes back a socket of this participant that was closed because a message was refused. A client under test is closed often,
    /// and the limits of the game and of the process still hold.
    pub(super) fn give_back(&self, key: ParticipantKey) {
        if let Some(history) = self.shard(key).get_mut(&key) {
            history.opened.give_back(PERIOD / self.burst(key));
        }
    }

    fn burst(&self, key: ParticipantKey) -> u32 {
        match key.seat {
            Seat::Participant(Holder { participant, .. }) if participant.as_host().is_some() => {
                self.per_period.saturating_mul(HOST_FACTOR)
            }
            Seat::Participant(_) | Seat::Viewer(_) => self.per_period,
        }
    }

    fn shard(&self, key: ParticipantKey) -> MutexGuard<'_, Participants> {
        let id = match key.seat {
            Seat::Participant(Holder { participant, .. }) => {
                participant.player().map_or(key.game.uuid(), PlayerId::uuid)
            }
            Seat::Viewer(viewer) => viewer.uuid(),
        };
        let shard = usize::try_from(id.as_u128() % SHARDS as u128).unwrap_or(0);
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl History {
    fn open(&mut self, burst: u32, now: Moment) -> Result<(), TooMany> {
        let step = PERIOD / burst;
        if now >= self.waits_until {
            if self.opened.allow_every(step, burst, now) {
                return Ok(());
            }
            let forgiven = now >= self.waits_until.plus(FORGIVEN_AFTER);
            self.wait = if forgiven { FIRST_WAIT } else { (self.wait * 2).clamp(FIRST_WAIT, LONGEST_WAIT) };
            self.waits_until = now.plus(Duration::from_secs(self.wait.into()));
        }
        let by_close = self.closed.allow_every(step, burst, now);
        Err(TooMany { retry: (self.wait, self.wait * 2), by_close })
    }

    fn is_forgotten(&self, now: Moment) -> bool {
        let forgiven = self.waits_until.is_never() || now >= self.waits_until.plus(FORGIVEN_AFTER);
        forgiven && self.opened.is_whole(now) && self.closed.is_whole(now)
    }
}
