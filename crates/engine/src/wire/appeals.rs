//! State → frames about appeals: what their players and the host are sent of them. The edge decides when.

use bytes::Bytes;
use quizhall_protocol::shapes::AppealOutcome;
use quizhall_protocol::to_host::{Appealed, AppealsUpdate};
use quizhall_protocol::to_player::{AppealStatus, OwnAppeal};
use quizhall_protocol::{ToHost, ToPlayer, frame};
use quizhall_rules::{self as rules, Phase, PlayerId, QuestionId, State};

use crate::ids::Participant;

/// Appeals in a message.
const PART: usize = 1_000;

/// `appeal_status`: all appeals of a player.
pub fn appeal_status(state: &State, player: PlayerId) -> Bytes {
    let own =
        |appeal: rules::Appeal<'_>| OwnAppeal { question_id: appeal.question.uuid(), outcome: outcome(appeal.status) };
    let appeals = state.appeals_of(player).map(own).collect();
    frame::text(&ToPlayer::AppealStatus(AppealStatus { appeals }))
}

/// `appeals_update` of these players' appeals about a question, without those who have none.
pub fn appeals_about(state: &State, question: QuestionId, players: &[PlayerId]) -> Vec<Bytes> {
    let appeals = players.iter().flat_map(|player| state.appeals_of(*player));
    updates(appeals.filter(|appeal| appeal.question == question))
}

/// `appeals_update` of one player's appeal about a question, if any: the confirmation of a command, so there is one.
pub fn appeal_about(state: &State, question: QuestionId, player: PlayerId) -> Bytes {
    let appeals = state.appeals_of(player).filter(|appeal| appeal.question == question).map(appealed).collect();
    frame::text(&ToHost::AppealsUpdate(AppealsUpdate { appeals }))
}

/// What a participant is sent on connecting; nothing before the first appeal, and nothing behind the end.
pub fn sync(state: &State, participant: Participant) -> Vec<Bytes> {
    match participant.player() {
        _ if matches!(state.phase(), Phase::Lobby | Phase::Ended) => Vec::new(),
        None => updates(state.open_appeals()),
        Some(player) => state.appeals_of(player).next().map(|_| appeal_status(state, player)).into_iter().collect(),
    }
}

/// What a participant needs at a later state.
pub fn catch_up(before: &State, after: &State, participant: Participant) -> Vec<Bytes> {
    if after.phase() == Phase::Ended {
        return Vec::new();
    }
    let known = |player| before.appeals_of(player).map(|appeal| (appeal.question, appeal.status)).collect::<Vec<_>>();
    match participant.player() {
        None => updates(after.players().flat_map(|player| {
            let known = if player.has_appealed() { known(player.id) } else { Vec::new() };
            after.appeals_of(player.id).filter(move |appeal| !known.contains(&(appeal.question, appeal.status)))
        })),
        Some(player) => {
            let is_same = after.appeals_of(player).map(|appeal| (appeal.question, appeal.status)).eq(known(player));
            if is_same { Vec::new() } else { vec![appeal_status(after, player)] }
        }
    }
}

fn updates<'a>(appeals: impl Iterator<Item = rules::Appeal<'a>>) -> Vec<Bytes> {
    let appeals: Vec<_> = appeals.map(appealed).collect();
    let message = |part: &[Appealed]| frame::text(&ToHost::AppealsUpdate(AppealsUpdate { appeals: part.to_vec() }));
    appeals.chunks(PART).map(message).collect()
}

fn appealed(appeal: rules::Appeal<'_>) -> Appealed {
    Appealed {
        player_id: appeal.player.id.uuid(),
        display_name: appeal.player.display_name.as_str().to_owned(),
        question_id: appeal.question.uuid(),
        answer: appeal.answer.to_owned(),
        text: appeal.text.map(str::to_owned),
        outcome: outcome(appeal.status),
    }
}

/// What became of an appeal, as messages and results spell it.
pub fn outcome(status: rules::AppealStatus) -> AppealOutcome {
    match status {
        rules::AppealStatus::Open => AppealOutcome::Open,
        rules::AppealStatus::Accepted => AppealOutcome::Accepted,
        rules::AppealStatus::Dismissed => AppealOutcome::Dismissed,
    }
}
