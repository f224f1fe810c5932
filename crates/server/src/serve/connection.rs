//! One TCP connection as HTTP/1.1, until it ends or becomes a WebSocket.
//!
//! Spawned by `accept`. HTTP/2 is off: nothing here needs it, and it has attacks of its own (CVE-2023-44487).

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::header::{CONNECTION, HOST, HeaderValue};
use axum::http::{Request, Response, StatusCode, Version};
use axum::response::IntoResponse as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tower::Service as _;

use crate::http::{Kind, Refused};
use crate::pace::{Pace, Paced};
use crate::ws::Held;

use super::accept::{Acceptor, Welcome};
use super::answer::Answer;
use super::places::Place;

/// Request line and headers together, bytes; more is 431.
const HEADER_BYTES: usize = 8 << 10;
const HEADERS: usize = 64;
/// Paths that a connection over the limit may still request.
const ALWAYS: [&str; 4] = ["/healthz", "/readyz", "/livez", "/metrics"];

/// A connection that was accepted, with its place.
pub(super) struct Accepted {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    pub(super) place: Place,
    pub(super) welcome: Welcome,
}

/// Serves requests until the client or `acceptor.closing` ends the connection. Its place is given back after a
/// WebSocket made from it has ended too.
pub(super) async fn serve(acceptor: Acceptor, accepted: Accepted) {
    let Accepted { stream, peer, place, welcome } = accepted;
    // Outlives the stream, so that a free place holds no descriptor.
    let place = Arc::new(place);
    let (held, line) = (Held::new(Arc::clone(&place)), Arc::clone(&place));
    let (router, reading) = (acceptor.router.clone(), Pace::default());
    let of_connection = reading.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(held.clone());
        request.extensions_mut().insert(of_connection.clone());
        let (mut router, begun) = (router.clone(), line.begin());
        async move {
            let Some(begun) = begun else { return Ok(no_place().map(|body| Answer::new(body, None))) };
            let response = if !names_one_host(&request) {
                no_host()
            } else if welcome == Welcome::HealthOnly && !ALWAYS.contains(&request.uri().path()) {
                no_place()
            } else {
                let answer: Result<Response<Body>, Infallible> = router.call(request.map(Body::new)).await;
                answer?
            };
            if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                begun.becomes_socket();
                return Ok(response.map(|body| Answer::new(body, None)));
            }
            Ok::<_, Infallible>(response.map(|body| Answer::new(body, Some(begun))))
        }
    });
    let listen = &acceptor.app.config.listen;
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(listen.header_timeout)
        .max_headers(HEADERS)
        .max_header_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(Paced::new(stream, reading.clone(), listen.answer_timeout)), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    // Broken requests and connections are the client's fault; hyper has answered them as far as possible.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = place.evicted() => {}
        () = reading.ended() => {}
        () = acceptor.closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// RFC 9112 §3.2: proxies and this service may disagree about a request without `Host` (HTTP/1.1) or with more than
/// one.
fn names_one_host(request: &Request<Incoming>) -> bool {
    match request.headers().get_all(HOST).iter().count() {
        0 => request.version() < Version::HTTP_11,
        count => count == 1,
    }
}

fn no_host() -> Response<Body> {
    closing(Refused::new(Kind::BAD_REQUEST, "Send exactly one Host header."))
}

fn no_place() -> Response<Body> {
    let refused = Refused::new(Kind::BUSY, "Every place on this server is taken. Try again in a moment.");
    let seconds = rand::random_range(1..=10);
    closing(refused.retry_after(std::time::Duration::from_secs(seconds)))
}

/// The last answer on its connection.
fn closing(refused: Refused) -> Response<Body> {
    let mut response = refused.into_response();
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
