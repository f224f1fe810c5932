//! Unit tests of `ws::upgrade::handshake`.

#![allow(clippy::unwrap_used)]
use super::*;

fn headers(changes: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let usual = [
        ("upgrade", "websocket"),
        ("connection", "keep-alive, Upgrade"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    for (name, value) in usual.iter().chain(changes) {
        headers.insert(*name, value.parse().unwrap());
    }
    headers
}

#[test]
fn the_example_of_the_rfc() {
    let handshake = read(&headers(&[])).unwrap();
    assert_eq!(handshake.accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert!(!handshake.subprotocol);
    let offered = headers(&[("sec-websocket-protocol", "other, quizhall.v1")]);
    assert!(read(&offered).unwrap().subprotocol);
    let other_letters = headers(&[("sec-websocket-protocol", "Quizhall.V1")]);
    assert!(!read(&other_letters).unwrap().subprotocol);
}

#[test]
fn what_is_not_a_handshake() {
    for (name, value, why) in [
        ("upgrade", "h2c", NoHandshake::Upgrade),
        ("connection", "close", NoHandshake::Upgrade),
        ("sec-websocket-version", "8", NoHandshake::Upgrade),
        ("sec-websocket-key", "short", NoHandshake::Malformed),
        ("sec-websocket-key", "c2hvcnQ=", NoHandshake::Malformed),
    ] {
        assert_eq!(read(&headers(&[(name, value)])), Err(why), "{name}: {value}");
    }
    let mut twice = headers(&[]);
    twice.append("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==".parse().unwrap());
    assert_eq!(read(&twice), Err(NoHandshake::Malformed));
    assert_eq!(read(&HeaderMap::new()), Err(NoHandshake::Upgrade));
}
