//! Finds the client's address: that of the connection's peer, or the address that trusted proxies report.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use ipnet::IpNet;

use super::origin;
use super::problem::{Kind, Refused};
use crate::app::App;

/// The service, as state of the routes that are charged to an address. Only their handlers can learn the address
/// ([`Client`]), so each such route is in their table and is described as charged.
#[derive(Clone)]
pub(super) struct Charged(pub Arc<App>);

impl FromRef<Charged> for Arc<App> {
    fn from_ref(charged: &Charged) -> Self {
        Self::clone(&charged.0)
    }
}

/// The client's address, which is charged. A request that a foreign page makes in the name of its visitor is answered
/// with 403 and charges no address. No such page can send an `Authorization` header (there is no CORS), so a request
/// with one comes from a program.
pub(super) struct Client(pub IpAddr);

impl FromRequestParts<Charged> for Client {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, Charged(app): &Charged) -> Result<Self, Refused> {
        if !parts.headers.contains_key(AUTHORIZATION) && origin::is_foreign(&parts.headers, &app.config.listen) {
            return Err(Refused::new(
                Kind::FORBIDDEN,
                "Pages of this origin may not ask here in the name of a visitor.",
            ));
        }
        Ok(Self(client_of(&parts.extensions, &parts.headers, &app.config.listen.trusted_proxies)))
    }
}

/// The address of a client that has shown the token of a host or a co-host: no foreign page has one.
pub(super) struct Address(pub IpAddr);

impl FromRequestParts<Arc<App>> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Self(client_of(&parts.extensions, &parts.headers, &app.config.listen.trusted_proxies)))
    }
}

/// The client's address, for a request whose extensions hold its `ConnectInfo<SocketAddr>`, see [`client_address`].
pub fn client_of(extensions: &Extensions, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    client_address(peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)), headers, trusted)
}

/// The rightmost address of `X-Forwarded-For` that does not belong to a trusted proxy. It is `peer` when `peer` is not
/// trusted, because then any client can have written the header.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let mut client = peer.to_canonical();
    let forwarded: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .flat_map(|value| value.to_str().unwrap_or_default().split(','))
        .collect();
    for entry in forwarded.into_iter().rev() {
        if !trusted.iter().any(|net| net.contains(&client)) {
            break;
        }
        match parse(entry.trim()) {
            Some(address) => client = address.to_canonical(),
            None => break,
        }
    }
    client
}

/// Parses an address with or without a port; an IPv6 address may have brackets.
fn parse(entry: &str) -> Option<IpAddr> {
    let bare = entry.strip_prefix('[').and_then(|rest| rest.split(']').next()).unwrap_or(entry);
    bare.parse().ok().or_else(|| entry.parse::<SocketAddr>().ok().map(|address| address.ip()))
}
