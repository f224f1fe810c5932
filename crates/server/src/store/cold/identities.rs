//! Accounts of an OpenID Connect provider, and sign-ins with it that are under way. Holds only hashes, never a state or
//! a verifier.
//!
//! Called by `auth`. Reading an attempt deletes it, so that of two uses at once, on any nodes, only one succeeds.

use futures_util::FutureExt as _;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;

use super::accounts::{self, AccountCreation, AccountRow, NewAccount, select_account};
use super::sessions::HASH_BYTES;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql, storable};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// How long a sign-in may take, in milliseconds.
pub const ATTEMPT_KEPT_MS: i64 = 10 * 60 * 1_000;

/// Most sign-ins under way at once.
const MOST_ATTEMPTS: i64 = 10_000;

/// A sign-in that begins.
#[derive(Clone)]
pub struct SignInAttempt {
    /// SHA-256 of the state.
    pub state: [u8; HASH_BYTES],
    /// SHA-256 of the code verifier.
    pub verifier: [u8; HASH_BYTES],
    /// What the provider has to repeat in the ID token.
    pub nonce: String,
}

/// The identity of an account at its provider.
#[derive(Clone, PartialEq, Eq)]
pub struct ExternalIdentity {
    /// The provider.
    pub issuer: String,
    /// The account's id there, which the provider never gives to another account.
    pub subject: String,
}

impl Store {
    /// Stores a sign-in that begins; `false` when too many are under way.
    pub async fn begin_sign_in(&self, attempt: SignInAttempt) -> Result<bool, StoreError> {
        self.write(move |connection| begin(connection, attempt).boxed()).await
    }

    /// The nonce of a sign-in that began with this state and this verifier at most ten minutes ago. Whatever the
    /// result, no later call finds the state.
    pub async fn take_sign_in(
        &self,
        state: [u8; HASH_BYTES],
        verifier: [u8; HASH_BYTES],
    ) -> Result<Option<String>, StoreError> {
        self.write(move |connection| take(connection, state, verifier).boxed()).await
    }

    /// The account of this identity.
    pub async fn account_by_identity(&self, identity: &ExternalIdentity) -> Result<Option<AccountRow>, StoreError> {
        let (Some(issuer), Some(subject)) = (storable(&identity.issuer), storable(&identity.subject)) else {
            return Ok(None);
        };
        let select = select_account!("JOIN host_identity i ON i.host_id = h.id WHERE i.issuer = $1 AND i.subject = $2");
        self.row(select.bind(issuer).bind(subject)).await
    }

    /// Creates an account for an identity, unless its name is taken or the identity has an account by now.
    pub async fn create_account_of(
        &self,
        account: NewAccount,
        identity: ExternalIdentity,
    ) -> Result<AccountCreation, StoreError> {
        self.with_accounts(move |connection| create(connection, account, identity).boxed()).await
    }
}

async fn begin(connection: &mut Connection<'_>, attempt: SignInAttempt) -> Result<bool, StoreError> {
    let now = connection.now_ms().await?;
    let sweep = match connection {
        Connection::Sqlite(_) => "DELETE FROM sign_in_attempt WHERE created_at_ms <= $1",
        // Two concurrent sweeps may each wait for rows that the other has locked.
        Connection::Postgres(_) => {
            "
            DELETE FROM sign_in_attempt WHERE state IN (
                SELECT state FROM sign_in_attempt WHERE created_at_ms <= $1 FOR UPDATE SKIP LOCKED)"
        }
    };
    sql(sweep).bind(now - ATTEMPT_KEPT_MS).execute(connection).await?;
    let insert = sql("
        INSERT INTO sign_in_attempt (state, verifier, nonce, created_at_ms) SELECT $1, $2, $3, $4
        WHERE (SELECT count(*) FROM sign_in_attempt) < $5");
    let insert = insert.bind(attempt.state.to_vec()).bind(attempt.verifier.to_vec()).bind(attempt.nonce);
    Ok(insert.bind(now).bind(MOST_ATTEMPTS).execute(connection).await? > 0)
}

async fn take(
    connection: &mut Connection<'_>,
    state: [u8; HASH_BYTES],
    verifier: [u8; HASH_BYTES],
) -> Result<Option<String>, StoreError> {
    let since = connection.now_ms().await? - ATTEMPT_KEPT_MS;
    let take = sql("DELETE FROM sign_in_attempt WHERE state = $1 RETURNING verifier, nonce, created_at_ms");
    let taken: Option<StoredAttempt> = take.bind(state.to_vec()).optional(connection).await?;
    let fits = |attempt: &StoredAttempt| attempt.created_at_ms > since && attempt.verifier == verifier;
    Ok(taken.filter(fits).map(|attempt| attempt.nonce))
}

async fn create(
    connection: &mut Connection<'_>,
    account: NewAccount,
    identity: ExternalIdentity,
) -> Result<AccountCreation, StoreError> {
    let known = sql("SELECT EXISTS (SELECT 1 FROM host_identity WHERE issuer = $1 AND subject = $2)");
    if known.bind(identity.issuer.as_str()).bind(identity.subject.as_str()).value(connection).await? {
        return Ok(AccountCreation::NotFirst);
    }
    let (host, created_at_ms) = (account.id, account.created_at_ms);
    let created = accounts::create(connection, account).await?;
    if created == AccountCreation::Created {
        let insert = sql("INSERT INTO host_identity (issuer, subject, host_id, created_at_ms) VALUES ($1, $2, $3, $4)");
        let insert = insert.bind(identity.issuer).bind(identity.subject).bind(host).bind(created_at_ms);
        insert.execute(connection).await?;
    }
    Ok(created)
}

struct StoredAttempt {
    verifier: Vec<u8>,
    nonce: String,
    created_at_ms: i64,
}
from_row!(PgRow, SqliteRow => StoredAttempt { verifier, nonce, created_at_ms });
