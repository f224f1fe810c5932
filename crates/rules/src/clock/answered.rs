//! Whom an open question waits for, and that it closes soon once it waits for no one: in games with that option.
//!
//! Called by `apply` after each event that can change it. Players who are away or on paper are not waited for.

use quizhall_quiz::QuestionId;

use crate::base::{Game, Moment, Phase, Player, PlayerSlot};
use crate::clock::game_clock::Clock;

impl Clock {
    /// How many players who are here have not answered a question that takes their answers. It looks at no player unless the time
    /// is over for some of them.
    pub fn waits_for(&self, game: &Game, question: QuestionId) -> usize {
        let sheet = game.sheet(question).filter(|sheet| game.phase == Phase::Question && !sheet.closed);
        let Some(sheet) = sheet else { return 0 };
        if !self.timers.is_any_over() {
            return game.connected_count().saturating_sub(sheet.answers_of_connected());
        }
        let thinks = |(slot, player): &(PlayerSlot, &Player)| {
            player.connected && sheet.answer(*slot).is_none() && self.is_open_for(game, question, player.id)
        };
        (0..).zip(game.roster.all()).filter(thinks).count()
    }

    /// Closes soon the open questions that wait for no one, and keeps the others open. `answered`: nothing but the answers to this
    /// question has changed.
    pub fn close_answered(&mut self, game: &Game, answered: Option<QuestionId>, at: Moment) {
        let Some(question) = answered else {
            return game.released().for_each(|asked| self.close_if_answered(game, asked.id, at));
        };
        self.close_if_answered(game, question, at);
    }

    fn close_if_answered(&mut self, game: &Game, question: QuestionId, at: Moment) {
        if !game.is_open(question) || game.phase != Phase::Question {
            return;
        }
        if self.waits_for(game, question) > 0 {
            self.timers.closings.keep_open(Some(question));
        } else if game.connected_count() > 0 {
            self.timers.close_soon(question, false, at);
        }
    }
}
