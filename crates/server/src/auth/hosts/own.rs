//! The requests of an account about itself: reading it, changing its password, listing and ending its sessions.
//!
//! The part of [`Hosts`] that `http` calls for the account that makes the request. A wrong old password counts as a
//! failed sign-in. The caller closes the sockets of ended sessions.

use std::net::IpAddr;

use quizhall_rules::HostId;
use secrecy::{ExposeSecret as _, SecretString};

use super::super::passwords::{Passwords, Standing};
use super::super::token::HostTokenHash;
use super::{AccountError, HostSession, Hosts};
use crate::limits::NotAdmitted;
use crate::store::{AccountRow, PasswordChange, SessionLine, StoreError};

/// A new password with the old one.
pub struct NewPassword {
    /// The old password.
    pub old: SecretString,
    /// The new password.
    pub new: SecretString,
}

impl Hosts {
    /// The account of a session.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failing database.
    pub async fn own(&self, host: HostId) -> Result<AccountRow, AccountError> {
        self.store.account_by_id(host).await?.ok_or(AccountError::NotFound)
    }

    /// Changes the password of the account and ends its other sessions; resolves to the ended ones.
    ///
    /// # Errors
    /// [`AccountError::NoPassword`], [`AccountError::Password`] for the new one, [`AccountError::WrongPassword`] for
    /// the old one, [`AccountError::TooOften`], [`AccountError::Busy`], or a failing database.
    pub async fn change_password(
        &self,
        session: &HostSession,
        passwords: NewPassword,
        address: IpAddr,
    ) -> Result<Vec<HostTokenHash>, AccountError> {
        let account = self.own(session.host).await?;
        let old = account.password_hash.ok_or(AccountError::NoPassword)?;
        Passwords::check(passwords.new.expose_secret()).map_err(AccountError::Password)?;
        let plausible = Passwords::check(passwords.old.expose_secret()).is_ok();
        let attempt = self.limits.admit(&account.name_key, address, plausible).await.map_err(of_password)?;
        let given = passwords.old.expose_secret().to_owned();
        if !self.passwords.fits(given, Some(old.clone()), Standing::of(attempt.is_known)).await? {
            attempt.failed();
            return Err(AccountError::WrongPassword);
        }
        attempt.succeeded();
        let new = self.passwords.hash(passwords.new.expose_secret().to_owned()).await?;
        let change = PasswordChange { old, new, kept: session.grant.token.0 };
        let ended = self.store.change_password(session.host, change).await?.ok_or(AccountError::WrongPassword)?;
        let ended: Vec<_> = ended.into_iter().map(HostTokenHash).collect();
        self.spread_the_end_of(&ended).await;
        Ok(ended)
    }

    /// The sessions of the account, the newest first, each with whether it is the present one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn sessions_of(&self, session: &HostSession) -> Result<Vec<(SessionLine, bool)>, StoreError> {
        let lines = self.store.sessions_of(session.host).await?;
        let is_this = |line: &SessionLine| line.hash == session.grant.token.0;
        Ok(lines.into_iter().map(|line| (line.clone(), is_this(&line))).collect())
    }

    /// Ends every session of the account; resolves to the ended ones.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_out_everywhere(&self, host: HostId) -> Result<Vec<HostTokenHash>, StoreError> {
        let ended: Vec<_> = self.store.end_sessions_of(host).await?.into_iter().map(HostTokenHash).collect();
        self.spread_the_end_of(&ended).await;
        Ok(ended)
    }
}

/// The limits of signing in have one error for a wrong name or password; here the name is known to be right.
fn of_password(refused: NotAdmitted) -> AccountError {
    match refused {
        NotAdmitted::Implausible => AccountError::WrongPassword,
        refused @ (NotAdmitted::TooOften(_) | NotAdmitted::Busy) => refused.into(),
    }
}
