//! Unit tests of `full_game::timing`.

use super::*;

#[test]
fn a_spread_is_in_milliseconds() {
    let latency = Latency::default();
    for milliseconds in 1..=100 {
        latency.record(Duration::from_millis(milliseconds));
    }
    let spread = latency.spread();
    assert_eq!(spread.count, 100);
    assert!((spread.p50 - 50.0).abs() < 0.5 && (spread.p99 - 99.0).abs() < 0.5, "{spread:?}");
    assert!((spread.max - 100.0).abs() < 0.2, "{spread:?}");
}
