//! Which versions count as older than this one.

use super::{THIS, is_older, numbers};

#[test]
fn versions_are_compared_by_their_numbers() {
    assert!(numbers("0.9.0") < numbers("0.10.0") && numbers("0.10.0") < numbers("1.0.0"));
    assert_eq!(numbers("1.2.3-rc.1+abc"), Some([1, 2, 3]));
    for odd in ["", "1.2", "1.2.3.4", "1.x.3", "v1.2.3"] {
        assert!(is_older(odd), "{odd}");
    }
    assert!(is_older("0.0.9") && !is_older(THIS) && !is_older("999.0.0"));
}
