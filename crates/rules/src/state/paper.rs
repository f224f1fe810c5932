//! Players on paper: seats without a phone, whose answers the host enters.
//!
//! Made by `apply`, asked by `decide`, by the engine and by the server. Such a player is one like the others on boards and in reviews, but
//! is never connected, so nothing waits for the player. With a seat code a phone takes the seat, and the player is on paper no more.

use std::sync::Arc;

use super::roster::Player;
use super::sheet::{Answer, KeyMark};
use super::{ReviewEntry, State};
use crate::{Change, PlayerId};

impl State {
    /// Each answer of the current round that the host entered for a player who is on paper, in order of release and arrival.
    pub fn entered_answers(&self) -> impl Iterator<Item = ReviewEntry<'_>> {
        self.review().filter(|entry| entry.player.on_paper && !entry.answer.text.is_empty())
    }

    /// The id of the next player on paper: no player of the game has it, because each seat is counted once.
    pub(crate) fn next_on_paper(&self) -> PlayerId {
        PlayerId::on_paper(self.game(), self.roster.all().len())
    }

    /// Carries out what happened to a player on paper.
    pub(super) fn apply_on_paper(&mut self, change: &Change) {
        match change {
            Change::SeatAdded { player, display_name } => {
                self.roster.add(Player::seated(*player, display_name.clone()));
            }
            Change::AnswerEntered { .. } => self.enter_answer(change),
            _ => {}
        }
    }

    /// Marked as an answer of a phone is, and in a review among those that may be the nearest. It earns nothing for speed.
    fn enter_answer(&mut self, change: &Change) {
        let Change::AnswerEntered { player, question, answer, correct, near_miss, partial } = change else { return };
        let ruled = self.ruling_of(*question, answer);
        let mark = KeyMark { correct: *correct, near_miss: *near_miss, partial: *partial, ruled };
        self.answer(*player, *question, |slot| Answer::new(slot, Arc::clone(answer), mark));
        if let Some(slot) = self.roster.find_player(*player) {
            self.markings.forget_answer(*question, slot);
        }
        self.mark_nearest();
    }
}
