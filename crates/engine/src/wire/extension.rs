//! State → frames of the extension (`quizhall.v1`), one function per message; the edge decides who receives them.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use quizhall_protocol::to_all::{self, NextStep, QuestionClosed, TimerUpdate};
use quizhall_protocol::to_host::{
    AnswerMark, AnswersMarked, AnswersUpdate, GivenAnswers, MarkingUpdate, PlayerStatus, PlayersAnswered, RoomPlayer,
    RoomUpdate,
};
use quizhall_protocol::to_player::JokerUpdate;
use quizhall_protocol::{ToAll, ToHost, ToPlayer, frame};
use quizhall_rules::{
    Answer, AnswerGroup, AutopilotStep, Device, Moment, Phase, Player, PlayerId, QuestionId, State, TimeLeft,
};

use super::outgoing::WHOLE_LOBBY;
use crate::ids::Participant;

/// Marks per part of a big `answers_marked`.
const MARKS_PART: usize = 1_000;
/// Groups in an `answers_update`.
const MOST_GROUPS: usize = 500;

/// What a socket with the extension is sent on connecting before the phase's sync messages.
pub fn sync_prefix(state: &State, participant: Participant) -> Vec<Bytes> {
    let mut frames = super::all_stated(state);
    if participant.as_host().is_some() {
        // Behind `host_status`.
        frames.insert(1, room(state));
    }
    frames
}

/// What it is sent behind them.
pub fn sync_suffix(state: &State, participant: Participant) -> Vec<Bytes> {
    match (state.phase(), participant.as_host()) {
        (Phase::Question, Some(device)) => {
            let mut frames = all_answered(state);
            let is_undoable = state.undoable(state.undone_over(device)) > 0;
            frames.extend(is_undoable.then(|| marking_update(state, device)));
            frames
        }
        (Phase::RoundReview, Some(device)) => vec![marking_update(state, device)],
        _ => of_player(None, state, participant),
    }
}

/// What a player is sent of the joker and the tie-break that is not as at an earlier state.
pub fn of_player(before: Option<&State>, state: &State, participant: Participant) -> Vec<Bytes> {
    let own = [joker_played(before, state, participant), super::ties::newly_answered(before, state, participant)];
    own.into_iter().flatten().collect()
}

/// `joker_update` of a player; nothing behind the end of the game.
pub fn joker_update(state: &State, player: PlayerId) -> Option<Bytes> {
    let player = state.player(player).filter(|_| state.phase() != Phase::Ended)?;
    let round = player.joker.map(|round| round + 1);
    Some(frame::text(&ToPlayer::JokerUpdate(JokerUpdate { round })))
}

/// The same where the joker is played, and was not at an earlier state.
pub fn joker_played(before: Option<&State>, state: &State, participant: Participant) -> Option<Bytes> {
    let player = participant.player()?;
    let joker = |state: &State| state.player(player)?.joker;
    joker(state).filter(|_| before.and_then(joker).is_none())?;
    joker_update(state, player)
}

/// Whether the host is shown every player, or only how many there are.
pub(crate) fn is_room_listed(state: &State) -> bool {
    state.player_count() <= WHOLE_LOBBY
}

/// `room_update`, whole; only the numbers of a huge game, which void what was listed before.
pub fn room(state: &State) -> Bytes {
    let listed = state.players().filter(|player| player.present && is_room_listed(state));
    room_update(state, true, listed.map(|player| room_player(state, player)).collect())
}

/// `room_update` of these players, as they are now.
pub fn room_changes(state: &State, changed: &BTreeSet<PlayerId>) -> Bytes {
    let players = state.all_players().filter(|player| !changed.is_empty() && changed.contains(&player.id));
    room_update(state, false, players.map(|player| room_player(state, player)).collect())
}

fn room_update(state: &State, whole: bool, players: Vec<RoomPlayer>) -> Bytes {
    frame::text(&ToHost::RoomUpdate(RoomUpdate {
        whole,
        players,
        total: count(state.player_count()),
        connected: count(state.connected_count()),
        locked: state.is_locked(),
    }))
}

fn room_player(state: &State, player: &Player) -> RoomPlayer {
    let status = match (player.is_removed() || !player.present, player.connected) {
        (true, _) => PlayerStatus::Gone,
        (false, true) => PlayerStatus::Connected,
        (false, false) => PlayerStatus::Disconnected,
    };
    let percent = u32::from(state.time_percent_of(player.id));
    let extra_time = Some(percent).filter(|percent| *percent > 100 && status != PlayerStatus::Gone);
    let joker = player.joker.map(|round| round + 1).filter(|_| status != PlayerStatus::Gone);
    RoomPlayer {
        id: player.id.uuid(),
        display_name: player.display_name.as_str().to_owned(),
        status,
        extra_time,
        joker,
        devices: if status == PlayerStatus::Gone { Vec::new() } else { super::teams::devices(player) },
        on_paper: player.on_paper && status != PlayerStatus::Gone,
    }
}

/// `players_answered` for each question of the round that has an answer; nothing in a huge game.
pub fn all_answered(state: &State) -> Vec<Bytes> {
    newly_answered(state, |_, _| false)
}

/// The same without those of whom it `was_sent`.
pub(crate) fn newly_answered(state: &State, was_sent: impl Fn(PlayerId, QuestionId) -> bool) -> Vec<Bytes> {
    if !is_room_listed(state) {
        return Vec::new();
    }
    let answered = |question: QuestionId| {
        let players = state.answerers(question).filter(|player| !was_sent(*player, question));
        players_answered(question, &players.collect::<Vec<_>>())
    };
    state.released().filter_map(|question| answered(question.id)).collect()
}

/// `players_answered`; `None` without players.
pub fn players_answered(question: QuestionId, players: &[PlayerId]) -> Option<Bytes> {
    let player_ids: Vec<_> = players.iter().map(|player| player.uuid()).collect();
    let message = PlayersAnswered { question_id: question.uuid(), player_ids };
    (!players.is_empty()).then(|| frame::text(&ToHost::PlayersAnswered(message)))
}

/// `answers_marked`, in parts when there is much of it: how these players' answers count now.
pub fn answers_marked(state: &State, question: QuestionId, players: &[PlayerId]) -> Vec<Bytes> {
    let mark = |player: &PlayerId| {
        let answer = state.answer_of(*player, question);
        AnswerMark {
            player_id: player.uuid(),
            correct: answer.is_some_and(Answer::correct),
            partial_points: answer.map_or(0, Answer::partial_points),
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

/// `answers_marked` for each question of the round of which other answers are the nearest now than those named, removed players left out.
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
    let undoable = count(state.undoable(state.undone_over(device)));
    frame::text(&ToHost::MarkingUpdate(MarkingUpdate { undoable }))
}

/// `timer_update` of each timer that a participant may be sent of, as it is at a moment.
pub fn timer_updates(state: &State, participant: Participant, at: Moment) -> Vec<(Option<QuestionId>, Bytes)> {
    let update = |(left, extra): (TimeLeft, u64)| (left.question, timer_update(state, left, extra));
    match participant.player() {
        None => state.time_left(at).map(update).collect(),
        Some(player) => state.time_left_of(player, at).map(|left| update((left, 0))).collect(),
    }
}

/// The questions that take no answers of a participant; for the host those that take none of any player.
pub fn closed_for(state: &State, participant: Participant) -> Vec<QuestionId> {
    match participant.player() {
        None => state.closed_questions().collect(),
        Some(player) => state.closed_questions_for(player).collect(),
    }
}

/// `timer_update`: what time a timer has left at this moment, how much longer it runs at most, and whether it runs.
pub fn timer_update(state: &State, left: TimeLeft, extra: u64) -> Bytes {
    frame::text(&ToAll::TimerUpdate(TimerUpdate {
        question_id: left.question.map(QuestionId::uuid),
        remaining_ms: u32::try_from(left.ms).unwrap_or(u32::MAX),
        running: !state.are_timers_held(),
        extra_ms: u32::try_from(extra).ok().filter(|extra| *extra > 0),
    }))
}

/// `autopilot_step`: what the autopilot does next, and what time is left until then.
pub fn autopilot_step(state: &State, (step, ms): (AutopilotStep, u64)) -> Bytes {
    frame::text(&ToAll::AutopilotStep(to_all::AutopilotStep {
        next: match step {
            AutopilotStep::Tally(_) => NextStep::Tally,
            AutopilotStep::Release(_) => NextStep::Release,
            AutopilotStep::EndRound => NextStep::EndRound,
        },
        remaining_ms: u32::try_from(ms).unwrap_or(u32::MAX),
        running: !state.is_autopilot_held(),
    }))
}

/// `question_closed`.
pub fn question_closed(question: QuestionId) -> Bytes {
    frame::text(&ToAll::QuestionClosed(QuestionClosed { question_id: question.uuid() }))
}

pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
