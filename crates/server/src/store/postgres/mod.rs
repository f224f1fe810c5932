//! The store on PostgreSQL: many nodes, one log, which is the lock.
//!
//! The log, the leases and the probe have connections of their own, so that none of them ever waits behind reads;
//! everything else shares some. Never used outside `store`.

mod accounts;
mod administration;
mod deletion;
mod durability;
mod games;
mod link;
mod log;
mod nodes;
mod open;
mod probe;
mod quizzes;
mod snapshots;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, TryFutureExt as _};
use quizhall_rules::{GameId, HostId};
use sqlx::PgConnection;
use uuid::Uuid;

pub(super) use open::{check_url, is_url};

use crate::clock;
use crate::telemetry::StorageUsage;

use self::link::Link;
use self::open::Server;
use super::proof::Proof;
use super::{
    AccountCreation, AccountRow, Answer, Append, GameCreation, GameRow, HASH_BYTES, Head, Listed, LogRow, NewAccount,
    NewGame, NewNode, NewSession, NodeReport, NodeRow, Outcome, OwnerRow, QuizLine, QuizRow, Renewal, SessionRow,
    Snapshot, Store, StoreError, StoreOptions, Tables,
};

/// How long a call may take, a server that hangs included. A statement gives up half a second before (`open`).
const TIMEOUT: Duration = Duration::from_secs(4);

/// The same for the probe, which must answer within its second.
const PROBE_TIMEOUT: Duration = Duration::from_millis(900);

/// How long a size of the database counts: to take it, the server looks at every file.
const SIZE_VALID: Duration = Duration::from_secs(30);

/// The store on one PostgreSQL database.
pub struct PostgresStore {
    log: Link,
    /// Renewals, which must come in time.
    leases: Link,
    cold: Link,
    probe: Link,
    proof: Proof,
    unsafe_durability: bool,
    /// The last figure, and when it was taken.
    size: Mutex<Option<(Instant, u64)>>,
}

impl PostgresStore {
    /// Connects, creates what is missing, and checks that what is committed will survive a loss of power.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence for the operator; [`StoreError::Unavailable`] when the server is not
    /// there (yet).
    pub async fn open(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        let server = Arc::new(Server::new(url, options.unsafe_durability)?);
        server.migrate().await?;
        Ok(Self::on(&server, options))
    }

    /// Connects to a database that has all tables of this version, and creates and changes nothing.
    ///
    /// # Errors
    /// As [`PostgresStore::open`]; also when the tables are missing or older.
    pub async fn open_existing(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        let server = Arc::new(Server::new(url, options.unsafe_durability)?);
        server.tables().await?.must_be_current("a database")?;
        Ok(Self::on(&server, options))
    }

    fn on(server: &Arc<Server>, options: StoreOptions) -> Self {
        Self {
            log: Link::new(server, 1, TIMEOUT),
            leases: Link::new(server, 1, TIMEOUT),
            cold: Link::new(server, options.connections, TIMEOUT),
            probe: Link::new(server, 1, PROBE_TIMEOUT),
            proof: Proof::default(),
            unsafe_durability: options.unsafe_durability,
            size: Mutex::default(),
        }
    }
}

/// Bytes of the database.
async fn size(connection: &mut PgConnection) -> Result<u64, StoreError> {
    let bytes: i64 = sqlx::query_scalar("SELECT pg_database_size(current_database())").fetch_one(connection).await?;
    Ok(u64::try_from(bytes).unwrap_or(0))
}

/// See [`super::tables`].
pub(super) async fn tables(url: &str, options: StoreOptions) -> Result<Tables, StoreError> {
    Server::new(url, options.unsafe_durability)?.tables().await
}

/// See [`super::look_at_nodes`].
pub(super) async fn look_at_nodes(url: &str, options: StoreOptions) -> Result<Vec<NodeRow>, StoreError> {
    let server = Arc::new(Server::new(url, options.unsafe_durability)?);
    let link = Link::new(&server, 1, TIMEOUT);
    let rows = link.read(|connection| nodes::look(connection).boxed()).await;
    link.close().await;
    rows
}

impl Store for PostgresStore {
    fn append(&self, rows: Vec<Append>) -> Answer<'_, Vec<Outcome>> {
        let unsafe_durability = self.unsafe_durability;
        async move {
            let appended =
                self.log.with(move |connection| log::append(connection, rows, unsafe_durability).boxed()).await;
            self.proof.note(appended.is_ok());
            appended
        }
        .boxed()
    }

    fn read_log_page(&self, game: GameId, from_seq: u64) -> Answer<'_, Vec<LogRow>> {
        let read = self.cold.read(move |connection| log::read_page(connection, game, from_seq).boxed());
        read.map_err(move |error| error.in_log(from_seq)).boxed()
    }

    fn put_snapshot(&self, game: GameId, snapshot: Snapshot) -> Answer<'_, ()> {
        snapshots::put(&self.cold, game, snapshot).boxed()
    }

    fn snapshot_heads(&self, game: GameId) -> Answer<'_, Vec<Head>> {
        self.cold.read(move |connection| snapshots::heads(connection, game).boxed()).boxed()
    }

    fn snapshot(&self, game: GameId, head: Head) -> Answer<'_, Option<Snapshot>> {
        snapshots::read(&self.cold, game, head).boxed()
    }

    fn head(&self, game: GameId) -> Answer<'_, Option<Head>> {
        self.cold.read(move |connection| log::head(connection, game).boxed()).boxed()
    }

    fn engine(&self) -> &'static str {
        "postgres"
    }

    fn probe(&self) -> Answer<'_, ()> {
        async move {
            let work = (!self.proof.is_recent(), self.unsafe_durability);
            self.probe.read(move |connection| probe::run(connection, work).boxed()).await?;
            if work.0 {
                self.proof.note(true);
            }
            Ok(())
        }
        .boxed()
    }

    fn usage(&self) -> Answer<'_, StorageUsage> {
        async move {
            let now = clock::now();
            let known = *self.size.lock().unwrap_or_else(PoisonError::into_inner);
            let bytes = match known {
                Some((taken, bytes)) if now.duration_since(taken) < SIZE_VALID => bytes,
                _ => {
                    let bytes = self.cold.read(|connection| size(connection).boxed()).await?;
                    *self.size.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, bytes));
                    bytes
                }
            };
            Ok(StorageUsage { database_bytes: Some(bytes), ..StorageUsage::default() })
        }
        .boxed()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        async {
            for link in [&self.probe, &self.leases, &self.cold, &self.log] {
                link.close().await;
            }
        }
        .boxed()
    }

    fn create_game(&self, game: NewGame) -> Answer<'_, GameCreation> {
        self.cold.write(move |connection| games::create(connection, game).boxed()).boxed()
    }

    fn game_by_code<'a>(&'a self, code: &'a str) -> Answer<'a, Option<GameId>> {
        let Some(code) = storable(code) else { return async { Ok(None) }.boxed() };
        self.cold.read(move |connection| games::by_code(connection, code.clone()).boxed()).boxed()
    }

    fn game_by_id(&self, game: GameId) -> Answer<'_, Option<GameRow>> {
        self.cold.read(move |connection| games::by_id(connection, game).boxed()).boxed()
    }

    fn games_of(&self, host: HostId) -> Answer<'_, Vec<GameRow>> {
        self.cold.read(move |connection| games::of_host(connection, host).boxed()).boxed()
    }

    fn still_games(&self, since_ms: i64) -> Answer<'_, Vec<GameRow>> {
        self.cold.read(move |connection| games::still(connection, since_ms).boxed()).boxed()
    }

    fn mark_damaged(&self, game: GameId, damaged: bool) -> Answer<'_, ()> {
        self.cold.write(move |connection| games::mark_damaged(connection, game, damaged).boxed()).boxed()
    }

    fn close_game(&self, game: GameId) -> Answer<'_, bool> {
        self.cold.write(move |connection| games::close(connection, game).boxed()).boxed()
    }

    fn every_game(&self, after: Option<GameId>) -> Answer<'_, Vec<Listed>> {
        let after = after.map_or(Uuid::nil(), GameId::uuid);
        self.cold.read(move |connection| games::every(connection, after).boxed()).boxed()
    }

    fn check_file(&self) -> Answer<'_, Vec<String>> {
        async { Ok(Vec::new()) }.boxed()
    }

    fn enter_node(&self, node: NewNode) -> Answer<'_, ()> {
        self.leases.write(move |connection| nodes::enter(connection, node).boxed()).boxed()
    }

    fn renew_node(&self, node: Uuid, report: NodeReport) -> Answer<'_, Option<Renewal>> {
        // In no transaction: a node that is stopped within one would hold its own row, and could not be evicted.
        self.leases.with(move |connection| nodes::renew(connection, node, report).boxed()).boxed()
    }

    fn evict_node(&self, node: Uuid, lease: Duration) -> Answer<'_, bool> {
        self.leases.with(move |connection| nodes::evict(connection, node, lease).boxed()).boxed()
    }

    fn leave_node(&self, node: Uuid) -> Answer<'_, ()> {
        self.cold.write(move |connection| nodes::leave(connection, node).boxed()).boxed()
    }

    fn nodes(&self) -> Answer<'_, Vec<NodeRow>> {
        self.cold.read(move |connection| nodes::list(connection).boxed()).boxed()
    }

    fn game_owner(&self, game: GameId) -> Answer<'_, Option<OwnerRow>> {
        self.cold.read(move |connection| nodes::owner(connection, game).boxed()).boxed()
    }

    fn move_game(&self, game: GameId, by: Uuid, from: Option<Uuid>, to: Option<Uuid>) -> Answer<'_, bool> {
        // As for renewals: the game's row must not be held by who is stopped.
        self.cold.with(move |connection| nodes::move_game(connection, game, by, from, to).boxed()).boxed()
    }

    fn create_account(&self, account: NewAccount) -> Answer<'_, AccountCreation> {
        self.cold.write(move |connection| accounts::create(connection, account).boxed()).boxed()
    }

    fn account_by_name<'a>(&'a self, name_key: &'a str) -> Answer<'a, Option<AccountRow>> {
        let Some(key) = storable(name_key) else { return async { Ok(None) }.boxed() };
        self.cold.read(move |connection| accounts::by_name(connection, key.clone()).boxed()).boxed()
    }

    fn accounts_with_password(&self) -> Answer<'_, u64> {
        self.cold.read(|connection| accounts::with_password(connection).boxed()).boxed()
    }

    fn set_password(&self, host: HostId, password_hash: String) -> Answer<'_, Vec<[u8; HASH_BYTES]>> {
        self.cold.write(move |connection| accounts::set_password(connection, host, password_hash).boxed()).boxed()
    }

    fn create_session(&self, session: NewSession) -> Answer<'_, ()> {
        self.cold.write(move |connection| accounts::create_session(connection, session).boxed()).boxed()
    }

    fn session(&self, hash: [u8; HASH_BYTES]) -> Answer<'_, Option<SessionRow>> {
        self.cold.read(move |connection| accounts::session(connection, hash).boxed()).boxed()
    }

    fn ended_sessions(&self, hashes: Vec<[u8; HASH_BYTES]>) -> Answer<'_, Vec<[u8; HASH_BYTES]>> {
        self.cold.read(move |connection| accounts::ended_sessions(connection, hashes.clone()).boxed()).boxed()
    }

    fn end_session(&self, hash: [u8; HASH_BYTES]) -> Answer<'_, bool> {
        self.cold.write(move |connection| accounts::end_session(connection, hash).boxed()).boxed()
    }

    fn quizzes_of(&self, host: HostId) -> Answer<'_, Vec<QuizLine>> {
        self.cold.read(move |connection| quizzes::of_host(connection, host).boxed()).boxed()
    }

    fn quiz(&self, host: HostId, quiz: Uuid) -> Answer<'_, Option<QuizRow>> {
        self.cold.read(move |connection| quizzes::one(connection, host, quiz).boxed()).boxed()
    }

    fn create_quiz(&self, quiz: QuizRow, limit: u32) -> Answer<'_, bool> {
        self.cold.write(move |connection| quizzes::create(connection, quiz, limit).boxed()).boxed()
    }

    fn replace_quiz(&self, quiz: QuizRow) -> Answer<'_, bool> {
        self.cold.write(move |connection| quizzes::replace(connection, quiz).boxed()).boxed()
    }

    fn delete_quiz(&self, host: HostId, quiz: Uuid) -> Answer<'_, bool> {
        self.cold.write(move |connection| quizzes::delete(connection, host, quiz).boxed()).boxed()
    }
}

/// A text to look for; `None` when PostgreSQL could not hold it, so that nothing can be found by it.
fn storable(text: &str) -> Option<String> {
    (!text.contains('\0')).then(|| text.to_owned())
}
