//! `GET /ws/{gameCode}`: checks the handshake, the origin, room and token, answers 101, and keeps TCP.
//!
//! Mounted by `serve`. A program gets refusals as plain HTTP. A page cannot read the status of a failed handshake, so
//! it gets the socket and at once the 44xx close (messages.md#connecting). Refusals for capacity and for malformed HTTP
//! are plain HTTP for all.

pub mod handshake;
mod participant;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    ALLOW, CONNECTION, HeaderName, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{self, HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use bytes::Bytes;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use quizhall_protocol::{Close, CloseCode, Dialect, Role, SUBPROTOCOL};
use tokio::net::TcpStream;

use crate::app::App;
use crate::auth::{Carrier, HostGrant};
use crate::clock;
use crate::games::{Holder, Seat};
use crate::http::{Kind, Origin, Refused, client_of, judge};
use crate::limits::{BRAKE, NotNow, ParticipantKey, TooMany};
use crate::moment::Moment;
use crate::pace::Paced;
use crate::telemetry::{Limit, metrics};
use crate::ws::{Attendee, Held, NoRoom, Room, Session, Sockets, UpgradedStream};

use self::handshake::{Handshake, NoHandshake, VERSION};

pub use self::participant::{SeatRequest, SocketRefusal, socket_seat};

/// The answer when a limit shared by many is used up.
const TOO_FAST: &str = "Too many people are coming at once. Try again in a moment.";

/// The route of the sockets.
pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/ws/{game_code}", get(upgrade).head(no_head))
}

/// Without this, axum would serve HEAD as a GET, and the answer to an upgrade is 101.
async fn no_head() -> Response {
    (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET")]).into_response()
}

/// The result of the checks.
enum Admission {
    /// A participant of a game.
    Admitted { attendee: Attendee, grant: Option<HostGrant>, room: Room },
    /// A refusal that the client gets as a close.
    TurnedAway { close: Close, room: Room },
}

async fn upgrade(State(app): State<Arc<App>>, Path(code): Path<String>, mut request: Request) -> Response {
    let handshake = match handshake::read(request.headers()) {
        Ok(handshake) => handshake,
        Err(why) => return no_handshake(why),
    };
    let address = client_of(request.extensions(), request.headers(), &app.config.listen.trusted_proxies);
    let dialect = if handshake.subprotocol { Dialect::QuizhallV1 } else { Dialect::Interface };
    let client = Client { address, dialect };
    let attempt = Attempt { code: &code, headers: request.headers(), query: request.uri().query(), client };
    let admission = match admit(&app, attempt).await {
        Ok(admission) => admission,
        Err(refused) => return refused.into_response(),
    };
    let sockets = app.sockets.clone();
    switch(&mut request, &handshake, move |stream| take_over(&sockets, client, admission, stream))
}

/// Answers a handshake with 101 and then passes the TCP stream to `take_over`; with 426 when the connection cannot be
/// upgraded. `take_over` is dropped without a call when the connection is lost before.
pub fn switch<Body>(
    request: &mut http::Request<Body>,
    handshake: &Handshake,
    take_over: impl FnOnce(UpgradedStream) + Send + 'static,
) -> Response {
    let Some(pending) = request.extensions_mut().remove::<OnUpgrade>() else {
        return no_handshake(NoHandshake::Upgrade);
    };
    let held = request.extensions_mut().remove::<Held>();
    tokio::spawn(async move {
        if let Some((stream, first)) = pending.await.ok().and_then(into_stream) {
            take_over(UpgradedStream { stream, first, held });
        }
    });
    switching(handshake)
}

struct Attempt<'a> {
    code: &'a str,
    headers: &'a HeaderMap,
    query: Option<&'a str>,
    client: Client,
}

/// Whose socket it is.
#[derive(Clone, Copy)]
struct Client {
    address: IpAddr,
    dialect: Dialect,
}

/// The order matters: foreign pages first, then the token; only a verified token is charged to the allowances that
/// others share.
async fn admit(app: &App, attempt: Attempt<'_>) -> Result<Admission, Refused> {
    let Attempt { code, headers, query, client: Client { address, dialect } } = attempt;
    let origin = judge(headers, &app.config.listen);
    if origin == Origin::Foreign {
        metrics::socket_refused("origin");
        return Err(Refused::new(Kind::FORBIDDEN, "Pages of this origin may not open sockets here."));
    }
    if app.sockets.is_draining() {
        return Err(no_room(NoRoom::Draining));
    }
    let limits = app.sockets.upgrade_limits();
    let carrier = Carrier::read(headers, query);
    let request = SeatRequest { code, carrier: &carrier, dialect, before_read: limits.before_read(address) };
    match socket_seat(app, &request).await {
        Ok((game, seat, grant)) => {
            let key = ParticipantKey { game: game.id(), seat };
            match limits.admit(key, app.sockets.now()) {
                Ok(()) => {
                    // Where a participant or a screen of the game is, the code is no secret.
                    app.joins.learn(address, game.code().to_owned());
                    let attendee = Attendee { game, seat };
                    Ok(Admission::Admitted { attendee, grant, room: reserve(app)? })
                }
                Err(why) => not_now(app, why),
            }
        }
        Err(refusal) => {
            metrics::socket_refused(reason(refusal));
            if refusal.is_the_clients() && !limits.refuse(address) {
                tokio::time::sleep(BRAKE).await;
                return Err(busy("address", "Too many refused tokens came from your address. Try again in a moment."));
            }
            match refusal.close_code() {
                Some(code) if origin == Origin::Allowed => {
                    Ok(Admission::TurnedAway { close: code.into(), room: reserve(app)? })
                }
                _ => Err(refusal.into()),
            }
        }
    }
}

fn reserve(app: &App) -> Result<Room, Refused> {
    app.sockets.reserve().map_err(no_room)
}

/// The answer to a verified token that comes too often. First a close frame states how long the client has to wait; a
/// client that ignores that is refused over HTTP.
fn not_now(app: &App, why: NotNow) -> Result<Admission, Refused> {
    match why {
        NotNow::Participant(TooMany { retry, by_close: true }) => {
            held_off("reconnects");
            let close = Close { retry: Some(retry), ..Close::with_detail(CloseCode::RateLimited, "reconnects") };
            Ok(Admission::TurnedAway { close, room: reserve(app)? })
        }
        NotNow::Participant(TooMany { retry, by_close: false }) => {
            held_off("reconnects");
            let refused = Refused::new(Kind::BUSY, "This seat connects too often. Wait before the next attempt.");
            Err(refused.retry_after(Duration::from_secs(retry.1.into())))
        }
        NotNow::Game => Err(busy("game_too_fast", TOO_FAST)),
        NotNow::Process => Err(busy("too_fast", TOO_FAST)),
    }
}

/// Opens a socket on an upgraded stream, or closes it.
fn take_over(sockets: &Sockets, client: Client, admission: Admission, stream: UpgradedStream) {
    match admission {
        Admission::TurnedAway { close, room } => sockets.turn_away(stream, close, room),
        Admission::Admitted { attendee, grant, room } => {
            let session = session(sockets, attendee.seat, client, grant.as_ref());
            sockets.serve(stream, attendee, session, room);
        }
    }
}

fn session(sockets: &Sockets, seat: Seat, client: Client, grant: Option<&HostGrant>) -> Session {
    let role = match seat {
        Seat::Participant(Holder { participant, .. }) if participant.as_host().is_some() => Role::Host,
        Seat::Participant(_) => Role::Player,
        Seat::Viewer(_) => Role::Screen,
    };
    // The wall clock is read once; from here on the monotonic clock decides when the token ends (promise 25).
    let expires = grant.and_then(|grant| grant.expires_at_ms).map_or(Moment::END, |ends| {
        let left = u64::try_from(ends - clock::unix_ms()).unwrap_or(0);
        sockets.now().plus(Duration::from_millis(left))
    });
    let Client { address, dialect } = client;
    Session { role, dialect, address: address.into(), token: grant.map(|grant| grant.token), expires }
}

/// The TCP stream under the upgrade, and the bytes that came after the handshake.
fn into_stream(upgraded: Upgraded) -> Option<(TcpStream, Bytes)> {
    let parts = upgraded.downcast::<TokioIo<Paced>>();
    if parts.is_err() {
        tracing::error!("the connection under a WebSocket is not TCP");
    }
    let parts = parts.ok()?;
    // A copy, even of nothing: the original is a view of hyper's whole read buffer and would keep it for hours.
    Some((parts.io.into_inner().into_inner(), Bytes::copy_from_slice(&parts.read_buf)))
}

fn switching(handshake: &Handshake) -> Response {
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    let accept = HeaderValue::from_str(&handshake.accept).expect("base64 is ASCII");
    headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    if handshake.subprotocol {
        headers.insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
    }
    response
}

fn no_handshake(why: NoHandshake) -> Response {
    metrics::socket_refused("handshake");
    match why {
        NoHandshake::Malformed => {
            Refused::new(Kind::BAD_REQUEST, "The WebSocket headers make no sense.").into_response()
        }
        NoHandshake::Upgrade => {
            let refused = Refused::new(Kind::UPGRADE_REQUIRED, "Open this path as a WebSocket, version 13.");
            let mut response = refused.into_response();
            let wanted: [(HeaderName, &'static str); 2] = [(UPGRADE, "websocket"), (SEC_WEBSOCKET_VERSION, VERSION)];
            for (name, value) in wanted {
                response.headers_mut().insert(name, HeaderValue::from_static(value));
            }
            response
        }
    }
}

fn no_room(why: NoRoom) -> Refused {
    let (reason, detail) = match why {
        NoRoom::Full => ("full", "Every place on this server is taken. Try again in a moment."),
        NoRoom::Draining => ("draining", "The server is restarting. Try again in a moment."),
    };
    busy(reason, detail)
}

/// 503; `reason` is a label of the metric.
fn busy(reason: &'static str, detail: &'static str) -> Refused {
    held_off(reason);
    // A random time, so that clients that were refused together do not return together.
    Refused::new(Kind::BUSY, detail).retry_after(Duration::from_secs(rand::random_range(1..=10)))
}

/// Counts a socket that was refused by a limit or because the service is stopping.
fn held_off(reason: &'static str) {
    metrics::socket_refused(reason);
    match reason {
        "full" => metrics::limit_reached(Limit::Sockets),
        "address" => metrics::limit_reached(Limit::UpgradesPerAddress),
        "reconnects" => metrics::limit_reached(Limit::UpgradesPerParticipant),
        "game_too_fast" => metrics::limit_reached(Limit::UpgradesPerGame),
        "too_fast" => metrics::limit_reached(Limit::Upgrades),
        _ => {}
    }
}

fn reason(refusal: SocketRefusal) -> &'static str {
    match refusal {
        SocketRefusal::Unauthorized => "unauthorized",
        SocketRefusal::Forbidden => "forbidden",
        SocketRefusal::NotFound => "not_found",
        SocketRefusal::Conflicting => "conflicting",
        SocketRefusal::Unavailable => "unavailable",
        SocketRefusal::Damaged => "damaged",
        SocketRefusal::Busy => "busy",
    }
}
