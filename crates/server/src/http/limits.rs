//! How often people may join (reliability §3, "Identity and abuse"): failures are limited hard, because they are
//! guesses at codes; successes loosely, because a school or a hall has one address.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use quizhall_rules::GameId;

use super::problem::{Kind, Refused};
use crate::auth::{AddressKey, Throttle};
use crate::clock;
use crate::config::Identity;

/// How long an answer that says "too often" is held back.
const PENALTY: Duration = Duration::from_millis(250);

/// Genuine tokens on codes of other games, per game and minute, that still learn whether the code exists.
const STRAYS_PER_MINUTE: u32 = 30;

/// The limits of joining.
pub struct JoinLimits {
    failures: Throttle<AddressKey>,
    all_failures: Throttle<()>,
    joins: Throttle<AddressKey>,
    per_game: Throttle<GameId>,
    pub(crate) strays: Throttle<GameId>,
}

impl JoinLimits {
    /// Everybody's allowance is whole.
    pub fn new(identity: &Identity) -> Self {
        let (now, minute, second) = (clock::now(), Duration::from_mins(1), Duration::from_secs(1));
        let (failed, all_failed) = (identity.failed_joins_per_minute_per_address, identity.failed_joins_per_minute);
        let (joins, burst) = (identity.joins_per_minute_per_address, identity.join_burst_per_address);
        let per_game = identity.joins_per_second_per_game;
        Self {
            failures: Throttle::new(failed, minute, failed, now),
            all_failures: Throttle::new(all_failed, minute, all_failed, now),
            joins: Throttle::new(joins, minute, burst, now),
            per_game: Throttle::new(per_game, second, per_game, now),
            strays: Throttle::new(STRAYS_PER_MINUTE, minute, STRAYS_PER_MINUTE, now),
        }
    }

    /// Before a code is looked up: whether this address may try at all.
    pub(super) async fn admit(&self, address: IpAddr) -> Result<(), Refused> {
        let (key, now) = (address.into(), clock::now());
        let wait = self.guess(key, now).and_then(|()| self.joins.ready(&key, now));
        match wait {
            Ok(()) => Ok(()),
            Err(wait) => Err(too_often(wait).await),
        }
    }

    /// After a code was looked up in vain: counts, and says 404, or 429 when that was one too many.
    pub(super) async fn failed(&self, address: IpAddr) -> Refused {
        let (key, now) = (address.into(), clock::now());
        let wait = self.guess(key, now);
        // One address spends its own allowance only, however many guesses it has under way at once: beyond that it must
        // not use up what everybody shares.
        if self.failures.take(key, now).is_ok() {
            self.all_failures.charge((), now);
        } else {
            self.failures.charge(key, now);
        }
        match wait {
            Ok(()) => Refused::no_such_game().at("gameCode"),
            Err(wait) => too_often(wait).await,
        }
    }

    /// Before somebody takes a seat: whether this game can take another one in now.
    pub(super) fn enter(&self, game: GameId) -> Result<(), Refused> {
        self.per_game.take(game, clock::now()).map_err(|wait| {
            Refused::new(Kind::TOO_OFTEN, "Too many people are joining at once. Try again in a moment.")
                .retry_after(wait)
        })
    }

    /// After somebody took a seat.
    pub(super) fn joined(&self, address: IpAddr) {
        self.joins.charge(address.into(), clock::now());
    }

    fn guess(&self, key: AddressKey, now: Instant) -> Result<(), Duration> {
        self.failures.ready(&key, now).and_then(|()| self.all_failures.ready(&(), now))
    }
}

async fn too_often(wait: Duration) -> Refused {
    tokio::time::sleep(PENALTY).await;
    Refused::new(Kind::TOO_OFTEN, "Too many joins from your address. Wait a little.").retry_after(wait)
}
