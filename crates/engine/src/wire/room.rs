//! State → messages about players, for hosts: the room, and the players who have answered.

use std::collections::BTreeSet;

use bytes::Bytes;
use quizhall_protocol::to_host::{PlayerStatus, PlayersAnswered, RoomPlayer, RoomUpdate};
use quizhall_protocol::{ToHost, frame};
use quizhall_rules::{Player, PlayerId, QuestionId, State};

use super::count;
use super::outgoing::WHOLE_LOBBY;

/// Whether the host is shown every player, or only how many there are.
pub(crate) fn is_room_listed(state: &State) -> bool {
    state.player_count() <= WHOLE_LOBBY
}

/// `room_update`, whole; only the numbers of a huge game, which void what was listed before.
pub fn room(state: &State) -> RoomUpdate {
    let listed = state.players().filter(|player| player.present && is_room_listed(state));
    room_update(state, true, listed.map(|player| room_player(state, player)).collect())
}

/// `room_update` of these players, as they are now.
pub fn room_changes(state: &State, changed: &BTreeSet<PlayerId>) -> RoomUpdate {
    room_of(state, state.all_players().filter(|player| !changed.is_empty() && changed.contains(&player.id)))
}

/// The same of players who are at hand.
pub fn room_of<'a>(state: &State, players: impl Iterator<Item = &'a Player>) -> RoomUpdate {
    room_update(state, false, players.map(|player| room_player(state, player)).collect())
}

fn room_update(state: &State, whole: bool, players: Vec<RoomPlayer>) -> RoomUpdate {
    RoomUpdate {
        whole,
        players,
        total: count(state.player_count()),
        connected: count(state.connected_count()),
        locked: state.is_locked(),
    }
}

/// The frame of a `room_update`.
pub fn room_frame(update: RoomUpdate) -> Bytes {
    frame::text(&ToHost::RoomUpdate(update))
}

fn room_player(state: &State, player: &Player) -> RoomPlayer {
    let status = match (player.is_removed() || !player.present, player.connected) {
        (true, _) => PlayerStatus::Gone,
        (false, true) => PlayerStatus::Connected,
        (false, false) => PlayerStatus::Disconnected,
    };
    let is_listed = status != PlayerStatus::Gone;
    let percent = u32::from(state.time_percent_of(player.id));
    RoomPlayer {
        id: player.id.uuid(),
        display_name: player.display_name.as_str().to_owned(),
        status,
        extra_time: Some(percent).filter(|percent| *percent > 100 && is_listed),
        joker: player.joker.map(|round| round + 1).filter(|_| is_listed),
        devices: if is_listed { super::teams::devices_with_moves(state, player) } else { Vec::new() },
        on_paper: player.on_paper && is_listed,
        moves: if is_listed { state.moves_of(player.id) } else { 0 },
    }
}

/// `players_answered` for each question of the round that has an answer; nothing in a huge game.
pub fn all_answered(state: &State) -> Vec<Bytes> {
    newly_answered(state, |_, _| false)
}

/// The same without players for whom it `was_sent`.
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
