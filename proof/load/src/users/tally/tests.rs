//! Unit tests of `users::tally`.

#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn messages_are_distinguished_by_their_beginning() {
    let id = Uuid::from_u128(7);
    let accepted = format!(r#"{{"type":"answer_accepted","payload":{{"questionId":"{id}"}}}}"#);
    assert_eq!(subject(accepted.as_bytes()), (Kind::Accepted, id));
    let question = format!(r#"{{"type":"question_released","payload":{{"question":{{"id":"{id}","text":"?"}}}}}}"#);
    assert_eq!(subject(question.as_bytes()), (Kind::Question, id));
    assert_eq!(subject(br#"{"type":"round_ended","payload":{}}"#), (Kind::RoundEnded, Uuid::nil()));
    assert_eq!(subject(br#"{"type":"unknown","payload":{}}"#).0, Kind::Other);
    assert_eq!(subject(br#"{"type":"answer_accepted","payload":{}}"#).0, Kind::Other);
}

/// A run in which a user misses a message ends with it, instead of measuring on.
#[test]
fn one_missing_message_fails_the_wait() {
    let received = |count, wanted| Delivery { count, wanted, ..Delivery::default() };
    let mut all = received(2, 3);
    all.add(received(4, 4));
    let missed = all.by_all(Kind::Question).unwrap_err().to_string();
    assert_eq!(missed, "1 of 7 have not received Question in time");
    // Those who stalled may have received it before they did.
    for count in [3, 4] {
        assert_eq!(received(count, 3).by_all(Kind::Question).unwrap().count, count);
    }
}

#[test]
fn a_tally_counts_once_and_notices_repeats_and_differences() {
    let mut tally = Tally::for_members(3);
    tally.note_sent(1, 4_000);
    for (member, message, at) in [(0, b"a", 1_000), (1, b"a", 9_000), (1, b"a", 9_500), (2, b"b", 6_000)] {
        tally.note(&Arrival { member, message, at }, Kind::Accepted);
    }
    let received = tally.outcome(1_000, |_| false);
    assert_eq!((received.count, received.repeats, received.differing), (3, 1, 1));
    assert_eq!((received.first, received.last, received.first_sent), (1_000, 9_000, 4_000));
    assert_eq!(received.spread.max(), 5, "from its own sending, and 6,000 from the given moment: both 5 µs");
    assert_eq!(tally.outcome(1_000, |member| member == 1).spread.count(), 2);
}
