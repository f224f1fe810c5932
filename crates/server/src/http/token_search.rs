//! Finds what a token with 256 random bits opens: a valid token is looked up and never charged, whatever other requests
//! come from its address.
//!
//! Called for the tokens of players, screens, spectators and co-hosts, for results links and for the secrets of
//! screens. Such a token cannot be guessed, so a lookup gives nothing away. An invalid token is charged to its address
//! as an invalid token at a socket is; an address over that allowance waits before each read of the database.

use std::net::IpAddr;
use std::time::Duration;

use axum::http::HeaderMap;
use quizhall_rules::{GameId, Phase, State as GameState};
use tokio::time::{sleep, timeout};

use super::game_access;
use super::problem::{Kind, Refused, two_tokens};
use crate::app::App;
use crate::auth::{Carrier, Presented};
use crate::games::GameHandle;
use crate::limits::{BRAKE, JoinQueueFull, site_of};

/// How long a lookup may wait for its turn.
const TIMEOUT: Duration = Duration::from_secs(5);

/// When an address that has shown too many invalid tokens may show the next.
const AGAIN: Duration = Duration::from_secs(1);

/// The address and the headers of a request with a token.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    pub address: IpAddr,
    pub headers: &'a HeaderMap,
}

/// The result of `look` for a token from this address.
///
/// # Errors
/// 429 for one invalid token too many, and 503.
pub(super) async fn by_token<T>(
    app: &App,
    address: IpAddr,
    look: impl Future<Output = Result<Option<T>, Refused>> + Send,
) -> Result<Option<T>, Refused> {
    let limits = app.sockets.upgrade_limits();
    // This wait is outside of the lane, so requests that wait do not block others from the same site.
    brake(limits.before_read(address)).await;
    let lane = timeout(TIMEOUT, app.joins.token_lookups.enter(site_of(address)));
    let lane = lane.await.map_err(|_| JoinQueueFull::counted())?.map_err(|_| JoinQueueFull::counted())?;
    let found = look.await?;
    drop(lane);
    if found.is_none() && !limits.refuse(address) {
        brake(BRAKE).await;
        let detail = "Too many tokens from your address that are not valid. Wait a little.";
        return Err(Refused::new(Kind::TOO_OFTEN, detail).retry_after(AGAIN));
    }
    Ok(found)
}

/// The game that the bearer token of a request names, and what `find` finds in it. The token of a live game needs no
/// read of the database.
///
/// # Errors
/// 401 for an invalid token, otherwise as [`by_token`].
pub(super) async fn of_token<Token: Clone + Send + 'static, T: Send + 'static>(
    app: &App,
    Asking { address, headers }: Asking<'_>,
    read: impl Fn(&Presented) -> Option<(GameId, Token)>,
    find: impl Fn(&GameState, &Token) -> Option<T> + Clone + Send + 'static,
) -> Result<(GameHandle, T), Refused> {
    let presented = match Carrier::read(headers, None) {
        Carrier::Conflicting => return Err(two_tokens()),
        Carrier::Token(presented) => read(&presented),
        Carrier::Missing => None,
    };
    let (game, token) = presented.ok_or_else(Refused::unauthorized)?;
    let find = move |state: &GameState| find(state, &token).map(|found| (found, state.phase() == Phase::Ended));
    if app.registry.is_live(game)
        && let Some(game) = app.registry.by_id(game).await?
        && let Some((found, false)) = game.view(find.clone()).await?
    {
        return Ok((game, found));
    }
    let look = async {
        // Tokens end with the code of the game, 24 h after its end.
        let row = app.store.game_by_id(game).await?.filter(|row| !row.closed && !game_access::is_past(row));
        if row.is_none() {
            return Ok(None);
        }
        let Some(game) = app.registry.by_id(game).await? else { return Ok(None) };
        // Another node may have added it a moment ago, so the log is read.
        let found = game.fresh_view(find).await?;
        Ok(found.map(|(found, _)| (game, found)))
    };
    by_token(app, address, look).await?.ok_or_else(Refused::unauthorized)
}

async fn brake(wait: Duration) {
    if !wait.is_zero() {
        sleep(wait).await;
    }
}
