//! Connections that are replaced when they break: whatever happens to one, the next use gets a good one.
//!
//! A connection is out of its place while it works. If the work is cancelled, panics or takes too long, the connection
//! is dropped, which ends its transaction. After an error it returns only if the server still answers on it, and with
//! several hosts only if it still takes writes. One dead connection makes all links drop theirs, so a restart of the
//! server costs one call, not one per connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::{Executor as _, PgConnection};
use tokio::sync::{Mutex, Semaphore};

use super::super::error::StoreError;
use super::open::Server;
use crate::clock;

/// How long a new connection may take.
const CONNECT: Duration = Duration::from_secs(2);

/// How long a connection may be idle: firewalls and NAT forget idle connections.
const REST: Duration = Duration::from_secs(4 * 60);

/// Counts how often a connection was found dead. Connections of an earlier era are not used again.
#[derive(Default)]
pub(super) struct Era(AtomicU64);

impl Era {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    /// Ends the era `seen`; ending it a second time changes nothing.
    fn end(&self, seen: u64) {
        let _ = self.0.compare_exchange(seen, seen + 1, Ordering::AcqRel, Ordering::Acquire);
    }
}

/// Places for connections, each opened when it is first needed.
pub(in crate::store) struct Link {
    server: Arc<Server>,
    permits: Semaphore,
    idle: Mutex<Vec<Held>>,
    time_limit: Duration,
}

struct Held {
    connection: PgConnection,
    era: u64,
    since: Instant,
}

/// How a piece of work failed.
enum Failure {
    /// The server refused the work, and is reachable.
    Said(StoreError),
    /// The connection is lost; it is not known whether the work was done.
    Lost(StoreError),
}

impl Link {
    /// Every call on it ends within `time_limit`.
    pub(super) fn new(server: &Arc<Server>, connections: u32, time_limit: Duration) -> Self {
        let permits = Semaphore::new(usize::try_from(connections).unwrap_or(1).max(1));
        Self { server: Arc::clone(server), permits, idle: Mutex::default(), time_limit }
    }

    /// Runs `work` once, each statement in a transaction of its own.
    pub(in crate::store) async fn with<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.with_timeout(async {
            let held = self.take().await?;
            self.run(held, work).await.map_err(Failure::cause)
        })
        .await
    }

    /// Runs `work`, which only reads, and once more if its connection turns out to be dead.
    pub(in crate::store) async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        F: for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + Sync,
    {
        self.with_timeout(async {
            let held = self.take().await?;
            match self.run(held, &work).await {
                Err(Failure::Lost(_)) => {
                    let held = self.take().await?;
                    self.run(held, &work).await.map_err(Failure::cause)
                }
                other => other.map_err(Failure::cause),
            }
        })
        .await
    }

    /// Runs `work` in a transaction, and commits it when `work` returns `Ok`. The `BEGIN` shows whether the connection
    /// lives before anything is written; only a failure after it fails the call.
    pub(in crate::store) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.with_timeout(async {
            let held = self.begin().await?;
            self.run(held, move |connection| committed(connection, work).boxed()).await.map_err(Failure::cause)
        })
        .await
    }

    /// Closes the idle connections; later uses open new ones.
    pub(super) async fn close(&self) {
        use sqlx::Connection as _;
        for held in std::mem::take(&mut *self.idle.lock().await) {
            let _ = tokio::time::timeout(CONNECT, held.connection.close()).await;
        }
    }

    /// Waits for a place and then for the end of the work, at most this link's time limit in all.
    async fn with_timeout<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let era = self.server.era.now();
        let mut placed = false;
        let attempt = async {
            let _place = self.permits.acquire().await.map_err(|_| unavailable("it is closed"))?;
            placed = true;
            work.await
        };
        let done = tokio::time::timeout(self.time_limit, attempt).await;
        done.unwrap_or_else(|_| {
            // A call that only waited for a place proves nothing about the connections: the load is too high.
            if placed {
                self.server.era.end(era);
            }
            Err(unavailable("no answer in time"))
        })
    }

    /// A connection of this era: an idle one, or a new one.
    async fn take(&self) -> Result<Held, StoreError> {
        let era = self.server.era.now();
        while let Some(held) = self.idle.lock().await.pop() {
            if held.era == era && clock::since(held.since) < REST {
                return Ok(held);
            }
        }
        let connecting = tokio::time::timeout(CONNECT, self.server.connect());
        let connection = connecting.await.map_err(|_| unavailable("no connection in time"))??;
        Ok(Held { connection, era, since: clock::now() })
    }

    /// A connection on which a transaction has begun.
    async fn begin(&self) -> Result<Held, StoreError> {
        let held = self.take().await?;
        match self.begin_on(held).await {
            Err(Failure::Lost(_)) => {
                let held = self.take().await?;
                self.begin_on(held).await.map_err(Failure::cause)
            }
            other => other.map_err(Failure::cause),
        }
    }

    async fn begin_on(&self, mut held: Held) -> Result<Held, Failure> {
        match held.connection.execute("BEGIN").await {
            Ok(_) => Ok(held),
            Err(error) => Err(self.failed(held, error.into()).await),
        }
    }

    async fn run<T, F>(&self, mut held: Held, work: F) -> Result<T, Failure>
    where
        F: for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        match work(&mut held.connection).await {
            Ok(value) => {
                self.rest(held).await;
                Ok(value)
            }
            Err(error) => Err(self.failed(held, error).await),
        }
    }

    /// Rolls back what a failure left open. If that fails, or the server no longer takes the writes that another host may
    /// take, this connection and those of its era are not used any more.
    async fn failed(&self, mut held: Held, error: StoreError) -> Failure {
        if self.server.dial.recovers(&mut held.connection).await {
            self.rest(held).await;
            return Failure::Said(error);
        }
        self.server.era.end(held.era);
        Failure::Lost(error)
    }

    async fn rest(&self, mut held: Held) {
        held.since = clock::now();
        self.idle.lock().await.push(held);
    }
}

impl Failure {
    fn cause(self) -> StoreError {
        match self {
            Self::Said(error) | Self::Lost(error) => error,
        }
    }
}

async fn committed<T, F>(connection: &mut PgConnection, work: F) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send,
{
    let value = work(connection).await?;
    connection.execute("COMMIT").await?;
    Ok(value)
}

fn unavailable(what: &str) -> StoreError {
    StoreError::Unavailable(what.to_owned())
}
