//! What rebuilds a participant's view: on connecting, and when an edge missed something (decisions §3 "On connecting").

use bytes::Bytes;
use quizhall_rules::{Phase, State};

use super::outgoing::{
    Boards, answer_accepted, answer_count, game_ended, game_started, lobby_update, question_released, round_ended,
    round_leaderboard, round_review, scores_of,
};
use crate::ids::Participant;

/// The standing messages of the phase, in order; promises P8 and P9.
pub fn standing(state: &State, participant: Participant) -> Vec<Bytes> {
    let mut frames = standing_of_all(state);
    let boards = (state.phase() == Phase::Leaderboard).then(|| Boards::new(state));
    frames.extend(standing_of_one(state, boards.as_ref(), participant));
    frames
}

/// The part that every participant gets, first.
pub fn standing_of_all(state: &State) -> Vec<Bytes> {
    match state.phase() {
        Phase::Lobby => vec![lobby_update(state)],
        Phase::Question => state.released().map(question_released).collect(),
        Phase::RoundReview => vec![round_ended()],
        Phase::Leaderboard => vec![round_leaderboard(state)],
        Phase::Ended => vec![game_ended(state)],
    }
}

/// The part that is this participant's own; `boards` are those of a leaderboard phase.
pub fn standing_of_one(state: &State, boards: Option<&Boards>, participant: Participant) -> Vec<Bytes> {
    match (state.phase(), participant) {
        (Phase::Question, Participant::Host) => {
            state.released().map(|question| answer_count(state, question.id)).collect()
        }
        (Phase::Question, Participant::Player(player)) => {
            state.answered_by(player).into_iter().map(answer_accepted).collect()
        }
        (Phase::RoundReview, Participant::Host) => round_review(state),
        (Phase::Leaderboard, Participant::Player(player)) => {
            boards.map(|boards| scores_of(state, boards, player)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// What a socket that has seen `before` needs to be at `after`, when the events between are not at hand.
///
/// Never repeats a phase's opening message when the phase and round are the same, and never acknowledges an answer: that
/// is the reply to a message, which comes by itself. Lobby lists are paced, see [`lobby_changed`].
pub fn catch_up(before: &State, after: &State, participant: Participant) -> Vec<Bytes> {
    if (before.phase(), before.round()) != (after.phase(), after.round()) {
        let mut frames = Vec::new();
        if before.phase() == Phase::Lobby && after.phase() == Phase::Question {
            frames.push(game_started());
        }
        frames.extend(standing(after, participant));
        return frames;
    }
    match after.phase() {
        Phase::Question => questions_since(before, after, participant),
        Phase::RoundReview if participant == Participant::Host => round_review(after),
        Phase::Lobby | Phase::RoundReview | Phase::Leaderboard | Phase::Ended => Vec::new(),
    }
}

/// Whether another list of players is due.
pub fn lobby_changed(before: &State, after: &State) -> bool {
    before.present_count() != after.present_count()
        || before.lobby().map(|player| player.id).ne(after.lobby().map(|player| player.id))
}

fn questions_since(before: &State, after: &State, participant: Participant) -> Vec<Bytes> {
    let mut frames: Vec<Bytes> =
        after.released().filter(|question| !before.is_released(question.id)).map(question_released).collect();
    if participant == Participant::Host {
        let changed = after.released().filter(|question| {
            after.answer_count(question.id) != before.answer_count(question.id) || !before.is_released(question.id)
        });
        frames.extend(changed.map(|question| answer_count(after, question.id)));
    }
    frames
}
