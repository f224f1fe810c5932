//! Jokers: each player can double the points of one round before its first question is released.
//!
//! Changed by `apply`; read by `decide`, by the engine and wherever points are counted. Decides nothing.

use crate::base::{Game, Phase, Player, PlayerId};

impl Game {
    /// The round, from 0, for which a joker can be played now.
    pub fn joker_round(&self) -> Option<u32> {
        let round = match self.phase() {
            Phase::Lobby => 0,
            Phase::Question if self.released().next().is_none() => self.round(),
            Phase::Leaderboard => self.round() + 1,
            _ => return None,
        };
        self.quiz().rounds.get(round).filter(|round| round.joker)?;
        u32::try_from(round).ok()
    }

    /// In the lobby, when the first round offers no joker any more, players get theirs back.
    pub(crate) fn take_back_jokers(&mut self) {
        if self.joker_round().is_none() {
            self.roster.all_mut().for_each(|player| player.joker = None);
        }
    }

    /// A second joker of a player is ignored.
    pub(crate) fn play_joker(&mut self, player: PlayerId, round: u32) {
        if let Some(slot) = self.roster.find_player(player) {
            self.roster.player_mut(slot).joker.get_or_insert(round);
        }
    }
}

impl Player {
    /// Whether the player's joker doubles the points of a round (from 0).
    pub fn doubles(&self, round: usize) -> bool {
        self.joker.is_some_and(|doubled| usize::try_from(doubled) == Ok(round))
    }
}
