//! Whose pages may act in the name of their visitors: our own, and those of the settings.

use axum::http::HeaderMap;
use quizhall::config::Config;
use quizhall::http::{Origin, is_foreign, judge};

const SETTINGS: [(&str, &str); 2] =
    [("PUBLIC_URL", "https://quiz.example.org"), ("ALLOWED_ORIGINS", "https://school.example, http://10.0.0.5:3000")];

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
}

#[test]
fn only_our_own_pages_and_the_list_may() {
    let listen = Config::from_pairs(&SETTINGS).unwrap().listen;
    for (origin, host, expected) in [
        ("http://localhost:8080", "localhost:8080", Origin::Allowed),
        ("http://LOCALHOST", "localhost:80", Origin::Allowed),
        ("https://quiz.example.org:443", "backend:8080", Origin::Allowed),
        ("https://quiz.example.org", "quiz.example.org", Origin::Allowed),
        ("https://school.example", "backend:8080", Origin::Allowed),
        ("http://10.0.0.5:3000", "backend:8080", Origin::Allowed),
        ("https://evil.example", "localhost:8080", Origin::Foreign),
        ("null", "localhost:8080", Origin::Foreign),
        ("http://localhost:8081", "localhost:8080", Origin::Foreign),
        ("http://quiz.example.org", "backend:8080", Origin::Foreign),
        ("https://school.example.evil.example", "backend:8080", Origin::Foreign),
        ("http://localhost:8080@evil.example", "localhost:8080", Origin::Foreign),
        ("", "", Origin::Foreign),
    ] {
        assert_eq!(judge(&headers(&[("origin", origin), ("host", host)]), &listen), expected, "{origin} at {host}");
    }
    assert_eq!(judge(&HeaderMap::new(), &listen), Origin::Absent);
}

#[test]
fn a_request_without_origin_is_foreign_when_the_browser_says_so() {
    let listen = Config::from_pairs(&SETTINGS).unwrap().listen;
    let of = |pairs: &[_]| is_foreign(&headers(pairs), &listen);
    assert!(of(&[("sec-fetch-site", "cross-site")]));
    assert!(of(&[("origin", "https://evil.example"), ("host", "quiz.example"), ("sec-fetch-site", "same-origin")]));
    assert!(!of(&[("origin", "https://school.example"), ("sec-fetch-site", "cross-site")]), "allowed by the settings");
    for site in ["same-origin", "same-site", "none"] {
        assert!(!of(&[("sec-fetch-site", site)]));
    }
    assert!(!of(&[]), "a program");
}
