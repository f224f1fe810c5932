//! Tie-breaks: a question outside the rounds for players with equal scores. The player whose answer is nearest to the right one
//! is placed first among them. A tie-break earns no points.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::base::{NOT_ASKED, PlayerId, Roster};

/// A tie-break. `Debug` does not show the answers.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct TieBreak {
    /// After which round, from 0.
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
    /// A tie-break without answers.
    pub(crate) fn new(round: usize, players: &[PlayerId], text: &str, answer: i64) -> Self {
        let (text, players) = (text.to_owned(), players.to_owned());
        Self { round, text, answer, players, answers: BTreeMap::new(), places: None }
    }

    /// The current places of its players. Players without an answer come last; removed players are left out.
    pub(crate) fn order(&self, roster: &Roster) -> Vec<(PlayerId, u32)> {
        let is_there = |player: &PlayerId| roster.find_player(*player).is_some();
        let there: Vec<_> = self.players.iter().copied().filter(is_there).collect();
        let place = |player: PlayerId| 1 + there.iter().filter(|other| self.off(**other) < self.off(player)).count();
        there.iter().map(|player| (*player, u32::try_from(place(*player)).unwrap_or(u32::MAX))).collect()
    }

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

/// The tie-breaks of a game, in order; the last can be open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct TieBreaks(Vec<TieBreak>);

impl TieBreaks {
    pub fn all(&self) -> &[TieBreak] {
        &self.0
    }

    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The tie-break that takes answers.
    pub fn open(&self) -> Option<&TieBreak> {
        self.0.last().filter(|last| last.places.is_none())
    }

    /// Begins a tie-break; an open one is dropped.
    pub fn start(&mut self, begun: TieBreak) {
        self.drop_open();
        self.0.push(begun);
    }

    pub fn answer(&mut self, player: PlayerId, answer: i64) {
        if let Some(open) = self.open_mut() {
            open.answers.insert(player, answer);
        }
    }

    pub fn drop_open(&mut self) {
        if self.open().is_some() {
            self.0.pop();
        }
    }

    /// Ends the open tie-break with these places, and stores each player's place. Returns whether there was an open one.
    pub fn end(&mut self, places: &[(PlayerId, u32)], roster: &mut Roster) -> bool {
        let Some(open) = self.open_mut() else { return false };
        open.places = Some(places.to_vec());
        let round = open.round;
        let before = self.0.iter().filter(|one| one.round == round).count() - 1;
        for (player, place) in places {
            if let Some(slot) = roster.find(*player) {
                let ties = &mut roster.player_mut(slot).ties;
                ties.resize(before, NOT_ASKED);
                ties.push(*place);
            }
        }
        true
    }

    fn open_mut(&mut self) -> Option<&mut TieBreak> {
        self.0.last_mut().filter(|last| last.places.is_none())
    }
}
