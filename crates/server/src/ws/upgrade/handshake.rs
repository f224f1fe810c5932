//! The WebSocket handshake (RFC 6455 §4.2), read from the headers of a request.
//!
//! Called by `upgrade`. Extensions are never agreed to: permessage-deflate costs memory per socket and invites bombs.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hyper::header::{
    CONNECTION, HeaderMap, HeaderName, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use quizhall_protocol::SUBPROTOCOL;
use tungstenite::handshake::derive_accept_key;

/// The only version that exists.
pub(super) const VERSION: &str = "13";

/// A handshake that can be answered with 101.
#[derive(Debug, PartialEq, Eq)]
pub struct Handshake {
    /// The value of `Sec-WebSocket-Accept`.
    pub accept: String,
    /// Whether the client offered `quizhall.v1`.
    pub subprotocol: bool,
}

/// Why a request is not such a handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoHandshake {
    /// Not a WebSocket, or another version: 426.
    Upgrade,
    /// A WebSocket whose headers make no sense: 400.
    Malformed,
}

/// Reads the handshake of a request.
///
/// # Errors
/// Why there is none.
pub fn read(headers: &HeaderMap) -> Result<Handshake, NoHandshake> {
    if !has_token(headers, &UPGRADE, "websocket") || !has_token(headers, &CONNECTION, "upgrade") {
        return Err(NoHandshake::Upgrade);
    }
    if only(headers, &SEC_WEBSOCKET_VERSION)? != VERSION {
        return Err(NoHandshake::Upgrade);
    }
    let key = only(headers, &SEC_WEBSOCKET_KEY)?;
    if BASE64_STANDARD.decode(key).ok().is_none_or(|nonce| nonce.len() != 16) {
        return Err(NoHandshake::Malformed);
    }
    // The answer must repeat one of the offers letter by letter (RFC 6455 §4.2.2): another spelling is another
    // subprotocol.
    let subprotocol = items(headers, &SEC_WEBSOCKET_PROTOCOL).any(|item| item == SUBPROTOCOL);
    Ok(Handshake { accept: derive_accept_key(key.as_bytes()), subprotocol })
}

/// Whether a comma-separated header names `token`, in any case.
fn has_token(headers: &HeaderMap, name: &HeaderName, token: &str) -> bool {
    items(headers, name).any(|item| item.eq_ignore_ascii_case(token))
}

/// The items of a comma-separated header, which may be repeated.
fn items<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// The value of a header that must occur exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<&'a str, NoHandshake> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().map(str::trim).map_err(|_| NoHandshake::Malformed),
        _ => Err(NoHandshake::Malformed),
    }
}
