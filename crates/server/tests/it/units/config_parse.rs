//! How durations and sizes are written in settings.

use std::time::Duration;

use quizhall::config::parse::{bytes, duration, show};

#[test]
fn durations_need_a_unit_and_go_both_ways() {
    for (text, ms) in [("200ms", 200), ("25s", 25_000), ("1.5s", 1_500), ("5m", 300_000), ("12h", 43_200_000)] {
        assert_eq!(duration(text), Some(Duration::from_millis(ms)), "{text}");
    }
    for text in ["", "25", "s", "-1s", "1.2.3s", "25 sec", "1e9s", "NaNs"] {
        assert_eq!(duration(text), None, "{text}");
    }
    assert_eq!([90_000, 7_200_000, 50].map(|ms| show(Duration::from_millis(ms))), ["90s", "2h", "50ms"]);
}

#[test]
fn sizes_are_binary_and_never_overflow() {
    assert_eq!((bytes("64KiB"), bytes("4096")), (Some(65_536), Some(4_096)));
    for text in ["", "KiB", "64kb", "-1", "1.5MiB", "99999999999999999999GiB", "18446744073709551615GiB"] {
        assert_eq!(bytes(text), None, "{text}");
    }
}
