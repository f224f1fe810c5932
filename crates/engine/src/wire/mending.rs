//! State → frames about corrections by the host other than marks: edited and withdrawn questions, and names. The edge decides
//! when.
//!
//! Changes of questions that are released in the round are stated to every socket ([`crate::sections`]); only the host receives
//! the words of the others.

use bytes::Bytes;
use quizhall_protocol::shapes::Player;
use quizhall_protocol::to_all::{QuestionEdited, QuestionWithdrawn};
use quizhall_protocol::{ToAll, frame};
use quizhall_rules::{Phase, PlayerId, Question, QuestionId, State};

use super::outgoing::lobby_player;
use crate::ids::Participant;

/// `question_edited` of a question as it is now.
pub fn question_edited(state: &State, question: QuestionId) -> Option<Bytes> {
    state.question(question).map(|question| frame::text(&edited(state, question)))
}

/// `question_withdrawn`.
pub fn question_withdrawn(question: QuestionId) -> Bytes {
    frame::text(&withdrawn(question))
}

/// `player_renamed` of a player as they are now.
pub fn player_renamed(state: &State, player: PlayerId) -> Option<Bytes> {
    state.player(player).map(|player| renamed(lobby_player(player)))
}

/// The message for a participant on connecting: a player receives the name that the host gave.
pub fn sync(state: &State, participant: Participant) -> Option<Bytes> {
    let player = participant.player()?;
    let is_renamed = state.phase() != Phase::Ended && state.player(player).is_some_and(|player| player.renamed);
    player_renamed(state, player).filter(|_| is_renamed)
}

/// The messages that a participant needs at a later state.
pub fn catch_up(before: &State, after: &State, participant: Participant) -> Vec<Bytes> {
    if after.phase() == Phase::Ended {
        return Vec::new();
    }
    let is_new = |player: &&quizhall_rules::Player| {
        before.player(player.id).is_some_and(|known| known.display_name != player.display_name)
    };
    let names = after.renamed_players().filter(is_new).map(|player| renamed(lobby_player(player)));
    let is_host = participant.as_host().is_some();
    names.chain(is_host.then(|| of_other_rounds(before, after)).into_iter().flatten()).collect()
}

/// Changes of questions that are not stated to sockets.
fn of_other_rounds(before: &State, after: &State) -> Vec<Bytes> {
    let mut frames = Vec::new();
    let questions = after.quiz().rounds.iter().flat_map(|round| &round.questions);
    for question in questions.filter(|question| !after.is_released(question.id)) {
        let known = before.question(question.id);
        let is_new = known.is_some_and(|known| words(known) != words(question));
        frames.extend(is_new.then(|| frame::text(&edited(after, question))));
        let is_out = after.is_withdrawn(question.id) && !before.is_withdrawn(question.id);
        frames.extend(is_out.then(|| question_withdrawn(question.id)));
    }
    frames
}

fn words(question: &Question) -> (&str, &[String], &[String]) {
    (&question.text, &question.choices, &question.accepted)
}

/// Only hosts receive it of a question that is not released, and only then it has the accepted answers.
pub(crate) fn edited(state: &State, question: &Question) -> ToAll {
    ToAll::QuestionEdited(QuestionEdited {
        question_id: question.id.uuid(),
        text: question.text.clone(),
        choices: (!question.choices.is_empty()).then(|| question.choices.clone().into()),
        accepted: (!state.was_released(question.id)).then(|| question.accepted.clone().into()),
        corrected: state.is_corrected(question.id),
    })
}

pub(crate) fn withdrawn(question: QuestionId) -> ToAll {
    ToAll::QuestionWithdrawn(QuestionWithdrawn { question_id: question.uuid() })
}

fn renamed(player: Player) -> Bytes {
    frame::text(&ToAll::PlayerRenamed(player))
}
