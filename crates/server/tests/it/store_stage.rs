//! A new database for each test, on either engine, and rows for it. The suites take `&Store`; one of them calls every method of it,
//! so that every statement is tried on both engines.

use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use quizhall::store::{
    AccountCreation, Append, GameCreation, Head, NewAccount, NewGame, NewNode, Outcome, PhaseChange, QuizRow, Store,
    StoreOptions, connect,
};
use quizhall_rules::{GameId, HostId, Phase};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

use crate::services::postgres::shared;

/// Runs each named suite function as a test of its own on every engine.
macro_rules! on_every_engine {
    ($($name:ident)*) => {
        mod sqlite {
            $(
                #[tokio::test]
                async fn $name() {
                    let (store, _folder) = crate::store_stage::sqlite().await;
                    super::$name(&store).await;
                }
            )*
        }

        mod postgres {
            $(
                #[tokio::test]
                async fn $name() {
                    let (store, url) = crate::store_stage::patient_postgres().await;
                    super::$name(&store).await;
                    store.close().await;
                    crate::services::postgres::shared().drop_database(&url).await;
                }
            )*
        }
    };
}
pub(crate) use on_every_engine;

/// As [`on_every_engine`], for functions that also change stored data without the store.
macro_rules! on_every_engine_with_sql {
    ($($name:ident)*) => {
        mod sqlite {
            $(
                #[tokio::test]
                async fn $name() {
                    let (store, folder) = crate::store_stage::sqlite().await;
                    let raw_sql = crate::store_stage::RawSql::sqlite(&folder.path().join("data/quizhall.db")).await;
                    super::$name(&store, raw_sql).await;
                }
            )*
        }

        mod postgres {
            $(
                #[tokio::test]
                async fn $name() {
                    let (store, url) = crate::store_stage::patient_postgres().await;
                    let raw_sql = crate::store_stage::RawSql::postgres(&url).await;
                    super::$name(&store, raw_sql).await;
                    store.close().await;
                    crate::services::postgres::shared().drop_database(&url).await;
                }
            )*
        }
    };
}
pub(crate) use on_every_engine_with_sql;

/// A connection in addition to the store's, for changes like those of a faulty disk.
pub enum RawSql {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl RawSql {
    pub async fn sqlite(path: &Path) -> Self {
        Self::Sqlite(SqliteConnectOptions::new().filename(path).connect().await.unwrap())
    }

    pub async fn postgres(url: &str) -> Self {
        Self::Postgres(PgConnectOptions::from_str(url).unwrap().connect().await.unwrap())
    }

    /// Runs a statement in which `$1` is the game; returns the number of changed rows.
    pub async fn execute(&mut self, statement: &'static str, game: GameId) -> u64 {
        match self {
            Self::Sqlite(connection) => {
                sqlx::query(statement).bind(game.uuid()).execute(connection).await.unwrap().rows_affected()
            }
            Self::Postgres(connection) => {
                sqlx::query(statement).bind(game.uuid()).execute(connection).await.unwrap().rows_affected()
            }
        }
    }

    /// The result of a counting query about the game (`$1`).
    pub async fn count(&mut self, query: &'static str, game: GameId) -> i64 {
        match self {
            Self::Sqlite(connection) => {
                sqlx::query_scalar(query).bind(game.uuid()).fetch_one(connection).await.unwrap()
            }
            Self::Postgres(connection) => {
                sqlx::query_scalar(query).bind(game.uuid()).fetch_one(connection).await.unwrap()
            }
        }
    }
}

/// A store on a new file; the folder is deleted with the test.
pub async fn sqlite() -> (Arc<Store>, TempDir) {
    let folder = TempDir::new().unwrap();
    let url = format!("sqlite://{}", folder.path().join("data/quizhall.db").display());
    (connect(&url, StoreOptions::default()).await.unwrap(), folder)
}

/// A store on a new database of the shared server, and its URL.
pub async fn postgres() -> (Arc<Store>, String) {
    let server = shared();
    let url = server.fresh_database().await;
    (connect(&url, server.options()).await.unwrap(), url)
}

/// The same with a time limit that no test reaches: while other tests run, a statement can take seconds.
pub async fn patient_postgres() -> (Arc<Store>, String) {
    let server = shared();
    let url = server.fresh_database().await;
    let options = StoreOptions { time_limit: Duration::from_secs(60), ..server.options() };
    (connect(&url, options).await.unwrap(), url)
}

/// An account that can own things.
pub async fn host(store: &Store) -> HostId {
    let account = account(&Uuid::now_v7().to_string());
    let id = account.id;
    assert_eq!(store.create_account(account).await.unwrap(), AccountCreation::Created);
    id
}

/// A node that has just entered the list.
pub async fn enter(store: &Store) -> Uuid {
    let id = Uuid::now_v7();
    let (name, version) = ("node".to_owned(), "1".to_owned());
    let node = NewNode { id, name, version, log_version: 1, zone: String::new(), drain: false };
    store.enter_node(node).await.unwrap();
    id
}

/// A quiz of a round with a question.
pub fn quiz_row(host: HostId) -> QuizRow {
    QuizRow {
        id: Uuid::now_v7(),
        host,
        title: "A quiz".to_owned(),
        round_count: 1,
        question_count: 1,
        body: "{}".to_owned(),
        tags: "[]".to_owned(),
        created_at_ms: 1,
        updated_at_ms: 1,
    }
}

pub fn account(name: &str) -> NewAccount {
    NewAccount {
        id: HostId::from(Uuid::now_v7()),
        name: name.to_owned(),
        name_key: name.to_lowercase(),
        password_hash: Some("$argon2id$…".to_owned()),
        created_at_ms: 1,
        only_as_first: false,
        is_owner: false,
        sample: None,
    }
}

pub fn game(host: HostId, code: &str) -> NewGame {
    NewGame {
        id: GameId::from(Uuid::now_v7()),
        host,
        quiz: Uuid::now_v7(),
        follows: None,
        code: code.to_owned(),
        title: "A quiz".to_owned(),
        created_at_ms: 1,
        batch: rand::random(),
        body: "[{\"created\":1}]".to_owned(),
        media: Vec::new(),
        live_limit: 20,
        key: None,
    }
}

/// A game with the first row of its log.
pub async fn a_game(store: &Store, code: &str) -> (GameId, Head) {
    let game = game(host(store).await, code);
    let (id, head) = (game.id, Head { seq: 0, batch: game.batch });
    assert_eq!(store.create_game(game).await.unwrap(), GameCreation::Created);
    (id, head)
}

/// The head of a newly created game.
pub fn head_of_new(game: &NewGame) -> Head {
    Head { seq: 0, batch: game.batch }
}

/// The row that follows `previous`, which holds `held` events.
pub fn next(game: GameId, previous: Head, held: u64) -> Append {
    Append {
        game,
        previous,
        seq: previous.seq + held,
        count: 1,
        epoch: 1,
        batch: rand::random(),
        body: "[{\"answered\":1}]".to_owned(),
        phase: None,
    }
}

pub fn head_of(row: &Append) -> Head {
    Head { seq: row.seq, batch: row.batch }
}

pub async fn append_one(store: &Store, row: Append) -> Outcome {
    let outcomes = store.append(vec![row]).await.unwrap();
    assert_eq!(outcomes.len(), 1);
    outcomes[0]
}

/// Ends the game at this time, by a row in its log.
pub async fn end(store: &Store, game: GameId, previous: Head, ended_at_ms: i64) -> Head {
    let phase = PhaseChange { phase: Phase::Ended, ended_at_ms: Some(ended_at_ms), closed: false };
    let row = Append { phase: Some(phase), ..next(game, previous, 1) };
    let head = head_of(&row);
    assert_eq!(append_one(store, row).await, Outcome::Committed);
    head
}
