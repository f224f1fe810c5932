//! Unit tests of `http::origin`.

#![allow(clippy::unwrap_used)]
use crate::config::Config;

use super::*;

fn judged(origin: &str, host: &str) -> Origin {
    let settings = [
        ("PUBLIC_URL", "https://quiz.example.org"),
        ("ALLOWED_ORIGINS", "https://school.example, http://10.0.0.5:3000"),
    ];
    let listen = Config::from_pairs(&settings).unwrap().listen;
    let mut headers = HeaderMap::new();
    headers.insert(HOST, host.parse().unwrap());
    headers.insert(ORIGIN, origin.parse().unwrap());
    judge(&headers, &listen)
}

#[test]
fn only_our_own_pages_and_the_list_may() {
    for (origin, host) in [
        ("http://localhost:8080", "localhost:8080"),
        ("http://LOCALHOST", "localhost:80"),
        ("https://quiz.example.org:443", "backend:8080"),
        ("https://quiz.example.org", "quiz.example.org"),
        ("https://school.example", "backend:8080"),
        ("http://10.0.0.5:3000", "backend:8080"),
    ] {
        assert_eq!(judged(origin, host), Origin::Allowed, "{origin} at {host}");
    }
    for (origin, host) in [
        ("https://evil.example", "localhost:8080"),
        ("null", "localhost:8080"),
        ("http://localhost:8081", "localhost:8080"),
        ("http://quiz.example.org", "backend:8080"),
        ("https://school.example.evil.example", "backend:8080"),
        ("http://localhost:8080@evil.example", "localhost:8080"),
        ("", ""),
    ] {
        assert_eq!(judged(origin, host), Origin::Foreign, "{origin} at {host}");
    }
    let listen = Config::from_pairs(&[]).unwrap().listen;
    assert_eq!(judge(&HeaderMap::new(), &listen), Origin::Absent);
}

#[test]
fn a_request_without_origin_is_foreign_when_the_browser_says_so() {
    let listen = Config::from_pairs(&[("ALLOWED_ORIGINS", "https://school.example")]).unwrap().listen;
    let of = |pairs: &[(&'static str, &'static str)]| {
        let headers = pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        is_foreign(&headers.collect(), &listen)
    };
    assert!(of(&[("sec-fetch-site", "cross-site")]));
    assert!(of(&[("origin", "https://evil.example"), ("host", "quiz.example"), ("sec-fetch-site", "same-origin")]));
    assert!(!of(&[("origin", "https://school.example"), ("sec-fetch-site", "cross-site")]), "allowed by the settings");
    for site in ["same-origin", "same-site", "none"] {
        assert!(!of(&[("sec-fetch-site", site)]));
    }
    assert!(!of(&[]), "a program");
}
