//! Unit tests of `bench::outcome`.

use super::*;

#[test]
fn an_outcome_without_checks_holds_nothing() {
    let mut outcome = Outcome::of("burst", 1, 3);
    assert!(!outcome.holds());
    outcome.check("acks", 2, 2);
    assert!(outcome.holds());
    outcome.check("acks", 0, 1);
    assert!(!outcome.holds());
    assert_eq!(outcome.checks.len(), 1);
}

#[test]
fn the_middle_is_in_the_middle() {
    assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
    assert!((median(vec![4.0, 1.0]) - 2.5).abs() < 1e-9);
    assert!(median(Vec::new()).abs() < 1e-9);
}
