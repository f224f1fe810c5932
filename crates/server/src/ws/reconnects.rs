//! How often one seat may open a socket, and how long it has to wait after too many.
//!
//! Called by `upgrade_limits`. Time is an argument. A seat is a participant of a game; only verified tokens come here, so the
//! number of seats is that of seats people hold. Never knows connections: the socket that a seat has open is not touched by
//! a refusal.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quizhall_rules::GameId;

use crate::games::Participant;

use super::rate::Bucket;
use super::timing::Moment;

/// The time in which [`Reconnects`] allows its number of sockets.
const PERIOD: Duration = Duration::from_secs(10);
/// Without its host a game stands still, and a host changes between devices: so many times the allowance of a player.
const HOST_FACTOR: u32 = 5;
/// The wait after the first refusal is 2 s; it doubles with each further one up to [`LONGEST_WAIT`].
const FIRST_WAIT: u16 = 2;
/// Seconds; the window in the close reason ends at twice that, 30 s.
const LONGEST_WAIT: u16 = 15;
/// A seat that was not refused for so long after its wait begins with the shortest wait again.
const FORGIVEN_AFTER: Duration = Duration::from_mins(1);
/// Locks; ten thousand phones that reconnect at once do not queue for one.
const SHARDS: usize = 16;
/// Seats remembered per shard. Beyond it seats that are not known yet are let through: the limits of the game and of the
/// process follow.
const MOST_SEATS: usize = 16_384;
/// A shard looks for seats to forget when it has grown to so many,
const FIRST_SWEEP: usize = 256;
/// and when it did not do so just before: a full shard is not searched for each newcomer.
const SWEEP_PAUSE: Duration = Duration::from_secs(1);

/// One participant of one game.
pub(super) type SeatKey = (GameId, Participant);

/// A refusal: the seat has opened too many sockets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany {
    /// Seconds (from, to) after which the client should come back.
    pub(crate) retry: (u16, u16),
    /// Whether the client may be told by a close frame. A client that ignores it is refused over HTTP, which costs no
    /// socket.
    pub(crate) by_close: bool,
}

/// The allowances of all seats.
pub(super) struct Reconnects {
    per_period: u32,
    shards: [Mutex<Seats>; SHARDS],
}

struct Seats {
    known: HashMap<SeatKey, History>,
    sweep_at: usize,
    swept: Moment,
}

/// What one seat has done lately.
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
        let seats = || Mutex::new(Seats { known: HashMap::new(), sweep_at: FIRST_SWEEP, swept: Moment::NEVER });
        Self { per_period: per_period.max(1), shards: std::array::from_fn(|_| seats()) }
    }

    /// Counts a socket of this seat.
    ///
    /// # Errors
    /// How long the client has to wait; the time does not grow with attempts during the wait.
    pub(super) fn open(&self, seat: SeatKey, now: Moment) -> Result<(), TooMany> {
        let mut seats = self.shard(seat);
        seats.sweep(now);
        if seats.known.len() >= MOST_SEATS && !seats.known.contains_key(&seat) {
            return Ok(());
        }
        seats.known.entry(seat).or_default().open(self.burst(seat), now)
    }

    /// Takes back a socket of this seat that was closed because a message was refused. A client under test is closed often,
    /// and the limits of the game and of the process still hold.
    pub(super) fn give_back(&self, seat: SeatKey) {
        if let Some(history) = self.shard(seat).known.get_mut(&seat) {
            history.opened.give_back(PERIOD / self.burst(seat));
        }
    }

    fn burst(&self, seat: SeatKey) -> u32 {
        match seat.1 {
            Participant::Host => self.per_period.saturating_mul(HOST_FACTOR),
            Participant::Player(_) => self.per_period,
        }
    }

    fn shard(&self, (game, participant): SeatKey) -> MutexGuard<'_, Seats> {
        let id = match participant {
            Participant::Host => game.uuid(),
            Participant::Player(player) => player.uuid(),
        };
        let shard = usize::try_from(id.as_u128() % SHARDS as u128).unwrap_or(0);
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seats {
    fn sweep(&mut self, now: Moment) {
        if self.known.len() >= self.sweep_at && now.since(self.swept) >= SWEEP_PAUSE {
            self.swept = now;
            self.known.retain(|_, history| !history.is_forgotten(now));
            self.sweep_at = (self.known.len() * 2).clamp(FIRST_SWEEP, MOST_SEATS);
        }
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

#[cfg(test)]
mod tests {
    use quizhall_rules::PlayerId;
    use uuid::Uuid;

    use super::*;

    fn seat(number: u128) -> SeatKey {
        (GameId::from(Uuid::from_u128(1)), Participant::Player(PlayerId::from(Uuid::from_u128(number))))
    }

    fn at(seconds: f64) -> Moment {
        Moment::NEVER.plus(Duration::from_secs(1_000)).plus(Duration::from_secs_f64(seconds))
    }

    /// How many of 1,000 attempts at the same moment are let in.
    fn let_in(reconnects: &Reconnects, seat: SeatKey, now: Moment) -> usize {
        (0..1_000).filter(|_| reconnects.open(seat, now).is_ok()).count()
    }

    #[test]
    fn a_socket_that_was_given_back_does_not_count() {
        let reconnects = Reconnects::new(6);
        for _ in 0..1_000 {
            assert_eq!(reconnects.open(seat(1), at(0.0)), Ok(()));
            reconnects.give_back(seat(1));
        }
        assert_eq!(let_in(&reconnects, seat(1), at(0.0)), 6);
    }

    #[test]
    fn six_in_ten_seconds_for_a_player_and_thirty_for_a_host() {
        let reconnects = Reconnects::new(6);
        assert_eq!(let_in(&reconnects, seat(1), at(0.0)), 6);
        assert_eq!(let_in(&reconnects, seat(2), at(0.0)), 6, "another seat has an allowance of its own");
        assert_eq!(let_in(&reconnects, (seat(1).0, Participant::Host), at(0.0)), 30);
        assert_eq!(let_in(&reconnects, seat(1), at(60.0)), 6);
    }

    #[test]
    fn a_reload_now_and_then_is_never_refused() {
        let reconnects = Reconnects::new(6);
        for second in 0..600_u32 {
            if second % 2 == 0 {
                assert_eq!(reconnects.open(seat(1), at(second.into())), Ok(()), "second {second}");
            }
        }
    }

    #[test]
    fn the_wait_doubles_up_to_thirty_seconds_and_begins_anew_after_a_quiet_minute() {
        let reconnects = Reconnects::new(6);
        let (mut windows, mut opened) = (Vec::new(), 0);
        // Four attempts a second for two minutes.
        for quarter in 0..480_u32 {
            match reconnects.open(seat(1), at(f64::from(quarter) / 4.0)) {
                Ok(()) => opened += 1,
                Err(refused) if windows.last() != Some(&refused.retry) => windows.push(refused.retry),
                Err(_) => {}
            }
        }
        assert_eq!(windows, [(2, 4), (4, 8), (8, 16), (15, 30)]);
        assert!(opened <= 60, "{opened} sockets in two minutes of attempts");
        assert_eq!(let_in(&reconnects, seat(1), at(400.0)), 6);
        assert_eq!(reconnects.open(seat(1), at(400.0)).map_err(|refused| refused.retry), Err((2, 4)));
    }

    #[test]
    fn who_ignores_the_close_is_refused_without_one() {
        let reconnects = Reconnects::new(6);
        let answers: Vec<_> = (0..100).filter_map(|_| reconnects.open(seat(1), at(0.0)).err()).collect();
        assert_eq!(answers.len(), 94);
        assert_eq!(answers.iter().filter(|refused| refused.by_close).count(), 6);
    }

    #[test]
    fn seats_are_forgotten_and_never_more_than_the_bound() {
        let reconnects = Reconnects::new(6);
        let known = |reconnects: &Reconnects| -> usize {
            reconnects.shards.iter().map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).known.len()).sum()
        };
        for number in 0..400_000 {
            assert_eq!(reconnects.open(seat(number), at(0.0)), Ok(()));
        }
        assert_eq!(known(&reconnects), SHARDS * MOST_SEATS);
        for number in 0..10_000 {
            assert_eq!(reconnects.open(seat(1_000_000 + number), at(100.0)), Ok(()));
        }
        assert!(known(&reconnects) <= 10_000, "{}", known(&reconnects));
    }
}
