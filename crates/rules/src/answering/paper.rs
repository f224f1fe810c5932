//! Players on paper: seats without a phone, whose answers the host enters.
//!
//! Made by `apply`, asked by `decide`, by the engine and by the server. Such a player is one like the others on boards and in reviews, but
//! is never connected, so nothing waits for the player. With a seat code a phone takes the seat, and the player is on paper no more.

use std::sync::Arc;

use crate::base::sheet::Answer;
use crate::{Mark, PlayerId, QuestionId};
use crate::{ReviewEntry, State};

impl State {
    /// Each answer of the current round that the host entered for a player who is on paper, in order of release and arrival.
    pub fn entered_answers(&self) -> impl Iterator<Item = ReviewEntry<'_>> {
        self.review().filter(|entry| entry.player.on_paper && !entry.answer.text.is_empty())
    }

    /// The id of the next player on paper: no player of the game has it, because each seat is counted once.
    pub(crate) fn next_on_paper(&self) -> PlayerId {
        PlayerId::on_paper(self.game(), self.roster.all().len())
    }

    /// Marked as an answer of a phone is, and in a review among those that may be the nearest. It earns nothing for speed.
    pub(crate) fn enter_answer(&mut self, player: PlayerId, question: QuestionId, text: &Arc<str>, mark: Mark) {
        let mark = self.key_mark(question, text, mark);
        self.answer(player, question, |slot| Answer::new(slot, Arc::clone(text), mark));
        if let Some(slot) = self.roster.find_player(player) {
            self.markings.forget_answer(question, slot);
        }
        self.mark_nearest();
    }
}
