//! Points by hand in the model: an entry for each, with the round to which it belongs.

use std::ops::Range;

use super::Model;

/// Points that the host gave a player.
#[derive(Clone)]
pub struct Given {
    player: u8,
    round: u8,
    points: i32,
}

impl Model {
    pub(super) fn adjust(&mut self, player: u8, points: i32) -> Result<bool, &'static str> {
        if self.there(player).is_none() {
            return Err("UnknownPlayer");
        }
        self.adjusted.push(Some(Given { player, round: self.round, points }));
        self.count_again(self.round);
        Ok(true)
    }

    /// The points of a player who was removed can no longer be undone.
    pub(super) fn undo_adjustment(&mut self, number: u32) -> bool {
        let place = usize::try_from(number).unwrap() - 1;
        let Some(Some(given)) = self.adjusted.get(place).cloned() else { return false };
        if self.there(given.player).is_none() {
            return false;
        }
        self.adjusted[place] = None;
        self.count_again(given.round);
        true
    }

    fn count_again(&mut self, round: u8) {
        if round < self.rounds_scored {
            self.lines = self.standing();
        }
    }

    fn given_to(&self, player: u8) -> impl Iterator<Item = &Given> {
        self.adjusted.iter().flatten().filter(move |given| given.player == player)
    }

    /// How many were ever given.
    pub fn adjustments(&self) -> usize {
        self.adjusted.len()
    }

    pub(super) fn was_given_points(&self, player: u8) -> bool {
        self.given_to(player).next().is_some()
    }

    pub(super) fn by_hand(&self, player: u8, rounds: Range<u8>) -> i64 {
        self.given_to(player).filter(|given| rounds.contains(&given.round)).map(|given| i64::from(given.points)).sum()
    }

    /// What a player in the game was given in the current round.
    pub fn adjusted_in_round(&self, player: u8) -> Vec<i32> {
        let known = self.there(player).is_some();
        self.given_to(player).filter(|given| known && given.round == self.round).map(|given| given.points).collect()
    }
}
