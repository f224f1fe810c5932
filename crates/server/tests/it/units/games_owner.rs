//! What the task of an owner keeps: the delay of its rows, the places of expiries among frames, and the time of a turn.

use std::cell::Cell;
use std::time::Duration;

use quizhall::games::owner::batching::BatchingDelay;
use quizhall::games::owner::expiries::Expiries;
use quizhall::games::owner::for_one_turn;
use quizhall_rules::Expiry;

const NOW: Duration = Duration::from_secs(9);
/// How long the next row waits after one of 64 commands or more.
const DELAY: Duration = Duration::from_millis(8);
/// How long an owner decides frames in one turn.
const TURN: Duration = Duration::from_millis(5);

/// A delay after a row of this many commands.
fn after_a_row(commands: u64) -> BatchingDelay {
    let mut batching = BatchingDelay::default();
    batching.append_started(commands);
    batching.append_ended(NOW);
    batching
}

#[test]
fn after_a_large_row_the_next_row_waits_until_it_is_large_or_time_is_up() {
    for mut batching in [BatchingDelay::default(), after_a_row(63)] {
        assert_eq!((batching.should_wait(NOW, 1), batching.deadline()), (false, None), "no large row");
    }
    let mut batching = after_a_row(64);
    assert_eq!(batching.deadline(), Some(NOW + DELAY));
    assert!(batching.should_wait(NOW, 1_023) && batching.should_wait(NOW + DELAY / 2, 1));
    assert!(!batching.should_wait(NOW + DELAY / 2, 1_024), "large enough");
    assert!(!batching.should_wait(NOW + DELAY / 2, 1), "once it is over, it is over");
    let mut batching = after_a_row(64);
    assert_eq!((batching.should_wait(NOW + DELAY, 1), batching.deadline()), (false, None), "time is up");
}

#[test]
fn an_expiry_waits_for_the_frames_that_came_before_it_and_no_longer() {
    let expiry = |generation| Expiry { question: None, generation, is_step: false };
    let mut expiries = Expiries::default();
    expiries.queue(expiry(0), 0);
    assert_eq!(expiries.next_due(), Some(expiry(0)), "at once with an empty inbox");
    expiries.note_taken(10);
    expiries.queue(expiry(1), 3);
    expiries.note_taken(2);
    expiries.queue(expiry(2), 5);
    assert_eq!(expiries.next_due(), None, "one frame is still before it");
    expiries.note_taken(1);
    assert_eq!(expiries.next_due(), Some(expiry(1)));
    assert_eq!(expiries.next_due(), None, "four frames are still before it");
    expiries.note_taken(4);
    assert_eq!((expiries.next_due(), expiries.next_due()), (Some(expiry(2)), None));
}

/// How many of these frames are decided in one turn, when deciding one takes so long.
fn decided(frames: usize, takes: Duration) -> usize {
    let mut reversed: Vec<_> = (0..frames).rev().collect();
    let (clock, mut decided) = (Cell::new(Duration::ZERO), 0);
    let decide = |frame, after: &[usize]| {
        assert_eq!((frame, after.len()), (decided, frames - decided - 1), "in order");
        decided += 1;
        clock.set(clock.get() + takes);
    };
    for_one_turn(&mut reversed, || clock.get(), decide);
    assert!(reversed.into_iter().rev().eq(decided..frames), "the others stay");
    decided
}

#[test]
fn an_owner_decides_frames_in_order_for_the_time_of_a_turn_and_always_one() {
    for (frames, takes, expected) in
        [(4, TURN / 2, 2), (2, 10 * TURN, 1), (3, Duration::ZERO, 3), (0, Duration::ZERO, 0)]
    {
        assert_eq!(decided(frames, takes), expected, "{frames} frames of {takes:?}");
    }
}
