//! Rates per key: how often an address, an account or a game may do something. Time is an argument, never read here.
//!
//! Each key has one number, the time at which its allowance is restored. Counting an attempt after it happened may put
//! a key into debt, so a thousand guesses at the same instant are paid for afterwards.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::cluster::bus::Rate;

/// Most keys remembered. Beyond it, new keys are let through (a limit over all keys follows this one).
const MAX_KEYS: usize = 100_000;

/// The pause between two searches for keys to forget, so that at [`MAX_KEYS`] not every new key pays for one.
const SWEEP_PAUSE: Duration = Duration::from_secs(1);

/// The longest time a key can be made to wait.
const MAX_DEBT: Duration = Duration::from_mins(10);

/// An allowance per key: `burst` at once, refilled at a steady rate.
#[derive(Debug)]
pub struct Throttle<K> {
    cell: Duration,
    burst: u32,
    origin: Instant,
    keys: Mutex<Keys<K>>,
}

#[derive(Debug)]
struct Keys<K> {
    whole_at: HashMap<K, Duration>,
    sweep_at: usize,
    swept: Duration,
}

impl<K: Eq + Hash> Throttle<K> {
    /// `rate` per `period` in the long run, `burst` (at least 1) at once; `now` is where its clock begins.
    pub fn new(rate: u32, period: Duration, burst: u32, now: Instant) -> Self {
        let keys = Mutex::new(Keys { whole_at: HashMap::new(), sweep_at: 1_024, swept: Duration::ZERO });
        Self { cell: period / rate.max(1), burst: burst.max(1), origin: now, keys }
    }

    /// The same allowance, to be counted over all nodes.
    pub fn rate(&self) -> Rate {
        Rate { cell: self.cell, burst: self.burst, most_debt: MAX_DEBT }
    }

    /// Whether the key may proceed; counts nothing.
    ///
    /// # Errors
    /// How long it has to wait.
    pub fn ready(&self, key: &K, now: Instant) -> Result<(), Duration> {
        let keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        self.wait(keys.whole_at.get(key).copied(), self.since(now))
    }

    /// Counts one if the key may proceed.
    ///
    /// # Errors
    /// How long it has to wait; nothing was counted.
    pub fn take(&self, key: K, now: Instant) -> Result<(), Duration> {
        let now = self.since(now);
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        self.wait(keys.whole_at.get(&key).copied(), now)?;
        self.count(&mut keys, key, now);
        Ok(())
    }

    /// Counts one in any case.
    pub fn charge(&self, key: K, now: Instant) {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        self.count(&mut keys, key, self.since(now));
    }

    fn since(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.origin)
    }

    fn wait(&self, whole_at: Option<Duration>, now: Duration) -> Result<(), Duration> {
        let slack = self.cell * (self.burst - 1);
        match whole_at.unwrap_or_default().checked_sub(now + slack) {
            Some(wait) if !wait.is_zero() => Err(wait),
            _ => Ok(()),
        }
    }

    fn count(&self, keys: &mut Keys<K>, key: K, now: Duration) {
        let full = keys.whole_at.len() >= MAX_KEYS && now < keys.swept + SWEEP_PAUSE;
        if keys.whole_at.len() >= keys.sweep_at && !full {
            keys.swept = now;
            keys.whole_at.retain(|_, whole_at| *whole_at > now);
            keys.sweep_at = (keys.whole_at.len() * 2).clamp(1_024, MAX_KEYS);
        }
        if keys.whole_at.len() >= MAX_KEYS && !keys.whole_at.contains_key(&key) {
            return;
        }
        let whole_at = keys.whole_at.entry(key).or_default();
        let limit = now + self.cell * self.burst + MAX_DEBT;
        *whole_at = ((*whole_at).max(now) + self.cell).min(limit);
    }
}

/// The unit that counts as one address: an IPv4 address, or the /64 of an IPv6 one, all of which one household or
/// attacker has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressKey(IpAddr);

impl From<IpAddr> for AddressKey {
    fn from(address: IpAddr) -> Self {
        Self::network(address, 64)
    }
}

impl From<AddressKey> for IpAddr {
    fn from(key: AddressKey) -> Self {
        key.0
    }
}

impl AddressKey {
    /// The network of this many bits, at most 64, around an IPv6 address; an IPv4 address is returned unchanged.
    pub fn network(address: IpAddr, bits: u32) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << (128 - bits.clamp(1, 64))))),
            v4 @ IpAddr::V4(_) => v4,
        })
    }

    /// Its bytes, without the part of an IPv6 address that does not count.
    pub(super) fn bytes(&self) -> Vec<u8> {
        match self.0 {
            IpAddr::V4(v4) => v4.octets().to_vec(),
            IpAddr::V6(v6) => v6.octets()[..8].to_vec(),
        }
    }
}

#[cfg(test)]
mod tests;
