//! Finds the participant or the screen of a game for a code and a token; no other code does this.
//!
//! Called by the upgrade handler. The order of the checks is chosen so that codes cannot be guessed by opening sockets:
//! a client without a valid token of the service learns nothing about any code.

use std::time::Duration;

use quizhall_protocol::http::me::TokenScope;
use quizhall_protocol::{CloseCode, Dialect};
use quizhall_rules::{GameId, Phase, State, TokenHash};
use tokio::time::sleep;

use crate::app::App;
use crate::auth::{Carrier, HostGrant, HostSession, Presented, ViewerToken, tidy_code};
use crate::clock;
use crate::games::{GameError, GameHandle, Holder, Participant, Seat};
use crate::http::{Kind, Refused, two_tokens};

/// When a host who searches for codes gets the answer, counted from the request: longer than reading a game takes.
const SEARCH_PENALTY: Duration = Duration::from_millis(250);

/// Why a socket was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SocketRefusal {
    /// No token, or not a valid one; the answer does not differ (promise 19).
    Unauthorized,
    /// A valid token, but for another game or of another host, or one for programs that may not run games.
    Forbidden,
    /// No game has this code (any more).
    NotFound,
    /// Two different tokens: 400.
    Conflicting,
    /// The database does not answer: 503.
    Unavailable,
    /// The log of the game cannot be read: 503.
    Damaged,
    /// Too much is waiting, or the game is moving to another node: 503.
    Busy,
}

impl SocketRefusal {
    /// The close code for a browser, which cannot read the status; `None` when the answer is plain HTTP for all.
    pub(super) const fn close_code(self) -> Option<CloseCode> {
        match self {
            Self::Unauthorized => Some(CloseCode::Unauthorized),
            Self::Forbidden => Some(CloseCode::Forbidden),
            Self::NotFound => Some(CloseCode::GameNotFound),
            Self::Conflicting | Self::Unavailable | Self::Damaged | Self::Busy => None,
        }
    }
}

impl SocketRefusal {
    /// Whether the cause is the client and not the state of the service.
    pub(super) const fn is_the_clients(self) -> bool {
        !matches!(self, Self::Unavailable | Self::Busy)
    }
}

impl From<GameError> for SocketRefusal {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Unavailable => Self::Unavailable,
            GameError::Damaged => Self::Damaged,
            GameError::Busy | GameError::Stopping => Self::Busy,
        }
    }
}

impl From<SocketRefusal> for Refused {
    fn from(refusal: SocketRefusal) -> Self {
        match refusal {
            SocketRefusal::Unauthorized => Self::unauthorized(),
            SocketRefusal::Forbidden => Self::new(Kind::FORBIDDEN, "This token belongs to another game."),
            SocketRefusal::NotFound => Self::no_such_game(),
            SocketRefusal::Conflicting => two_tokens(),
            SocketRefusal::Unavailable => GameError::Unavailable.into(),
            SocketRefusal::Damaged => GameError::Damaged.into(),
            SocketRefusal::Busy => {
                Self::new(Kind::BUSY, "Too much is waiting. Try again in a moment.").retry_after(Duration::from_secs(1))
            }
        }
    }
}

/// What a client presents.
#[derive(Debug)]
pub struct SeatRequest<'a> {
    /// The code of a game.
    pub code: &'a str,
    /// Where its token is.
    pub carrier: &'a Carrier,
    /// The tokens of co-hosts, screens and spectators are valid only for a socket of the extension.
    pub dialect: Dialect,
    /// Every read of the database waits for this long first: a delay for an address whose tokens were refused again and
    /// again, zero for all others.
    pub before_read: Duration,
}

/// Finds the game with this code and the seat of the token. The third part is present for hosts.
///
/// A player's token of a live game is verified in memory.
///
/// # Errors
/// Why the socket is refused.
pub async fn socket_seat(
    app: &App,
    request: &SeatRequest<'_>,
) -> Result<(GameHandle, Seat, Option<HostGrant>), SocketRefusal> {
    let SeatRequest { code, carrier, dialect, before_read } = *request;
    let presented = match carrier {
        Carrier::Missing => return Err(SocketRefusal::Unauthorized),
        Carrier::Conflicting => return Err(SocketRefusal::Conflicting),
        Carrier::Token(presented) => presented,
    };
    if let Some((game, token)) = OfGame::read(presented, dialect) {
        let (handle, seat) = of_game(app, request, game, token).await?;
        return Ok((handle, seat, None));
    }
    brake(before_read).await;
    let session = app.hosts.session_now(carrier).await.map_err(|_| SocketRefusal::Unavailable)?;
    let session = session.ok_or(SocketRefusal::Unauthorized)?;
    if session.scopes.is_some_and(|scopes| !scopes.has(TokenScope::Games)) {
        return Err(SocketRefusal::Forbidden);
    }
    let handle = host(app, code, &session).await?;
    Ok((handle, Seat::Participant(Participant::Host.into()), Some(session.grant)))
}

async fn brake(before_read: Duration) {
    if !before_read.is_zero() {
        sleep(before_read).await;
    }
}

async fn host(app: &App, code: &str, session: &HostSession) -> Result<GameHandle, SocketRefusal> {
    let code = tidy_code(code).ok_or(SocketRefusal::NotFound)?;
    let begun = clock::now();
    let found = app.registry.by_code(&code).await?;
    if let Some(handle) = &found
        && is_owner(app, handle, session).await?
    {
        return Ok(handle.clone());
    }
    // A host cannot use the account to search for codes of others. Beyond a few a minute the answer is the same whether
    // the code exists or not, and its time does not depend on whether a game had to be read.
    if app.joins.may_stray(session.host).await {
        return Err(found.map_or(SocketRefusal::NotFound, |_| SocketRefusal::Forbidden));
    }
    sleep(SEARCH_PENALTY.saturating_sub(clock::since(begun))).await;
    Err(SocketRefusal::Forbidden)
}

/// Whether the game belongs to this host; it may have moved from another account since it was loaded.
async fn is_owner(app: &App, handle: &GameHandle, session: &HostSession) -> Result<bool, SocketRefusal> {
    if handle.host() == session.host {
        return Ok(true);
    }
    let row = app.store.game_by_id(handle.id()).await.map_err(|_| SocketRefusal::Unavailable)?;
    Ok(row.is_some_and(|row| row.host == session.host))
}

/// A token that names its game, as a client sent it.
#[derive(Clone, Copy)]
enum OfGame {
    Player(TokenHash),
    CoHost(TokenHash),
    Viewer(ViewerToken),
}

impl OfGame {
    fn read(presented: &Presented, dialect: Dialect) -> Option<(GameId, Self)> {
        if let Some((game, token)) = presented.as_player() {
            return Some((game, Self::Player(token)));
        }
        if dialect != Dialect::QuizhallV1 {
            return None;
        }
        let of_co_host = presented.as_co_host().map(|(game, token)| (game, Self::CoHost(token)));
        of_co_host.or_else(|| presented.as_viewer().map(|(game, token)| (game, Self::Viewer(token))))
    }

    /// The seat of the token in a state.
    fn seat_in(&self, state: &State) -> Option<Seat> {
        match self {
            Self::Player(token) => {
                let (player, device) = state.device_by_token(token)?;
                let participant = Participant::player_over(player.id, device);
                let moves = state.moves_over(player.id, device);
                Some(Seat::Participant(Holder { participant, moves }))
            }
            Self::CoHost(token) => {
                state.co_hosts().by_token(token).map(|device| Seat::Participant(Participant::CoHost(device).into()))
            }
            Self::Viewer(token) => token.viewer_in(state).map(Seat::Viewer),
        }
    }
}

/// Handles a token that names its game: that game decides whether the token is valid, before the code is looked up.
async fn of_game(
    app: &App,
    request: &SeatRequest<'_>,
    game: GameId,
    presented: OfGame,
) -> Result<(GameHandle, Seat), SocketRefusal> {
    let before_read = request.before_read;
    if !app.registry.is_live(game) {
        brake(before_read).await;
    }
    // A token that belongs to no game counts as none: the answer must not show which games exist.
    let handle = app.registry.by_id(game).await?.ok_or(SocketRefusal::Unauthorized)?;
    let find = move |state: &State| presented.seat_in(state).map(|seat| (seat, state.phase() == Phase::Ended));
    let mut found = handle.view(find).await?;
    if found.is_none() {
        // Another node may have added the player, the screen or the co-host, or allowed watching, a moment ago, so the
        // log is read.
        brake(before_read).await;
        found = handle.fresh_view(find).await?;
    }
    let (seat, ended) = found.ok_or(SocketRefusal::Unauthorized)?;
    // Tokens end with the code of the game, 24 h after its end.
    if ended && app.registry.by_code(handle.code()).await?.is_none_or(|of_code| of_code.id() != handle.id()) {
        return Err(SocketRefusal::Unauthorized);
    }
    let code = tidy_code(request.code).ok_or(SocketRefusal::NotFound)?;
    if handle.code() == code {
        return Ok((handle, seat));
    }
    // A valid token, but not for this code. Whether the code exists is answered only a few times per game, so that a
    // player cannot use a token to try codes.
    if app.joins.strays.take(game).await.is_err() {
        return Err(SocketRefusal::Forbidden);
    }
    match app.registry.by_code(&code).await? {
        Some(_) => Err(SocketRefusal::Forbidden),
        None => Err(SocketRefusal::NotFound),
    }
}
