//! Unit tests of `users::spread`.

use super::*;

#[test]
fn a_spread_survives_the_way_to_another_process() {
    let mut spread = Spread::default();
    for micros in [0, 5, 5, 1_234, 999_999, u64::MAX] {
        spread.record(micros);
    }
    let text = serde_json::to_string(&spread).expect("numbers");
    let back: Spread = serde_json::from_str(&text).expect("what was written");
    assert_eq!(back.count(), 6);
    for share in [0.0, 0.5, 0.9, 1.0] {
        let (here, there) = (spread.at(share), back.at(share));
        assert!(here.abs_diff(there) * 500 <= here, "{share}: {here} and {there}");
    }
    assert_eq!(Spread::default().at(0.99), 0);
}
