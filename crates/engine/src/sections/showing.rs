//! Sections about the parts of a question that the host shows: its tally (`tally`), and its right answer (`answer_revealed`).
//!
//! The key of a question appears here only after the host has revealed it.

use quizhall_protocol::to_all::{AnswerRevealed, Tally};
use quizhall_protocol::{ServerMessage, ToAll};
use quizhall_rules::{Revealed, State};

use super::course::stated;
use super::{About, Fact, Section};
use crate::wire::tally_entries;

/// The tally that is shown.
pub const TALLY: Section = Section {
    message: "tally",
    opens: true,
    is_of_round: true,
    render: |view| stated(tally(view.state)),
    ..Section::PLAIN
};

/// The right answers of the round that are revealed, in that order.
pub const ANSWER_REVEALED: Section = Section {
    message: "answer_revealed",
    opens: true,
    render: |view| view.state.revealed().map(revealed).collect(),
    ..Section::PLAIN
};

fn tally(state: &State) -> Option<ToAll> {
    let shown = state.tally()?;
    Some(ToAll::Tally(Tally { question_id: shown.question.uuid(), entries: tally_entries(&shown.entries) }))
}

fn revealed(Revealed { question, tally }: Revealed<'_>) -> Fact {
    let message = ToAll::AnswerRevealed(AnswerRevealed {
        question_id: question.id.uuid(),
        correct_answer: question.shown_key(),
        explanation: question.explanation.clone(),
        tally: tally_entries(&tally),
    });
    Fact { about: About::question(question.id), message: ServerMessage::All(message) }
}
