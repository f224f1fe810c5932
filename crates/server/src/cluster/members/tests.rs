//! Unit tests of `cluster::members`.

use super::is_older;

#[test]
fn versions_are_compared_number_by_number() {
    for (older, newer) in
        [("0.1.0", "0.1.1"), ("0.1.9", "0.1.10"), ("0.9.0", "0.10.0"), ("0.9.9", "1.0.0"), ("old", "0.1.0")]
    {
        assert!(is_older(older, newer) && !is_older(newer, older), "{older} {newer}");
    }
    assert!(!is_older("0.1.0", "0.1.0") && !is_older("0.1.0+abc", "0.1.0"));
}
