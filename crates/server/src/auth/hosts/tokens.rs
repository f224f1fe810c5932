//! Tokens of an account for programs: making, listing and revoking them.
//!
//! The part of [`Hosts`] that `http` calls for the account that makes the request. The caller closes the sockets of a
//! revoked token.

use quizhall_rules::HostId;
use uuid::Uuid;

use super::super::account_name::account_name;
use super::super::scopes::Scopes;
use super::super::token::{HostToken, HostTokenHash};
use super::{AccountError, Hosts};
use crate::clock;
use crate::store::{NamedToken, NamedTokenLine, StoreError};

/// Most tokens of one account.
pub const MOST_TOKENS: u32 = 20;

/// The least time between two records of a use.
const USE_STEP_MS: i64 = 60_000;

impl Hosts {
    /// Makes a token that ends when it is revoked. The token itself is shown only here.
    ///
    /// # Errors
    /// [`AccountError::Name`], [`AccountError::TooManyTokens`], or a failing database.
    pub async fn create_token(
        &self,
        host: HostId,
        name: &str,
        scopes: Scopes,
    ) -> Result<(HostToken, NamedTokenLine), AccountError> {
        let name = account_name(name).map_err(AccountError::Name)?;
        let (token, id, created_at_ms) = (HostToken::named(), Uuid::now_v7(), clock::unix_ms());
        let line = NamedTokenLine { id, name, scopes: scopes.bits(), created_at_ms, last_used_at_ms: None };
        let new = NamedToken { hash: token.hash().0, host, line: line.clone() };
        if !self.store.create_named_token(new, MOST_TOKENS).await? {
            return Err(AccountError::TooManyTokens);
        }
        Ok((token, line))
    }

    /// The tokens of the account, the newest first.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn tokens_of(&self, host: HostId) -> Result<Vec<NamedTokenLine>, StoreError> {
        self.store.named_tokens_of(host).await
    }

    /// Revokes a token of the account.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failing database.
    pub async fn revoke_token(&self, host: HostId, id: Uuid) -> Result<HostTokenHash, AccountError> {
        let hash = self.store.revoke_named_token(host, id).await?.ok_or(AccountError::NotFound)?;
        let token = HostTokenHash(hash);
        self.spread_the_end_of(&[token]).await;
        Ok(token)
    }

    /// Records that a token was used, at most once a minute.
    pub(super) async fn note_use(&self, token: HostTokenHash, last_used_at_ms: Option<i64>) {
        let now = clock::unix_ms();
        if last_used_at_ms.is_none_or(|last| last.saturating_add(USE_STEP_MS) <= now) {
            // A program continues when its use cannot be recorded, for example on a full disk.
            let _ = self.store.note_token_use(token.0, now).await;
        }
    }
}
