//! Which bots are the phones of which player, and whose turn it is to answer. A player who is no team has one phone.
//!
//! Numbers only: bots are counted over all players, the phones of a team one behind the other.

use std::ops::Range;

use quizhall_protocol::http::games::Teams;
use rand::{Rng, RngExt as _};

/// How many play, and on how many phones each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seating {
    players: usize,
    phones: u8,
}

/// When a phone of a team writes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// With the first answer of the team.
    First,
    /// After the first phone, replacing its answer.
    Behind,
}

impl Seating {
    /// Players with one phone each, or teams with `phones` each.
    pub fn of(players: usize, phones: Option<u8>) -> Self {
        Self { players, phones: phones.unwrap_or(1) }
    }

    /// Whether the players are teams.
    pub fn has_teams(self) -> bool {
        self.phones > 1
    }

    /// Players, or teams.
    pub fn players(self) -> usize {
        self.players
    }

    /// The option of the game.
    pub fn option(self) -> Option<Teams> {
        self.has_teams().then_some(Teams { devices: self.phones, captain_only: false })
    }

    /// Phones of a player.
    pub fn phones(self) -> usize {
        self.phones.into()
    }

    /// All phones.
    pub fn bots(self) -> usize {
        self.players * self.phones()
    }

    /// The player whose phone this is.
    pub fn player_of(self, bot: usize) -> usize {
        bot / self.phones()
    }

    /// Whether this phone makes the team.
    pub fn is_first(self, bot: usize) -> bool {
        bot.is_multiple_of(self.phones())
    }

    /// The phones of a player.
    pub fn bots_of(self, player: usize) -> Range<usize> {
        player * self.phones()..(player + 1) * self.phones()
    }

    /// Whether this phone answers the question at this place of its round. The phones of a team take turns; sometimes the next one
    /// answers at the same moment, and sometimes after the first. All phones of a team must draw from the same
    /// `chance`.
    pub fn turn(self, bot: usize, place: usize, chance: &mut impl Rng) -> Option<Turn> {
        let behind_writer = (bot + self.phones() - place % self.phones()) % self.phones();
        let second = match chance.random_range(0..10) {
            0..2 => Some(Turn::First),
            2..5 => Some(Turn::Behind),
            _ => None,
        };
        match behind_writer {
            0 => Some(Turn::First),
            1 => second,
            _ => None,
        }
    }
}
