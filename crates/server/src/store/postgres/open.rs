//! Connecting: the form of a URL, the settings of every connection, and the check that the server is durable.

use std::str::FromStr as _;
use std::time::Duration;

use sqlx::migrate::Migrate as _;
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, FromRow, PgConnection, Postgres, Row as _};

use super::super::error::StoreError;
use super::super::error::unusable_tables;
use super::super::options::StoreOptions;
use super::super::tables::Tables;
use super::super::tables::{APPLIED, POSTGRES, adopt};
use super::dial::Dial;
use super::durability::Durability;
use super::hosts::{Hosts, WANTED};
use super::link::Era;

/// How long the comparison of two connections may take.
const SESSIONS: Duration = Duration::from_secs(10);

/// The error for a pooler that lends a session for one transaction.
const TRANSACTION_POOLER: &str = "DATABASE_URL leads to a pooler that lends a session for one transaction, such as PgBouncer with \
    pool_mode = transaction; settings and locks belong to the session: connect to PostgreSQL itself, or use pool_mode = session";

/// How long nodes that start together wait for the one that makes the tables.
const MIGRATE: Duration = Duration::from_secs(120);

/// A statement gives up this long before its caller does.
const BEFORE_ITS_CALLER: Duration = Duration::from_millis(500);

/// The oldest version on which this store was tested, as the server numbers itself.
const OLDEST: i32 = 130_000;

/// The parameters that a URL may have. An unknown one would be ignored, and logged with its value.
const PARAMETERS: &[&str] = &[
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "statement-cache-capacity",
    WANTED,
];

/// Sets how long statements of a connection may take, in milliseconds, and reads the settings of durability. Unless
/// `$1`, a commit waits for the disk whatever the server's configuration says now or after a reload, and longer if the
/// configuration demands it. A statement that waits for a lock gives up before its caller does; a client that has
/// vanished in the middle of a transaction holds its locks for seconds, not for hours. Every statement has its index,
/// and must use it even while its plan dates from an empty table. No statement is worth compiling: the server did so for those
/// about many games, which it takes for expensive, and that was a fifth of the time of both cores while 2,000 games changed
/// their node. Notices of the server (a rollback where nothing was
/// open) are kept out of our log.
const GREET: &str = "
    SELECT current_setting('server_version_num')::integer AS version,
        pg_is_in_recovery() AS standby,
        current_setting('server_encoding') AS encoding,
        current_setting('fsync') AS fsync,
        current_setting('full_page_writes') AS full_page_writes,
        set_config('synchronous_commit', CASE
            WHEN $1 OR current_setting('synchronous_commit') = 'remote_apply'
            THEN current_setting('synchronous_commit') ELSE 'on' END, false),
        set_config('statement_timeout', $2::text, false),
        set_config('idle_in_transaction_session_timeout', '5000', false),
        set_config('tcp_keepalives_idle', '30', false),
        set_config('tcp_keepalives_interval', '10', false),
        set_config('tcp_keepalives_count', '3', false),
        set_config('client_min_messages', 'error', false),
        set_config('enable_seqscan', 'off', false),
        set_config('jit', 'off', false),
        set_config('default_transaction_isolation', 'read committed', false)";

struct Greeting {
    version: i32,
    standby: bool,
    encoding: String,
    durability: Durability,
}

impl FromRow<'_, PgRow> for Greeting {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            version: row.try_get("version")?,
            standby: row.try_get("standby")?,
            encoding: row.try_get("encoding")?,
            durability: Durability::from_row(row)?,
        })
    }
}

/// The servers and the database that a URL names.
pub(super) struct Server {
    /// Opens every connection.
    pub(super) dial: Dial,
    unsafe_durability: bool,
    /// Milliseconds.
    statement_timeout: u128,
    /// See [`Era`].
    pub(super) era: Era,
}

/// Whether the URL names PostgreSQL.
pub(in crate::store) fn is_url(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

/// Whether the URL can be used. Connects to nothing.
pub(in crate::store) fn check_url(url: &str) -> Result<(), StoreError> {
    dial(url).map(|_| ())
}

fn dial(url: &str) -> Result<Dial, StoreError> {
    const FORM: &str = "postgres://user:password@host/database";
    let refused = |what: &str| StoreError::Unusable(format!("{what}: {FORM}"));
    let parameters = url.split_once('?').map_or("", |(_, parameters)| parameters);
    let names = parameters.split('&').filter(|part| !part.is_empty()).map(|part| part.split('=').next().unwrap_or(""));
    for name in names {
        if !PARAMETERS.contains(&name) && !name.starts_with("options[") {
            return Err(refused("the database URL has a parameter that is not known"));
        }
    }
    let hosts = Hosts::of(url)?;
    let mut options = Vec::new();
    for url in &hosts.urls {
        let host = PgConnectOptions::from_str(url).map_err(|_| refused("the database URL cannot be read"))?;
        if host.get_database().is_none_or(str::is_empty) {
            return Err(refused("the database URL names no database"));
        }
        options.push(host.disable_statement_logging());
    }
    Ok(Dial::new(options, hosts.wanted))
}

impl Server {
    pub(super) fn new(url: &str, asked: StoreOptions) -> Result<Self, StoreError> {
        let statement_timeout = asked.time_limit.saturating_sub(BEFORE_ITS_CALLER).as_millis();
        let unsafe_durability = asked.unsafe_durability;
        Ok(Self { dial: dial(url)?, unsafe_durability, statement_timeout, era: Era::default() })
    }

    /// Opens one connection and checks the settings on which durability and integrity rest (promise 1). Every
    /// connection is checked, not only the first: after a restart the server may be another one.
    pub(super) async fn connect(&self) -> Result<PgConnection, StoreError> {
        let mut connection = self.dial.connect().await?;
        let greeting: Greeting = sqlx::query_as(GREET)
            .bind(self.unsafe_durability)
            .bind(self.statement_timeout.to_string())
            .fetch_one(&mut connection)
            .await?;
        self.check(&greeting)?;
        Ok(connection)
    }

    fn check(&self, server: &Greeting) -> Result<(), StoreError> {
        if server.version < OLDEST {
            return Err(StoreError::Unusable(
                "the PostgreSQL server is too old: version 13 or newer is needed".to_owned(),
            ));
        }
        if server.standby {
            return Err(StoreError::Unusable(
                "the PostgreSQL server is a standby and takes no writes; the URL must lead to the primary".to_owned(),
            ));
        }
        if server.encoding != "UTF8" {
            return Err(StoreError::Unusable("the PostgreSQL database must be made with the encoding UTF8".to_owned()));
        }
        if self.unsafe_durability { Ok(()) } else { server.durability.check() }
    }

    /// Checks that a connection keeps its session. A pooler that lends a session for one transaction gives two
    /// connections the same session, or gives one connection another session while its own is lent.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] for such a pooler; otherwise as [`Server::connect`].
    pub(super) async fn keeps_sessions(&self) -> Result<(), StoreError> {
        let compared = async {
            let mut first = self.dial.connect().await?;
            let mut second = self.dial.connect().await?;
            let before = session(&mut first).await?;
            // A pooler that lends a session for one statement refuses a transaction.
            match second.execute("BEGIN").await {
                Err(error) if error.as_database_error().is_some() => return Ok(false),
                begun => begun?,
            };
            let other = session(&mut second).await?;
            let after = session(&mut first).await?;
            let _ = tokio::join!(first.close(), second.close());
            Ok(before == after && before != other)
        };
        let late = || StoreError::Unavailable("it gives no two connections in time".to_owned());
        let keeps = tokio::time::timeout(SESSIONS, compared).await.unwrap_or_else(|_| Err(late()))?;
        if keeps { Ok(()) } else { Err(StoreError::Unusable(TRANSACTION_POOLER.to_owned())) }
    }

    /// The state of the tables in the database. Changes nothing.
    pub(super) async fn tables(&self) -> Result<Tables, StoreError> {
        self.keeps_sessions().await?;
        let mut connection = self.connect().await?;
        let tables = read_tables(&mut connection).await;
        let _ = connection.close().await;
        tables
    }

    /// Migrates the tables to this version. Nodes that start together take turns (an advisory lock).
    pub(super) async fn migrate(&self) -> Result<(), StoreError> {
        let late = || StoreError::Unavailable("its tables were not prepared in time".to_owned());
        self.keeps_sessions().await?;
        let migrated = async {
            let mut connection = self.connect().await?;
            connection.execute("SET statement_timeout = 0").await?;
            connection.lock().await.map_err(unusable_tables)?;
            adopt::<Postgres>(&mut connection, &POSTGRES, "BIGINT").await?;
            POSTGRES.run_direct(None, &mut connection, false).await.map_err(unusable_tables)?;
            let _ = connection.close().await;
            Ok(())
        };
        tokio::time::timeout(MIGRATE, migrated).await.unwrap_or_else(|_| Err(late()))
    }
}

/// The server process that serves this connection now. Read with a simple query, which every pooler passes on.
async fn session(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let row = connection.fetch_one("SELECT pg_backend_pid()").await?;
    // The value is text, because simple queries return text.
    Ok(row.try_get_unchecked(0)?)
}

async fn read_tables(connection: &mut PgConnection) -> Result<Tables, StoreError> {
    let named = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL").bind(APPLIED);
    if !named.fetch_one(&mut *connection).await? {
        return Ok(Tables::Missing);
    }
    let applied = connection.list_applied_migrations(APPLIED).await.map_err(unusable_tables)?;
    Tables::compare(&applied, &POSTGRES)
}
