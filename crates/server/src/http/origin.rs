//! Whose pages may open sockets and spend what an address is allowed: none but our own and those allowed; programs that are not
//! browsers send no `Origin`.
//!
//! Called by `upgrade` and, through [`Client`](super::address::Client), for every request that an address is charged for. Tokens are not
//! cookies, so a foreign page has nothing to ride on; this keeps it so.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

use crate::config::Listen;

/// Where a browser says a request came from: `same-origin`, `same-site`, `cross-site` or `none`.
const FETCH_SITE: &str = "sec-fetch-site";

/// What the `Origin` header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Not a browser.
    Absent,
    /// A page that may.
    Allowed,
    /// A page that may not: 403.
    Foreign,
}

/// Whether a browser sent the request for a page that may not ask in the name of its visitor. Where a browser leaves the `Origin` out, as
/// for pictures and links, it says by `Sec-Fetch-Site` where the request came from.
pub(super) fn is_foreign(headers: &HeaderMap, listen: &Listen) -> bool {
    match judge(headers, listen) {
        Origin::Allowed => false,
        Origin::Foreign => true,
        Origin::Absent => headers.get(FETCH_SITE).is_some_and(|site| site.as_bytes() == b"cross-site"),
    }
}

/// What the `Origin` header of a request says.
pub fn judge(headers: &HeaderMap, listen: &Listen) -> Origin {
    let mut origins = headers.get_all(ORIGIN).iter();
    let origin = match (origins.next(), origins.next()) {
        (None, _) => return Origin::Absent,
        (Some(origin), None) => origin.to_str().unwrap_or_default().to_ascii_lowercase(),
        _ => return Origin::Foreign,
    };
    let Some((scheme, authority)) = origin.split_once("://") else { return Origin::Foreign };
    let authority = without_default_port(authority, scheme);
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    let same_host = !host.is_empty() && authority == without_default_port(&host, scheme);
    let public = listen.public_url.as_deref().and_then(|url| url.split_once("://"));
    let same_public = public.is_some_and(|(public_scheme, public_authority)| {
        public_scheme.eq_ignore_ascii_case(scheme)
            && without_default_port(public_authority, scheme).eq_ignore_ascii_case(authority)
    });
    if same_host || same_public || listen.allowed_origins.contains(&origin) { Origin::Allowed } else { Origin::Foreign }
}

fn without_default_port<'a>(authority: &'a str, scheme: &str) -> &'a str {
    let port = if scheme == "https" { ":443" } else { ":80" };
    authority.strip_suffix(port).unwrap_or(authority)
}

#[cfg(test)]
mod tests;
