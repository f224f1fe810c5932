//! A connection of either engine, and statements that both engines understand word for word.
//!
//! Everything except the log's hot path is written once with these two. Parameters are `$1`, `$2`, …; ids are bound as
//! they are stored (`Uuid`), 64-bit numbers bit for bit as signed ones, and booleans as 1 and 0. Knows no tables.

pub(super) mod work;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use quizhall_rules::{GameId, HostId};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, Encode, FromRow, PgConnection, SqlSafeStr, SqlStr, SqliteConnection, Type};
use uuid::Uuid;

use super::error::StoreError;
use crate::clock;

/// The present time of the server, not that of the begin of the transaction: a statement may have waited for a lock.
const CLOCK: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// A connection that is free for the next statement.
pub(super) enum Connection<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

impl Connection<'_> {
    /// Runs a statement that locks rows of PostgreSQL until the end of the transaction. Does nothing on `SQLite`, where
    /// a writing transaction excludes all others.
    pub(super) async fn lock(&mut self, lock: Statement) -> Result<(), StoreError> {
        if matches!(self, Self::Postgres(_)) {
            lock.execute(self).await?;
        }
        Ok(())
    }

    /// Milliseconds since 1970 by the clock that all users of the database share: the server's, or that of the single
    /// machine.
    pub(super) async fn now_ms(&mut self) -> Result<i64, StoreError> {
        match self {
            Self::Sqlite(_) => Ok(clock::unix_ms()),
            Self::Postgres(_) => sql(CLOCK).value(self).await,
        }
    }
}

/// Runs `work` on a connection.
pub(super) fn run<'c, T, F>(mut connection: Connection<'c>, work: F) -> BoxFuture<'c, Result<T, StoreError>>
where
    F: for<'a, 'b> FnOnce(&'a mut Connection<'b>) -> BoxFuture<'a, Result<T, StoreError>> + Send + 'static,
{
    async move { work(&mut connection).await }.boxed()
}

/// A value for a parameter. `None` has a type too, because PostgreSQL needs one.
#[derive(Clone)]
pub(super) enum Value {
    Uuid(Option<Uuid>),
    Number(Option<i64>),
    Text(Option<String>),
    Bytes(Vec<u8>),
}

/// Implements `From` for the types of [`Value`]: `T` and, for nullable ones, `Option<T>`.
macro_rules! from {
    ($($of:ty => $to:expr),+ $(,)?) => {
        $(impl From<$of> for Value {
            fn from(value: $of) -> Self {
                $to(value)
            }
        })+
    };
}
from! {
    Uuid => |id| Self::Uuid(Some(id)),
    Option<Uuid> => Self::Uuid,
    GameId => |id: GameId| Self::Uuid(Some(id.uuid())),
    HostId => |id: HostId| Self::Uuid(Some(id.uuid())),
    bool => |is| Self::Number(Some(i64::from(is))),
    u32 => |number| Self::Number(Some(i64::from(number))),
    i64 => |number| Self::Number(Some(number)),
    Option<i64> => Self::Number,
    &str => |text: &str| Self::Text(Some(text.to_owned())),
    String => |text| Self::Text(Some(text)),
    Option<String> => Self::Text,
    Vec<u8> => Self::Bytes,
}

/// A text to search for; `None` when PostgreSQL could not store it, so that nothing can match it.
pub(super) fn storable(text: &str) -> Option<&str> {
    (!text.contains('\0')).then_some(text)
}

/// A type that can be read from the rows of both engines.
pub(super) trait FromRows: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

impl<T> FromRows for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// A statement with the values of its parameters.
#[derive(Clone)]
pub(super) struct Statement {
    text: SqlStr,
    values: Vec<Value>,
}

/// A statement without values yet.
pub(super) fn sql(text: impl SqlSafeStr) -> Statement {
    Statement { text: text.into_sql_str(), values: Vec::new() }
}

/// Evaluates the second half for the connection and the arguments of its engine.
macro_rules! on {
    ($statement:ident, $connection:ident, |$text:ident, $arguments:ident, $of:ident| $run:expr) => {{
        let ($text, values) = ($statement.text, $statement.values);
        match $connection {
            Connection::Sqlite($of) => {
                let $arguments = arguments::<SqliteArguments>(values)?;
                $run
            }
            Connection::Postgres($of) => {
                let $arguments = arguments::<PgArguments>(values)?;
                $run
            }
        }
    }};
}

impl Statement {
    /// Gives the next parameter its value.
    pub(super) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Runs it; returns the number of rows changed.
    pub(super) async fn execute(self, connection: &mut Connection<'_>) -> Result<u64, StoreError> {
        Ok(on!(self, connection, |text, arguments, of| {
            sqlx::query_with(text, arguments).execute(&mut **of).await?.rows_affected()
        }))
    }

    /// All rows.
    pub(super) async fn all<T: FromRows>(self, connection: &mut Connection<'_>) -> Result<Vec<T>, StoreError> {
        Ok(on!(self, connection, |text, arguments, of| {
            sqlx::query_as_with(text, arguments).fetch_all(&mut **of).await?
        }))
    }

    /// The first row, if there is one.
    pub(super) async fn optional<T: FromRows>(self, connection: &mut Connection<'_>) -> Result<Option<T>, StoreError> {
        Ok(on!(self, connection, |text, arguments, of| {
            sqlx::query_as_with(text, arguments).fetch_optional(&mut **of).await?
        }))
    }

    /// The first column of the one row that always exists.
    pub(super) async fn value<T>(self, connection: &mut Connection<'_>) -> Result<T, StoreError>
    where
        (T,): FromRows,
    {
        let row: Option<(T,)> = self.optional(connection).await?;
        row.map(|(value,)| value).ok_or(StoreError::Corrupt("a statement without its row"))
    }
}

/// The values as arguments of an engine.
fn arguments<A>(values: Vec<Value>) -> Result<A, StoreError>
where
    A: Arguments,
    Option<Uuid>: for<'q> Encode<'q, A::Database> + Type<A::Database>,
    Option<i64>: for<'q> Encode<'q, A::Database> + Type<A::Database>,
    Option<String>: for<'q> Encode<'q, A::Database> + Type<A::Database>,
    Vec<u8>: for<'q> Encode<'q, A::Database> + Type<A::Database>,
{
    let mut arguments = A::default();
    for value in values {
        let added = match value {
            Value::Uuid(id) => arguments.add(id),
            Value::Number(number) => arguments.add(number),
            Value::Text(text) => arguments.add(text),
            Value::Bytes(bytes) => arguments.add(bytes),
        };
        added.map_err(|_| StoreError::Corrupt("a value that cannot be stored"))?;
    }
    Ok(arguments)
}
