//! Extra time: players who have a longer share of every timer, so that a timer ends for some players before it ends for all.
//!
//! A timer of 30 s is over after 45 s for a player with 150 percent. The distinct
//! percents of the players are its stages, in order; the last one closes it.

use serde::{Deserialize, Serialize};

use crate::base::{NOMINAL, PlayerSlot, Roster};

/// The percent of each player whose percent differs from [`NOMINAL`].
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExtraTime(Vec<(PlayerSlot, u16)>);

impl ExtraTime {
    pub fn is_unused(&self) -> bool {
        self.0.is_empty()
    }

    pub fn of(&self, slot: PlayerSlot) -> u16 {
        self.0.iter().find(|(of, _)| *of == slot).map_or(NOMINAL, |(_, percent)| *percent)
    }

    pub fn set(&mut self, slot: PlayerSlot, percent: u16) {
        self.0.retain(|(of, _)| *of != slot);
        if percent != NOMINAL {
            self.0.push((slot, percent));
        }
    }

    /// [`NOMINAL`] and the distinct percents of the players who have not left, in ascending order.
    pub fn stages(&self, roster: &Roster) -> Vec<u16> {
        let counts = |(slot, _): &&(PlayerSlot, u16)| roster.player(*slot).present;
        let extra = self.0.iter().filter(counts).map(|(_, percent)| *percent);
        let mut stages: Vec<u16> = extra.chain([NOMINAL]).collect();
        stages.sort_unstable();
        stages.dedup();
        stages
    }
}
