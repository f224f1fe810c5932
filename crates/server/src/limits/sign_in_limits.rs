//! How often people may try to sign in, and who goes first. There are limits by address, and by account and address
//! together; a growing delay for an account that others attack; and a separate allowance for an address that has signed
//! in to the account before.
//!
//! Called by `hosts` before a password is hashed. A client that knows a name cannot lock its owner out: attempts of one
//! address are refused only to that address. Never reads a password.

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::address_limit::{AddressLimit, site_of};
use super::known::Known;
use super::lanes::{InLane, Lanes};
use super::shared_throttle::{Allowances, Allowed, SharedThrottle, Subject};
use super::throttle::{AddressKey, Throttle};
use crate::clock;
use crate::config::Identity;
use crate::telemetry::Limit;

/// The delay of an account under attack is this fraction of the time until its allowance of failures is restored…
const DELAY_SHARE: u32 = 24;
/// … and never longer.
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// Passwords of one site (an IPv4 address or a /48) checked at once.
const OF_ONE_SITE: usize = 2;
/// Passwords for one account checked at once, not counting devices that signed in before: as many as can run.
const OF_ONE_ACCOUNT: usize = 4;
/// Attempts that wait for one of these, over all sites and accounts.
const WAITING: usize = 4_096;
/// How long an attempt may wait for one of these.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Pairs of an account and an address that signed in, about 150 bytes each.
const DEVICES: usize = 16_384;

/// An account (the key of its name) at an address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Pair {
    account: String,
    address: AddressKey,
}

/// Why an attempt is not admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotAdmitted {
    /// Too many attempts; the next one is possible after this time.
    TooOften(Duration),
    /// Too many attempts wait.
    Busy,
    /// It cannot be a name and a password.
    Implausible,
}

pub(crate) struct SignInLimits {
    per_address: AddressLimit,
    /// Sign-ins that begin at a provider, counted separately so that they use up no attempts with a password.
    external: AddressLimit,
    per_pair: SharedThrottle<Pair>,
    /// Wrong passwords per account, from all addresses: they delay strangers.
    failures: SharedThrottle<String>,
    devices: Known<Pair>,
    per_device: Throttle<Pair>,
    sites: Lanes<AddressKey>,
    accounts: Lanes<String>,
}

/// An attempt whose password may be checked.
pub(crate) struct Attempt<'a> {
    limits: &'a SignInLimits,
    pair: Pair,
    /// Whether the device is known: a known one does not wait for strangers' hashes either.
    pub is_known: bool,
    _site: InLane<'a, AddressKey>,
    _account: Option<InLane<'a, String>>,
}

impl SignInLimits {
    /// Begins with every allowance unused on this node.
    pub fn new(identity: &Identity, shared: Option<&Allowances>) -> Self {
        let of_address = identity.sign_ins_per_minute_per_address;
        let of_account = Allowed::per_minute(identity.sign_ins_per_minute_per_account);
        let by_address = |limits| AddressLimit::new(limits, Allowed::per_minute(of_address), shared);
        let external = [Limit::ExternalSignInsPerAddress, Limit::ExternalSignInsPerLine, Limit::ExternalSignInsPerSite];
        Self {
            per_address: by_address([Limit::SignInsPerAddress, Limit::SignInsPerLine, Limit::SignInsPerSite]),
            external: by_address(external),
            per_pair: SharedThrottle::new(Limit::SignInsPerAccountAndAddress, of_account, shared),
            failures: SharedThrottle::new(Limit::FailedSignInsPerAccount, of_account, shared),
            devices: Known::new(DEVICES),
            per_device: Throttle::new(of_address, Duration::from_mins(1), of_address, clock::now()),
            sites: Lanes::new(OF_ONE_SITE, WAITING),
            accounts: Lanes::new(OF_ONE_ACCOUNT, WAITING),
        }
    }

    /// Counts an attempt, and waits if it has to. `plausible` is false for a text that cannot be a name or a password.
    ///
    /// # Errors
    /// The reason why it is not admitted.
    pub async fn admit(&self, account: &str, address: IpAddr, plausible: bool) -> Result<Attempt<'_>, NotAdmitted> {
        let pair = Pair { account: account.to_owned(), address: address.into() };
        let known =
            plausible && self.devices.contains(&pair) && self.per_device.take(pair.clone(), clock::now()).is_ok();
        if !known {
            self.per_address.take(address, ()).await.map_err(NotAdmitted::TooOften)?;
            if !plausible {
                return Err(NotAdmitted::Implausible);
            }
            self.per_pair.take(pair.clone()).await.map_err(NotAdmitted::TooOften)?;
            sleep(self.delay(&pair.account).await).await;
        }
        let site = in_turn(&self.sites, site_of(address)).await?;
        let account = if known { None } else { Some(in_turn(&self.accounts, pair.account.clone()).await?) };
        Ok(Attempt { limits: self, pair, is_known: known, _site: site, _account: account })
    }

    /// Counts a sign-in with a provider, which checks no password here and uses up no attempts with one.
    ///
    /// # Errors
    /// [`NotAdmitted::TooOften`].
    pub async fn admit_external(&self, address: IpAddr) -> Result<(), NotAdmitted> {
        self.external.take(address, ()).await.map_err(NotAdmitted::TooOften)
    }

    /// How long a stranger waits before the password is checked. It is the same for unknown names.
    async fn delay(&self, account: &String) -> Duration {
        let wait = self.failures.ready(account).await.err().unwrap_or_default();
        (wait / DELAY_SHARE).min(LONGEST_DELAY)
    }
}

impl Attempt<'_> {
    /// The password was right: this address belongs to the account's known ones from now on.
    pub fn succeeded(self) {
        self.limits.devices.insert(self.pair.clone());
    }

    /// The password was wrong, or there is no such account.
    pub fn failed(self) {
        self.limits.failures.charge(self.pair.account.clone());
    }
}

async fn in_turn<K: Clone + Eq + std::hash::Hash>(lanes: &Lanes<K>, key: K) -> Result<InLane<'_, K>, NotAdmitted> {
    timeout(TIMEOUT, lanes.enter(key)).await.map_err(|_| NotAdmitted::Busy)?.map_err(|_| NotAdmitted::Busy)
}

impl Subject for Pair {
    fn subject(&self) -> Cow<'_, [u8]> {
        // The account's key contains no NUL, so different pairs have different bytes.
        Cow::Owned([self.account.as_bytes(), &[0], &self.address.bytes()].concat())
    }
}
