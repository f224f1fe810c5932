//! State → frames about answers and their marks, for hosts.

use std::collections::BTreeMap;

use bytes::Bytes;
use quizhall_protocol::to_host::{AnswerMark, AnswersMarked, AnswersUpdate, GivenAnswers, MarkingUpdate};
use quizhall_protocol::{ToHost, frame};
use quizhall_rules::{Answer, AnswerGroup, Device, Phase, PlayerId, QuestionId, State};

use super::count;
use super::room::all_answered;
use crate::ids::Participant;

/// The most marks per part of a big `answers_marked`.
const MARKS_PART: usize = 1_000;
/// The most groups in an `answers_update`.
const MOST_GROUPS: usize = 500;

/// The messages that the host receives on connecting after the messages of the phase.
pub fn sync_suffix(state: &State, participant: Participant) -> Vec<Bytes> {
    match (state.phase(), participant.as_host()) {
        (Phase::Question, Some(device)) => {
            let mut frames = all_answered(state);
            let is_undoable = state.undoable(state.co_hosts().undone_over(device)) > 0;
            frames.extend(is_undoable.then(|| marking_update(state, device)));
            frames
        }
        (Phase::RoundReview, Some(device)) => vec![marking_update(state, device)],
        _ => Vec::new(),
    }
}

/// `answers_marked`, in parts when it is large: how these players' answers count now.
pub fn answers_marked(state: &State, question: QuestionId, players: &[PlayerId]) -> Vec<Bytes> {
    let mark = |player: &PlayerId| {
        let answer = state.answer_of(*player, question);
        AnswerMark {
            player_id: player.uuid(),
            correct: answer.is_some_and(Answer::correct),
            partial_points: answer.map_or(0, Answer::partial_points),
            ruled: answer.is_some_and(Answer::is_ruled),
        }
    };
    let marks: Vec<AnswerMark> = players.iter().map(mark).collect();
    let message = |marks: &[AnswerMark], part, parts| {
        let marks = marks.to_vec();
        frame::text(&ToHost::AnswersMarked(AnswersMarked { question_id: question.uuid(), marks, part, parts }))
    };
    if marks.len() <= MARKS_PART {
        return vec![message(&marks, None, None)];
    }
    let parts = count(marks.len().div_ceil(MARKS_PART));
    (1..).zip(marks.chunks(MARKS_PART)).map(|(part, marks)| message(marks, Some(part), Some(parts))).collect()
}

/// `answers_marked` for each question of the round whose nearest answers differ from those in `before`, without removed players.
pub fn nearest_marked(state: &State, before: &[(QuestionId, PlayerId)]) -> Vec<Bytes> {
    let after = state.nearest_answers();
    let new = after.iter().filter(|answer| !before.contains(answer)).copied();
    let no_more = before.iter().filter(|answer| !after.contains(answer) && state.player(answer.1).is_some()).copied();
    let mut changed: BTreeMap<QuestionId, Vec<PlayerId>> = BTreeMap::new();
    for (question, player) in new.chain(no_more) {
        changed.entry(question).or_default().push(player);
    }
    changed.iter().flat_map(|(question, players)| answers_marked(state, *question, players)).collect()
}

/// `answers_update`: the answers to a question in groups.
pub fn answers_update(question: QuestionId, all: &[AnswerGroup<'_>]) -> Bytes {
    let shown = |group: &AnswerGroup<'_>| GivenAnswers {
        text: group.text.to_owned(),
        count: count(group.count),
        correct: group.correct,
        partial_points: group.partial,
        near_miss: group.near_miss,
        ruled: group.ruled,
    };
    let groups = all.iter().take(MOST_GROUPS).map(shown).collect();
    let message = AnswersUpdate { question_id: question.uuid(), groups, total: count(all.len()) };
    frame::text(&ToHost::AnswersUpdate(message))
}

/// `board_update`.
pub fn board_update(state: &State) -> Bytes {
    frame::text(&ToHost::BoardUpdate(super::boards::board_of_round(state)))
}

/// `marking_update` for one of the host's devices.
pub fn marking_update(state: &State, device: Device) -> Bytes {
    let undoable = count(state.undoable(state.co_hosts().undone_over(device)));
    frame::text(&ToHost::MarkingUpdate(MarkingUpdate { undoable }))
}
