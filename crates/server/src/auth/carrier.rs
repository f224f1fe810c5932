//! How a token arrives (messages.md#connecting): `Authorization: Bearer …` or `?token=…`, for both roles.
//!
//! Over HTTP the query is read only for downloads: the caller decides what to read.

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;

use super::token::{HostTokenHash, Presented};

/// The tokens that a request carried.
#[derive(Debug, Clone)]
pub enum Carrier {
    /// No token at all.
    Missing,
    /// One token, in either place or the same in both.
    Token(Presented),
    /// Two different ones, or several `Authorization` headers: 400 (RFC 6750 §2 allows one method per request).
    Conflicting,
}

impl Carrier {
    /// Reads the token of a request from its headers and its query string (without the `?`).
    pub fn read(headers: &HeaderMap, query: Option<&str>) -> Self {
        let mut found = Self::Missing;
        if headers.get_all(AUTHORIZATION).iter().count() > 1 {
            return Self::Conflicting;
        }
        if let Some(value) = headers.get(AUTHORIZATION) {
            found = Self::Token(bearer(value.to_str().unwrap_or_default()));
        }
        for value in query.into_iter().flat_map(tokens_in) {
            let next = Presented::new(&value);
            found = match found {
                Self::Missing => Self::Token(next),
                Self::Token(first) if first.same_as(&next) => Self::Token(first),
                _ => return Self::Conflicting,
            };
        }
        found
    }

    /// Whether it carries exactly this token; the comparison takes the same time for every token.
    pub fn is(&self, token: &str) -> bool {
        matches!(self, Self::Token(presented) if presented.host_hash().matches(&HostTokenHash::of(token)))
    }
}

/// The token of an `Authorization` header; another scheme carries a token that is never valid.
fn bearer(value: &str) -> Presented {
    match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Presented::new(token.trim_matches(' ')),
        _ => Presented::new(""),
    }
}

fn tokens_in(query: &str) -> impl Iterator<Item = String> {
    query.split('&').filter_map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name == "token").then(|| percent_decoded(value))
    })
}

/// Decodes `%41`. A `+` is kept: no token contains a space, but a token chosen by an operator may contain a plus.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = (first == b'%').then(|| tail.get(..2).and_then(hex)).flatten();
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}
