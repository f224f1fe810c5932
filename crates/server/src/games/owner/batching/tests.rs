//! Unit tests of `games::owner::batching`.

use super::*;

const NOW: Time = Duration::from_secs(9);

#[test]
fn a_small_row_is_followed_by_no_delay() {
    let mut batching = BatchingDelay::default();
    assert!(!batching.should_wait(NOW, 1), "before the first row");
    batching.append_started(LARGE_ROW - 1);
    batching.append_ended(NOW);
    assert!(!batching.should_wait(NOW, 1));
    assert_eq!(batching.deadline(), None);
}

#[test]
fn after_a_large_row_the_next_row_waits_until_it_is_large_or_time_is_up() {
    let mut batching = BatchingDelay::default();
    batching.append_started(LARGE_ROW);
    batching.append_ended(NOW);
    assert_eq!(batching.deadline(), Some(NOW + DELAY));
    assert!(batching.should_wait(NOW, ENOUGH - 1) && batching.should_wait(NOW + DELAY / 2, 1));
    assert!(!batching.should_wait(NOW + DELAY / 2, ENOUGH), "large enough");
    assert!(!batching.should_wait(NOW + DELAY / 2, 1), "once it is over, it is over");
    batching.append_started(LARGE_ROW);
    batching.append_ended(NOW);
    assert!(!batching.should_wait(NOW + DELAY, 1), "time is up");
    assert_eq!(batching.deadline(), None);
}
