//! The one-time link that lets one person create the first account.
//!
//! Used only by `hosts`. Each process makes its own token; processes that serve together accept each other's, because a
//! load balancer may lead the link to any of them. For this the token's hash is stored as a session of an account
//! without a sign-in. No session token begins like these, so it opens nothing else.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::token::{HostToken, HostTokenHash, Presented};
use crate::store::{NewSession, Store, StoreError};
use quizhall_rules::HostId;

/// How long other processes accept a link: longer than a long weekend.
const SHARED_FOR: Duration = Duration::from_secs(7 * 86_400);

/// The link of this process, until it is used.
pub(super) struct SetUp(Mutex<Option<HostToken>>);

impl SetUp {
    /// Has a link, unless an account already exists.
    pub fn new(needed: bool) -> Self {
        Self(Mutex::new(needed.then(HostToken::set_up)))
    }

    /// The token of the link.
    pub fn token(&self) -> Option<HostToken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// An account exists, so the link is used up.
    pub fn done(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether this is the token of a link, of this process or of another one that serves the same database. The
    /// database decides which of several becomes the first account.
    pub async fn accepts(&self, presented: &Presented, store: &Store) -> Result<bool, StoreError> {
        let Some(own) = self.token() else { return Ok(false) };
        if own.hash().matches(&presented.host_hash()) {
            return Ok(true);
        }
        if !presented.looks_like_set_up() {
            return Ok(false);
        }
        Ok(store.session(presented.host_hash().0).await?.is_some())
    }
}

/// The stored session by which the other processes recognize a link.
pub(super) fn shared(token: HostTokenHash, account: HostId, now_ms: i64) -> NewSession {
    let lifetime = i64::try_from(SHARED_FOR.as_millis()).unwrap_or(i64::MAX);
    NewSession { hash: token.0, host: account, created_at_ms: now_ms, expires_at_ms: now_ms.saturating_add(lifetime) }
}
