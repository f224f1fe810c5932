//! Accounts and sessions of hosts, as the store takes and gives them. Hashes only: never a password or a token.

use quizhall_rules::HostId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::columns::from_row;
use super::quizzes::QuizRow;
use super::{Answer, GameRow};

/// Length of a SHA-256.
pub const HASH_BYTES: usize = 32;

/// An account to create.
#[derive(Clone)]
pub struct NewAccount {
    /// Its id.
    pub id: HostId,
    /// The name as shown.
    pub name: String,
    /// The name as compared ([`crate::auth::name_key`]).
    pub name_key: String,
    /// A PHC string; `None` for the account of `QUIZHALL_HOST_TOKEN`, which nobody can sign in to.
    pub password_hash: Option<String>,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Create it only while no account has a password: the set-up link, race-safe.
    pub only_as_first: bool,
    /// The quiz that the first person, and the account without a password, find waiting.
    pub sample: Option<QuizRow>,
}

/// What became of a new account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountCreation {
    /// It exists now.
    Created,
    /// Another account has this name.
    NameTaken,
    /// It was to be the first, and is not.
    NotFirst,
}

/// An account. No `Debug`: it holds a password hash.
#[derive(Clone)]
pub struct AccountRow {
    /// Its id.
    pub id: HostId,
    /// Its name.
    pub name: String,
    /// A PHC string, if somebody can sign in to it.
    pub password_hash: Option<String>,
    /// Since when nobody may sign in to it, milliseconds since 1970.
    pub disabled_at_ms: Option<i64>,
}
from_row!(PgRow, SqliteRow => AccountRow { id as Uuid, name, password_hash, disabled_at_ms });

/// A line of the list of accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountLine {
    /// Its id.
    pub id: HostId,
    /// Its name.
    pub name: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Since when nobody may sign in to it, milliseconds since 1970.
    pub disabled_at_ms: Option<i64>,
    /// Whether it has a password: the accounts of the service itself have none.
    pub has_password: bool,
    /// Quizzes it owns.
    pub quizzes: i64,
    /// Games it owns that are not closed.
    pub games: i64,
}
from_row!(PgRow, SqliteRow => AccountLine {
    id as Uuid, name, created_at_ms, disabled_at_ms, has_password, quizzes, games
});

/// What became of a change to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountChange {
    /// It is done; these sessions of the account have ended with it.
    Done(Vec<[u8; HASH_BYTES]>),
    /// There is no such account.
    NotFound,
    /// Another account has this name.
    NameTaken,
    /// Nobody could sign in any more: it is the last account with a password that is not disabled.
    LastAccount,
    /// It still owns this many games, closed ones included, and quizzes.
    OwnsData {
        /// Games, closed ones included.
        games: u64,
        /// Quizzes.
        quizzes: u64,
    },
    /// So many of its games have neither ended nor been closed.
    LiveGames(u64),
}

/// Looking after accounts: for the command line and the host API. Both engines decide within one transaction.
pub trait AccountStore: Send + Sync {
    /// Every account, by name; those of the service itself as well.
    fn accounts(&self) -> Answer<'_, Vec<AccountLine>>;

    /// Gives the account another name; its sessions go on.
    fn rename_account(&self, host: HostId, name: String, name_key: String) -> Answer<'_, AccountChange>;

    /// Disables the account since this time (milliseconds since 1970) or, with `None`, enables it. Ends its sessions either
    /// way: one that was made while the account was being disabled must not come back with it. Never disables the last account
    /// that can be signed in to.
    fn disable_account(&self, host: HostId, since_ms: Option<i64>) -> Answer<'_, AccountChange>;

    /// Deletes the account and its sessions, after moving its games and quizzes to `heir`. Without one it must own nothing.
    /// Never deletes the last account that can be signed in to.
    fn remove_account(&self, host: HostId, heir: Option<HostId>) -> Answer<'_, AccountChange>;

    /// Disables the account, closes its games and deletes its quizzes, unless one of its games has neither ended nor been
    /// closed. The account itself stays until its games are purged.
    fn close_account(&self, host: HostId, now_ms: i64) -> Answer<'_, AccountChange>;

    /// Every game of the account, closed ones included, in order of creation.
    fn all_games_of(&self, host: HostId) -> Answer<'_, Vec<GameRow>>;
}

/// A session to store.
#[derive(Clone)]
pub struct NewSession {
    /// SHA-256 of its token.
    pub hash: [u8; HASH_BYTES],
    /// Whose it is.
    pub host: HostId,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970; from then on it is not found.
    pub expires_at_ms: i64,
}

/// A session that has not expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Whose it is.
    pub host: HostId,
    /// The account's name.
    pub name: String,
    /// Milliseconds since 1970.
    pub expires_at_ms: i64,
}
from_row!(PgRow, SqliteRow => SessionRow { host = "host_id" as Uuid, name, expires_at_ms });
