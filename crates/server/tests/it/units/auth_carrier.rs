//! How a token arrives: in the header, in the query, or in both; never two different ones.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use quizhall::auth::Carrier;

fn read(headers: &[&str], query: Option<&str>) -> Carrier {
    let mut map = HeaderMap::new();
    for value in headers {
        map.append(AUTHORIZATION, value.parse().unwrap());
    }
    Carrier::read(&map, query)
}

#[test]
fn one_token_in_either_place_or_the_same_in_both() {
    let long = format!("Bearer {}", "a".repeat(4_096));
    let cases: [(&[&str], Option<&str>, &str); 11] = [
        (&["Bearer abc"], None, "abc"),
        (&["bearer  abc "], Some("x=1"), "abc"),
        (&[], Some("x=1&token=abc"), "abc"),
        (&[], Some("token=a%2Bb%25+c"), "a+b%+c"),
        (&["Bearer abc"], Some("token=abc"), "abc"),
        // What cannot be a token becomes one that is never valid.
        (&["Bearer"], None, ""),
        (&["Bearer "], None, ""),
        (&["Basic abc"], None, ""),
        (&["Bearer a b"], None, ""),
        (&[&long], None, ""),
        (&[], Some("token=%ff%zz"), ""),
    ];
    for (headers, query, token) in cases {
        assert!(read(headers, query).is(token), "{headers:?} {query:?}");
    }
    assert!(matches!(read(&[], Some("tokens=abc")), Carrier::Missing));
    assert!(matches!(read(&[], None), Carrier::Missing));
}

#[test]
fn two_that_disagree_conflict() {
    let cases: [(&[&str], Option<&str>); 5] = [
        (&["Bearer abc"], Some("token=abd")),
        (&["Bearer abc"], Some("token=")),
        (&[], Some("token=a&token=b")),
        (&["Bearer abc", "Bearer abc"], None),
        (&["Basic abc"], Some("token=abc")),
    ];
    for (headers, query) in cases {
        assert!(matches!(read(headers, query), Carrier::Conflicting), "{headers:?} {query:?}");
    }
}
