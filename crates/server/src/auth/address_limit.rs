//! What an address may do, and the IPv6 networks around it: who has a /48 has 65,536 addresses of /64.
//!
//! Used by the limits of joining and signing in. Charged from the inside out; what the address itself has used up is never
//! taken from its neighbours, and what a network has used up is never taken from the common allowance.

use std::net::IpAddr;
use std::time::Duration;

use super::shared_throttle::{Allowances, Allowed, SharedThrottle};
use super::throttle::AddressKey;
use crate::telemetry::Limit;

/// The allowance of a /56, which a line usually has, in allowances of one address.
const LINE: u32 = 4;
/// The allowance of a /48, which a site usually has, in allowances of one address.
const SITE: u32 = 20;

/// An allowance per minute for each address (IPv4, or a /64), four times as much for a /56, twenty times for a /48.
pub struct AddressLimit {
    own: SharedThrottle<AddressKey>,
    line: SharedThrottle<AddressKey>,
    site: SharedThrottle<AddressKey>,
}

impl AddressLimit {
    /// `limits` are the kinds of the three, from the inside out.
    pub fn new(limits: [Limit; 3], per_minute: u32, shared: Option<&Allowances>) -> Self {
        let allowed = |times: u32| {
            let rate = per_minute.saturating_mul(times);
            Allowed { rate, period: Duration::from_mins(1), burst: rate }
        };
        let [own, line, site] = limits;
        Self {
            own: SharedThrottle::new(own, allowed(1), shared),
            line: SharedThrottle::new(line, allowed(LINE), shared),
            site: SharedThrottle::new(site, allowed(SITE), shared),
        }
    }

    /// Whether the address may go ahead, everywhere; counts nothing.
    ///
    /// # Errors
    /// How long it has to wait.
    pub async fn ready(&self, address: IpAddr) -> Result<(), Duration> {
        let own = AddressKey::from(address);
        self.own.ready_here(&own)?;
        let Some([line, site]) = networks(address) else { return self.own.ready(&own).await };
        self.line.ready_here(&line)?;
        self.site.ready_here(&site)?;
        tokio::try_join!(self.own.ready(&own), self.line.ready(&line), self.site.ready(&site)).map(|_| ())
    }

    /// Counts one if the address may go ahead, everywhere.
    ///
    /// # Errors
    /// How long it has to wait.
    pub async fn take(&self, address: IpAddr) -> Result<(), Duration> {
        self.own.take(address.into()).await?;
        self.take_around(address).await
    }

    /// Counts one that has happened: an address that has used up its allowance owes it.
    ///
    /// # Errors
    /// How long to wait, if it was one too many.
    pub async fn charge(&self, address: IpAddr) -> Result<(), Duration> {
        let own = AddressKey::from(address);
        if let Err(wait) = self.own.take(own).await {
            self.own.charge(own);
            return Err(wait);
        }
        self.take_around(address).await
    }

    async fn take_around(&self, address: IpAddr) -> Result<(), Duration> {
        let Some([line, site]) = networks(address) else { return Ok(()) };
        self.line.take(line).await?;
        self.site.take(site).await
    }
}

/// The whole site an address belongs to: the /48 of an IPv6 address, or an IPv4 address.
pub fn site_of(address: IpAddr) -> AddressKey {
    AddressKey::network(address, 48)
}

/// The /56 and the /48.
fn networks(address: IpAddr) -> Option<[AddressKey; 2]> {
    address.to_canonical().is_ipv6().then(|| [AddressKey::network(address, 56), site_of(address)])
}

#[cfg(test)]
mod tests;
