//! Unit tests of `config::parse`.

use super::*;

#[test]
fn durations_need_a_unit_and_go_both_ways() {
    for (text, ms) in [("200ms", 200), ("25s", 25_000), ("1.5s", 1_500), ("5m", 300_000), ("12h", 43_200_000)] {
        assert_eq!(duration(text), Some(Duration::from_millis(ms)), "{text}");
    }
    for text in ["", "25", "s", "-1s", "1.2.3s", "25 sec", "1e9s", "NaNs"] {
        assert_eq!(duration(text), None, "{text}");
    }
    assert_eq!(show(Duration::from_secs(90)), "90s");
    assert_eq!(show(Duration::from_secs(7_200)), "2h");
    assert_eq!(show(Duration::from_millis(50)), "50ms");
}

#[test]
fn sizes_are_binary_and_never_overflow() {
    assert_eq!(bytes("64KiB"), Some(65_536));
    assert_eq!(bytes("4096"), Some(4_096));
    for text in ["", "KiB", "64kb", "-1", "1.5MiB", "99999999999999999999GiB", "18446744073709551615GiB"] {
        assert_eq!(bytes(text), None, "{text}");
    }
}
