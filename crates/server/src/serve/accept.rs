//! The accept loop: an error never stops it for long, and it never holds more connections than fit. There is always a
//! place for a new connection while another one sends nothing, and always one for a health check.
//!
//! Started by `serve::start`. Hands each connection to `connection`. (axum's own loop sleeps a second when descriptors
//! run out, and counts nothing.)

use std::fs::File;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use futures_util::future::OptionFuture;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::App;
use crate::telemetry::{Limit, Recurring, metrics};

use super::capacity::Capacity;
use super::connection::{self, Accepted};
use super::listener::{self, Listener};
use super::places::{Place, Places};
use super::router;

/// The first pause after an error; it is doubled up to [`LONGEST_PAUSE`].
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Connections at `HEALTH_ADDR`, from the descriptors that are reserved for health checks.
const AT_HEALTH_ADDR: usize = 32;

static FAILED: Recurring = Recurring::new();

/// Admits connections, and holds what each of them needs.
#[derive(Clone)]
pub(super) struct Acceptor {
    pub(super) app: Arc<App>,
    pub(super) router: Router,
    /// Cancelled when idle connections must end.
    pub(super) closing: CancellationToken,
    /// Every connection that is not (yet) a WebSocket.
    pub(super) tasks: TaskTracker,
    places: Places,
    /// Further places: for health checks and a polite 503.
    reserve: Places,
}

/// What may be requested over a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Welcome {
    /// Anything.
    Everything,
    /// Only the health of the service; other requests get 503.
    HealthOnly,
}

impl Acceptor {
    pub(super) fn new(app: Arc<App>, capacity: &Capacity) -> Self {
        let router = router(&app);
        let (closing, tasks) = (CancellationToken::new(), TaskTracker::new());
        let (places, reserve) = (Places::new(capacity.connections), Places::new(capacity.reserve));
        Self { app, router, closing, tasks, places, reserve }
    }

    /// The same for `HEALTH_ADDR`, with routes and places of its own.
    fn of_health(&self) -> Self {
        Self { router: router::health(&self.app), places: Places::new(AT_HEALTH_ADDR), ..self.clone() }
    }

    /// A place for one more connection; `None` when not even the reserve has one.
    async fn place(&self) -> Option<(Place, Welcome)> {
        if let Some(place) = self.places.enter().await {
            return Some((place, Welcome::Everything));
        }
        metrics::connection_refused();
        metrics::limit_reached(Limit::Connections);
        self.reserve.enter().await.map(|place| (place, Welcome::HealthOnly))
    }

    /// Closes one connection that sends nothing; returns whether there was one.
    async fn evict(&self) -> bool {
        self.reserve.evict().await || self.places.evict().await
    }
}

/// Accepts until `stop`, at `BIND_ADDR` and, if it is set, at `HEALTH_ADDR`; then closes both.
pub(super) async fn run(listener: Listener, health: Option<TcpListener>, acceptor: Acceptor, stop: CancellationToken) {
    let health = OptionFuture::from(health.map(|health| accept(health.into(), acceptor.of_health(), &stop)));
    tokio::join!(accept(listener, acceptor, &stop), health);
}

async fn accept(listener: Listener, acceptor: Acceptor, stop: &CancellationToken) {
    listener::tune(&listener, &acceptor.app.config.listen);
    let mut trouble = Trouble::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                trouble.pause = SHORTEST_PAUSE;
                welcome(stream, peer, &acceptor).await;
            }
            // The client had left before the connection was accepted: not an error of the service.
            Err(error) if is_about_the_client(&error) => {}
            Err(error) => {
                Trouble::count(&error);
                if !acceptor.evict().await {
                    trouble.wait(&listener).await;
                }
            }
        }
    }
}

async fn welcome(stream: TcpStream, peer: SocketAddr, acceptor: &Acceptor) {
    // Without a place the stream is dropped, which closes it.
    if let Some((place, welcome)) = acceptor.place().await {
        acceptor.tasks.spawn(connection::serve(acceptor.clone(), Accepted { stream, peer, place, welcome }));
    }
}

/// Errors of `accept` that come from the network, as accept(2) lists them.
fn is_about_the_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}

/// The answer to running out of descriptors.
struct Trouble {
    pause: Duration,
    /// A spare descriptor, closed so that the client at the head of the queue can be accepted and closed instead of
    /// waiting.
    spare: Option<File>,
}

impl Trouble {
    fn new() -> Self {
        Self { pause: SHORTEST_PAUSE, spare: File::open("/dev/null").ok() }
    }

    fn count(error: &io::Error) {
        metrics::accept_failed();
        if let Some(unsaid) = FAILED.due() {
            tracing::error!(%error, unsaid, "cannot accept connections");
        }
    }

    /// Waits when no connection can be closed.
    async fn wait(&mut self, listener: &Listener) {
        if self.spare.take().is_some() {
            // The stream, if there is one, is dropped at once. The listener was ready a moment ago, but may not be now.
            let _ = tokio::time::timeout(Duration::from_millis(1), listener.accept()).await;
        }
        self.spare = File::open("/dev/null").ok();
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }
}
