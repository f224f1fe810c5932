//! Accounts of hosts: setting up the first, creating more, signing in and out, and finding the owner of a token.
//!
//! Called by `http` and `cli`. Rate limits come before hashing; an unknown name takes as long as a known one. Never
//! keeps a password or a token longer than a request.

mod accounts;
mod administration;
mod external;
mod own;
mod tokens;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::HostId;
use secrecy::{ExposeSecret as _, SecretString};
use thiserror::Error;
use tokio::sync::OnceCell;

use super::account_name::{NameMistake, account_name, name_key, visible};
use super::carrier::Carrier;
use super::passwords::{Busy, PasswordMistake, Passwords, Standing};
use super::scopes::Scopes;
use super::sessions::Sessions;
use super::set_up::SetUp;
use super::token::{HostToken, HostTokenHash};
use crate::clock;
use crate::cluster::bus::{Notice, SharedLimits};
use crate::config::Identity;
use crate::limits::{Allowances, NotAdmitted, SignInLimits};
use crate::store::{AccountRow, NewSession, QuizRow, SessionRow, Store, StoreError};

pub use own::NewPassword;
pub use tokens::MOST_TOKENS;

/// The account of `QUIZHALL_HOST_TOKEN`. Its key contains a control character, which no person's name can.
const SCRIPT_NAME: &str = "script";
const SCRIPT_KEY: &str = "\u{1}script";

/// Makes the quiz that a new host starts with.
pub type Sample = fn(HostId, i64) -> Option<QuizRow>;

/// Sends a notice to every other node.
pub type Notify = Arc<dyn Fn(Notice) + Send + Sync>;

/// What this process shares with others that serve the same database; by default nothing.
#[derive(Clone, Default)]
pub struct Shared {
    /// The allowances of all nodes, if there is a cache store.
    pub limits: Option<Arc<dyn SharedLimits>>,
    /// Sends notices to the other nodes, if there may be any: then they also accept each other's set-up links.
    pub notify: Option<Notify>,
}

/// Why an account or a session was not made or changed.
#[derive(Debug, Error)]
pub enum AccountError {
    /// The text cannot be a name.
    #[error("the name {0}")]
    Name(NameMistake),
    /// The text cannot be a password.
    #[error("the password {0}")]
    Password(PasswordMistake),
    /// Another account has the name.
    #[error("another account has this name")]
    NameTaken,
    /// The account already has [`MOST_TOKENS`].
    #[error("the account has as many tokens as one may have; revoke one first")]
    TooManyTokens,
    /// The set-up token is wrong, or has been used.
    #[error("the set-up link is not valid (any more)")]
    SetUpRefused,
    /// No account has the name.
    #[error("no account has this name")]
    NotFound,
    /// The account is disabled.
    #[error("the account is disabled; enable it first")]
    Disabled,
    /// The account is one of the service's own, to which no person signs in.
    #[error("this account belongs to the service itself; it cannot be renamed, disabled or removed")]
    OfTheService,
    /// No account could sign in any more.
    #[error("this is the last account that can be signed in to; create another one first")]
    LastAccount,
    /// The service would have no owner left.
    #[error("this is the last owner; make another account an owner first")]
    LastOwner,
    /// The account has no password: a provider signs it in, or it is the service's own.
    #[error("the account has no password")]
    NoPassword,
    /// The old password is wrong.
    #[error("the old password is wrong")]
    WrongPassword,
    /// It owns games or quizzes, and the request does not say what happens to them.
    #[error("the account owns {games} games and {quizzes} quizzes; hand them over to another account, or purge them")]
    OwnsData {
        /// Games, including deleted ones that are not purged yet.
        games: u64,
        /// Quizzes.
        quizzes: u64,
    },
    /// Some of its games are being played.
    #[error("{0} games of the account have not ended; end or delete them first, or hand them over")]
    LiveGames(u64),
    /// An account cannot inherit from itself.
    #[error("an account cannot hand its games over to itself")]
    OwnHeir,
    /// Name or password is wrong; the answer does not differ.
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

impl From<NotAdmitted> for AccountError {
    fn from(refused: NotAdmitted) -> Self {
        match refused {
            NotAdmitted::TooOften(wait) => Self::TooOften(wait),
            NotAdmitted::Busy => Self::Busy(Busy),
            NotAdmitted::Implausible => Self::WrongCredentials,
        }
    }
}

/// A session that was just made.
pub struct SignedIn {
    /// Shown to its owner once.
    pub token: HostToken,
    /// Milliseconds since 1970.
    pub expires_at_ms: i64,
    /// Whose it is.
    pub host: HostId,
    /// The account's name.
    pub name: String,
}

/// The host token on which a socket depends: when the token ends, the socket is closed (4401).
#[derive(Debug, Clone, Copy)]
pub struct HostGrant {
    /// Identifies the session.
    pub token: HostTokenHash,
    /// Milliseconds since 1970; `None` for `QUIZHALL_HOST_TOKEN` and tokens for programs, which do not expire.
    pub expires_at_ms: Option<i64>,
}

/// A client that presented a valid host token.
#[derive(Debug, Clone)]
pub struct HostSession {
    /// Whose it is.
    pub host: HostId,
    /// The account's name.
    pub name: String,
    /// Whether it may manage all accounts, as an owner of the service and the fixed token of the settings may.
    pub is_owner: bool,
    /// The scopes of a token for programs; `None`: everything that the account may do.
    pub scopes: Option<Scopes>,
    /// The token on which it depends.
    pub grant: HostGrant,
}

/// Whether a session that was valid a moment ago is accepted without another read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    Remembered,
    Read,
}

/// The accounts, the sessions, and the set-up token.
pub struct Hosts {
    store: Arc<Store>,
    sample: Sample,
    passwords: Passwords,
    session_lifetime: Duration,
    fixed_token: Option<HostTokenHash>,
    script: OnceCell<HostId>,
    set_up: SetUp,
    sessions: Sessions,
    notify: Option<Notify>,
    limits: SignInLimits,
}

impl Hosts {
    /// Checks whether an account exists; if none does, makes the one-time set-up token.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn new(
        store: Arc<Store>,
        identity: &Identity,
        sample: Sample,
        shared: Shared,
    ) -> Result<Self, StoreError> {
        let fresh = store.accounts_with_password().await? == 0;
        let allowances = shared.limits.map(Allowances::new);
        let hosts = Self {
            store,
            sample,
            passwords: Passwords::default(),
            session_lifetime: identity.session_lifetime,
            fixed_token: identity.host_token.as_ref().map(|token| HostTokenHash::of(token.expose_secret())),
            script: OnceCell::new(),
            set_up: SetUp::new(fresh),
            sessions: Sessions::default(),
            notify: shared.notify,
            limits: SignInLimits::new(identity, allowances.as_ref()),
        };
        hosts.share_set_up_link().await?;
        Ok(hosts)
    }

    /// The one-time token of the set-up link, until it is used.
    pub fn set_up_token(&self) -> Option<HostToken> {
        self.set_up.token()
    }

    /// Signs in with a password.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`], [`AccountError::TooOften`], [`AccountError::Busy`], or a failing database.
    pub async fn sign_in(&self, name: &str, password: SecretString, address: IpAddr) -> Result<SignedIn, AccountError> {
        // A text that cannot be a name or a password is wrong without a hash: this reveals nothing about which accounts
        // exist. Names of earlier versions may contain invisible characters.
        let plausible = account_name(&visible(name)).is_ok() && Passwords::check(password.expose_secret()).is_ok();
        let key = name_key(name);
        let attempt = self.limits.admit(&key, address, plausible).await?;
        let account = self.store.account_by_name(&key).await?;
        let stored = account.as_ref().and_then(|account| account.password_hash.clone());
        let fits =
            self.passwords.fits(password.expose_secret().to_owned(), stored, Standing::of(attempt.is_known)).await?;
        if let Some(account) = account.filter(|account| fits && account.disabled_at_ms.is_none()) {
            attempt.succeeded();
            return self.new_session(account).await;
        }
        attempt.failed();
        Err(AccountError::WrongCredentials)
    }

    /// Makes a session without a password: for the operator at the command line.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], [`AccountError::Disabled`], or a failing database.
    pub async fn issue_token(&self, name: &str) -> Result<SignedIn, AccountError> {
        let account = self.store.account_by_name(&name_key(name)).await?.ok_or(AccountError::NotFound)?;
        if account.disabled_at_ms.is_some() {
            return Err(AccountError::Disabled);
        }
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

    /// The owner of the token that a request carried; `None` for every invalid token, whatever is wrong with it. May
    /// use what it read less than a second ago.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn session(&self, carrier: &Carrier) -> Result<Option<HostSession>, StoreError> {
        self.session_of(carrier, Trust::Remembered).await
    }

    /// The same for what lasts longer than a request, such as a socket: always reads the database.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn session_now(&self, carrier: &Carrier) -> Result<Option<HostSession>, StoreError> {
        self.session_of(carrier, Trust::Read).await
    }

    async fn session_of(&self, carrier: &Carrier, trust: Trust) -> Result<Option<HostSession>, StoreError> {
        let Carrier::Token(presented) = carrier else { return Ok(None) };
        let token = presented.host_hash();
        if self.fixed_token.is_some_and(|fixed| fixed.matches(&token)) {
            let host = *self.script.get_or_try_init(|| self.script_account()).await?;
            let grant = HostGrant { token, expires_at_ms: None };
            return Ok(Some(HostSession { host, name: SCRIPT_NAME.to_owned(), is_owner: true, scopes: None, grant }));
        }
        if !presented.looks_like_session() {
            return Ok(None);
        }
        let session = self.stored_session(token, trust).await?;
        Ok(session.map(|session| HostSession {
            host: session.host,
            name: session.name,
            is_owner: session.is_owner && session.scopes.is_none(),
            scopes: session.scopes.map(Scopes::stored),
            grant: HostGrant { token, expires_at_ms: session.scopes.is_none().then_some(session.expires_at_ms) },
        }))
    }

    /// Those of these formerly valid tokens that are no longer valid.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn ended(&self, tokens: &[HostTokenHash]) -> Result<Vec<HostTokenHash>, StoreError> {
        let is_fixed = |token: &HostTokenHash| self.fixed_token.is_some_and(|fixed| fixed.matches(token));
        let asked: Vec<_> = tokens.iter().filter(|token| !is_fixed(token)).map(|token| token.0).collect();
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let ended: Vec<_> = self.store.ended_sessions(asked).await?.into_iter().map(HostTokenHash).collect();
        self.forget(&ended).await;
        Ok(ended)
    }

    /// Ends a session and notifies the other nodes; the caller closes its sockets on this node.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_out(&self, token: HostTokenHash) -> Result<bool, StoreError> {
        let was_there = self.store.end_session(token.0).await?;
        self.spread_the_end_of(&[token]).await;
        Ok(was_there)
    }

    /// Drops everything remembered of these sessions, because another node has ended them.
    pub async fn forget(&self, tokens: &[HostTokenHash]) {
        self.sessions.forget(tokens).await;
    }

    async fn spread_the_end_of(&self, tokens: &[HostTokenHash]) {
        self.forget(tokens).await;
        if let Some(notify) = self.notify.as_ref().filter(|_| !tokens.is_empty()) {
            notify(Notice::SessionsEnded(tokens.iter().map(|token| token.0).collect()));
        }
    }

    async fn stored_session(&self, token: HostTokenHash, trust: Trust) -> Result<Option<SessionRow>, StoreError> {
        let now = clock::now();
        if trust == Trust::Remembered
            && let Some(known) = self.sessions.get(&token, now, clock::unix_ms()).await
        {
            return Ok(Some(known));
        }
        let reading = self.sessions.reading(now);
        let session = self.store.session(token.0).await?;
        if let Some(session) = &session {
            self.sessions.put(token, session.clone(), reading).await;
            if session.scopes.is_some() {
                self.note_use(token, session.last_used_at_ms).await;
            }
        }
        Ok(session)
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
