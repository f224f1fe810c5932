//! How long an owner decides frames.

use std::cell::Cell;
use std::time::Duration;

use super::{TURN, for_one_turn};

/// The frames that are decided in one turn, and those that stay, when deciding one takes so long.
fn turn(frames: &[u32], takes: Duration) -> (Vec<u32>, Vec<u32>) {
    let mut reversed: Vec<_> = frames.iter().rev().copied().collect();
    let (clock, mut decided) = (Cell::new(Duration::ZERO), Vec::new());
    for_one_turn(
        &mut reversed,
        || clock.get(),
        |frame, after| {
            assert_eq!(after.len() + decided.len() + 1, frames.len());
            decided.push(frame);
            clock.set(clock.get() + takes);
        },
    );
    reversed.reverse();
    (decided, reversed)
}

#[test]
fn an_owner_decides_frames_in_order_for_the_time_of_a_turn_and_always_one() {
    assert_eq!(turn(&[1, 2, 3, 4], TURN / 2), (vec![1, 2], vec![3, 4]));
    assert_eq!(turn(&[1, 2], TURN * 10), (vec![1], vec![2]));
    assert_eq!(turn(&[1, 2, 3], Duration::ZERO), (vec![1, 2, 3], vec![]));
    assert_eq!(turn(&[], Duration::ZERO), (vec![], vec![]));
}
