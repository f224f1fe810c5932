//! The place of an expiry among the frames of an inbox.

use quizhall_rules::Expiry;

use super::Expiries;

const FIRST: Expiry = Expiry { question: None, generation: 1, is_step: false };
const SECOND: Expiry = Expiry { question: None, generation: 2, is_step: false };

#[test]
fn an_expiry_waits_for_the_frames_that_came_before_it_and_no_longer() {
    let mut expiries = Expiries::default();
    expiries.note_taken(10);
    expiries.queue(FIRST, 3);
    expiries.note_taken(2);
    expiries.queue(SECOND, 5);
    assert_eq!(expiries.next(), None, "one frame is still before it");
    expiries.note_taken(1);
    assert_eq!(expiries.next(), Some(FIRST));
    assert_eq!(expiries.next(), None, "four frames are still before it");
    expiries.note_taken(4);
    assert_eq!((expiries.next(), expiries.next()), (Some(SECOND), None));
}

#[test]
fn with_an_empty_inbox_its_turn_is_at_once() {
    let mut expiries = Expiries::default();
    expiries.queue(FIRST, 0);
    assert_eq!(expiries.next(), Some(FIRST));
}
