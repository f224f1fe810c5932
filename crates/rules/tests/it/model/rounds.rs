//! Between two rounds of the model: revealed answers, and breaks.

use super::Model;
use crate::side_by_side::What;

impl Model {
    /// Whether this is allowed between two rounds, and in the lobby only if `in_lobby`.
    pub(super) fn is_between(&self, in_lobby: bool) -> bool {
        let phases =
            if in_lobby { &["lobby", "round_review", "leaderboard"][..] } else { &["round_review", "leaderboard"] };
        phases.contains(&self.phase)
    }

    pub(super) fn between(&mut self, what: What) -> Result<bool, &'static str> {
        match what {
            What::Reveal(question) => return self.reveal(question),
            What::Break(ms) => self.pause = Some(ms),
            What::EndBreak => return Ok(self.pause.take().is_some()),
            _ => {
                self.pause = self.pause.filter(|_| !self.standings_held);
                return Ok(std::mem::take(&mut self.standings_held));
            }
        }
        Ok(true)
    }

    fn reveal(&mut self, question: u8) -> Result<bool, &'static str> {
        if !self.is_open(question) {
            return Err("UnknownQuestion");
        }
        let is_new = !self.revealed.contains(&question);
        if is_new {
            self.revealed.push(question);
        }
        Ok(is_new)
    }

    /// The host takes the next step of the game.
    pub(super) fn goes_on(&mut self) {
        self.pause = None;
        if matches!(self.phase, "question" | "ended") {
            self.revealed.clear();
        }
    }
}
