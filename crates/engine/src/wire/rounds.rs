//! State → frames of what happens between two rounds: right answers that the host reveals, and breaks.
//!
//! The key of a question appears here only once the host has revealed it.

use bytes::Bytes;
use quizhall_protocol::to_all::{AnswerRevealed, BreakUpdate, TallyEntry};
use quizhall_protocol::{ToAll, frame};
use quizhall_rules::{Moment, QuestionId, Revealed, State};

/// `answer_revealed` of each question that is revealed, in that order.
pub(super) fn answers_revealed(state: &State) -> Vec<ToAll> {
    state.revealed().map(answer_revealed).collect()
}

/// `answer_revealed` of one question, if it is revealed.
pub(super) fn answer_revealed_of(state: &State, question: QuestionId) -> Option<Bytes> {
    let revealed = state.revealed().find(|revealed| revealed.question.id == question)?;
    Some(frame::text(&answer_revealed(revealed)))
}

fn answer_revealed(Revealed { question, tally }: Revealed<'_>) -> ToAll {
    ToAll::AnswerRevealed(AnswerRevealed {
        question_id: question.id.uuid(),
        correct_answer: question.shown_key(),
        explanation: question.explanation.clone(),
        tally: tally.into_iter().map(|entry| TallyEntry { answer: entry.answer, count: entry.count }).collect(),
    })
}

/// `break_update`: what time the break has left at this moment, or that there is none.
pub fn break_update(state: &State, at: Moment) -> Bytes {
    let (remaining_ms, text) = state.break_left(at).unzip();
    frame::text(&ToAll::BreakUpdate(BreakUpdate {
        remaining_ms: remaining_ms.map(|ms| u32::try_from(ms).unwrap_or(u32::MAX)),
        text: text.flatten().map(str::to_owned),
    }))
}
