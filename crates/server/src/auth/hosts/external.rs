//! Accounts of an OpenID Connect provider: the account of an identity, made at its first sign-in.
//!
//! The part of [`Hosts`] that `http` calls after `oidc` has checked who signed in. Such an account has no password. An
//! account with a password and the same name is another account, and stays separate.

use std::net::IpAddr;

use super::super::account_name::{account_name, visible};
use super::super::oidc::ExternalAccount;
use super::accounts::Rank;
use super::{AccountError, Hosts, SignedIn};
use crate::store::{AccountCreation, AccountRow};

/// The name when the provider gives none that is allowed.
const NAMELESS: &str = "host";

/// How many numbers are tried after a name that is taken.
const NUMBERS: u32 = 100;

impl Hosts {
    /// Counts a sign-in with the provider for this address.
    ///
    /// # Errors
    /// [`AccountError::TooOften`].
    pub async fn admit_external(&self, address: IpAddr) -> Result<(), AccountError> {
        Ok(self.limits.admit_external(address).await?)
    }

    /// Makes a session for a person who has signed in with the provider, and an account at the first sign-in. When the
    /// settings map a group to the role of an owner, the account has the role of its groups from now on.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`] for a disabled account, [`AccountError::NameTaken`], or a failing database.
    pub async fn sign_in_external(&self, external: ExternalAccount) -> Result<SignedIn, AccountError> {
        let account = match self.store.account_by_identity(&external.identity).await? {
            Some(account) => account,
            None => self.create_external(&external).await?,
        };
        if account.disabled_at_ms.is_some() {
            tracing::warn!(host = %account.id, "a sign-in with the identity provider was refused: the account is disabled");
            return Err(AccountError::WrongCredentials);
        }
        if let Some(is_owner) = external.is_owner.filter(|is_owner| *is_owner != account.is_owner) {
            // The provider decides even about the last owner: the command line can make another one.
            self.store.set_owner(account.id, is_owner, false).await?;
            // The audit log of requests records the sign-in, but not that it changed an account.
            tracing::info!(audit = "change_account", by = "provider", subject = %account.id, "audit");
        }
        self.new_session(account).await
    }

    async fn create_external(&self, external: &ExternalAccount) -> Result<AccountRow, AccountError> {
        let base = external.names.iter().find_map(|name| account_name(&visible(name)).ok());
        let base = base.unwrap_or_else(|| NAMELESS.to_owned());
        let numbered = (2..=NUMBERS).filter_map(|number| account_name(&format!("{base} {number}")).ok());
        let random = format!("{NAMELESS} {:08x}", rand::random::<u32>());
        for name in [base.clone()].into_iter().chain(numbered).chain([random]) {
            let account = self.new_account(name, None, Rank::default());
            match self.store.create_account_of(account, external.identity.clone()).await? {
                AccountCreation::NameTaken => {}
                // The same identity may have signed in twice at once.
                AccountCreation::Created | AccountCreation::NotFirst => {
                    let account = self.store.account_by_identity(&external.identity).await?;
                    return account.ok_or(AccountError::NotFound);
                }
            }
        }
        Err(AccountError::NameTaken)
    }
}
