//! Players on paper: seats without a phone, whose answers the host enters.
//!
//! Changed by `apply`, read by `decide`, by the engine and by the server. On boards and in reviews such a player is like any
//! other. The player is never connected, so nothing waits for them. A phone can take the seat with a seat code, and the player is
//! then no longer on paper.

use std::sync::Arc;

use quizhall_quiz::QuestionId;

use crate::answering::review::ReviewEntry;
use crate::base::{Answer, Game, Mark, PlayerId};

impl Game {
    /// Each answer of the current round that the host entered for a player on paper, in order of release and arrival.
    pub fn entered_answers(&self) -> impl Iterator<Item = ReviewEntry<'_>> {
        self.review().filter(|entry| entry.player.on_paper && !entry.answer.text.is_empty())
    }

    /// The id of the next player on paper. No other player of the game has it, because each seat is counted once.
    pub(crate) fn next_on_paper(&self) -> PlayerId {
        PlayerId::on_paper(self.game(), self.roster.all().len())
    }

    /// Marks the answer like one from a phone; during a review it can also be the nearest. It earns no points for speed.
    pub(crate) fn enter_answer(&mut self, player: PlayerId, question: QuestionId, text: &Arc<str>, mark: Mark) {
        let mark = self.key_mark(question, text, mark);
        self.answer(player, question, |slot| Answer::new(slot, Arc::clone(text), mark));
        self.mark_nearest();
    }
}
