//! Unit tests of `http::results`.

#![allow(clippy::unwrap_used)]
use super::*;

#[test]
fn accept_decides() {
    let asks = |accept: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, accept.parse().unwrap());
        wants_csv(&headers)
    };
    assert!(asks("text/csv"));
    assert!(asks("text/html, Text/CSV;q=0.9, */*;q=0.1"));
    assert!(asks("text/csv, application/json"));
    assert!(!asks("application/json, text/csv"));
    assert!(!asks("text/csv;q=0"));
    assert!(!asks("text/csv;q=0.5, application/json"));
    assert!(!asks("*/*"));
    assert!(!wants_csv(&HeaderMap::new()));
}
