//! Tests of the ledger: which answers may count, by what was sent, acknowledged and void.

use quizhall_load::full_game::ledger::{Fault, Ledger};
use quizhall_load::full_game::seating::Seating;

use super::Q;

fn ledger(steps: &[(&str, &str)]) -> Ledger {
    let steps: Vec<_> = steps.iter().map(|(step, text)| (0, *step, *text)).collect();
    ledger_of(Seating::of(1, None), &steps)
}

/// The steps of several phones.
fn ledger_of(seating: Seating, steps: &[(usize, &str, &str)]) -> Ledger {
    let ledger = Ledger::new(seating);
    for (bot, step, text) in steps {
        match *step {
            "given" => ledger.given(*bot, Q, text),
            "acked" => ledger.acked(*bot, Q, text),
            _ => ledger.void(*bot, Q, text),
        }
    }
    ledger
}

#[test]
fn the_last_acked_answer_counts() {
    let steps = [("given", "a"), ("acked", "a"), ("given", "b"), ("acked", "b")];
    let ledger = ledger(&steps);
    assert_eq!(ledger.compare(0, Q, Some("b")), Ok(1));
    assert_eq!(ledger.compare(0, Q, Some("a")), Err(Fault::Other));
    assert_eq!(ledger.compare(0, Q, None), Err(Fault::Lost));
    assert_eq!(ledger.acked_count(Q), 1);
}

#[test]
fn without_an_ack_either_is_right() {
    let ledger = ledger(&[("given", "a"), ("acked", "a"), ("given", "b")]);
    assert_eq!(ledger.compare(0, Q, Some("a")), Ok(0));
    assert_eq!(ledger.compare(0, Q, Some("b")), Ok(1));
    assert_eq!(ledger.compare(0, Q, None), Err(Fault::Lost));
}

#[test]
fn an_answer_without_any_ack_may_be_absent() {
    let ledger = ledger(&[("given", "a")]);
    assert_eq!(ledger.compare(0, Q, None), Ok(0));
    assert_eq!(ledger.compare(0, Q, Some("a")), Ok(0));
    assert_eq!(ledger.compare(0, Q, Some("x")), Err(Fault::Unasked));
    assert_eq!((ledger.acked_count(Q), ledger.given_count(Q)), (0, 1));
}

#[test]
fn a_void_answer_must_not_be_there() {
    let ledger = ledger(&[("given", "a"), ("acked", "a"), ("given", "b"), ("void", "b")]);
    assert_eq!(ledger.compare(0, Q, Some("a")), Ok(0));
    assert_eq!(ledger.compare(0, Q, Some("b")), Err(Fault::Silent));
}

#[test]
fn an_ack_settles_what_was_given_before_it() {
    let ledger = ledger(&[("given", "a"), ("given", "b"), ("acked", "b")]);
    assert_eq!(ledger.compare(0, Q, Some("a")), Err(Fault::Other));
    assert_eq!(ledger.compare(0, Q, Some("b")), Ok(0));
}

#[test]
fn back_to_the_first_answer_needs_its_own_ack() {
    let ledger = ledger(&[("given", "a"), ("acked", "a"), ("given", "b"), ("given", "a"), ("acked", "b")]);
    assert_eq!(ledger.compare(0, Q, Some("b")), Ok(1));
    assert_eq!(ledger.compare(0, Q, Some("a")), Ok(2), "given again after b, ack unknown");
}

const TEAM: [usize; 3] = [0, 1, 2];

fn team(steps: &[(usize, &str, &str)]) -> Ledger {
    ledger_of(Seating::of(1, Some(3)), steps)
}

#[test]
fn of_a_team_the_answer_counts_that_was_sent_behind_the_acks_of_the_others() {
    let [ann, ben, cem] = TEAM;
    let steps = [(ann, "given", "a"), (ann, "acked", "a"), (ben, "given", "b"), (ben, "acked", "b")];
    let ledger = team(&steps);
    assert_eq!(ledger.compare(0, Q, Some("b")), Ok(1));
    assert_eq!(ledger.compare(0, Q, Some("a")), Err(Fault::Other));
    assert_eq!(ledger.compare(0, Q, None), Err(Fault::Lost));
    assert_eq!((ledger.acked_count(Q), ledger.given_count(Q)), (1, 1), "a team counts once");
    assert_eq!(ledger.acked_of(cem, &[Q]), [Q]);
    assert!(ledger.was_given_by(ann, Q, "a") && !ledger.was_given_by(cem, Q, "a"));
}

#[test]
fn of_two_answers_at_once_either_may_count() {
    let [ann, ben, _] = TEAM;
    let steps = [(ann, "given", "a"), (ben, "given", "b"), (ben, "acked", "b"), (ann, "acked", "a")];
    let ledger = team(&steps);
    for text in ["a", "b"] {
        assert_eq!(ledger.compare(0, Q, Some(text)), Ok(1));
    }
    assert!(ledger.may_count(ann, Q, "a") && ledger.may_count(ben, Q, "b") && !ledger.may_count(ben, Q, "a"));
}

#[test]
fn an_answer_on_its_way_may_count_behind_a_later_one_of_another_phone() {
    let [ann, ben, _] = TEAM;
    let ledger = team(&[(ann, "given", "a"), (ben, "given", "b"), (ben, "acked", "b")]);
    assert_eq!((ledger.compare(0, Q, Some("a")), ledger.compare(0, Q, Some("b"))), (Ok(1), Ok(0)));
    ledger.void(ann, Q, "a");
    assert_eq!(ledger.compare(0, Q, Some("a")), Err(Fault::Silent));
}

#[test]
fn the_same_text_belongs_to_the_phone_that_sent_it_last() {
    let [ann, ben, _] = TEAM;
    let ledger = team(&[(ann, "given", "a"), (ann, "acked", "a"), (ben, "given", "a"), (ben, "acked", "a")]);
    assert_eq!(ledger.compare(0, Q, Some("a")), Ok(1));
    assert!(ledger.may_count(ben, Q, "a") && !ledger.may_count(ann, Q, "a"));
}
