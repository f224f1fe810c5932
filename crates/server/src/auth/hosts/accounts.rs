//! Making accounts: the first one by the set-up link, further ones by owners and the command line, and those of the
//! service itself.
//!
//! The part of [`Hosts`] that `http` and `cli` call to create an account or to change its password. Hashes wait in the
//! queue of `passwords`; the database decides which of several first accounts wins.

use quizhall_rules::HostId;
use secrecy::{ExposeSecret as _, SecretString};
use uuid::Uuid;

use super::super::account_name::{account_name, name_key};
use super::super::passwords::Passwords;
use super::super::set_up;
use super::super::token::{HostTokenHash, Presented};
use super::{AccountError, Hosts, SCRIPT_KEY, SCRIPT_NAME};
use crate::clock;
use crate::store::{AccountCreation, NewAccount, StoreError};

/// The account under which the links of several nodes are stored. Like the script's it has no password, and its key
/// contains a control character.
const SET_UP_NAME: &str = "set-up";
const SET_UP_KEY: &str = "\u{1}set-up";

/// The special properties of a new account.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rank {
    /// Whether it is an owner of the service.
    pub is_owner: bool,
    /// Whether it is created only while no account has a password.
    pub only_as_first: bool,
}

impl Hosts {
    /// Creates the first account, an owner of the service. Of several people who present the link at once, one
    /// succeeds.
    ///
    /// # Errors
    /// [`AccountError::SetUpRefused`] unless the token belongs to an unused link; otherwise as [`Hosts::create`].
    pub async fn create_first(
        &self,
        name: &str,
        password: SecretString,
        set_up_token: &Presented,
    ) -> Result<HostId, AccountError> {
        if !self.set_up.accepts(set_up_token, self.store.as_ref()).await? {
            return Err(AccountError::SetUpRefused);
        }
        self.create_account(name, password, Rank { is_owner: true, only_as_first: true }).await
    }

    /// Creates an account: by an owner, or from the command line.
    ///
    /// # Errors
    /// A bad or taken name, a bad password, or a failing database.
    pub async fn create(&self, name: &str, password: SecretString, is_owner: bool) -> Result<HostId, AccountError> {
        self.create_account(name, password, Rank { is_owner, only_as_first: false }).await
    }

    /// Gives an account another password and ends its sessions; resolves to the sessions, whose sockets the caller
    /// closes.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], a bad password, or a failing database.
    pub async fn reset_password(&self, name: &str, password: SecretString) -> Result<Vec<HostTokenHash>, AccountError> {
        let account = self.store.account_by_name(&name_key(name)).await?.ok_or(AccountError::NotFound)?;
        Passwords::check(password.expose_secret()).map_err(AccountError::Password)?;
        let hash = self.passwords.hash(password.expose_secret().to_owned()).await?;
        let ended: Vec<_> = self.store.set_password(account.id, hash).await?.into_iter().map(HostTokenHash).collect();
        self.spread_the_end_of(&ended).await;
        Ok(ended)
    }

    async fn create_account(&self, name: &str, password: SecretString, rank: Rank) -> Result<HostId, AccountError> {
        let name = account_name(name).map_err(AccountError::Name)?;
        Passwords::check(password.expose_secret()).map_err(AccountError::Password)?;
        let hash = self.passwords.hash(password.expose_secret().to_owned()).await?;
        let account = self.new_account(name, Some(hash), rank);
        let id = account.id;
        let outcome = self.store.create_account(account).await?;
        if outcome != AccountCreation::NameTaken {
            self.set_up.done();
        }
        match outcome {
            AccountCreation::Created => Ok(id),
            AccountCreation::NameTaken => Err(AccountError::NameTaken),
            AccountCreation::NotFirst => Err(AccountError::SetUpRefused),
        }
    }

    pub(super) async fn script_account(&self) -> Result<HostId, StoreError> {
        let account = self.new_account(SCRIPT_NAME.to_owned(), None, Rank::default());
        self.account_of_the_service(NewAccount { name_key: SCRIPT_KEY.to_owned(), ..account }).await
    }

    /// Makes the link of this node valid on other nodes that may exist.
    pub(super) async fn share_set_up_link(&self) -> Result<(), StoreError> {
        let (Some(token), Some(_)) = (self.set_up_token(), &self.notify) else { return Ok(()) };
        let account = self.new_account(SET_UP_NAME.to_owned(), None, Rank::default());
        let account = NewAccount { name_key: SET_UP_KEY.to_owned(), sample: None, ..account };
        let account = self.account_of_the_service(account).await?;
        self.store.create_session(set_up::shared(token.hash(), account, clock::unix_ms())).await
    }

    /// The account with this key, made if it is missing.
    async fn account_of_the_service(&self, account: NewAccount) -> Result<HostId, StoreError> {
        let (id, key) = (account.id, account.name_key.clone());
        if let Some(known) = self.store.account_by_name(&key).await? {
            return Ok(known.id);
        }
        match self.store.create_account(account).await? {
            AccountCreation::Created => Ok(id),
            // Another process was faster.
            _ => self.store.account_by_name(&key).await?.map(|known| known.id).ok_or_else(lost_account),
        }
    }

    pub(super) fn new_account(&self, name: String, password_hash: Option<String>, rank: Rank) -> NewAccount {
        let (id, created_at_ms) = (HostId::from(Uuid::now_v7()), clock::unix_ms());
        NewAccount {
            id,
            name_key: name_key(&name),
            name,
            password_hash,
            created_at_ms,
            only_as_first: rank.only_as_first,
            is_owner: rank.is_owner,
            sample: (self.sample)(id, created_at_ms),
        }
    }
}

fn lost_account() -> StoreError {
    StoreError::Corrupt("an account that was there a moment ago")
}
