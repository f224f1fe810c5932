//! Reports to the service manager of the machine, in systemd's notification protocol: ready, alive, stopping.
//!
//! Called by `serve`. Sends nothing when `NOTIFY_SOCKET` is not set. A report that cannot be sent is dropped; the
//! manager then decides what to do without it.

use std::env;
use std::io;
use std::os::unix::net::UnixDatagram;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::interval;

/// The connection to the service manager, if there is one.
pub(super) struct ServiceManager(Option<Arc<UnixDatagram>>);

impl ServiceManager {
    /// Connects to the socket that the environment names. Only a path is supported, which is what systemd gives.
    pub(super) fn connect() -> Self {
        let Some(path) = env::var_os("NOTIFY_SOCKET") else { return Self(None) };
        let connected = || -> io::Result<UnixDatagram> {
            let socket = UnixDatagram::unbound()?;
            socket.set_nonblocking(true)?;
            socket.connect(&path)?;
            Ok(socket)
        };
        let socket = connected();
        if let Err(error) = &socket {
            tracing::warn!(%error, "the service manager cannot be reached");
        }
        Self(socket.ok().map(Arc::new))
    }

    /// Reports that connections are accepted.
    pub(super) fn ready(&self) {
        self.report("READY=1");
    }

    /// Reports that the stop has begun.
    pub(super) fn stopping(&self) {
        self.report("STOPPING=1");
    }

    /// From now on reports twice in each period of the watchdog, in a task, so that the manager restarts a process
    /// whose runtime is stuck.
    pub(super) fn keep_alive(&self) {
        let (Self(Some(socket)), Some(period)) = (self, watchdog_period()) else { return };
        let socket = Arc::clone(socket);
        tokio::spawn(async move {
            let mut ticks = interval(period / 2);
            loop {
                ticks.tick().await;
                send(&socket, "WATCHDOG=1");
            }
        });
    }

    fn report(&self, state: &str) {
        if let Self(Some(socket)) = self {
            send(socket, state);
        }
    }
}

fn send(socket: &UnixDatagram, state: &str) {
    // The manager's queue is full or its socket is closed: the next report may get through.
    let _ = socket.send(state.as_bytes());
}

/// How long the manager waits for a report before it restarts the service.
fn watchdog_period() -> Option<Duration> {
    let micros = env::var("WATCHDOG_USEC").ok()?.parse().ok()?;
    (micros > 1).then(|| Duration::from_micros(micros))
}
