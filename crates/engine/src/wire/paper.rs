//! State → frames about players on paper: the answers that the host has entered. The edge decides when.
//!
//! In the review they are among the others, so they are stated on connecting only while questions are open.

use bytes::Bytes;
use quizhall_protocol::to_host::AnswersEntered;
use quizhall_protocol::{Dialect, ToHost, frame};
use quizhall_rules::{Phase, PlayerId, QuestionId, ReviewEntry, State};

use super::outgoing::review_answer;
use crate::ids::Participant;

/// Answers in a message.
const PART: usize = 1_000;

/// `answers_entered` of one answer, if it is there.
pub fn answer_entered(state: &State, player: PlayerId, question: QuestionId) -> Option<Bytes> {
    let mut entries = state.entered_answers();
    let entry = entries.find(|entry| (entry.player.id, entry.question.id) == (player, question));
    updates(entry.into_iter()).pop()
}

/// What a participant is sent on connecting.
pub fn sync(state: &State, participant: Participant) -> Vec<Bytes> {
    let is_sent = state.phase() == Phase::Question && participant.as_host().is_some();
    updates(state.entered_answers().filter(|_| is_sent))
}

/// What a participant needs at a later state.
pub fn catch_up(before: &State, after: &State, participant: Participant) -> Vec<Bytes> {
    let is_sent = after.phase() == Phase::Question && participant.as_host().is_some();
    let is_new = |entry: &ReviewEntry<'_>| {
        let known = before.answer_of(entry.player.id, entry.question.id);
        let counts = (&entry.answer.text, entry.answer.correct());
        known.is_none_or(|known| (&known.text, known.correct()) != counts)
    };
    updates(after.entered_answers().filter(|entry| is_sent && is_new(entry)))
}

fn updates<'a>(entries: impl Iterator<Item = ReviewEntry<'a>>) -> Vec<Bytes> {
    let answers: Vec<_> = entries.map(|entry| review_answer(&entry, Dialect::QuizhallV1)).collect();
    let message = |part: &[_]| frame::text(&ToHost::AnswersEntered(AnswersEntered { answers: part.to_vec() }));
    answers.chunks(PART).map(message).collect()
}
