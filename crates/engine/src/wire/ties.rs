//! State → the view of tie-breaks on the wire: for sockets, on screens, and in results.

use quizhall_protocol::to_all::{TieBreakPlayer, TieBreakStatus};
use quizhall_rules::{State, TieBreak};

/// The tie-breaks after this round: the scores of the next round make an order of their own.
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
