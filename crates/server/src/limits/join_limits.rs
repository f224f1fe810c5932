//! How often people may join. Wrong codes are guesses and limited by address; right codes are limited by game, because
//! a school or a venue has one address. With a cache store, all nodes share the same allowances.
//!
//! Used by `http` for joins and, for valid tokens with the codes of other games, by `upgrade`. Does not look up codes
//! itself.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::{GameId, HostId};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::address_limit::AddressLimit;
use super::known::Known;
use super::lanes::{InLane, Lanes};
use super::shared_throttle::{Allowances, Allowed, SharedThrottle};
use super::throttle::{AddressKey, Throttle};
use crate::clock;
use crate::cluster::bus::SharedLimits;
use crate::config::Identity;
use crate::telemetry::{Limit, metrics};

/// Valid tokens with the code of another game that still learn whether that code exists, per game or host and minute.
const STRAYS_PER_MINUTE: u32 = 30;

/// Joins of one game that are decided and stored at once. More would wait in the game's own queue and delay its host's
/// commands.
const AT_ONCE: usize = 512;

/// Joins of one game that request their part of the second at once: enough that the time to reach a cache store makes
/// no difference.
const PACED_AT_ONCE: usize = 16;

/// How long a join may wait for its turn.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Codes of one address that are looked up in the database at once, and of all addresses together.
const LOOKUPS_OF_ONE: usize = 4;
const LOOKUPS: usize = 16;

/// Tries per minute that an address which has guessed too often in a game still has there, to show that it knows a
/// code. A client that sends more is guessing.
const TRIES_PER_MINUTE: u32 = 600;

/// Codes that screens at one address may request within ten minutes, the lifetime of a code. A game has 50 screens.
const PAIRINGS: Allowed = Allowed { rate: 60, period: Duration::from_mins(10), burst: 60 };

/// Codes issued for one seat per minute: each is a row in the log of its game.
const SEAT_CODES_PER_MINUTE: u32 = 6;

/// Questions about corrections that are answered per game and second.
const WHAT_IFS: Allowed = Allowed { rate: 10, period: Duration::from_secs(1), burst: 10 };

/// Pages of answers that are read per game and second.
const ANSWER_PAGES: Allowed = Allowed { rate: 10, period: Duration::from_secs(1), burst: 20 };

/// Results links read at once.
const SHARED_RESULTS: usize = 8;

/// Remembered pairs of an address and a code, about 100 bytes each.
const KNOWN: usize = 65_536;

/// More people try to join than can wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JoinQueueFull(());

impl JoinQueueFull {
    /// Counts the limit as reached.
    pub(crate) fn counted() -> Self {
        metrics::limit_reached(Limit::JoinQueue);
        Self(())
    }
}

/// The limits of joining.
pub struct JoinLimits {
    pub(crate) failures: AddressLimit,
    /// Limits wrong codes of teams, seats and screens: within a game, or by an account.
    pub(crate) failures_within: AddressLimit<Uuid>,
    pub(crate) tries_within: Throttle<(AddressKey, Uuid)>,
    /// Limits the codes issued for each seat, by the id of its player or phone.
    pub(crate) seat_codes: SharedThrottle<Uuid>,
    /// Limits the codes that screens request.
    pub(crate) pairings: AddressLimit,
    /// Limits how often a game is asked what corrections would do: each answer copies its state.
    pub(crate) what_ifs: SharedThrottle<GameId>,
    /// Limits how often pages of answers of a game are read: each looks through the answers to a question.
    pub(crate) answer_pages: SharedThrottle<GameId>,
    pub(crate) all_failures: SharedThrottle<()>,
    /// Addresses that have found something by this code, or have shown a token of its game: there the code is no
    /// secret.
    pub(crate) found: Known<(AddressKey, String)>,
    pub(crate) lookups: Lanes<AddressKey>,
    /// Lookups of tokens in the database, separate from codes, so that guesses of codes do not delay them.
    pub(crate) token_lookups: Lanes<AddressKey>,
    pub(crate) reads: Semaphore,
    pub(crate) shared_results: Semaphore,
    queue: Lanes<GameId>,
    paced: Lanes<GameId>,
    per_game: SharedThrottle<GameId>,
    pub(crate) strays: SharedThrottle<GameId>,
    host_strays: SharedThrottle<HostId>,
}

impl JoinLimits {
    /// Begins with every allowance unused on this node; with `shared`, the allowances of all nodes count too.
    pub fn new(identity: &Identity, shared: Option<Arc<dyn SharedLimits>>) -> Self {
        let allowances = shared.map(Allowances::new);
        let shared = allowances.as_ref();
        let per_minute = Allowed::per_minute;
        let per_game = identity.joins_per_second_per_game;
        let per_game = Allowed { rate: per_game, period: Duration::from_secs(1), burst: per_game };
        let failures = [Limit::FailedJoinsPerAddress, Limit::FailedJoinsPerLine, Limit::FailedJoinsPerSite];
        let within = [Limit::FailedCodesPerAddress, Limit::FailedCodesPerLine, Limit::FailedCodesPerSite];
        let pairings = [Limit::PairingsPerAddress, Limit::PairingsPerLine, Limit::PairingsPerSite];
        let of_address = per_minute(identity.failed_joins_per_minute_per_address);
        let (strays, minute) = (per_minute(STRAYS_PER_MINUTE), Duration::from_mins(1));
        Self {
            failures: AddressLimit::new(failures, of_address, shared),
            failures_within: AddressLimit::new(within, of_address, shared),
            tries_within: Throttle::new(TRIES_PER_MINUTE, minute, TRIES_PER_MINUTE, clock::now()),
            seat_codes: SharedThrottle::new(Limit::SeatCodesPerSeat, per_minute(SEAT_CODES_PER_MINUTE), shared),
            pairings: AddressLimit::new(pairings, PAIRINGS, shared),
            what_ifs: SharedThrottle::new(Limit::WhatIfsPerGame, WHAT_IFS, shared),
            answer_pages: SharedThrottle::new(Limit::AnswerPagesPerGame, ANSWER_PAGES, shared),
            all_failures: SharedThrottle::new(Limit::FailedJoins, per_minute(identity.failed_joins_per_minute), shared),
            found: Known::new(KNOWN),
            lookups: Lanes::new(LOOKUPS_OF_ONE, identity.join_queue),
            token_lookups: Lanes::new(LOOKUPS_OF_ONE, identity.join_queue),
            reads: Semaphore::new(LOOKUPS),
            shared_results: Semaphore::new(SHARED_RESULTS),
            queue: Lanes::new(AT_ONCE, identity.join_queue),
            paced: Lanes::new(PACED_AT_ONCE, identity.join_queue),
            per_game: SharedThrottle::new(Limit::JoinsPerGame, per_game, shared),
            strays: SharedThrottle::new(Limit::StraysPerGame, strays, shared),
            host_strays: SharedThrottle::new(Limit::StraysPerHost, strays, shared),
        }
    }

    /// Remembers that this code is no secret at this address, because a client there has it from the game itself.
    pub(crate) fn learn(&self, address: IpAddr, code: String) {
        self.found.insert((address.into(), code));
    }

    /// Waits in the game's queue for a turn to join; dropping the place gives the turn to the next one.
    pub(crate) async fn enter(&self, game: GameId) -> Result<InLane<'_, GameId>, JoinQueueFull> {
        let place = timeout(TIMEOUT, self.queue.enter(game)).await.map_err(|_| JoinQueueFull::counted())?;
        place.map_err(|_| JoinQueueFull::counted())
    }

    /// Joins that wait for their turn or are under way, for metrics.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.taken()
    }

    /// Waits until this game may add another player, by its rate.
    pub(crate) async fn pace(&self, game: GameId) -> Result<(), JoinQueueFull> {
        let paced = async {
            let _turn = self.paced.enter(game).await.map_err(|_| JoinQueueFull::counted())?;
            while let Err(wait) = self.per_game.take(game).await {
                sleep(wait).await;
            }
            Ok(())
        };
        timeout(TIMEOUT, paced).await.map_err(|_| JoinQueueFull::counted())?
    }

    /// Whether a host who names another host's game may learn that its code exists; counts one attempt.
    pub(crate) async fn may_stray(&self, host: HostId) -> bool {
        self.host_strays.take(host).await.is_ok()
    }
}
