//! Whose pages may open sockets and use the allowance of an address: only our own and those of the settings. Programs
//! that are not browsers send no `Origin`.
//!
//! Called by `upgrade` and, through [`Client`](super::address::Client), for every request that is charged to an
//! address. Tokens are not cookies, so a foreign page never sends them by itself; this check keeps it so.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

use crate::config::Listen;

/// The header in which a browser names where a request came from: `same-origin`, `same-site`, `cross-site` or `none`.
const FETCH_SITE: &str = "sec-fetch-site";

/// The verdict on the `Origin` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The client is not a browser.
    Absent,
    /// The page is allowed.
    Allowed,
    /// The page is not allowed: 403.
    Foreign,
}

/// Whether a browser sent the request for a page that may not act in the name of its visitor. For pictures and links
/// browsers leave out the `Origin`, but name the place of the request in `Sec-Fetch-Site`.
pub fn is_foreign(headers: &HeaderMap, listen: &Listen) -> bool {
    match judge(headers, listen) {
        Origin::Allowed => false,
        Origin::Foreign => true,
        Origin::Absent => headers.get(FETCH_SITE).is_some_and(|site| site.as_bytes() == b"cross-site"),
    }
}

/// Judges the `Origin` header of a request.
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
