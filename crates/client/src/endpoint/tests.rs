//! Unit tests of `endpoint`.

#![allow(clippy::unwrap_used)]
use super::*;

#[test]
fn addresses_are_made_from_the_base() {
    let plain = Endpoint::parse("http://127.0.0.1:8080/").unwrap();
    assert_eq!(plain.http("/join").as_str(), "http://127.0.0.1:8080/join");
    assert_eq!(plain.socket("ABC234", None), "ws://127.0.0.1:8080/ws/ABC234");
    assert_eq!(plain.address(), ("127.0.0.1".to_owned(), 8080));

    let nested = Endpoint::parse("ws://[::1]/quiz").unwrap();
    assert_eq!(nested.http("/api/v1/games").as_str(), "http://[::1]/quiz/api/v1/games");
    assert_eq!(nested.address(), ("::1".to_owned(), 80));
}

#[test]
fn a_token_in_the_query_is_encoded() {
    let endpoint = Endpoint::parse("http://h:1").unwrap();
    assert_eq!(endpoint.socket("C", Some(&Token::new("a b&c=ä"))), "ws://h:1/ws/C?token=a%20b%26c%3D%C3%A4");
}

#[test]
fn what_cannot_work_is_refused() {
    assert_eq!(Endpoint::parse("https://h").unwrap_err(), EndpointError::Tls);
    assert_eq!(Endpoint::parse("h:8080").unwrap_err(), EndpointError::NotAnAddress);
    assert_eq!(Endpoint::parse("http://u:p@h").unwrap_err(), EndpointError::Extras);
    assert_eq!(Endpoint::parse("http://h/?token=x").unwrap_err(), EndpointError::Extras);
}
