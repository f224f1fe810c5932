//! Accounts of hosts. Hashes only: never a password.
//!
//! Creating, finding and listing; `account_changes` changes and removes them.

use futures_util::FutureExt as _;
use quizhall_rules::HostId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::quizzes::{self, QuizRow};
use super::sessions::{self, HASH_BYTES};
use crate::store::columns::from_row;
use crate::store::connection::work::Returns;
use crate::store::connection::{Connection, Statement, sql, storable};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// Held until the end of a transaction that creates or changes accounts. Two numbers, because migrations lock by one
/// number: the key spaces are separate.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1904175720, 1)";

/// An account to create.
#[derive(Clone)]
pub struct NewAccount {
    /// Its id.
    pub id: HostId,
    /// The name as shown.
    pub name: String,
    /// The name as compared ([`crate::auth::name_key`]).
    pub name_key: String,
    /// A PHC string; `None` for an account that signs in with a provider, and for those of the service itself.
    pub password_hash: Option<String>,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Create it only while no account has a password. This makes the set-up link safe against races.
    pub only_as_first: bool,
    /// Whether it is an owner of the service, who manages all accounts.
    pub is_owner: bool,
    /// The quiz that the first person, or the account without a password, starts with.
    pub sample: Option<QuizRow>,
}

/// The result of creating an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountCreation {
    /// It exists now.
    Created,
    /// Another account has this name.
    NameTaken,
    /// It was to be the first account, but another one exists.
    NotFirst,
}

/// An account. No `Debug`: it holds a password hash.
#[derive(Clone)]
pub struct AccountRow {
    /// Its id.
    pub id: HostId,
    /// Its name.
    pub name: String,
    /// A PHC string, if the account has a sign-in.
    pub password_hash: Option<String>,
    /// Since when its sign-in is disabled, milliseconds since 1970.
    pub disabled_at_ms: Option<i64>,
    /// The name as compared.
    pub name_key: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Whether a provider signs in to it.
    pub has_identity: bool,
    /// Whether it is an owner of the service.
    pub is_owner: bool,
}
from_row!(PgRow, SqliteRow => AccountRow {
    id as Uuid, name, password_hash, disabled_at_ms, name_key, created_at_ms, has_identity, is_owner
});

/// The rows from which an [`AccountRow`] is read; `host` is `h`, and conditions may follow.
macro_rules! select_account {
    ($rest:literal) => {
        $crate::store::connection::sql(concat!(
            "SELECT h.id, h.name, h.password_hash, h.disabled_at_ms, h.name_key, h.created_at_ms,
                EXISTS (SELECT 1 FROM host_identity o WHERE o.host_id = h.id) AS has_identity, (h.is_owner = 1) AS is_owner
            FROM host h ",
            $rest
        ))
    };
}
pub(super) use select_account;

/// A line of the list of accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountLine {
    /// Its id.
    pub id: HostId,
    /// Its name.
    pub name: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Since when its sign-in is disabled, milliseconds since 1970.
    pub disabled_at_ms: Option<i64>,
    /// Whether it is an owner of the service.
    pub is_owner: bool,
    /// Whether a person can sign in to it, with a password or a provider; the service's own accounts have no person.
    pub is_person: bool,
    /// Quizzes it owns.
    pub quizzes: i64,
    /// Games it owns that are not closed.
    pub games: i64,
}
from_row!(PgRow, SqliteRow => AccountLine {
    id as Uuid, name, created_at_ms, disabled_at_ms, is_owner, is_person, quizzes, games
});

/// A new password hash in place of one that was checked.
pub struct PasswordChange {
    /// The PHC string that the old password fits.
    pub old: String,
    /// The PHC string of the new password.
    pub new: String,
    /// The session that stays valid: the SHA-256 of its token.
    pub kept: [u8; HASH_BYTES],
}

/// Accounts, for the command line and the host API.
impl Store {
    /// Creates an account, with its sample quiz when it is the first with a password or has no password.
    pub async fn create_account(&self, account: NewAccount) -> Result<AccountCreation, StoreError> {
        self.with_accounts(move |connection| create(connection, account).boxed()).await
    }

    /// The account with this name, compared by [`crate::auth::name_key`].
    pub async fn account_by_name(&self, name_key: &str) -> Result<Option<AccountRow>, StoreError> {
        let Some(name_key) = storable(name_key) else { return Ok(None) };
        self.row(select_account!("WHERE h.name_key = $1").bind(name_key)).await
    }

    /// The account with this id.
    pub async fn account_by_id(&self, host: HostId) -> Result<Option<AccountRow>, StoreError> {
        self.row(select_account!("WHERE h.id = $1").bind(host)).await
    }

    /// How many accounts have a password: with none, the service still has to be set up.
    pub async fn accounts_with_password(&self) -> Result<u64, StoreError> {
        let count: i64 = self.value(with_password()).await?;
        Ok(count.unsigned_abs())
    }

    /// Replaces the password hash and ends all sessions of the account; resolves to the hashes of their tokens.
    pub async fn set_password(&self, host: HostId, password_hash: String) -> Result<Vec<[u8; HASH_BYTES]>, StoreError> {
        let set = sql("UPDATE host SET password_hash = $2 WHERE id = $1").bind(host).bind(password_hash);
        self.write(move |connection| {
            async move {
                set.execute(connection).await?;
                sessions::end_all(connection, host).await
            }
            .boxed()
        })
        .await
    }

    /// Replaces the password hash if it is still `old`, and ends all sessions of the account but `kept`; resolves to the hashes
    /// of their tokens, or to `None` when the password was changed meanwhile.
    pub async fn change_password(
        &self,
        host: HostId,
        change: PasswordChange,
    ) -> Result<Option<Vec<[u8; HASH_BYTES]>>, StoreError> {
        let set = sql("UPDATE host SET password_hash = $2 WHERE id = $1 AND password_hash = $3");
        let set = set.bind(host).bind(change.new).bind(change.old);
        self.write(move |connection| {
            async move {
                if set.execute(connection).await? == 0 {
                    return Ok(None);
                }
                sessions::end_others(connection, host, change.kept).await.map(Some)
            }
            .boxed()
        })
        .await
    }

    /// Every account, by name, including the service's own.
    pub async fn accounts(&self) -> Result<Vec<AccountLine>, StoreError> {
        self.rows(sql("
            SELECT id, name, created_at_ms, disabled_at_ms, (is_owner = 1) AS is_owner,
                (password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM host_identity WHERE host_identity.host_id = host.id))
                    AS is_person,
                (SELECT count(*) FROM quiz WHERE quiz.host_id = host.id) AS quizzes,
                (SELECT count(*) FROM game WHERE game.host_id = host.id AND game.closed = 0) AS games
            FROM host ORDER BY name_key"))
            .await
    }

    /// Runs `work` in a transaction during which no other one creates or changes accounts.
    pub(super) async fn with_accounts<T: Send + 'static>(&self, work: impl Returns<T>) -> Result<T, StoreError> {
        self.write(move |connection| {
            async move {
                connection.lock(sql(LOCK)).await?;
                work(connection).await
            }
            .boxed()
        })
        .await
    }
}

/// Other transactions that add to the same account, which has limits, wait for the end of this one.
pub(in crate::store) async fn lock(connection: &mut Connection<'_>, host: HostId) -> Result<(), StoreError> {
    connection.lock(sql("SELECT id FROM host WHERE id = $1 FOR NO KEY UPDATE").bind(host)).await
}

fn with_password() -> Statement {
    sql("SELECT count(*) FROM host WHERE password_hash IS NOT NULL")
}

/// Decides under the lock whether the account is the first: of two people who open the set-up link at once, only one
/// can be.
pub(super) async fn create(
    connection: &mut Connection<'_>,
    account: NewAccount,
) -> Result<AccountCreation, StoreError> {
    let others: i64 = with_password().value(connection).await?;
    if account.only_as_first && others > 0 {
        return Ok(AccountCreation::NotFirst);
    }
    let newcomer = others == 0 || account.password_hash.is_none();
    let insert = sql("
        INSERT INTO host (id, name, name_key, password_hash, created_at_ms, is_owner) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (name_key) DO NOTHING");
    let insert = insert.bind(account.id).bind(account.name).bind(account.name_key).bind(account.password_hash);
    if insert.bind(account.created_at_ms).bind(account.is_owner).execute(connection).await? == 0 {
        return Ok(AccountCreation::NameTaken);
    }
    if let Some(sample) = account.sample.filter(|_| newcomer) {
        quizzes::create(connection, sample, u32::MAX).await?;
    }
    Ok(AccountCreation::Created)
}
