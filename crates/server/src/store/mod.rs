//! The relational database: accounts, quizzes, games and their logs, behind one trait.
//!
//! Called by `hall` (the log), `auth` (accounts, sessions), `http` and `cli` (quizzes, games).
//! Owns all SQL of the service; never knows HTTP, sockets or a rule of the game, and never logs a row.

mod accounts;
mod administration;
mod columns;
mod deletion;
mod error;
mod games;
mod log;
mod nodes;
pub mod postgres;
mod proof;
mod quizzes;
mod retention;
mod snapshots;
mod sql;
pub mod sqlite;
mod stored;
mod tables;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use quizhall_rules::{GameId, HostId};
use uuid::Uuid;

use crate::telemetry::StorageUsage;

pub use accounts::{
    AccountChange, AccountCreation, AccountLine, AccountRow, AccountStore, HASH_BYTES, NewAccount, NewSession,
    SessionRow,
};
pub use error::StoreError;
pub use games::{GameCreation, GameRow, Listed, NewGame};
pub use log::{Append, Head, LogRow, Outcome, PhaseChange, is_last_page};
pub use nodes::{NewNode, NodeReport, NodeRow, OwnerRow, Renewal};
pub use quizzes::{QuizLine, QuizRow};
pub use retention::{Deleted, Due, Hold, RetentionStore};
pub use snapshots::Snapshot;
pub use tables::Tables;

/// How long a game's code stays its own after the end, and the game can be found by it.
pub const CODE_HELD_MS: i64 = 24 * 60 * 60 * 1000;

/// What a call to the store resolves to.
pub type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// The database as the service sees it. Every method may fail with [`StoreError`]; none panics, and after a fault
/// (locked, full, gone) the next call tries afresh: nothing has to be restarted.
pub trait Store: AccountStore + RetentionStore + Send + Sync + 'static {
    /// Appends one row per entry to the logs of games, all in one transaction and with one sync to disk.
    ///
    /// A row goes in only behind exactly the row its writer saw last; otherwise it is [`Outcome::Refused`], which
    /// harms no other row. When this resolves to `Ok`, the committed rows are durable (promise 1). `Err` means
    /// unknown for all of them: read [`Store::head`] before anything else (promise 3).
    /// Called by one task only, which nobody cancels.
    fn append(&self, rows: Vec<Append>) -> Answer<'_, Vec<Outcome>>;

    /// A page of a game's log: rows whose `seq` is at least `from_seq`, in order, at most 4,096 of them and at most 1 MiB of
    /// bodies and one row, but two rows in any case unless the log ends before. Empty: the log has no further rows.
    /// [`is_last_page`] tells whether it ended.
    ///
    /// A row that is not what was written is [`StoreError::DamagedRow`]; rows before it are not returned then.
    fn read_log_page(&self, game: GameId, from_seq: u64) -> Answer<'_, Vec<LogRow>>;

    /// The rows of a game's log in order: all, or those whose `seq` is above `after_seq`. Holds all of them in memory.
    fn read_log(&self, game: GameId, after_seq: Option<u64>) -> Answer<'_, Vec<LogRow>> {
        async move {
            let (mut rows, mut from): (Vec<LogRow>, _) = (Vec::new(), after_seq.map_or(0, |after| after + 1));
            loop {
                let page = self.read_log_page(game, from).await?;
                let Some(last) = page.last() else { return Ok(rows) };
                from = last.seq + 1;
                rows.extend(page);
            }
        }
        .boxed()
    }

    /// The last row of a game's log, read after everything committed so far.
    fn head(&self, game: GameId) -> Answer<'_, Option<Head>>;

    /// Stores a copy of a game's state, in parts that are each committed by themselves; it counts as complete with the
    /// last. Afterwards deletes every other copy but the newest complete one whose head is in the log. Cancelled or
    /// failed in the middle, it leaves parts that the next call deletes.
    fn put_snapshot(&self, game: GameId, snapshot: Snapshot) -> Answer<'_, ()>;

    /// The heads of the game's complete snapshots, newest first. That a head is still in the log is for the caller to check.
    fn snapshot_heads(&self, game: GameId) -> Answer<'_, Vec<Head>>;

    /// The snapshot with this head; `None` when there is none, when it is incomplete, or when its checksum does not match.
    fn snapshot(&self, game: GameId, head: Head) -> Answer<'_, Option<Snapshot>>;

    /// Which one it is, as a word for metrics: `sqlite` or `postgres`.
    fn engine(&self) -> &'static str;

    /// Proves that a commit works now, by one unless another was seen to work within the last second, and that the
    /// database keeps what it commits. Used by the health check; gives up within a second.
    fn probe(&self) -> Answer<'_, ()>;

    /// What the database takes and when it was last cared for, as far as it is known without waiting for writers.
    fn usage(&self) -> Answer<'_, StorageUsage>;

    /// Closes every connection after the running statement; later calls open them again.
    fn close(&self) -> BoxFuture<'_, ()>;

    /// Creates the game and the first row of its log in one transaction, unless its code is held by another game or
    /// the host has `live_limit` games that have not ended.
    fn create_game(&self, game: NewGame) -> Answer<'_, GameCreation>;

    /// The game that holds this code (upper case): neither closed nor ended more than 24 h ago.
    fn game_by_code<'a>(&'a self, code: &'a str) -> Answer<'a, Option<GameId>>;

    /// The game with this id, also when it has been closed.
    fn game_by_id(&self, game: GameId) -> Answer<'_, Option<GameRow>>;

    /// The host's games that are not closed, newest first, at most 1,000.
    fn games_of(&self, host: HostId) -> Answer<'_, Vec<GameRow>>;

    /// Every game that is neither ended nor closed and whose log has not grown since then (milliseconds since 1970,
    /// exact to a minute), oldest first: for whoever closes abandoned games.
    fn still_games(&self, since_ms: i64) -> Answer<'_, Vec<GameRow>>;

    /// Marks in the game's line whether its log could be read when that was tried last.
    fn mark_damaged(&self, game: GameId, damaged: bool) -> Answer<'_, ()>;

    /// Closes the game in its line alone, without a row in its log: for games that have no owner and can have none. It
    /// counts as ended from now, unless it has ended already. Resolves to whether there was such a game, not closed yet.
    fn close_game(&self, game: GameId) -> Answer<'_, bool>;

    /// The games whose ids come after this one, in their order, at most 256, closed ones too; empty at the end. For what
    /// goes through everything.
    fn every_game(&self, after: Option<GameId>) -> Answer<'_, Vec<Listed>>;

    /// What is wrong with the database file, a sentence each; reads all of it. Nothing where the database is a server,
    /// which looks after its files itself.
    fn check_file(&self) -> Answer<'_, Vec<String>>;

    /// Enters this process in the list of nodes, with its first renewal.
    fn enter_node(&self, node: NewNode) -> Answer<'_, ()>;

    /// Renews this node's lease and reads the list; `None` when it is not in the list any more, because somebody has
    /// evicted it: then it stays out, and has to enter anew under another id.
    fn renew_node(&self, node: Uuid, report: NodeReport) -> Answer<'_, Option<Renewal>>;

    /// Removes a node from the list if its last renewal is at least `lease` old by the database's clock; resolves to
    /// whether it was removed from the list by this call.
    fn evict_node(&self, node: Uuid, lease: Duration) -> Answer<'_, bool>;

    /// Removes a node from the list because it stops, and frees the games that it still owns.
    fn leave_node(&self, node: Uuid) -> Answer<'_, ()>;

    /// Everybody in the list, oldest first, without renewing anything.
    fn nodes(&self) -> Answer<'_, Vec<NodeRow>>;

    /// Who is recorded as the game's owner; `None` when there is no such game.
    fn game_owner(&self, game: GameId) -> Answer<'_, Option<OwnerRow>>;

    /// Changes the recorded owner from exactly `from` to `to`, unless `from` is another node that is in the list and is
    /// not the one that asks (`by`); resolves to whether it was changed. `to: None` frees the game.
    fn move_game(&self, game: GameId, by: Uuid, from: Option<Uuid>, to: Option<Uuid>) -> Answer<'_, bool>;

    /// Creates an account (and its sample quiz, when it is the first with a password or has none at all).
    fn create_account(&self, account: NewAccount) -> Answer<'_, AccountCreation>;

    /// The account with this name, compared by [`crate::auth::name_key`].
    fn account_by_name<'a>(&'a self, name_key: &'a str) -> Answer<'a, Option<AccountRow>>;

    /// How many accounts have a password: none means that the service still has to be set up.
    fn accounts_with_password(&self) -> Answer<'_, u64>;

    /// Replaces the password hash and ends all sessions of the account; resolves to the hashes of their tokens.
    fn set_password(&self, host: HostId, password_hash: String) -> Answer<'_, Vec<[u8; HASH_BYTES]>>;

    /// Stores a session, and forgets those that have expired.
    fn create_session(&self, session: NewSession) -> Answer<'_, ()>;

    /// The session with this token hash, with its account; expired ones are not found.
    fn session(&self, hash: [u8; HASH_BYTES]) -> Answer<'_, Option<SessionRow>>;

    /// Which of these sessions are not valid any more.
    fn ended_sessions(&self, hashes: Vec<[u8; HASH_BYTES]>) -> Answer<'_, Vec<[u8; HASH_BYTES]>>;

    /// Ends a session; resolves to whether there was one.
    fn end_session(&self, hash: [u8; HASH_BYTES]) -> Answer<'_, bool>;

    /// The host's quizzes, newest change first.
    fn quizzes_of(&self, host: HostId) -> Answer<'_, Vec<QuizLine>>;

    /// One quiz of this host.
    fn quiz(&self, host: HostId, quiz: Uuid) -> Answer<'_, Option<QuizRow>>;

    /// Stores a new quiz, unless its host has `limit` already; resolves to whether it was stored.
    fn create_quiz(&self, quiz: QuizRow, limit: u32) -> Answer<'_, bool>;

    /// Replaces a quiz of its host, keeping its time of creation; resolves to whether there was one.
    fn replace_quiz(&self, quiz: QuizRow) -> Answer<'_, bool>;

    /// Deletes a quiz of this host; resolves to whether there was one. Games made from it keep their own copy.
    fn delete_quiz(&self, host: HostId, quiz: Uuid) -> Answer<'_, bool>;
}

/// How to open a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreOptions {
    /// Connections to PostgreSQL besides the one for the log; `SQLite` has its own numbers.
    pub connections: u32,
    /// Accept a PostgreSQL that may lose what it has acknowledged (`fsync` or `full_page_writes` off, and
    /// `synchronous_commit` as the server has it). For tests that need no durability.
    pub unsafe_durability: bool,
    /// Bytes that the disk of an `SQLite` file is to have free; with less the probe fails. 0: any amount will do.
    pub min_free_disk: u64,
    /// Bytes written to the write-ahead log of an `SQLite` file before it is moved into the file.
    pub checkpoint_after: u64,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { connections: 16, unsafe_durability: false, min_free_disk: 64 << 20, checkpoint_after: 128 << 20 }
    }
}

/// Opens the database that `url` names, `sqlite://path` or `postgres://…`, creating folder, file and tables as needed.
/// For the service and `quizhall init`.
///
/// # Errors
/// [`StoreError::Unusable`] when the URL, the database or its settings cannot be used: durability is checked, not hoped for.
pub async fn connect(url: &str, options: StoreOptions) -> Result<Arc<dyn Store>, StoreError> {
    if postgres::is_url(url) {
        return Ok(Arc::new(postgres::PostgresStore::open(url, options).await?));
    }
    Ok(Arc::new(sqlite::SqliteStore::open(&sqlite::path_of(url)?, options).await?))
}

/// Opens a database that has all tables of this version; creates no folder, file or table, and changes none. For commands.
///
/// # Errors
/// As [`connect`]; also when there is no database or its tables are not those of this version.
pub async fn connect_existing(url: &str, options: StoreOptions) -> Result<Arc<dyn Store>, StoreError> {
    if postgres::is_url(url) {
        return Ok(Arc::new(postgres::PostgresStore::open_existing(url, options).await?));
    }
    Ok(Arc::new(sqlite::SqliteStore::open_existing(&sqlite::path_of(url)?, options).await?))
}

/// What the database that `url` names holds. Changes nothing.
///
/// # Errors
/// As [`connect`].
pub async fn tables(url: &str, options: StoreOptions) -> Result<Tables, StoreError> {
    if postgres::is_url(url) {
        return postgres::tables(url, options).await;
    }
    sqlite::SqliteStore::tables(&sqlite::path_of(url)?).await
}

/// Takes the right to serve this database for as long as the lock lives. Creates the folder and an empty file where they
/// are missing. `None` where several processes may serve one database.
///
/// # Errors
/// [`StoreError::Unusable`] when another process has it, or the file cannot be made.
pub fn lock_service(url: &str) -> Result<Option<sqlite::ServiceLock>, StoreError> {
    if postgres::is_url(url) {
        return Ok(None);
    }
    let path = sqlite::path_of(url)?;
    sqlite::prepare_file(&path)?;
    sqlite::ServiceLock::try_take(&path).map(Some)
}

/// Opens the database that `url` names only to read it: nothing is created or changed.
///
/// # Errors
/// [`StoreError::Unusable`] when there is no such database, or none that this version can read.
pub async fn open_to_read(url: &str, options: StoreOptions) -> Result<Arc<dyn Store>, StoreError> {
    if postgres::is_url(url) {
        return Ok(Arc::new(postgres::PostgresStore::open_existing(url, options).await?));
    }
    open_file_to_read(&sqlite::path_of(url)?, options).await
}

/// Opens an `SQLite` file only to read it, such as a copy; one of an earlier version too.
///
/// # Errors
/// As [`open_to_read`].
pub async fn open_file_to_read(path: &Path, options: StoreOptions) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(sqlite::SqliteStore::open_to_read(path, options).await?))
}

/// The list of nodes, for whoever only looks: creates and changes nothing. `None` where this kind of database keeps none.
///
/// # Errors
/// As [`connect`].
pub async fn look_at_nodes(url: &str, options: StoreOptions) -> Result<Option<Vec<NodeRow>>, StoreError> {
    if postgres::is_url(url) {
        return postgres::look_at_nodes(url, options).await.map(Some);
    }
    Ok(None)
}

/// Whether [`connect`] would understand `url`; touches nothing on disk and no network.
///
/// # Errors
/// [`StoreError::Unusable`] with a sentence that says what is wrong, and nothing of the URL.
pub fn check_url(url: &str) -> Result<(), StoreError> {
    if postgres::is_url(url) {
        return postgres::check_url(url);
    }
    sqlite::path_of(url).map(|_| ())
}
