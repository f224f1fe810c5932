//! Unit tests of `bench::table`.

use super::*;

fn pass(ours: f64, baseline: f64, commits: f64) -> Pass {
    let mut question = Outcome::of("question", 1, 1);
    question.figure("CPU per recipient", ours, "µs");
    let mut burst = Outcome::of("burst", 1, 1);
    burst.figure("answers per commit", commits, "");
    let mut below = Outcome::of(BIG_GAME, 1, 1);
    below.figure("CPU per recipient", baseline, "µs");
    Pass { outcomes: vec![question, burst, below] }
}

#[test]
fn ratios_are_made_within_a_pass() {
    // The machine was twice as slow in the second pass: the ratio does not see it.
    let rows = rows(&[pass(7.0, 7.0, 1_000.0), pass(15.4, 14.0, 3_000.0), pass(8.4, 8.0, 100.0)], 10_000);
    assert_eq!(rows.len(), 2, "figures that were not measured have no row");
    assert!((rows[0].value - 1.05).abs() < 1e-9 && (rows[0].max - 1.1).abs() < 1e-9);
    assert_eq!(rows[0].reached(), Reached::Aim);
    assert_eq!((rows[1].reached(), rows[1].value), (Reached::Must, 1_000.0));
    let text = markdown(&rows);
    assert!(text.contains("| **1.05 ×** |") && text.contains("≥ 500"), "{text}");
}

#[test]
fn what_misses_its_must_says_so() {
    let rows = rows(&[pass(12.0, 10.0, 400.0)], 10_000);
    assert!(rows.iter().all(|row| row.reached() == Reached::Missed), "{rows:?}");
}
