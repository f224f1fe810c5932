//! Finding the game of a code or of a results link, so that guesses are limited and do not delay valid joins.
//!
//! Called by `join`, `results_link` and `screen_pairings`. An address that has guessed too often is refused before the code is looked at, so it learns nothing;
//! all others are let in by a code that exists, whatever others have done.

use std::net::IpAddr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tokio::time::{sleep, timeout};

use super::problem::{Kind, Refused};
use crate::auth::{AddressKey, JoinLimits, JoinQueueFull, site_of};
use crate::games::{GameError, GameHandle, GameRegistry};
use crate::store::{GameRow, Store};

/// How long an answer that says "too often" is held back.
const PENALTY: Duration = Duration::from_millis(250);

/// How long a lookup may wait for its turn.
const TIMEOUT: Duration = Duration::from_secs(5);

impl JoinLimits {
    /// The game with this code, for a client at this address.
    ///
    /// An address that is over its limit is still let into games that were found from there before: a venue behind one
    /// address does not stand outside because ten of its guests have mistyped.
    pub(super) async fn find(
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
        let pair = (AddressKey::from(address), code.to_owned());
        self.may_try(&pair, address).await?;
        if let Some(game) = live(registry, code).await? {
            self.found.insert(pair);
            return Ok(Some(game));
        }
        self.look_up(pair, address, async {
            match live(registry, code).await? {
                Some(game) => Ok(Some(game)),
                None => self.stored(registry, code).await,
            }
        })
        .await
    }

    /// The game with this results link, for a client at this address; `None` when there is none. Limited like a code.
    ///
    /// # Errors
    /// 429 for an address that has guessed too often, and 503.
    pub(super) async fn find_link(
        &self,
        store: &Store,
        hash: Option<[u8; 32]>,
        address: IpAddr,
    ) -> Result<Option<GameRow>, Refused> {
        // A link and a code never have the same name: a code has six symbols.
        let name = hash.map(|hash| URL_SAFE_NO_PAD.encode(hash)).unwrap_or_default();
        self.find_named(name, address, async {
            match hash {
                Some(hash) => Ok(store.game_of_results_link(hash).await?),
                None => Ok(None),
            }
        })
        .await
    }

    /// What `look` finds by this name, for a client at this address. Limited like a code.
    ///
    /// # Errors
    /// 429 for an address that has guessed too often, and 503.
    pub(super) async fn find_named<T>(
        &self,
        name: String,
        address: IpAddr,
        look: impl Future<Output = Result<Option<T>, Refused>> + Send,
    ) -> Result<Option<T>, Refused> {
        let pair = (AddressKey::from(address), name);
        let found = async {
            self.may_try(&pair, address).await?;
            self.look_up(pair, address, async { look.await.map_err(Missed::from) }).await
        };
        match found.await {
            Ok(found) => Ok(found),
            Err(Missed::TooOften(wait)) => Err(too_often(wait).await),
            Err(Missed::Refused(refused)) => Err(refused),
        }
    }

    /// Counts an attempt that needs no account as a failed one of its address.
    ///
    /// # Errors
    /// 429 for an address that has none left.
    pub(super) async fn spend(&self, address: IpAddr) -> Result<(), Refused> {
        let spent = async {
            self.failures.take(address).await?;
            self.all_failures.take(()).await
        };
        match spent.await {
            Ok(()) => Ok(()),
            Err(wait) => Err(too_often(wait).await),
        }
    }

    /// What `look` finds for this pair of an address and a name; an address pays for what is not found.
    async fn look_up<T>(
        &self,
        pair: (AddressKey, String),
        address: IpAddr,
        look: impl Future<Output = Result<Option<T>, Missed>> + Send,
    ) -> Result<Option<T>, Missed> {
        // A site looks up a few codes at a time and pays for them, before the next are looked up: of thousands of guesses at
        // once, those beyond its allowance read nothing.
        let lane =
            timeout(TIMEOUT, self.lookups.enter(site_of(address))).await.map_err(|_| JoinQueueFull::counted())?;
        let _lane = lane.map_err(|_| JoinQueueFull::counted())?;
        self.may_try(&pair, address).await?;
        match look.await? {
            Some(found) => {
                self.found.insert(pair);
                Ok(Some(found))
            }
            None => self.count_failure(address).await.map(|()| None),
        }
    }

    /// Whether this address may try this code; when it may not, the code is not looked at.
    async fn may_try(&self, pair: &(AddressKey, String), address: IpAddr) -> Result<(), Missed> {
        if self.found.contains(pair) {
            return Ok(());
        }
        self.failures.ready(address).await.map_err(Missed::TooOften)
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

    /// After a code was looked up in vain.
    async fn count_failure(&self, address: IpAddr) -> Result<(), Missed> {
        // Only what is within the address's own allowance is taken from the common one.
        self.failures.charge(address).await.map_err(Missed::TooOften)?;
        self.all_failures.take(()).await.map_err(Missed::TooOften)
    }
}

/// The game with this code, if it is in memory and has not ended.
async fn live(registry: &GameRegistry, code: &str) -> Result<Option<GameHandle>, GameError> {
    match registry.live_code(code) {
        Some(game) => registry.by_id(game).await,
        None => Ok(None),
    }
}

/// For one address that did something too often.
async fn too_often(wait: Duration) -> Refused {
    sleep(PENALTY).await;
    Refused::new(Kind::TOO_OFTEN, "Too many joins from your address. Wait a little.").retry_after(wait)
}

/// Why a search had no outcome. The answer to the first is held back, outside of the lane.
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
