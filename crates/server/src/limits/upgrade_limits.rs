//! How often sockets may be opened. A refused token is charged to its address; an accepted one to its participant, then
//! to its game, and last to the process, so that no client uses up what all share.
//!
//! Held by the registry of the sockets, called by `upgrade` once a token is verified. A verified token never depends on the allowance of
//! its address: a whole school has one address, and so has an attacker in it.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use quizhall_rules::GameId;

use crate::clock;
use crate::config::{SocketLimits, SocketRates};

use super::bucket::Bucket;
use super::reconnects::{ParticipantKey, Reconnects, TooMany};
use super::throttle::{AddressKey, Throttle};
use crate::moment::Moment;

/// Refused tokens of one address at once, in seconds of its rate.
const REFUSED_BURST: u32 = 5;
/// How long an address over its allowance waits for each refusal, and before each read of the database.
pub(crate) const BRAKE: Duration = Duration::from_millis(250);

/// The allowances of one process.
pub struct UpgradeLimits {
    refused: Throttle<AddressKey>,
    participants: Reconnects,
    games: Throttle<GameId>,
    process: Mutex<Bucket>,
    per_second: SocketRates,
}

/// Why a verified token opens no socket now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotNow {
    /// The participant has opened too many sockets.
    Participant(TooMany),
    /// Too many sockets of this game in this second.
    Game,
    /// Too many sockets of all games in this second.
    Process,
}

impl UpgradeLimits {
    /// Begins with every allowance unused.
    pub fn new(limits: &SocketLimits) -> Self {
        let (now, second) = (clock::now(), Duration::from_secs(1));
        let (refused, game) = (limits.refused_upgrades_per_second, limits.upgrades_per_second_per_game);
        Self {
            refused: Throttle::new(refused, second, refused.saturating_mul(REFUSED_BURST), now),
            participants: Reconnects::new(limits.reconnects_per_seat),
            games: Throttle::new(game, second, game, now),
            process: Mutex::default(),
            per_second: SocketRates { per_second: limits.upgrades_per_second, burst: limits.upgrades_per_second },
        }
    }

    /// How long a read of the database for a token from this address has to wait.
    pub fn before_read(&self, address: IpAddr) -> Duration {
        let ready = self.refused.ready(&address.into(), clock::now());
        if ready.is_ok() { Duration::ZERO } else { BRAKE }
    }

    /// Counts a refused token; returns whether its address is sent the reason.
    pub fn refuse(&self, address: IpAddr) -> bool {
        self.refused.take(address.into(), clock::now()).is_ok()
    }

    /// Counts a verified token of this participant at this moment.
    ///
    /// # Errors
    /// The first allowance that is used up; those after it are not charged.
    pub fn admit(&self, key: ParticipantKey, now: Moment) -> Result<(), NotNow> {
        self.participants.open(key, now).map_err(NotNow::Participant)?;
        self.games.take(key.game, clock::now()).map_err(|_| NotNow::Game)?;
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        if process.allow(self.per_second, now) { Ok(()) } else { Err(NotNow::Process) }
    }

    /// Takes back a socket of this participant that was closed because a message was refused.
    pub fn give_back(&self, key: ParticipantKey) {
        self.participants.give_back(key);
    }
}
