//! The section about players on paper: the answers that the host has entered (`answers_entered`).

use quizhall_protocol::shapes::ReviewAnswer;
use quizhall_protocol::to_host::AnswersEntered;
use quizhall_protocol::{Dialect, ServerMessage, ToHost};
use quizhall_rules::{Phase, State};

use super::{About, Fact, Section, View, Viewers};
use crate::wire::review::is_grouped;
use crate::wire::review_answer;

/// The most answers in a message.
const PART: usize = 1_000;

/// The answers of the round that were entered. In the review they are among the others, which have their marks, unless those are
/// grouped.
pub const ENTERED: Section = Section {
    message: "answers_entered",
    viewers: Viewers::Hosts,
    phases: &[Phase::Question, Phase::RoundReview],
    render,
    is_same,
    is_in_phase: |state| state.phase() == Phase::RoundReview && !is_grouped(state),
    join: Some(|messages| {
        let answers: Vec<ReviewAnswer> = messages.iter().flat_map(answers).cloned().collect();
        answers.chunks(PART).map(|part| message(part.to_vec())).collect()
    }),
    ..Section::PLAIN
};

fn render(view: &View<'_>) -> Vec<Fact> {
    let entered = view.state.entered_answers().filter(|entry| view.players.includes(entry.player.id));
    let fact = entered.map(|entry| Fact {
        about: About::answer(entry.player.id, entry.question.id),
        message: message(vec![review_answer(&entry, Dialect::QuizhallV1)]),
    });
    fact.collect()
}

/// Only what was entered: how it counts is stated with the marks.
fn is_same(_: &State, one: &ServerMessage, other: &ServerMessage) -> bool {
    answers(one).iter().map(|answer| &answer.answer).eq(answers(other).iter().map(|answer| &answer.answer))
}

fn message(answers: Vec<ReviewAnswer>) -> ServerMessage {
    ServerMessage::Host(ToHost::AnswersEntered(AnswersEntered { answers }))
}

fn answers(message: &ServerMessage) -> &[ReviewAnswer] {
    let ServerMessage::Host(ToHost::AnswersEntered(entered)) = message else { return &[] };
    &entered.answers
}
