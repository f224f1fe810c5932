//! State → what the wire shows of tie-breaks: to sockets of the extension, on screens, and in results.

use bytes::Bytes;
use quizhall_protocol::to_all::{TieBreakPlayer, TieBreakStatus};
use quizhall_protocol::to_player::TieBreakAnswer;
use quizhall_protocol::{ToPlayer, frame};
use quizhall_rules::{Phase, PlayerId, State, TieBreak};

use crate::ids::Participant;

/// Those behind this round: the scores of the next one make an order of their own.
pub fn tie_breaks(state: &State) -> impl Iterator<Item = &TieBreak> {
    state.tie_breaks().iter().filter(|tie_break| tie_break.round == state.round())
}

/// A tie-break without removed players.
pub fn tie_break_status(state: &State, tie_break: &TieBreak) -> TieBreakStatus {
    let TieBreak { text, answer, players, answers, places, .. } = tie_break;
    let is_over = places.is_some();
    let place = |id| places.iter().flatten().find(|(player, _)| *player == id).map(|(_, place)| *place);
    let there = players.iter().filter_map(|player| state.player(*player));
    let mut players: Vec<_> = there
        .map(|player| TieBreakPlayer {
            player_id: player.id.uuid(),
            display_name: player.display_name.as_str().to_owned(),
            answered: answers.contains_key(&player.id),
            number: answers.get(&player.id).copied().filter(|_| is_over),
            place: place(player.id),
        })
        .collect();
    players.sort_by_key(|player| player.place);
    TieBreakStatus { text: text.clone(), number: is_over.then_some(*answer), players }
}

/// `tie_break_answer` of a player; nothing behind the end of the game.
pub fn tie_break_answer(state: &State, player: PlayerId) -> Option<Bytes> {
    state.player(player).filter(|_| state.phase() != Phase::Ended)?;
    let number = answer_of(state, player);
    Some(frame::text(&ToPlayer::TieBreakAnswer(TieBreakAnswer { number })))
}

/// The same where there is an answer, and it is not that of an earlier state.
pub fn newly_answered(before: Option<&State>, state: &State, participant: Participant) -> Option<Bytes> {
    let player = participant.player()?;
    let answer = answer_of(state, player)?;
    let is_new = before.and_then(|before| answer_of(before, player)) != Some(answer);
    is_new.then(|| tie_break_answer(state, player)).flatten()
}

fn answer_of(state: &State, player: PlayerId) -> Option<i64> {
    state.open_tie_break()?.answers.get(&player).copied()
}
