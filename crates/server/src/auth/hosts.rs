//! Accounts of hosts: setting up the first, creating more, signing in and out, and whose a token is.
//!
//! Called by `http` and `cli`. Rate limits come before hashing; a name that does not exist costs the same as one that
//! does. Never keeps a password or a token longer than a request.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quizhall_rules::HostId;
use secrecy::{ExposeSecret as _, SecretString};
use thiserror::Error;
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::account_name::{NameMistake, account_name, name_key};
use super::carrier::Carrier;
use super::participant::HostGrant;
use super::passwords::{Busy, PasswordMistake, Passwords};
use super::throttle::{AddressKey, Throttle};
use super::token::{HostToken, HostTokenHash, Presented};
use crate::clock;
use crate::config::Identity;
use crate::store::{AccountCreation, AccountRow, NewAccount, NewSession, QuizRow, Store, StoreError};

/// The account behind `QUIZHALL_HOST_TOKEN`. Its key holds a control character, which no person's name can.
const SCRIPT_NAME: &str = "script";
const SCRIPT_KEY: &str = "\u{1}script";

/// Makes the quiz that a new host finds waiting.
pub type Sample = fn(HostId, i64) -> Option<QuizRow>;

/// Why an account or a session was not made.
#[derive(Debug, Error)]
pub enum AccountError {
    /// The name cannot be one.
    #[error("the name {0}")]
    Name(NameMistake),
    /// The password cannot be one.
    #[error("the password {0}")]
    Password(PasswordMistake),
    /// Another account has the name.
    #[error("another account has this name")]
    NameTaken,
    /// The set-up token is wrong, or has been used.
    #[error("the set-up link is not valid (any more)")]
    SetUpRefused,
    /// No account has the name.
    #[error("no account has this name")]
    NotFound,
    /// Name or password is wrong; which of them is not told.
    #[error("name or password is wrong")]
    WrongCredentials,
    /// Tried too often; try again after this time.
    #[error("too many attempts to sign in")]
    TooOften(Duration),
    /// Too many passwords are being checked.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A session that was just made.
pub struct SignedIn {
    /// For its owner, once.
    pub token: HostToken,
    /// Milliseconds since 1970.
    pub expires_at_ms: i64,
    /// Whose it is.
    pub host: HostId,
    /// The account's name.
    pub name: String,
}

/// Somebody who presented a valid host token.
#[derive(Debug, Clone)]
pub struct HostSession {
    /// Whose it is.
    pub host: HostId,
    /// The account's name.
    pub name: String,
    /// The token it rests on.
    pub grant: HostGrant,
}

/// The accounts, the sessions, and the set-up token.
pub struct Hosts {
    store: Arc<dyn Store>,
    sample: Sample,
    passwords: Passwords,
    session_lifetime: Duration,
    fixed_token: Option<HostTokenHash>,
    script: OnceCell<HostId>,
    set_up: Mutex<Option<HostToken>>,
    per_address: Throttle<AddressKey>,
    per_account: Throttle<String>,
}

impl Hosts {
    /// Looks whether an account exists; if none does, makes the one-time set-up token.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn new(store: Arc<dyn Store>, identity: &Identity, sample: Sample) -> Result<Self, StoreError> {
        let (now, minute) = (clock::now(), Duration::from_mins(1));
        let fresh = store.accounts_with_password().await? == 0;
        let (address, account) = (identity.sign_ins_per_minute_per_address, identity.sign_ins_per_minute_per_account);
        Ok(Self {
            store,
            sample,
            passwords: Passwords::default(),
            session_lifetime: identity.session_lifetime,
            fixed_token: identity.host_token.as_ref().map(|token| HostTokenHash::of(token.expose_secret())),
            script: OnceCell::new(),
            set_up: Mutex::new(fresh.then(HostToken::set_up)),
            per_address: Throttle::new(address, minute, address, now),
            per_account: Throttle::new(account, minute, account, now),
        })
    }

    /// The one-time token of the set-up link, while nobody has used it.
    pub fn set_up_token(&self) -> Option<HostToken> {
        self.set_up.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Creates the first account. Of several who hold the link, one wins.
    ///
    /// # Errors
    /// [`AccountError::SetUpRefused`] unless the token is the unused one; else as [`Hosts::create`].
    pub async fn create_first(
        &self,
        name: &str,
        password: SecretString,
        set_up_token: &Presented,
    ) -> Result<HostId, AccountError> {
        let valid = self.set_up_token().is_some_and(|held| held.hash().matches(&set_up_token.host_hash()));
        if !valid {
            return Err(AccountError::SetUpRefused);
        }
        self.create_account(name, password, true).await
    }

    /// Creates an account: by a signed-in host, or from the command line.
    ///
    /// # Errors
    /// A bad or taken name, a bad password, or a failing database.
    pub async fn create(&self, name: &str, password: SecretString) -> Result<HostId, AccountError> {
        self.create_account(name, password, false).await
    }

    /// Gives an account another password and ends its sessions; resolves to those, whose sockets the caller closes.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], a bad password, or a failing database.
    pub async fn reset_password(&self, name: &str, password: SecretString) -> Result<Vec<HostTokenHash>, AccountError> {
        let account = self.store.account_by_name(&name_key(name)).await?.ok_or(AccountError::NotFound)?;
        Passwords::check(password.expose_secret()).map_err(AccountError::Password)?;
        let hash = self.passwords.hash(password.expose_secret().to_owned()).await?;
        let ended = self.store.set_password(account.id, hash).await?;
        Ok(ended.into_iter().map(HostTokenHash).collect())
    }

    /// Signs in with a password.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`], [`AccountError::TooOften`], [`AccountError::Busy`], or a failing database.
    pub async fn sign_in(&self, name: &str, password: SecretString, address: IpAddr) -> Result<SignedIn, AccountError> {
        // What cannot be a name or a password is wrong without a hash: it says nothing about who exists.
        let plausible = account_name(name).is_ok() && Passwords::check(password.expose_secret()).is_ok();
        let (key, now) = (name_key(name), clock::now());
        self.per_address.take(address.into(), now).map_err(AccountError::TooOften)?;
        if !plausible {
            return Err(AccountError::WrongCredentials);
        }
        self.per_account.take(key.clone(), now).map_err(AccountError::TooOften)?;
        let account = self.store.account_by_name(&key).await?;
        let stored = account.as_ref().and_then(|account| account.password_hash.clone());
        let fits = self.passwords.fits(password.expose_secret().to_owned(), stored).await?;
        match account {
            Some(account) if fits => self.new_session(account).await,
            _ => Err(AccountError::WrongCredentials),
        }
    }

    /// Makes a session without a password: for the operator at the command line.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failing database.
    pub async fn issue_token(&self, name: &str) -> Result<SignedIn, AccountError> {
        let account = self.store.account_by_name(&name_key(name)).await?.ok_or(AccountError::NotFound)?;
        self.new_session(account).await
    }

    /// The account with this name, for the command line.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failing database.
    pub async fn find(&self, name: &str) -> Result<HostId, AccountError> {
        let key = if name == SCRIPT_NAME { SCRIPT_KEY.to_owned() } else { name_key(name) };
        let account = self.store.account_by_name(&key).await?;
        Ok(account.ok_or(AccountError::NotFound)?.id)
    }

    /// Whose token a request carried; `None` for every token that is not valid, whatever is wrong with it.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn session(&self, carrier: &Carrier) -> Result<Option<HostSession>, StoreError> {
        let Carrier::Token(presented) = carrier else { return Ok(None) };
        let token = presented.host_hash();
        if self.fixed_token.is_some_and(|fixed| fixed.matches(&token)) {
            let host = *self.script.get_or_try_init(|| self.script_account()).await?;
            let grant = HostGrant { token, expires_at_ms: None };
            return Ok(Some(HostSession { host, name: SCRIPT_NAME.to_owned(), grant }));
        }
        if !presented.looks_like_session() {
            return Ok(None);
        }
        let session = self.store.session(token.0).await?;
        Ok(session.map(|session| HostSession {
            host: session.host,
            name: session.name,
            grant: HostGrant { token, expires_at_ms: Some(session.expires_at_ms) },
        }))
    }

    /// Whether a token that was valid is so no more.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn has_ended(&self, token: HostTokenHash) -> Result<bool, StoreError> {
        if self.fixed_token.is_some_and(|fixed| fixed.matches(&token)) {
            return Ok(false);
        }
        Ok(self.store.session(token.0).await?.is_none())
    }

    /// Ends a session; its sockets are for the caller to close.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn sign_out(&self, token: HostTokenHash) -> Result<bool, StoreError> {
        self.store.end_session(token.0).await
    }

    async fn create_account(
        &self,
        name: &str,
        password: SecretString,
        only_as_first: bool,
    ) -> Result<HostId, AccountError> {
        let name = account_name(name).map_err(AccountError::Name)?;
        Passwords::check(password.expose_secret()).map_err(AccountError::Password)?;
        let hash = self.passwords.hash(password.expose_secret().to_owned()).await?;
        let account = self.account(name, Some(hash), only_as_first);
        let id = account.id;
        let outcome = self.store.create_account(account).await?;
        if outcome != AccountCreation::NameTaken {
            // An account exists: the link has done its work, whoever used it.
            self.set_up.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        match outcome {
            AccountCreation::Created => Ok(id),
            AccountCreation::NameTaken => Err(AccountError::NameTaken),
            AccountCreation::NotFirst => Err(AccountError::SetUpRefused),
        }
    }

    async fn script_account(&self) -> Result<HostId, StoreError> {
        if let Some(known) = self.store.account_by_name(SCRIPT_KEY).await? {
            return Ok(known.id);
        }
        let account =
            NewAccount { name_key: SCRIPT_KEY.to_owned(), ..self.account(SCRIPT_NAME.to_owned(), None, false) };
        let id = account.id;
        match self.store.create_account(account).await? {
            AccountCreation::Created => Ok(id),
            // Another process was faster.
            _ => self.store.account_by_name(SCRIPT_KEY).await?.map(|known| known.id).ok_or_else(lost_account),
        }
    }

    fn account(&self, name: String, password_hash: Option<String>, only_as_first: bool) -> NewAccount {
        let (id, created_at_ms) = (HostId::from(Uuid::now_v7()), clock::unix_ms());
        NewAccount {
            id,
            name_key: name_key(&name),
            name,
            password_hash,
            created_at_ms,
            only_as_first,
            sample: (self.sample)(id, created_at_ms),
        }
    }

    async fn new_session(&self, account: AccountRow) -> Result<SignedIn, AccountError> {
        let (token, now) = (HostToken::session(), clock::unix_ms());
        let lifetime = i64::try_from(self.session_lifetime.as_millis()).unwrap_or(i64::MAX);
        let expires_at_ms = now.saturating_add(lifetime);
        let session = NewSession { hash: token.hash().0, host: account.id, created_at_ms: now, expires_at_ms };
        self.store.create_session(session).await?;
        Ok(SignedIn { token, expires_at_ms, host: account.id, name: account.name })
    }
}

fn lost_account() -> StoreError {
    StoreError::Corrupt("an account that was there a moment ago")
}
