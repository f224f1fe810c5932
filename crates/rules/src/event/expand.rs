//! What a bundle of answers means: an event for each row.

use super::bundle::{Bundle, MarkedText};
use super::change::Change;
use super::entry::Event;
use crate::base::{Device, Game};

impl Bundle {
    /// The events that it stands for. Rows that name no text or no player stand for none.
    pub fn expand(&self, game: &Game) -> impl Iterator<Item = Event> {
        self.rows.0.iter().filter_map(|row| {
            let MarkedText { text, correct, near_miss, partial } = self.text_of(row)?.clone();
            let change = Change::Answered {
                player: game.roster.at(row.slot)?.id,
                device: Device::FIRST,
                question: self.question,
                answer: text,
                correct,
                near_miss,
                partial,
                elapsed: row.sent.elapsed,
            };
            Some(Event::new(change, Some(row.sent.command_id(self.epoch))))
        })
    }
}
