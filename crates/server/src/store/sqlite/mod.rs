//! The store on `SQLite`: the embedded default, one file, one machine.
//!
//! Three connections that write (log, everything else, probe) take turns at one gate, so that they never meet
//! `SQLite`'s own lock polling; a fourth moves the write-ahead log into the file; reads go through a small pool beside
//! them. Never used outside `store`.

mod accounts;
mod administration;
mod backup;
mod checkpoint;
mod copy;
mod deletion;
mod file;
mod games;
mod header;
mod inspect;
mod link;
mod lock;
mod log;
mod nodes;
mod open;
mod pace;
mod precaution;
mod probe;
mod quizzes;
mod restore;
mod scrub;
mod snapshots;
mod touched;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, TryFutureExt as _};
use quizhall_rules::{GameId, HostId};
use sqlx::SqlitePool;
use uuid::Uuid;

pub use backup::{BackedUp, backup, last_backup};
pub use copy::Progress;
pub use lock::ServiceLock;
pub(super) use open::{path_of, prepare_file};
pub use restore::{Backup, Restored};

use crate::telemetry::StorageUsage;

use self::checkpoint::Checkpoints;
use self::file::DataFile;
use self::link::{Gate, Link};
use self::touched::Touched;
use super::proof::Proof;
use super::{
    AccountCreation, AccountRow, Answer, Append, GameCreation, GameRow, HASH_BYTES, Head, Listed, LogRow, NewAccount,
    NewGame, NewNode, NewSession, NodeReport, NodeRow, Outcome, OwnerRow, QuizLine, QuizRow, Renewal, SessionRow,
    Snapshot, Store, StoreError, StoreOptions, Tables,
};

/// How long a writer waits for another process that holds the file (the service's own writers never wait on it).
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// The same for the probe, which must answer within its second.
const PROBE_BUSY_TIMEOUT: Duration = Duration::from_millis(500);

/// Pages that the connection which appends may keep, in KiB and negative as `SQLite` wants it. Each game's log ends in a page
/// of its own, and those of a thousand busy games are more than the 2 MiB of the default.
const LOG_CACHE: &str = "-16384";

/// Connections for reading.
const READERS: u32 = 4;

/// How long a read waits for one of them.
const READER_WAIT: Duration = Duration::from_secs(3);

/// The store on one `SQLite` file.
pub struct SqliteStore {
    file: Arc<DataFile>,
    gate: Arc<Gate>,
    log: Link,
    cold: Link,
    probe: Arc<Link>,
    proof: Arc<Proof>,
    readers: SqlitePool,
    checkpoints: Arc<Checkpoints>,
    touched: Touched,
}

impl SqliteStore {
    /// Opens the file, creates what is missing, and checks that what is committed will survive a loss of power.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence for the operator.
    pub async fn open(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        prepare_file(path)?;
        precaution::keep_copy(path).await?;
        let store = Self::new(path, options)?;
        store.cold.with(&store.gate, |connection| open::migrate(connection).boxed()).await?;
        store.cold.with(&store.gate, |connection| header::number(connection).boxed()).await?;
        Ok(store)
    }

    /// Opens a file that has all tables of this version, and creates and changes nothing.
    ///
    /// # Errors
    /// As [`SqliteStore::open`]; also when there is no file, or its tables are missing or older.
    pub async fn open_existing(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        Self::tables(path).await?.must_be_current(&path.display().to_string())?;
        Self::new(path, options)
    }

    /// What is in the file, if there is one. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when it is no database, or one of a newer version.
    pub async fn tables(path: &Path) -> Result<Tables, StoreError> {
        if !path.try_exists().is_ok_and(|exists| exists) {
            return Ok(Tables::NoDatabase);
        }
        open::tables(path).await
    }

    fn new(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        let file = Arc::new(DataFile::find(path, options.min_free_disk)?);
        let checkpoint_after = options.checkpoint_after;
        let options = open::options(path).busy_timeout(BUSY_TIMEOUT);
        let gate = Arc::<Gate>::default();
        Ok(Self {
            checkpoints: Arc::new(Checkpoints::new(options.clone(), Arc::clone(&gate), (&file, checkpoint_after))),
            touched: Touched::default(),
            gate,
            log: Link::new(options.clone().pragma("cache_size", LOG_CACHE), &file),
            cold: Link::new(options.clone(), &file),
            probe: Arc::new(Link::new(options.clone().busy_timeout(PROBE_BUSY_TIMEOUT), &file)),
            proof: Arc::default(),
            readers: open::readers(options, (READERS, READER_WAIT), &file),
            file,
        })
    }

    /// Opens a file only to read it; every write fails.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when there is no such file, or none that this version can read.
    pub async fn open_to_read(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        let (sqlite, readers) = inspect::open(path).await?;
        let file = Arc::new(DataFile::find(path, options.min_free_disk)?);
        let gate = Arc::<Gate>::default();
        Ok(Self {
            checkpoints: Arc::new(Checkpoints::new(
                sqlite.clone(),
                Arc::clone(&gate),
                (&file, options.checkpoint_after),
            )),
            touched: Touched::default(),
            gate,
            log: Link::new(sqlite.clone(), &file),
            cold: Link::new(sqlite.clone(), &file),
            probe: Arc::new(Link::new(sqlite, &file)),
            proof: Arc::default(),
            readers,
            file,
        })
    }

    /// Lets the file grow to at most `pages` pages: how the tests fill the disk. 0 lifts the limit.
    #[doc(hidden)]
    pub async fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        for link in [&self.log, &self.cold] {
            link.with(&self.gate, |connection| open::limit_pages(connection, pages).boxed()).await?;
        }
        Ok(())
    }
}

impl Store for SqliteStore {
    fn append(&self, rows: Vec<Append>) -> Answer<'_, Vec<Outcome>> {
        async move {
            let (touch, pages) = (self.touched.due(&rows), Checkpoints::pages(&rows));
            let appended = if log::is_one_statement(&rows, &touch) {
                self.log.with(&self.gate, move |connection| log::append(connection, rows, Vec::new()).boxed()).await
            } else {
                let touch = touch.clone();
                self.log.write(&self.gate, move |connection| log::append(connection, rows, touch).boxed()).await
            };
            self.proof.note(appended.is_ok());
            let outcomes = appended?;
            self.touched.done(touch);
            self.checkpoints.written(pages);
            Ok(outcomes)
        }
        .boxed()
    }

    fn read_log_page(&self, game: GameId, from_seq: u64) -> Answer<'_, Vec<LogRow>> {
        log::read_page(&self.readers, game, from_seq).map_err(move |error| error.in_log(from_seq)).boxed()
    }

    fn put_snapshot(&self, game: GameId, snapshot: Snapshot) -> Answer<'_, ()> {
        snapshots::put(self, game, snapshot).boxed()
    }

    fn snapshot_heads(&self, game: GameId) -> Answer<'_, Vec<Head>> {
        snapshots::heads(&self.readers, game).boxed()
    }

    fn snapshot(&self, game: GameId, head: Head) -> Answer<'_, Option<Snapshot>> {
        snapshots::read(&self.readers, game, head).boxed()
    }

    fn head(&self, game: GameId) -> Answer<'_, Option<Head>> {
        self.log.with(&self.gate, move |connection| log::head(connection, game).boxed()).boxed()
    }

    fn engine(&self) -> &'static str {
        "sqlite"
    }

    fn probe(&self) -> Answer<'_, ()> {
        // In a task of its own: a probe that nobody waits for any more (the health check gives up after a second)
        // ends when SQLite lets go of it, and until then no other is begun.
        let (file, link, gate) = (Arc::clone(&self.file), Arc::clone(&self.probe), Arc::clone(&self.gate));
        let (proof, checkpoints) = (Arc::clone(&self.proof), Arc::clone(&self.checkpoints));
        async move {
            if link.is_busy() {
                return Err(StoreError::Unavailable("the last probe has not come back".to_owned()));
            }
            let probe = async move {
                if probe::run(&file, &link, (&gate, &proof)).await? {
                    checkpoints.written(checkpoint::PROBE);
                }
                Ok(())
            };
            tokio::spawn(probe).await.map_err(|_| StoreError::Unavailable("the probe was stopped".to_owned()))?
        }
        .boxed()
    }

    fn usage(&self) -> Answer<'_, StorageUsage> {
        let usage = StorageUsage { last_checkpoint: Some(self.checkpoints.last()), ..self.file.usage() };
        std::future::ready(Ok(usage)).boxed()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        async {
            self.readers.close().await;
            for link in [&*self.probe, self.checkpoints.link(), &self.cold, &self.log] {
                link.close().await;
            }
        }
        .boxed()
    }

    fn create_game(&self, game: NewGame) -> Answer<'_, GameCreation> {
        self.cold.write(&self.gate, move |connection| games::create(connection, game).boxed()).boxed()
    }

    fn game_by_code<'a>(&'a self, code: &'a str) -> Answer<'a, Option<GameId>> {
        games::by_code(&self.readers, code).boxed()
    }

    fn game_by_id(&self, game: GameId) -> Answer<'_, Option<GameRow>> {
        games::by_id(&self.readers, game).boxed()
    }

    fn games_of(&self, host: HostId) -> Answer<'_, Vec<GameRow>> {
        games::of_host(&self.readers, host).boxed()
    }

    fn still_games(&self, since_ms: i64) -> Answer<'_, Vec<GameRow>> {
        games::still(&self.readers, since_ms).boxed()
    }

    fn mark_damaged(&self, game: GameId, damaged: bool) -> Answer<'_, ()> {
        self.cold.write(&self.gate, move |connection| games::mark_damaged(connection, game, damaged).boxed()).boxed()
    }

    fn close_game(&self, game: GameId) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| games::close(connection, game).boxed()).boxed()
    }

    fn every_game(&self, after: Option<GameId>) -> Answer<'_, Vec<Listed>> {
        games::every(&self.readers, after.map_or(Uuid::nil(), GameId::uuid)).boxed()
    }

    fn check_file(&self) -> Answer<'_, Vec<String>> {
        inspect::check(&self.readers).boxed()
    }

    fn enter_node(&self, node: NewNode) -> Answer<'_, ()> {
        self.cold.write(&self.gate, move |connection| nodes::enter(connection, node).boxed()).boxed()
    }

    fn renew_node(&self, node: Uuid, report: NodeReport) -> Answer<'_, Option<Renewal>> {
        self.cold.write(&self.gate, move |connection| nodes::renew(connection, node, report).boxed()).boxed()
    }

    fn evict_node(&self, node: Uuid, lease: Duration) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| nodes::evict(connection, node, lease).boxed()).boxed()
    }

    fn leave_node(&self, node: Uuid) -> Answer<'_, ()> {
        self.cold.write(&self.gate, move |connection| nodes::leave(connection, node).boxed()).boxed()
    }

    fn nodes(&self) -> Answer<'_, Vec<NodeRow>> {
        nodes::list(&self.readers).boxed()
    }

    fn game_owner(&self, game: GameId) -> Answer<'_, Option<OwnerRow>> {
        nodes::owner(&self.readers, game).boxed()
    }

    fn move_game(&self, game: GameId, by: Uuid, from: Option<Uuid>, to: Option<Uuid>) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| nodes::move_game(connection, game, by, from, to).boxed()).boxed()
    }

    fn create_account(&self, account: NewAccount) -> Answer<'_, AccountCreation> {
        self.cold.write(&self.gate, move |connection| accounts::create(connection, account).boxed()).boxed()
    }

    fn account_by_name<'a>(&'a self, name_key: &'a str) -> Answer<'a, Option<AccountRow>> {
        accounts::by_name(&self.readers, name_key).boxed()
    }

    fn accounts_with_password(&self) -> Answer<'_, u64> {
        accounts::with_password(&self.readers).boxed()
    }

    fn set_password(&self, host: HostId, password_hash: String) -> Answer<'_, Vec<[u8; HASH_BYTES]>> {
        self.cold
            .write(&self.gate, move |connection| accounts::set_password(connection, host, password_hash).boxed())
            .boxed()
    }

    fn create_session(&self, session: NewSession) -> Answer<'_, ()> {
        self.cold.write(&self.gate, move |connection| accounts::create_session(connection, session).boxed()).boxed()
    }

    fn session(&self, hash: [u8; HASH_BYTES]) -> Answer<'_, Option<SessionRow>> {
        accounts::session(&self.readers, hash).boxed()
    }

    fn ended_sessions(&self, hashes: Vec<[u8; HASH_BYTES]>) -> Answer<'_, Vec<[u8; HASH_BYTES]>> {
        accounts::ended_sessions(&self.readers, hashes).boxed()
    }

    fn end_session(&self, hash: [u8; HASH_BYTES]) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| accounts::end_session(connection, hash).boxed()).boxed()
    }

    fn quizzes_of(&self, host: HostId) -> Answer<'_, Vec<QuizLine>> {
        quizzes::of_host(&self.readers, host).boxed()
    }

    fn quiz(&self, host: HostId, quiz: Uuid) -> Answer<'_, Option<QuizRow>> {
        quizzes::one(&self.readers, host, quiz).boxed()
    }

    fn create_quiz(&self, quiz: QuizRow, limit: u32) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| quizzes::create(connection, quiz, limit).boxed()).boxed()
    }

    fn replace_quiz(&self, quiz: QuizRow) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| quizzes::replace(connection, quiz).boxed()).boxed()
    }

    fn delete_quiz(&self, host: HostId, quiz: Uuid) -> Answer<'_, bool> {
        self.cold.write(&self.gate, move |connection| quizzes::delete(connection, host, quiz).boxed()).boxed()
    }
}
