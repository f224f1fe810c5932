//! How often sockets may be opened: a refused token is charged to its address, an accepted one to its seat, then to its
//! game, and last to the process, so that no client uses up what all share.
//!
//! Held by `registry`, called by `upgrade` once a token is verified. A verified token never depends on the allowance of its
//! address: a school has one, and so has the attacker in it.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use quizhall_rules::GameId;

use crate::auth::{AddressKey, Throttle};
use crate::clock;
use crate::config::{SocketLimits, SocketRates};

use super::rate::Bucket;
use super::reconnects::{Reconnects, SeatKey, TooMany};
use super::timing::Moment;

/// Refused tokens of one address at once, as seconds of its rate.
const REFUSED_BURST: u32 = 5;
/// How long an address over its allowance waits, for each refusal and before each read of the database.
pub(crate) const BRAKE: Duration = Duration::from_millis(250);

/// The allowances of one process.
pub(crate) struct UpgradeLimits {
    refused: Throttle<AddressKey>,
    seats: Reconnects,
    games: Throttle<GameId>,
    process: Mutex<Bucket>,
    per_second: SocketRates,
}

/// Why a verified token opens no socket now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotNow {
    /// The seat has opened too many sockets.
    Seat(TooMany),
    /// Too many sockets of this game in this second.
    Game,
    /// Too many sockets of all games in this second.
    Process,
}

impl UpgradeLimits {
    /// All of them whole.
    pub(super) fn new(limits: &SocketLimits) -> Self {
        let (now, second) = (clock::now(), Duration::from_secs(1));
        let (refused, game) = (limits.refused_upgrades_per_second, limits.upgrades_per_second_per_game);
        Self {
            refused: Throttle::new(refused, second, refused.saturating_mul(REFUSED_BURST), now),
            seats: Reconnects::new(limits.reconnects_per_seat),
            games: Throttle::new(game, second, game, now),
            process: Mutex::default(),
            per_second: SocketRates { per_second: limits.upgrades_per_second, burst: limits.upgrades_per_second },
        }
    }

    /// How long a read of the database for a token from this address has to wait.
    pub(crate) fn before_read(&self, address: IpAddr) -> Duration {
        let ready = self.refused.ready(&address.into(), clock::now());
        if ready.is_ok() { Duration::ZERO } else { BRAKE }
    }

    /// Counts a refused token; returns whether its address may be told why.
    pub(crate) fn refuse(&self, address: IpAddr) -> bool {
        self.refused.take(address.into(), clock::now()).is_ok()
    }

    /// Counts a verified token.
    ///
    /// # Errors
    /// The first allowance that is used up; those behind it are not charged.
    pub(crate) fn admit(&self, seat: SeatKey, now: Moment) -> Result<(), NotNow> {
        self.seats.open(seat, now).map_err(NotNow::Seat)?;
        self.games.take(seat.0, clock::now()).map_err(|_| NotNow::Game)?;
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        if process.allow(self.per_second, now) { Ok(()) } else { Err(NotNow::Process) }
    }

    /// The socket of this seat was closed because a message was refused: its seat is not charged for it.
    pub(super) fn give_back(&self, seat: SeatKey) {
        self.seats.give_back(seat);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use quizhall_rules::PlayerId;
    use uuid::Uuid;

    use super::*;
    use crate::config::Config;
    use crate::games::Participant;

    fn allowances(settings: &[(&str, &str)]) -> UpgradeLimits {
        UpgradeLimits::new(&Config::from_pairs(settings).unwrap().sockets)
    }

    fn seat(game: u128, player: u128) -> SeatKey {
        let player = PlayerId::from(Uuid::from_u128(player));
        (GameId::from(Uuid::from_u128(game)), Participant::Player(player))
    }

    const NOW: Duration = Duration::from_secs(100);

    #[test]
    fn one_game_leaves_the_others_their_part() {
        let allowances = allowances(&[("UPGRADES_PER_SECOND", "40"), ("UPGRADES_PER_SECOND_PER_GAME", "20")]);
        let now = Moment::NEVER.plus(NOW);
        let many: Vec<_> = (0..100).map(|player| allowances.admit(seat(1, player), now)).collect();
        // The game's own clock goes on while this runs, the process's stands still.
        let admitted = many.iter().filter(|result| result.is_ok()).count();
        assert!((20..30).contains(&admitted), "{admitted}");
        assert!(many.contains(&Err(NotNow::Game)));
        for player in 0..10 {
            assert_eq!(allowances.admit(seat(2, player), now), Ok(()), "player {player} of the other game");
        }
    }

    #[test]
    fn one_seat_is_stopped_before_it_costs_its_game_anything() {
        let allowances = allowances(&[("UPGRADES_PER_SECOND_PER_GAME", "20"), ("RECONNECTS_PER_SEAT", "6")]);
        let now = Moment::NEVER.plus(NOW);
        let flapping = (0..1_000).filter(|_| allowances.admit(seat(1, 1), now).is_ok()).count();
        assert_eq!(flapping, 6);
        for player in 2..16 {
            assert_eq!(allowances.admit(seat(1, player), now), Ok(()), "player {player} of the same game");
        }
    }

    #[test]
    fn the_process_comes_last() {
        let allowances = allowances(&[("UPGRADES_PER_SECOND", "5")]);
        let now = Moment::NEVER.plus(NOW);
        let results: Vec<_> = (0..6).map(|game| allowances.admit(seat(game, 1), now)).collect();
        assert_eq!(results[5], Err(NotNow::Process));
        assert!(results[..5].iter().all(Result::is_ok));
    }

    #[test]
    fn refused_tokens_are_counted_by_address() {
        let allowances = allowances(&[]);
        let (one, same, other) = ("2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1");
        let told = (0..1_000).filter(|_| allowances.refuse(one.parse().unwrap())).count();
        assert!((100..150).contains(&told), "{told}: a burst of 100, and what comes back meanwhile");
        assert_eq!(allowances.before_read(same.parse().unwrap()), BRAKE, "the same /64");
        assert_eq!(allowances.before_read(other.parse().unwrap()), Duration::ZERO);
        assert!(allowances.refuse(other.parse().unwrap()));
    }
}
