//! Sections about questions of the round that the host has edited (`question_edited`) or withdrawn (`question_withdrawn`).

use quizhall_protocol::{ServerMessage, ToAll};
use quizhall_rules::{Phase, Question, QuestionId};

use super::{About, Fact, Section, View};
use crate::wire::mending::{edited, withdrawn};

const ROUNDS: &[Phase] = &[Phase::Question, Phase::RoundReview, Phase::Leaderboard];

/// The words of released questions that were edited after their release.
pub const QUESTION_EDITED: Section = Section {
    message: "question_edited",
    opens: true,
    phases: ROUNDS,
    render: |view| {
        let of = |question: &Question| fact(question.id, edited(view.state, question));
        released(view).filter(|question| view.state.is_corrected(question.id)).map(of).collect()
    },
    ..Section::PLAIN
};

/// The released questions that were withdrawn.
pub const QUESTION_WITHDRAWN: Section = Section {
    message: "question_withdrawn",
    opens: true,
    phases: ROUNDS,
    render: |view| {
        let out = released(view).filter(|question| view.state.is_withdrawn(question.id));
        out.map(|question| fact(question.id, withdrawn(question.id))).collect()
    },
    ..Section::PLAIN
};

fn released<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Question> + use<'a> {
    view.state.released()
}

fn fact(question: QuestionId, message: ToAll) -> Fact {
    Fact { about: About::question(question), message: ServerMessage::All(message) }
}
