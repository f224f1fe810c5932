//! The allowances of an address and of the IPv6 networks around it, because the owner of a /48 has 65,536 networks of
//! /64.
//!
//! Used by the limits of joining, of codes and of signing in. Charged from the inside out: an attempt beyond the
//! address's own allowance is never charged to its network, and one beyond the network's is never charged to the common
//! allowance.

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

use super::shared_throttle::{Allowances, Allowed, SharedThrottle, Subject};
use super::throttle::AddressKey;
use crate::telemetry::Limit;

/// The allowance of a /56, which one line usually has, in allowances of one address.
const LINE: u32 = 4;
/// The allowance of a /48, which one site usually has, in allowances of one address.
const SITE: u32 = 20;

/// An allowance for each address (IPv4, or a /64), four times as much for a /56, twenty times for a /48. With a
/// `Scope`, each address has a separate allowance in each scope.
pub struct AddressLimit<Scope = ()> {
    own: SharedThrottle<Scoped<Scope>>,
    line: SharedThrottle<Scoped<Scope>>,
    site: SharedThrottle<Scoped<Scope>>,
}

/// An address or a network, in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Scoped<Scope> {
    network: AddressKey,
    scope: Scope,
}

impl<Scope: Subject + Copy> AddressLimit<Scope> {
    /// `limits` are the kinds of the three limits, from the inside out; `of_one` is the allowance of one address.
    pub fn new(limits: [Limit; 3], of_one: Allowed, shared: Option<&Allowances>) -> Self {
        let allowed = |times: u32| Allowed {
            rate: of_one.rate.saturating_mul(times),
            burst: of_one.burst.saturating_mul(times),
            period: of_one.period,
        };
        let [own, line, site] = limits;
        Self {
            own: SharedThrottle::new(own, allowed(1), shared),
            line: SharedThrottle::new(line, allowed(LINE), shared),
            site: SharedThrottle::new(site, allowed(SITE), shared),
        }
    }

    /// Whether the address may proceed at all three levels; counts nothing.
    ///
    /// # Errors
    /// How long it has to wait.
    pub async fn ready(&self, address: IpAddr, scope: Scope) -> Result<(), Duration> {
        let own = Scoped { network: address.into(), scope };
        self.own.ready_here(&own)?;
        let Some([line, site]) = networks(address, scope) else { return self.own.ready(&own).await };
        self.line.ready_here(&line)?;
        self.site.ready_here(&site)?;
        tokio::try_join!(self.own.ready(&own), self.line.ready(&line), self.site.ready(&site)).map(|_| ())
    }

    /// Counts one attempt if the address may proceed at all three levels.
    ///
    /// # Errors
    /// How long it has to wait.
    pub async fn take(&self, address: IpAddr, scope: Scope) -> Result<(), Duration> {
        self.own.take(Scoped { network: address.into(), scope }).await?;
        self.take_around(address, scope).await
    }

    /// Counts an attempt that has already happened; an address without allowance goes into debt.
    ///
    /// # Errors
    /// How long to wait, if it was one too many.
    pub async fn charge(&self, address: IpAddr, scope: Scope) -> Result<(), Duration> {
        let own = Scoped { network: address.into(), scope };
        if let Err(wait) = self.own.take(own).await {
            self.own.charge(own);
            return Err(wait);
        }
        self.take_around(address, scope).await
    }

    async fn take_around(&self, address: IpAddr, scope: Scope) -> Result<(), Duration> {
        let Some([line, site]) = networks(address, scope) else { return Ok(()) };
        self.line.take(line).await?;
        self.site.take(site).await
    }
}

impl<Scope: Subject> Subject for Scoped<Scope> {
    fn subject(&self) -> Cow<'_, [u8]> {
        // Scopes of one limit have equal lengths, so a scope is never mistaken for part of an address.
        Cow::Owned([self.network.bytes().as_slice(), &self.scope.subject()].concat())
    }
}

/// The whole site an address belongs to: the /48 of an IPv6 address, or an IPv4 address.
pub fn site_of(address: IpAddr) -> AddressKey {
    AddressKey::network(address, 48)
}

/// The /56 and the /48.
fn networks<Scope: Copy>(address: IpAddr, scope: Scope) -> Option<[Scoped<Scope>; 2]> {
    let networks = || [AddressKey::network(address, 56), site_of(address)].map(|network| Scoped { network, scope });
    address.to_canonical().is_ipv6().then(networks)
}
