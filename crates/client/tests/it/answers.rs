//! Answers that wait for their acks: what is sent when, and which ack settles which answer.

use quizhall_client::answers::{Answer, Answers};
use uuid::Uuid;

const Q: Uuid = Uuid::from_u128(1);
const R: Uuid = Uuid::from_u128(2);

fn answer(question: Uuid, text: &str) -> Answer {
    Answer { question, text: text.to_owned() }
}

#[test]
fn an_answer_is_sent_once_per_connection_and_again_on_the_next() {
    let mut answers = Answers::default();
    answers.keep(answer(Q, "a"));
    assert_eq!(answers.send(&[Q]), [answer(Q, "a")]);
    assert_eq!(answers.send(&[Q]), []);
    answers.line_lost();
    assert_eq!(answers.send(&[Q]), [answer(Q, "a")]);
    assert_eq!(answers.acknowledged(Q), Some(answer(Q, "a")));
    answers.line_lost();
    assert_eq!(answers.send(&[Q]), []);
}

#[test]
fn only_open_questions_are_sent() {
    let mut answers = Answers::default();
    answers.keep(answer(Q, "a"));
    assert_eq!(answers.send(&[R]), []);
    assert_eq!(answers.waiting(), 1);
}

#[test]
fn acks_of_a_changed_answer_come_in_order() {
    let mut answers = Answers::default();
    answers.keep(answer(Q, "a"));
    answers.send(&[Q]);
    answers.keep(answer(Q, "b"));
    answers.send(&[Q]);
    assert_eq!(answers.acknowledged(Q), Some(answer(Q, "a")));
    assert_eq!(answers.waiting(), 1, "b is still wanted");
    assert_eq!(answers.acknowledged(Q), Some(answer(Q, "b")));
    assert_eq!(answers.waiting(), 0);
    assert_eq!(answers.acknowledged(Q), None);
}

#[test]
fn changing_back_waits_for_the_last_ack() {
    let mut answers = Answers::default();
    for text in ["a", "b", "a"] {
        answers.keep(answer(Q, text));
        answers.send(&[Q]);
    }
    assert_eq!(answers.acknowledged(Q), Some(answer(Q, "a")));
    assert_eq!(answers.waiting(), 1, "the first ack is not that of the last message");
    answers.line_lost();
    assert_eq!(answers.send(&[Q]), [answer(Q, "a")]);
}

#[test]
fn a_refused_message_is_not_sent_again_but_the_ones_behind_it_are() {
    let mut answers = Answers::default();
    answers.keep(answer(Q, "bad"));
    answers.keep(answer(R, "good"));
    answers.send(&[Q, R]);
    assert_eq!(answers.refused(), Some(answer(Q, "bad")));
    answers.line_lost();
    assert_eq!(answers.send(&[Q, R]), [answer(R, "good")]);
}

#[test]
fn answers_of_an_earlier_round_are_given_up() {
    let mut answers = Answers::default();
    answers.keep(answer(Q, "old"));
    answers.keep(answer(R, "new"));
    assert_eq!(answers.forget_all_but(&[R]), [answer(Q, "old")]);
    assert_eq!(answers.send(&[Q, R]), [answer(R, "new")]);
}

#[test]
fn an_answer_to_a_closed_question_is_given_up_and_a_close_is_still_about_it() {
    let mut answers = Answers::default();
    answers.keep(answer(Q, "late"));
    answers.keep(answer(R, "good"));
    answers.send(&[Q, R]);
    assert_eq!(answers.question_closed(Q), Some(answer(Q, "late")));
    assert_eq!(answers.question_closed(Q), None);
    assert_eq!(answers.refused(), Some(answer(Q, "late")), "the oldest message without an ack");
    answers.line_lost();
    assert_eq!(answers.send(&[Q, R]), [answer(R, "good")]);
}

#[test]
fn the_end_of_the_round_empties_it() {
    let mut answers = Answers::default();
    answers.keep(answer(Q, "a"));
    answers.send(&[Q]);
    assert_eq!(answers.round_over(), [answer(Q, "a")]);
    assert_eq!(answers.acknowledged(Q), None);
    assert_eq!(answers.send(&[Q]), []);
}
