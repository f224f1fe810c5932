//! Rates that all nodes keep together: first the local [`Throttle`], then, with a cache store, the allowance that all
//! nodes share.
//!
//! Used by `http` (joining) and `hosts` (signing in). A cache store that fails or is slow never refuses an attempt and
//! never delays one for long: then only each node's own allowance applies, until the store answers again.

use std::borrow::Cow;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quizhall_rules::{GameId, HostId};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use uuid::Uuid;

use super::throttle::{AddressKey, Throttle};
use crate::clock;
use crate::cluster::bus::{Ask, Rate, SharedLimits};
use crate::telemetry::{Limit, metrics};

/// The store should answer within a quarter of a second; this limit is for one that does not.
const SLOW: Duration = Duration::from_millis(300);

/// After a failure the store is not used for this long, so that a dead one costs one slow request a second instead of
/// making every request slow.
const REST: Duration = Duration::from_secs(1);

/// Most charges on their way to the store; further ones count only on this node.
const MOST_CHARGES: usize = 1_024;

/// The way to the shared allowances. Cheap to clone.
#[derive(Clone)]
pub struct Allowances(Arc<Inner>);

struct Inner {
    limits: Arc<dyn SharedLimits>,
    charges: Arc<Semaphore>,
    rests_until: Mutex<Option<Instant>>,
}

/// The name of a shared allowance's key in the store.
pub trait Subject: Eq + Hash {
    /// Its bytes, different for different keys.
    fn subject(&self) -> Cow<'_, [u8]>;
}

/// The size of an allowance: `rate` per `period` in the long run, `burst` at once.
#[derive(Debug, Clone, Copy)]
pub struct Allowed {
    /// How many per period.
    pub rate: u32,
    /// The period.
    pub period: Duration,
    /// How many at once.
    pub burst: u32,
}

impl Allowed {
    /// `rate` per minute, all of them at once if needed.
    pub const fn per_minute(rate: u32) -> Self {
        Self { rate, period: Duration::from_mins(1), burst: rate }
    }
}

/// An allowance per key, shared with the other nodes if there is a store for it.
pub struct SharedThrottle<K> {
    limit: Limit,
    rate: Rate,
    local: Throttle<K>,
    shared: Option<Allowances>,
}

/// A limit as the shared store knows it.
#[derive(Clone, Copy)]
struct SharedLimit {
    name: &'static str,
    rate: Rate,
}

impl Allowances {
    /// Uses this store.
    pub fn new(limits: Arc<dyn SharedLimits>) -> Self {
        let charges = Arc::new(Semaphore::new(MOST_CHARGES));
        Self(Arc::new(Inner { limits, charges, rests_until: Mutex::new(None) }))
    }

    /// `None` when the store does not answer; then the local allowance decides.
    async fn ask(&self, limit: SharedLimit, subject: &[u8], ask: Ask) -> Option<Result<(), Duration>> {
        if self.rests() {
            return None;
        }
        if let Ok(Ok(answer)) = timeout(SLOW, self.0.limits.ask(limit.name, subject, limit.rate, ask)).await {
            return Some(answer);
        }
        metrics::shared_limit_failed();
        *self.0.rests_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(clock::now() + REST);
        None
    }

    fn rests(&self) -> bool {
        let until = *self.0.rests_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| clock::now() < until)
    }

    /// Counts one in the background.
    fn charge(&self, limit: SharedLimit, subject: Vec<u8>) {
        let Ok(permit) = Arc::clone(&self.0.charges).try_acquire_owned() else { return };
        let allowances = self.clone();
        tokio::spawn(async move {
            allowances.ask(limit, &subject, Ask::Charge).await;
            drop(permit);
        });
    }
}

impl<K: Subject> SharedThrottle<K> {
    /// Begins with every allowance unused on this node. The word of `limit` is its name in the store, the same on every
    /// node, and the kind under which refusals are counted.
    pub fn new(limit: Limit, allowed: Allowed, shared: Option<&Allowances>) -> Self {
        let local = Throttle::new(allowed.rate, allowed.period, allowed.burst, clock::now());
        Self { limit, rate: local.rate(), local, shared: shared.cloned() }
    }

    fn shared_limit(&self) -> SharedLimit {
        SharedLimit { name: self.limit.as_str(), rate: self.rate }
    }

    /// Whether the key may proceed on this node; counts nothing and asks no other node.
    ///
    /// # Errors
    /// How long it has to wait.
    pub fn ready_here(&self, key: &K) -> Result<(), Duration> {
        self.local.ready(key, clock::now()).inspect_err(|_| self.reached())
    }

    /// Whether the key may proceed, on all nodes together; counts nothing.
    ///
    /// # Errors
    /// How long it has to wait.
    pub async fn ready(&self, key: &K) -> Result<(), Duration> {
        self.ready_here(key)?;
        self.ask(key, Ask::Ready).await.inspect_err(|_| self.reached())
    }

    /// Counts one if the key may proceed, on all nodes together.
    ///
    /// # Errors
    /// How long it has to wait; nothing was counted on this node.
    pub async fn take(&self, key: K) -> Result<(), Duration> {
        self.ready_here(&key)?;
        let taken = self.ask(&key, Ask::Take).await;
        // Other attempts may have been counted on this node meanwhile.
        taken.and_then(|()| self.local.take(key, clock::now())).inspect_err(|_| self.reached())
    }

    /// Counts one in any case: here at once, in the store soon.
    pub fn charge(&self, key: K) {
        if let Some(shared) = &self.shared {
            shared.charge(self.shared_limit(), key.subject().into_owned());
        }
        self.local.charge(key, clock::now());
    }

    fn reached(&self) {
        metrics::limit_reached(self.limit);
    }

    async fn ask(&self, key: &K, ask: Ask) -> Result<(), Duration> {
        let Some(shared) = &self.shared else { return Ok(()) };
        shared.ask(self.shared_limit(), &key.subject(), ask).await.unwrap_or(Ok(()))
    }
}

impl Subject for AddressKey {
    fn subject(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.bytes())
    }
}

impl Subject for GameId {
    fn subject(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.uuid().as_bytes().to_vec())
    }
}

impl Subject for HostId {
    fn subject(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.uuid().as_bytes().to_vec())
    }
}

/// A game or an account; either may be the scope of a limit.
impl Subject for Uuid {
    fn subject(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.as_bytes())
    }
}

impl Subject for String {
    fn subject(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.as_bytes())
    }
}

/// For a limit over all keys together.
impl Subject for () {
    fn subject(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&[])
    }
}
