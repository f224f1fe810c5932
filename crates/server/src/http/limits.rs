//! How often people may join (reliability §3, "Identity and abuse"): failures are limited hard, because they are
//! guesses at codes; successes loosely, because a school or a hall has one address. Where there is a cache store, all
//! nodes draw on the same allowances.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::GameId;

use super::problem::{Kind, Refused};
use crate::auth::{AddressKey, Allowances, Allowed, SharedThrottle};
use crate::bus::SharedLimits;
use crate::config::Identity;

/// How long an answer that says "too often" is held back.
const PENALTY: Duration = Duration::from_millis(250);

/// Genuine tokens on codes of other games, per game and minute, that still learn whether the code exists.
const STRAYS_PER_MINUTE: u32 = 30;

/// The limits of joining.
pub struct JoinLimits {
    failures: SharedThrottle<AddressKey>,
    all_failures: SharedThrottle<()>,
    joins: SharedThrottle<AddressKey>,
    per_game: SharedThrottle<GameId>,
    pub(crate) strays: SharedThrottle<GameId>,
}

impl JoinLimits {
    /// Everybody's allowance on this node is whole; the other nodes' count too where they are `shared`.
    pub fn new(identity: &Identity, shared: Option<Arc<dyn SharedLimits>>) -> Self {
        let allowances = shared.map(Allowances::new);
        let shared = allowances.as_ref();
        let per_minute = |rate, burst| Allowed { rate, period: Duration::from_mins(1), burst };
        let (failed, all_failed) = (identity.failed_joins_per_minute_per_address, identity.failed_joins_per_minute);
        let joins = per_minute(identity.joins_per_minute_per_address, identity.join_burst_per_address);
        let per_game = identity.joins_per_second_per_game;
        let per_game = Allowed { rate: per_game, period: Duration::from_secs(1), burst: per_game };
        let strays = per_minute(STRAYS_PER_MINUTE, STRAYS_PER_MINUTE);
        Self {
            failures: SharedThrottle::new("failed_joins_per_address", per_minute(failed, failed), shared),
            all_failures: SharedThrottle::new("failed_joins", per_minute(all_failed, all_failed), shared),
            joins: SharedThrottle::new("joins_per_address", joins, shared),
            per_game: SharedThrottle::new("joins_per_game", per_game, shared),
            strays: SharedThrottle::new("strays_per_game", strays, shared),
        }
    }

    /// Before a code is looked up: whether this address may try at all.
    pub(super) async fn admit(&self, address: IpAddr) -> Result<(), Refused> {
        let key = address.into();
        let here = self.guess_here(&key).and_then(|()| self.joins.ready_here(&key));
        let wait = match here {
            Ok(()) => tokio::try_join!(self.guess(&key), self.joins.ready(&key)).map(|_| ()),
            refused => refused,
        };
        match wait {
            Ok(()) => Ok(()),
            Err(wait) => Err(too_often(wait).await),
        }
    }

    /// After a code was looked up in vain: counts, and says 404, or 429 when that was one too many.
    pub(super) async fn failed(&self, address: IpAddr) -> Refused {
        let key = address.into();
        let wait = self.guess(&key).await;
        // One address spends its own allowance only, however many guesses it has under way at once: beyond that it must
        // not use up what everybody shares.
        if self.failures.take(key).await.is_ok() {
            self.all_failures.charge(());
        } else {
            self.failures.charge(key);
        }
        match wait {
            Ok(()) => Refused::no_such_game().at("gameCode"),
            Err(wait) => too_often(wait).await,
        }
    }

    /// Before somebody takes a seat: whether this game can take another one in now.
    pub(super) async fn enter(&self, game: GameId) -> Result<(), Refused> {
        self.per_game.take(game).await.map_err(|wait| {
            Refused::new(Kind::TOO_OFTEN, "Too many people are joining at once. Try again in a moment.")
                .retry_after(wait)
        })
    }

    /// After somebody took a seat.
    pub(super) fn joined(&self, address: IpAddr) {
        self.joins.charge(address.into());
    }

    async fn guess(&self, key: &AddressKey) -> Result<(), Duration> {
        self.guess_here(key)?;
        tokio::try_join!(self.failures.ready(key), self.all_failures.ready(&())).map(|_| ())
    }

    fn guess_here(&self, key: &AddressKey) -> Result<(), Duration> {
        self.failures.ready_here(key).and_then(|()| self.all_failures.ready_here(&()))
    }
}

async fn too_often(wait: Duration) -> Refused {
    tokio::time::sleep(PENALTY).await;
    Refused::new(Kind::TOO_OFTEN, "Too many joins from your address. Wait a little.").retry_after(wait)
}
