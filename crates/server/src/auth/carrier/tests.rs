//! Unit tests of `auth::carrier`.

#![allow(clippy::unwrap_used)]
use super::*;

fn read(headers: &[&str], query: Option<&str>) -> Carrier {
    let mut map = HeaderMap::new();
    for value in headers {
        map.append(AUTHORIZATION, value.parse().unwrap());
    }
    Carrier::read(&map, query)
}

fn carries(carrier: &Carrier, token: &str) -> bool {
    matches!(carrier, Carrier::Token(presented) if presented.same_as(&Presented::new(token)))
}

#[test]
fn either_way_or_both_with_the_same_token() {
    assert!(carries(&read(&["Bearer abc"], None), "abc"));
    assert!(carries(&read(&["bearer  abc "], Some("x=1")), "abc"));
    assert!(carries(&read(&[], Some("x=1&token=abc")), "abc"));
    assert!(carries(&read(&[], Some("token=a%2Bb%25+c")), "a+b%+c"));
    assert!(carries(&read(&["Bearer abc"], Some("token=abc")), "abc"));
    assert!(matches!(read(&[], Some("tokens=abc")), Carrier::Missing));
    assert!(matches!(read(&[], None), Carrier::Missing));
}

#[test]
fn two_that_disagree_conflict() {
    assert!(matches!(read(&["Bearer abc"], Some("token=abd")), Carrier::Conflicting));
    assert!(matches!(read(&["Bearer abc"], Some("token=")), Carrier::Conflicting));
    assert!(matches!(read(&[], Some("token=a&token=b")), Carrier::Conflicting));
    assert!(matches!(read(&["Bearer abc", "Bearer abc"], None), Carrier::Conflicting));
    assert!(matches!(read(&["Basic abc"], Some("token=abc")), Carrier::Conflicting));
}

#[test]
fn what_cannot_be_a_token_is_never_valid() {
    let long = format!("Bearer {}", "a".repeat(4_096));
    for header in ["Bearer", "Bearer ", "Basic abc", "Bearer a b", long.as_str()] {
        assert!(carries(&read(&[header], None), ""), "{}", header.len());
    }
    assert!(carries(&read(&[], Some("token=%ff%zz")), ""));
}
