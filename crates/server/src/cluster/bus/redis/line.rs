//! A connection that is re-established automatically, shared by all senders of commands.
//!
//! The connection manager of the library does not follow sentinels, and does not replace a connection that hangs or
//! that leads to a server which no longer accepts writes.
//!
//! Used by the rest of this folder. Never repeats a command: a failed command fails for its sender, within its time
//! limit.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redis::{Cmd, FromRedisValue, RedisResult, cmd};
use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};
use tokio_util::task::AbortOnDropHandle;

use super::dial::{self, Connection, Dialer};
use super::outage::{Outage, Way};
use crate::cluster::bus::BusError;

/// The shortest and the longest wait between attempts to connect; it doubles each time.
const RETRY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(400));

/// How often an idle connection is checked, so that no command has to discover its end.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_secs(1);

/// A connection is given up when the failures since its last success reach this weight. A connection that repairs
/// itself gets more.
const LIMITS: (u32, u32) = (2, 8);
const BREAK: u32 = 2;
const TIMEOUT: u32 = 1;

/// A connection and the task that maintains it.
pub(super) struct Line {
    shared: Arc<Shared>,
    _maintainer: AbortOnDropHandle<()>,
}

struct Shared {
    current: watch::Sender<Current>,
    broken: Notify,
    failures: AtomicU32,
    limit: u32,
    reason: Mutex<Option<BusError>>,
}

/// The connection, with a number that increases with each one.
#[derive(Clone, Default)]
struct Current {
    number: u64,
    connection: Option<Connection>,
}

impl Line {
    /// Begins to connect, and reconnects for ever.
    pub(super) fn open(runtime: &Handle, dialer: Arc<Dialer>, outage: Arc<Outage>, way: Way) -> Self {
        let shared = Arc::new(Shared {
            current: watch::Sender::new(Current::default()),
            broken: Notify::new(),
            failures: AtomicU32::new(0),
            limit: if dialer.mends_itself() { LIMITS.1 } else { LIMITS.0 },
            reason: Mutex::default(),
        });
        let maintainer = runtime.spawn(maintain(Arc::clone(&shared), dialer, outage, way));
        Self { shared, _maintainer: AbortOnDropHandle::new(maintainer) }
    }

    /// Runs one command, which succeeds within the time limit or fails.
    pub(super) async fn command<T: FromRedisValue>(&self, command: &Cmd, time_limit: Duration) -> Result<T, BusError> {
        self.shared.command(command, time_limit).await
    }

    /// Runs any use of the connection within the time limit; the caller handles the server's answer.
    pub(super) async fn run<T, F>(
        &self,
        time_limit: Duration,
        send: impl FnOnce(Connection) -> F,
    ) -> Result<RedisResult<T>, BusError>
    where
        F: Future<Output = RedisResult<T>>,
    {
        self.shared.run(time_limit, send).await
    }
}

impl Shared {
    async fn command<T: FromRedisValue>(&self, command: &Cmd, time_limit: Duration) -> Result<T, BusError> {
        let sent = self.run(time_limit, |mut connection| async move { command.query_async(&mut connection).await });
        sent.await?.map_err(|error| dial::unavailable(&error))
    }

    async fn run<T, F>(
        &self,
        time_limit: Duration,
        send: impl FnOnce(Connection) -> F,
    ) -> Result<RedisResult<T>, BusError>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let mut number = None;
        let run = async {
            // It fails only when the sender is dropped, and that belongs to `self`.
            let current = self.current.subscribe().wait_for(|current| current.connection.is_some()).await.ok()?.clone();
            number = Some(current.number);
            Some(send(current.connection?).await)
        };
        match timeout(time_limit, run).await {
            Ok(Some(result)) => {
                let failed = result.as_ref().is_err_and(|error| !dial::is_answer(error));
                self.judge(number, if failed { BREAK } else { 0 });
                Ok(result)
            }
            Err(_) if number.is_none() => Err(self.reason()),
            Ok(None) => Err(self.reason()),
            Err(_) => {
                self.judge(number, TIMEOUT);
                Err(dial::silent())
            }
        }
    }

    /// Records the result of a use of the connection; 0 is a success.
    fn judge(&self, number: Option<u64>, weight: u32) {
        if weight == 0 {
            self.failures.store(0, Ordering::Relaxed);
            return;
        }
        let failures = self.failures.fetch_add(weight, Ordering::Relaxed) + weight;
        let given_up = failures >= self.limit
            && self.current.send_if_modified(|current| {
                let same = Some(current.number) == number && current.connection.is_some();
                if same {
                    current.connection = None;
                }
                same
            });
        if given_up {
            self.broken.notify_one();
        }
    }

    fn note(&self, error: BusError) {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    fn reason(&self) -> BusError {
        let reason = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        match &*reason {
            Some(BusError::Unavailable(reason) | BusError::Unusable(reason)) => BusError::Unavailable(reason.clone()),
            None => dial::silent(),
        }
    }
}

async fn maintain(shared: Arc<Shared>, dialer: Arc<Dialer>, outage: Arc<Outage>, way: Way) {
    loop {
        let connection = dial(&dialer, &outage, way, |error| shared.note(error)).await;
        if let Err(error) = first_look(&dialer, connection.clone()).await {
            outage.begins(way, &error);
            shared.note(error);
            sleep(RETRY.1).await;
            continue;
        }
        outage.ends(way);
        shared.failures.store(0, Ordering::Relaxed);
        shared.current.send_modify(|current| {
            *current = Current { number: current.number + 1, connection: Some(connection) };
        });
        look_after(&shared).await;
        outage.begins(way, &dial::silent());
    }
}

/// Tries until there is a connection.
pub(super) async fn dial(dialer: &Dialer, outage: &Outage, way: Way, mut failed: impl FnMut(BusError)) -> Connection {
    let mut wait = RETRY.0;
    loop {
        match dialer.connect().await {
            Ok(connection) => return connection,
            Err(error) => {
                outage.begins(way, &error);
                failed(error);
            }
        }
        sleep(wait).await;
        wait = (wait * 2).min(RETRY.1);
    }
}

/// Checks a new connection: the server must accept writes, which a former master does not. Of a cluster, one part is
/// enough.
async fn first_look(dialer: &Dialer, mut connection: Connection) -> Result<(), BusError> {
    match timeout(LOOK, probe().exec_async(&mut connection)).await {
        Err(_) => Err(dial::silent()),
        Ok(Err(error)) if !dialer.mends_itself() => Err(dial::unavailable(&error)),
        Ok(_) => Ok(()),
    }
}

/// Checks the connection repeatedly until it is given up.
async fn look_after(shared: &Shared) {
    while timeout(LOOK_EVERY, shared.broken.notified()).await.is_err() {
        // The result is recorded where the command is sent.
        let _: Result<(), BusError> = shared.command(&probe(), LOOK).await;
    }
}

/// A write that shows that writes are accepted, but writes nothing: this stream is never created. A server before
/// version 6.2 does not understand it, nor the writes to other nodes.
pub(super) fn probe() -> Cmd {
    let mut write = cmd("XADD");
    write.arg("quizhall:nowhere").arg("NOMKSTREAM").arg("*").arg("p").arg(1);
    write
}
