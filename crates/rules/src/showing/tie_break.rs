//! Tie-breaks: a question outside the rounds for players with equal scores. The player whose answer is nearest to the right one
//! is placed first among them. A tie-break earns no points.
//!
//! Changed by `apply`; read by `decide`, the board, the engine and the results. Decides nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::PlayerId;
use crate::State;

/// The place of a player who was not asked: after the players who were.
pub(crate) const NOT_ASKED: u32 = u32::MAX;

/// A tie-break. `Debug` does not show the answers.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct TieBreak {
    /// The round after which it is held, from 0.
    pub round: usize,
    /// The text of the question.
    pub text: String,
    /// The right answer.
    pub answer: i64,
    /// The players who are asked, removed players included.
    pub players: Vec<PlayerId>,
    /// The last answer of each player.
    pub answers: BTreeMap<PlayerId, i64>,
    /// The place of each player, from 1, once the tie-break is over; players with equal distances share a place.
    pub places: Option<Vec<(PlayerId, u32)>>,
}

impl TieBreak {
    /// The distance of a player's answer from the right one; the largest possible distance without an answer.
    fn off(&self, player: PlayerId) -> u64 {
        self.answers.get(&player).map_or(u64::MAX, |given| given.abs_diff(self.answer))
    }
}

impl std::fmt::Debug for TieBreak {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "TieBreak({} players)", self.players.len())
    }
}

impl State {
    /// The tie-breaks of the game, in order; the last can be open.
    pub fn tie_breaks(&self) -> &[TieBreak] {
        &self.tie_breaks
    }

    /// The tie-break that takes answers.
    pub fn open_tie_break(&self) -> Option<&TieBreak> {
        self.tie_breaks.last().filter(|last| last.places.is_none())
    }

    /// The current places of the players of the open tie-break. Players without an answer come last; removed players are left
    /// out.
    pub(crate) fn tie_order(&self) -> Option<Vec<(PlayerId, u32)>> {
        let open = self.open_tie_break()?;
        let there: Vec<_> = open.players.iter().copied().filter(|player| self.player(*player).is_some()).collect();
        let place = |player: PlayerId| 1 + there.iter().filter(|other| open.off(**other) < open.off(player)).count();
        Some(there.iter().map(|player| (*player, u32::try_from(place(*player)).unwrap_or(u32::MAX))).collect())
    }

    pub(crate) fn start_tie_break(&mut self, players: &[PlayerId], text: &str, answer: i64) {
        self.drop_tie_break();
        let (text, players, round) = (text.to_owned(), players.to_owned(), self.round());
        self.tie_breaks.push(TieBreak { round, text, answer, players, answers: BTreeMap::new(), places: None });
    }

    pub(crate) fn answer_tie_break(&mut self, player: PlayerId, answer: i64) {
        if let Some(open) = self.tie_breaks.last_mut().filter(|last| last.places.is_none()) {
            open.answers.insert(player, answer);
        }
    }

    pub(crate) fn drop_tie_break(&mut self) {
        if self.open_tie_break().is_some() {
            self.tie_breaks.pop();
        }
    }

    pub(crate) fn end_tie_break(&mut self, places: &[(PlayerId, u32)]) {
        let Some(open) = self.tie_breaks.last_mut().filter(|last| last.places.is_none()) else { return };
        open.places = Some(places.to_vec());
        let round = self.round();
        let before = self.tie_breaks.iter().filter(|one| one.round == round).count() - 1;
        for (player, place) in places {
            if let Some(slot) = self.roster.find(*player) {
                let ties = &mut self.roster.player_mut(slot).ties;
                ties.resize(before, NOT_ASKED);
                ties.push(*place);
            }
        }
        self.board = Arc::new(self.board.reordered(&self.roster));
    }
}
