//! Accounts and sessions of hosts, as the store takes and gives them. Hashes only: never a password or a token.

use quizhall_rules::HostId;
use sqlx::FromRow;
use uuid::Uuid;

use super::quizzes::QuizRow;

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
#[derive(Clone, FromRow)]
pub struct AccountRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: HostId,
    /// Its name.
    pub name: String,
    /// A PHC string, if somebody can sign in to it.
    pub password_hash: Option<String>,
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
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SessionRow {
    /// Whose it is.
    #[sqlx(rename = "host_id", try_from = "Uuid")]
    pub host: HostId,
    /// The account's name.
    pub name: String,
    /// Milliseconds since 1970.
    pub expires_at_ms: i64,
}
