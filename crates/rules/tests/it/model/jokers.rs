//! Jokers in the model: when one can be played, and what it is worth.

use super::Model;

impl Model {
    /// The round of the next question to come, if it can be doubled.
    pub fn joker_round(&self) -> Option<u8> {
        let next = match self.phase {
            "lobby" => 0,
            "question" if !self.released.iter().any(|question| self.in_round(*question)) => self.round,
            "leaderboard" => self.round + 1,
            _ => return None,
        };
        (self.jokers && next < self.rounds).then_some(next)
    }

    pub(super) fn play_joker(&mut self, id: u8) -> Result<bool, &'static str> {
        let known = self.there(id).ok_or("UnknownPlayer")?;
        if known.joker.is_some() || self.joker_round().is_none() {
            return Ok(false);
        }
        self.player(id).joker = self.joker_round();
        Ok(true)
    }

    /// The factor of the player's points in a round.
    pub(super) fn times(&self, id: u8, round: u8) -> i64 {
        let doubles = self.there(id).is_some_and(|player| player.joker == Some(round));
        if doubles { 2 } else { 1 }
    }
}
