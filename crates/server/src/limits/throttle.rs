//! Rates per key: how often an address, an account or a game may do something. Time is an argument, never read here.
//!
//! Each key has a [`Bucket`]. Counting an attempt after it happened may put
//! a key into debt, so a thousand guesses at the same instant are paid for afterwards.

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::bucket::Bucket;
use super::keyed::Keyed;
use crate::cluster::bus::Rate;
use crate::moment::{Epoch, Moment};

/// Most keys remembered. Beyond it, new keys are let through (a limit over all keys follows this one).
const MAX_KEYS: usize = 100_000;

/// The pause between two searches for keys to forget, so that at [`MAX_KEYS`] not every new key pays for one.
const FIRST_SWEEP: usize = 1_024;

/// The longest time a key can be made to wait.
const MAX_DEBT: Duration = Duration::from_mins(10);

/// An allowance per key: `burst` at once, refilled at a steady rate.
#[derive(Debug)]
pub struct Throttle<K> {
    rate: Rate,
    origin: Epoch,
    keys: Mutex<Keyed<K, Bucket>>,
}

impl<K: Eq + Hash> Throttle<K> {
    /// `rate` per `period` in the long run, `burst` (at least 1) at once; `now` is where its clock begins.
    pub fn new(rate: u32, period: Duration, burst: u32, now: Instant) -> Self {
        let rate = Rate { cell: period / rate.max(1), burst: burst.max(1), most_debt: MAX_DEBT };
        Self { rate, origin: Epoch::at(now), keys: Mutex::new(Keyed::new(FIRST_SWEEP, MAX_KEYS)) }
    }

    /// The same allowance, to be counted over all nodes.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Whether the key may proceed; counts nothing.
    ///
    /// # Errors
    /// How long it has to wait.
    pub fn ready(&self, key: &K, now: Instant) -> Result<(), Duration> {
        self.wait(&self.keys(), key, self.origin.moment(now))
    }

    /// Counts one if the key may proceed.
    ///
    /// # Errors
    /// How long it has to wait; nothing was counted.
    pub fn take(&self, key: K, now: Instant) -> Result<(), Duration> {
        let (now, mut keys) = (self.origin.moment(now), self.keys());
        self.wait(&keys, &key, now)?;
        self.count(&mut keys, key, now);
        Ok(())
    }

    /// Counts one in any case.
    pub fn charge(&self, key: K, now: Instant) {
        self.count(&mut self.keys(), key, self.origin.moment(now));
    }

    fn wait(&self, keys: &Keyed<K, Bucket>, key: &K, now: Moment) -> Result<(), Duration> {
        keys.get(key).map_or(Ok(()), |bucket| bucket.ready(self.rate, now))
    }

    fn count(&self, keys: &mut Keyed<K, Bucket>, key: K, now: Moment) {
        if let Some(bucket) = keys.entry(key, now, |bucket| bucket.is_whole(now)) {
            bucket.charge(self.rate, now);
        }
    }

    fn keys(&self) -> MutexGuard<'_, Keyed<K, Bucket>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
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
