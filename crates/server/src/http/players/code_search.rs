//! Looks up codes that people type: the code of a game, and the codes of teams, seats and screens within a game.
//! Guesses are limited and do not delay valid codes.
//!
//! Called by `join`, `seats`, `spectators` and `screen_pairings`. An address that has guessed too often is refused
//! before its code is looked up, so it learns nothing. Any other address is let in by a code that exists, whatever
//! other addresses have done. Tokens are not codes: see `token_search`.

use std::net::IpAddr;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::clock;
use crate::games::{GameError, GameHandle, GameRegistry};
use crate::http::problem::{Kind, Refused};
use crate::limits::{AddressKey, JoinLimits, JoinQueueFull, site_of};

/// How long the answer to an address that tries too often is held back.
const PENALTY: Duration = Duration::from_millis(250);

/// How long a lookup may wait for its turn.
const TIMEOUT: Duration = Duration::from_secs(5);

impl JoinLimits {
    /// The game with this code, for a client at this address.
    ///
    /// An address that is over its limit may still enter the games that were found from there before: a venue behind
    /// one address is not locked out because ten of its guests have mistyped.
    pub(in crate::http) async fn find(
        &self,
        registry: &GameRegistry,
        code: &str,
        address: IpAddr,
    ) -> Result<GameHandle, Refused> {
        match self.search(registry, code, address).await {
            Ok(Some(game)) => Ok(game),
            Ok(None) => Err(Refused::no_such_game().at("gameCode")),
            Err(Missed::TooOften(wait)) => Err(too_often(wait).await),
            Err(Missed::Refused(refused)) => Err(refused),
        }
    }

    async fn search(&self, registry: &GameRegistry, code: &str, address: IpAddr) -> Result<Option<GameHandle>, Missed> {
        let guess = Guess { address, name: code.to_owned(), scope: None };
        self.may_try(&guess).await?;
        if let Some(game) = live(registry, code).await? {
            self.learn(address, guess.name);
            return Ok(Some(game));
        }
        self.look_up(&guess, async {
            match live(registry, code).await? {
                Some(game) => Ok(Some(game)),
                None => self.stored(registry, code).await,
            }
        })
        .await
    }

    /// The result of `look`, which finds this code of a team, a seat or a screen, for a client at this address. Wrong
    /// codes are counted within the `scope`, a game or an account, and separately from the codes of games.
    ///
    /// # Errors
    /// 429 for an address that has guessed too often, and 503.
    pub(in crate::http) async fn find_within<T>(
        &self,
        guess: Guess,
        look: impl Future<Output = Result<Option<T>, Refused>> + Send,
    ) -> Result<Option<T>, Refused> {
        let found = async {
            self.may_try(&guess).await?;
            self.look_up(&guess, async { look.await.map_err(Missed::from) }).await
        };
        match found.await {
            Ok(found) => Ok(found),
            Err(Missed::TooOften(wait)) => Err(too_often(wait).await),
            Err(Missed::Refused(refused)) => Err(refused),
        }
    }

    /// Counts a code that a screen at this address requests.
    ///
    /// # Errors
    /// 429 for an address that has requested too many.
    pub(in crate::http) async fn spend_pairing(&self, address: IpAddr) -> Result<(), Refused> {
        match self.pairings.take(address, ()).await {
            Ok(()) => Ok(()),
            Err(wait) => Err(too_often(wait).await),
        }
    }

    /// The result of `look`; the address is charged when nothing is found.
    async fn look_up<T>(
        &self,
        guess: &Guess,
        look: impl Future<Output = Result<Option<T>, Missed>> + Send,
    ) -> Result<Option<T>, Missed> {
        // A site looks up a few codes at a time and is charged before the next ones are looked up. So of thousands of
        // guesses at once, those beyond its allowance read nothing.
        let lane = timeout(TIMEOUT, self.lookups.enter(site_of(guess.address)));
        let _lane = lane.await.map_err(|_| JoinQueueFull::counted())?.map_err(|_| JoinQueueFull::counted())?;
        self.may_try(guess).await?;
        match look.await? {
            Some(found) => {
                self.learn(guess.address, guess.name.clone());
                Ok(Some(found))
            }
            None => self.count_failure(guess).await.map(|()| None),
        }
    }

    /// Whether this address may try this code; otherwise the code is not looked up. An address over its allowance may
    /// still use a code that was found from there before. The codes of teams are short, so within a game it tries only
    /// a few a second.
    async fn may_try(&self, guess: &Guess) -> Result<(), Missed> {
        let pair = (AddressKey::from(guess.address), guess.name.clone());
        match guess.scope {
            None if self.found.contains(&pair) => Ok(()),
            None => self.failures.ready(guess.address, ()).await.map_err(Missed::TooOften),
            Some(scope) => {
                let Err(wait) = self.failures_within.ready(guess.address, scope).await else { return Ok(()) };
                let tries = self.tries_within.take((pair.0, scope), clock::now());
                tries.map_err(|longer| Missed::TooOften(longer.max(wait)))?;
                if self.found.contains(&pair) { Ok(()) } else { Err(Missed::TooOften(wait)) }
            }
        }
    }

    async fn stored(&self, registry: &GameRegistry, code: &str) -> Result<Option<GameHandle>, Missed> {
        let read = timeout(TIMEOUT, self.reads.acquire()).await.map_err(|_| JoinQueueFull::counted())?;
        let game = registry.stored_code(code).await?;
        drop(read);
        match game {
            Some(game) => Ok(registry.by_id(game).await?),
            None => Ok(None),
        }
    }

    /// Charges an address for a code that was not found.
    async fn count_failure(&self, guess: &Guess) -> Result<(), Missed> {
        // The common allowance is charged only for guesses within the address's own allowance.
        let own = match guess.scope {
            None => self.failures.charge(guess.address, ()).await,
            Some(scope) => self.failures_within.charge(guess.address, scope).await,
        };
        own.map_err(Missed::TooOften)?;
        self.all_failures.take(()).await.map_err(Missed::TooOften)
    }
}

/// A code that a client tries.
pub(in crate::http) struct Guess {
    pub address: IpAddr,
    /// The code, together with the thing that it belongs to.
    pub name: String,
    /// The game or the account within which it is tried; `None` for the code of a game.
    pub scope: Option<Uuid>,
}

/// The name under which the code of a team is remembered.
pub(in crate::http) fn team_name(game_code: &str, team: &str) -> String {
    format!("{game_code} team {team}")
}

/// The name under which the code of a seat is remembered.
pub(in crate::http) fn seat_name(game_code: &str, seat_code: &str) -> String {
    format!("{game_code} {seat_code}")
}

/// The name under which the code of a screen without a game is remembered.
pub(in crate::http) fn screen_name(code: &str) -> String {
    format!("screen {code}")
}

/// The game with this code, if it is in memory and has not ended.
async fn live(registry: &GameRegistry, code: &str) -> Result<Option<GameHandle>, GameError> {
    match registry.live_code(code) {
        Some(game) => registry.by_id(game).await,
        None => Ok(None),
    }
}

/// The refusal for an address that has tried too often.
async fn too_often(wait: Duration) -> Refused {
    sleep(PENALTY).await;
    Refused::new(Kind::TOO_OFTEN, "Too many joins from your address. Wait a little.").retry_after(wait)
}

/// Why a search has no result. `TooOften` is answered late, after the lane has been left.
enum Missed {
    TooOften(Duration),
    Refused(Refused),
}

impl From<JoinQueueFull> for Missed {
    fn from(full: JoinQueueFull) -> Self {
        Self::Refused(full.into())
    }
}

impl From<Refused> for Missed {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<GameError> for Missed {
    fn from(error: GameError) -> Self {
        Self::Refused(error.into())
    }
}
