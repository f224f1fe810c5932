//! Finding what a token with 256 random bits opens: a genuine one is looked up and never charged, whatever else comes from its address.
//!
//! Called for the tokens of players, screens, spectators and co-hosts, for results links and for the secrets of screens. No one guesses such a
//! token, so looking gives nothing away. One that is not genuine is charged to its address as a refused one at a socket is; an
//! address over that allowance waits before each reading of the database.

use std::net::IpAddr;
use std::time::Duration;

use axum::http::HeaderMap;
use quizhall_rules::{GameId, Phase, State as GameState};
use tokio::time::{sleep, timeout};

use super::game_access;
use super::problem::{Kind, Refused, two_tokens};
use crate::app::App;
use crate::auth::{Carrier, JoinQueueFull, Presented, site_of};
use crate::games::GameHandle;
use crate::ws::BRAKE;

/// How long a look may wait for its turn.
const TIMEOUT: Duration = Duration::from_secs(5);

/// When an address that has shown too many tokens in vain may show the next.
const AGAIN: Duration = Duration::from_secs(1);

/// What `look` finds for a token from this address.
///
/// # Errors
/// 429 for one token too many that was not genuine, and 503.
pub(super) async fn by_token<T>(
    app: &App,
    address: IpAddr,
    look: impl Future<Output = Result<Option<T>, Refused>> + Send,
) -> Result<Option<T>, Refused> {
    let limits = app.sockets.upgrade_limits();
    // Outside of the lane: those who wait are not in the way of others at their address.
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

/// The game that the bearer token of a request names, and what it finds there. The token of a live game needs no reading of the database.
///
/// # Errors
/// 401 for a token that is not genuine, otherwise as [`by_token`].
pub(super) async fn of_token<Token: Clone + Send + 'static, T: Send + 'static>(
    app: &App,
    (headers, address): (&HeaderMap, IpAddr),
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
        // Tokens end 24 h after the game, when its code does.
        let row = app.store.game_by_id(game).await?.filter(|row| !row.closed && !game_access::is_past(row));
        if row.is_none() {
            return Ok(None);
        }
        let Some(game) = app.registry.by_id(game).await? else { return Ok(None) };
        // It may have been added over another node a moment ago: the log has it.
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
