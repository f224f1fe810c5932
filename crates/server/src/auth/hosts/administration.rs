//! Administration of accounts: listing, renaming, disabling, enabling and removing them, and changing their roles.
//!
//! The part of [`Hosts`] that `http` and `cli` call for it. A change that has to end the account's sessions ends them
//! on all nodes; the caller closes the sockets on this node. Never deletes a game: that is `retention`'s work.

use quizhall_rules::HostId;

use super::super::account_name::{account_name, name_key};
use super::super::token::HostTokenHash;
use super::{AccountError, Hosts};
use crate::clock;
use crate::store::{AccountChange, AccountLine, StoreError};

impl Hosts {
    /// The accounts of persons, and the one of `QUIZHALL_HOST_TOKEN`, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self) -> Result<Vec<AccountLine>, StoreError> {
        let mut accounts = self.store.accounts().await?;
        // The account of set-up links is left out.
        accounts.retain(|account| account.is_person || account.name == super::SCRIPT_NAME);
        Ok(accounts)
    }

    /// One account of the list.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failing database.
    pub async fn account(&self, host: HostId) -> Result<AccountLine, AccountError> {
        self.list().await?.into_iter().find(|account| account.id == host).ok_or(AccountError::NotFound)
    }

    /// Renames an account; its sessions and sockets stay.
    ///
    /// # Errors
    /// A bad or taken name, an account that does not exist or is the service's own, or a failing database.
    pub async fn rename(&self, host: HostId, name: &str) -> Result<String, AccountError> {
        self.of_a_person(host).await?;
        let name = account_name(name).map_err(AccountError::Name)?;
        done(self.store.rename_account(host, name.clone(), name_key(&name)).await?)?;
        Ok(name)
    }

    /// Makes an account an owner of the service, or a host again.
    ///
    /// # Errors
    /// [`AccountError::LastOwner`], an account that does not exist or is the service's own, or a failing database.
    pub async fn set_owner(&self, host: HostId, is_owner: bool) -> Result<(), AccountError> {
        self.of_a_person(host).await?;
        done(self.store.set_owner(host, is_owner, true).await?).map(drop)
    }

    /// Disables an account, or enables it again; resolves to the sessions that this ended.
    ///
    /// # Errors
    /// [`AccountError::LastAccount`], an account that does not exist or is the service's own, or a failing database.
    pub async fn disable(&self, host: HostId, disabled: bool) -> Result<Vec<HostTokenHash>, AccountError> {
        self.of_a_person(host).await?;
        let since = disabled.then(clock::unix_ms);
        self.ended_by(self.store.disable_account(host, since).await?).await
    }

    /// Removes an account after its games and quizzes have moved to `heir`; without an heir it must own nothing.
    /// Resolves to the sessions that this ended.
    ///
    /// # Errors
    /// [`AccountError::OwnsData`], [`AccountError::LastAccount`], [`AccountError::OwnHeir`], an account or heir that
    /// does not exist, an account of the service, or a failing database.
    pub async fn remove(&self, host: HostId, heir: Option<HostId>) -> Result<Vec<HostTokenHash>, AccountError> {
        self.of_a_person(host).await?;
        if heir == Some(host) {
            return Err(AccountError::OwnHeir);
        }
        self.ended_by(self.store.remove_account(host, heir).await?).await
    }

    /// Disables an account, closes its games and deletes its quizzes, before its games are purged and it is removed.
    /// Resolves to the sessions that this ended.
    ///
    /// # Errors
    /// [`AccountError::LiveGames`], [`AccountError::LastAccount`], an account that does not exist or is the service's
    /// own, or a failing database.
    pub async fn close(&self, host: HostId) -> Result<Vec<HostTokenHash>, AccountError> {
        self.of_a_person(host).await?;
        self.ended_by(self.store.close_account(host, clock::unix_ms()).await?).await
    }

    async fn of_a_person(&self, host: HostId) -> Result<(), AccountError> {
        if self.account(host).await?.is_person { Ok(()) } else { Err(AccountError::OfTheService) }
    }

    async fn ended_by(&self, change: AccountChange) -> Result<Vec<HostTokenHash>, AccountError> {
        let ended = done(change)?;
        self.spread_the_end_of(&ended).await;
        Ok(ended)
    }
}

fn done(change: AccountChange) -> Result<Vec<HostTokenHash>, AccountError> {
    match change {
        AccountChange::Done(ended) => Ok(ended.into_iter().map(HostTokenHash).collect()),
        AccountChange::NotFound => Err(AccountError::NotFound),
        AccountChange::NameTaken => Err(AccountError::NameTaken),
        AccountChange::LastAccount => Err(AccountError::LastAccount),
        AccountChange::LastOwner => Err(AccountError::LastOwner),
        AccountChange::OwnsData { games, quizzes } => Err(AccountError::OwnsData { games, quizzes }),
        AccountChange::LiveGames(games) => Err(AccountError::LiveGames(games)),
    }
}
