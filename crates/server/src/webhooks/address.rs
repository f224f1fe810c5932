//! Which addresses webhooks may call: the host by its name, and each network address that the name resolves to.
//!
//! Checked when a webhook is created and at each attempt. The client uses this resolver, so the checked addresses are
//! those to which it connects, whatever the name resolves to a moment later.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;
use url::{Host, Url};

use crate::config::Webhooks;

/// A name resolves only to addresses that may not be called.
#[derive(Debug, Error)]
#[error("the name resolves to no address that may be called")]
pub struct Refused;

/// Resolves the names that webhooks call, to addresses that may be called.
pub struct Resolver {
    settings: Arc<Webhooks>,
    /// Resolves names before the check.
    names: Arc<dyn Resolve>,
}

impl Resolver {
    /// Resolves names with `names`, and keeps only addresses that the settings allow.
    pub fn new(settings: Arc<Webhooks>, names: Arc<dyn Resolve>) -> Arc<Self> {
        Arc::new(Self { settings, names })
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (settings, names) = (Arc::clone(&self.settings), Arc::clone(&self.names));
        Box::pin(async move {
            let found = names.resolve(name).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| may_call(address.ip(), &settings)).collect();
            if allowed.is_empty() {
                return Err(Refused.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// Resolves names as the system does.
pub struct SystemNames;

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// The address, if a webhook may call it as far as that is known without resolving its name.
///
/// # Errors
/// The fault of the address, as the end of a sentence.
pub fn checked(text: &str, settings: &Webhooks) -> Result<Url, &'static str> {
    let url = Url::parse(text).map_err(|_| "cannot be read")?;
    if !settings.are_on() {
        return Err("cannot be called, because this service sends no webhooks: the setting WEBHOOK_HOSTS is empty");
    }
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err("must have no user, no password and no fragment");
    }
    let (name, literal) = match url.host().ok_or("has no host")? {
        Host::Domain(name) => (name.trim_end_matches('.').to_lowercase(), None),
        Host::Ipv4(address) => (address.to_string(), Some(IpAddr::from(address))),
        Host::Ipv6(address) => (format!("[{address}]"), Some(IpAddr::from(address))),
    };
    let is_private = |address: IpAddr| settings.private_networks.iter().any(|network| network.contains(&address));
    if url.scheme() != "https" && !(url.scheme() == "http" && literal.is_some_and(is_private)) {
        return Err("must be https; http is only for numeric addresses in the private networks of the settings");
    }
    let by_address = literal.is_some_and(|address| settings.allows_host(&address.to_string()));
    if !settings.allows_host(&name) && !by_address {
        return Err("is not at a host that the operator allows");
    }
    if literal.is_some_and(|address| !may_call(address, settings)) {
        return Err("is not public, and not in a network that the operator allows");
    }
    Ok(url)
}

/// Whether a connection to this address may be opened: it is public, or in a private network of the settings.
pub fn may_call(address: IpAddr, settings: &Webhooks) -> bool {
    let address = address.to_canonical();
    let is_public = match address {
        IpAddr::V4(address) => is_public(address),
        IpAddr::V6(address) => is_public_v6(address),
    };
    is_public || settings.private_networks.iter().any(|network| network.contains(&address))
}

/// Whether an address belongs to none of the blocks in the registry of special addresses.
fn is_public(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || matches!(
            (a, b, c),
            (0 | 224..=255, ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18 | 19, _)
        );
    !is_special
}

/// Whether an address is in the block of global unicast, but in none of its parts for documentation, tunnels and tests.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    let is_global = a & 0xe000 == 0x2000;
    let is_special = (a == 0x2001 && (b < 0x0200 || b == 0x0db8)) || a == 0x2002 || (a == 0x3fff && b < 0x1000);
    is_global && !is_special
}
