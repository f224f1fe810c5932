//! Opens every connection to PostgreSQL: with several hosts in the URL, to the one that takes writes.
//!
//! Called by `open`. The host of the last connection is asked first. While it does not answer at once, all others are
//! asked at the same time, because the host of a machine that has failed may never answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Executor as _, PgConnection, Row as _};
use tokio::time::timeout;

use super::super::error::StoreError;
use super::hosts::Wanted;

/// How long the host of the last connection has for its answer before the others are asked too.
const HEAD_START: Duration = Duration::from_millis(250);

/// How long one of several hosts may take. With [`HEAD_START`] this is less than a new connection may take.
const ANSWER: Duration = Duration::from_millis(1_500);

/// Asks whether the server takes writes, with a simple query, which every pooler passes on.
const ASK: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN 'standby'
    WHEN current_setting('transaction_read_only') = 'on' THEN 'read-only' ELSE 'read-write' END";

/// Ends what a failure left open, and asks whether the server still takes writes.
const END_AND_ASK: &str = "ROLLBACK; SHOW transaction_read_only";

/// The error for a pooler that refuses a parameter of the first message.
const FOREIGN_PARAMETER: &str = "DATABASE_URL leads to a pooler, such as PgBouncer, that does not know a parameter: connect to \
    PostgreSQL itself, or use pool_mode = session with ignore_startup_parameters = extra_float_digits";

/// The hosts of a URL.
pub(super) struct Dial {
    hosts: Vec<PgConnectOptions>,
    wanted: Wanted,
    /// The host of the last connection.
    last: AtomicUsize,
}

/// Why a host is not used.
enum Refusal {
    Standby,
    ReadOnly,
    Failed(StoreError),
}

impl Dial {
    /// At least one host.
    pub(super) fn new(hosts: Vec<PgConnectOptions>, wanted: Wanted) -> Self {
        Self { hosts, wanted, last: AtomicUsize::new(0) }
    }

    /// Opens a connection to a host that is wanted.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] also when every host is a standby: one of them may be about to be promoted.
    pub(super) async fn connect(&self) -> Result<PgConnection, StoreError> {
        match (&*self.hosts, self.wanted) {
            ([only], Wanted::Any) => only.connect().await.map_err(of_pooler),
            _ => self.choose().await,
        }
    }

    /// Ends what a failure left open. Returns whether the connection may be used again: not on a host that has become
    /// read-only, if another one may take writes.
    pub(super) async fn recovers(&self, connection: &mut PgConnection) -> bool {
        match self.wanted {
            Wanted::Any => connection.execute("ROLLBACK").await.is_ok(),
            Wanted::ReadWrite => {
                let row = connection.fetch_one(END_AND_ASK).await;
                row.is_ok_and(|row| row.try_get_unchecked::<String, _>(0).is_ok_and(|set| set == "off"))
            }
        }
    }

    async fn choose(&self) -> Result<PgConnection, StoreError> {
        let first = self.last.load(Ordering::Relaxed);
        let mut refusals = Vec::new();
        let mut asked = FuturesUnordered::from_iter([self.ask(first)]);
        let mut answer = timeout(HEAD_START, asked.next()).await.ok().flatten();
        asked.extend((0..self.hosts.len()).filter(|host| *host != first).map(|host| self.ask(host)));
        loop {
            match answer {
                Some((host, Ok(connection))) => {
                    self.note(first, host);
                    return Ok(connection);
                }
                Some((_, Err(refusal))) => refusals.push(refusal),
                None => {}
            }
            answer = asked.next().await;
            if answer.is_none() {
                return Err(none_of(refusals));
            }
        }
    }

    async fn ask(&self, host: usize) -> (usize, Result<PgConnection, Refusal>) {
        let late = Err(Refusal::Failed(StoreError::Unavailable("no connection in time".to_owned())));
        (host, timeout(ANSWER, self.try_host(host)).await.unwrap_or(late))
    }

    async fn try_host(&self, host: usize) -> Result<PgConnection, Refusal> {
        let mut connection = self.hosts[host].connect().await.map_err(|error| Refusal::Failed(of_pooler(error)))?;
        if self.wanted == Wanted::Any {
            return Ok(connection);
        }
        let failed = |error: sqlx::Error| Refusal::Failed(error.into());
        let row = connection.fetch_one(ASK).await.map_err(failed)?;
        let state: String = row.try_get_unchecked(0).map_err(failed)?;
        match &*state {
            "read-write" => Ok(connection),
            "standby" => Err(Refusal::Standby),
            _ => Err(Refusal::ReadOnly),
        }
    }

    /// Hosts are logged by their place in the list, as names of machines may be secret.
    fn note(&self, first: usize, host: usize) {
        let known = self.last.compare_exchange(first, host, Ordering::Relaxed, Ordering::Relaxed);
        if first != host && known.is_ok() {
            tracing::info!(host = host + 1, of = self.hosts.len(), "another host of DATABASE_URL is used now");
        }
    }
}

/// Why there is no connection. A fault that may pass outweighs one that does not: a host that cannot be reached yet may be
/// the right one.
fn none_of(refusals: Vec<Refusal>) -> StoreError {
    let all = refusals.len();
    let count = |wanted: fn(&Refusal) -> bool| refusals.iter().filter(|refusal| wanted(refusal)).count();
    let (standbys, read_only) =
        (count(|refusal| matches!(refusal, Refusal::Standby)), count(|refusal| matches!(refusal, Refusal::ReadOnly)));
    if standbys == all {
        return StoreError::Unavailable("every host of DATABASE_URL is a standby".to_owned());
    }
    if standbys + read_only > 0 {
        let lost = all - standbys - read_only;
        return StoreError::Unavailable(format!(
            "no host of DATABASE_URL takes writes: of {all}, standbys {standbys}, read-only {read_only}, not reached {lost}"
        ));
    }
    let mut faults: Vec<StoreError> = refusals.into_iter().filter_map(Refusal::fault).collect();
    faults.sort_by_key(|fault| matches!(fault, StoreError::Unusable(_)));
    faults.into_iter().next().unwrap_or_else(|| StoreError::Unavailable("no host answers".to_owned()))
}

impl Refusal {
    fn fault(self) -> Option<StoreError> {
        match self {
            Self::Failed(fault) => Some(fault),
            Self::Standby | Self::ReadOnly => None,
        }
    }
}

/// Recognizes a pooler by its error about a parameter that it does not keep for each session.
fn of_pooler(error: sqlx::Error) -> StoreError {
    let said = error.as_database_error().map(sqlx::error::DatabaseError::message);
    if said.is_some_and(|said| said.starts_with("unsupported startup parameter")) {
        return StoreError::Unusable(FOREIGN_PARAMETER.to_owned());
    }
    error.into()
}
