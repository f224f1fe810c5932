//! Puts the service together and runs it: listener, database, games, routes; then waits for the signal to stop.
//!
//! Called by `cli` (and by tests, which bring their own listener). The only module that knows all others.

mod accept;
mod announce;
mod answer;
mod assemble;
mod audit;
pub mod capacity;
mod connection;
mod drain;
mod listener;
mod notify;
pub mod places;
mod request_id;
mod revoked;
mod router;
mod signals;
pub mod trace_context;

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::config::Config;

use capacity::Capacity;
use drain::Accepting;
use notify::ServiceManager;
use signals::Signals;

pub use listener::Listener;
pub use router::router;

/// A stop that was cut short. Everything acknowledged is stored nevertheless.
#[derive(Debug, thiserror::Error)]
#[error("stopped at once: {0} came a second time")]
pub struct Forced(&'static str);

impl Forced {
    /// The exit code of the process, also when the stop took longer than its settings allow.
    pub const EXIT_CODE: u8 = 3;
}

/// A running service.
pub struct Running {
    app: Arc<App>,
    address: SocketAddr,
    stop: CancellationToken,
    work: JoinHandle<()>,
}

/// How many sockets of games a service with these settings holds in this process. Raises the process's soft limit of open files to
/// the hard one, as a start does.
pub fn sockets(config: &Config) -> usize {
    Capacity::find(&config.sockets, config.identity.join_queue).sockets
}

/// Runs the service until SIGTERM, SIGINT or SIGHUP, and then stops it within `config.drain`; a second SIGTERM or
/// SIGINT ends it at once. A listener from the caller is used instead of `BIND_ADDR`.
///
/// # Errors
/// When the address cannot be used for listening or the database cannot be used; [`Forced`] when a second signal cut
/// the stop short.
pub async fn serve(config: Config, listener: Option<TcpListener>) -> anyhow::Result<()> {
    let listener = match listener {
        Some(listener) => listener.into(),
        None => Listener::bind(&config.listen)?,
    };
    signals::outlive_file_size_limit()?;
    let deadline = config.drain.whole();
    let mut signals = Signals::listen().context("signals cannot be listened to")?;
    // The start may wait for databases; a signal ends it at once.
    let running = tokio::select! {
        running = start(config, listener) => running?,
        signal = signals.next() => bail!("stopped by {signal} before the start was complete"),
    };
    announce::say_where(&running.app, running.address);
    let manager = ServiceManager::connect();
    manager.ready();
    manager.keep_alive();
    let signal = signals.next().await;
    tracing::info!(signal, "stopping");
    manager.stopping();
    drain::guard_deadline(deadline);
    running.stop();
    tokio::select! {
        () = running.finished() => Ok(()),
        signal = signals.next_urgent() => Err(Forced(signal).into()),
    }
}

/// Starts the service on `listener` and returns; the caller stops it. Tests and embedders use this.
///
/// # Errors
/// When listening at `HEALTH_ADDR` fails, or the database cannot be used.
pub async fn start(mut config: Config, listener: impl Into<Listener>) -> anyhow::Result<Running> {
    let listener = listener.into();
    let address = listener.local_addr().context("the listener has no address")?;
    config.listen.bind_addr = address;
    let health = config.listen.health_addr.map(|address| listener::bind("HEALTH_ADDR", address)).transpose()?;
    config.listen.health_addr = health.as_ref().and_then(|health| health.local_addr().ok());
    let capacity = Capacity::find(&config.sockets, config.identity.join_queue);
    let (app, notices, lock) = assemble::assemble(config, &capacity).await?;
    let app = Arc::new(app);
    announce::log_start(&app, address, &capacity);
    let mut background = JoinSet::new();
    background.spawn(revoked::watch(Arc::downgrade(&app)));
    background.spawn(revoked::watch_invitations(Arc::downgrade(&app)));
    if let Some(notices) = notices {
        background.spawn(revoked::handle_notices(Arc::downgrade(&app), notices));
    }
    background.spawn(app.registry.clone().sweep_abandoned(app.config.game.abandoned_after));
    background.spawn(app.registry.clone().drop_held());
    background.spawn(app.retention.clone().run());
    background.spawn(app.webhooks.clone().run());
    let stop = CancellationToken::new();
    let stop_accepting = CancellationToken::new();
    let acceptor = accept::Acceptor::new(Arc::clone(&app), &capacity);
    let task = tokio::spawn(accept::run(listener, health, acceptor.clone(), stop_accepting.clone()));
    let accepting = Accepting { stop: stop_accepting, task, acceptor };
    let stopped = drain::when_stopped(Arc::clone(&app), stop.clone(), accepting, background);
    let work = tokio::spawn(async move {
        stopped.await;
        // From here on another service may take the database.
        drop(lock);
    });
    Ok(Running { app, address, stop, work })
}

impl Running {
    /// The address of the listener; 127.0.0.1:0 for a unix socket.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its parts.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Begins the stop, as SIGTERM does.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Waits until it has stopped.
    pub async fn finished(self) {
        // The work cannot be cancelled; if it panicked, the hook has logged it.
        let _ = self.work.await;
    }
}
