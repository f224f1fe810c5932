//! Rounds with released scores, in the model: corrected marks, and appeals of players.

use super::{Given, Model};

impl Model {
    /// Whether its scores are released.
    pub(super) fn is_scored(&self, question: u8) -> bool {
        self.released.contains(&question) && (question - 1) / self.per_round < self.rounds_scored
    }

    pub(super) fn correct_marks(
        &mut self,
        question: u8,
        texts: &[&str],
        mark: (bool, bool),
    ) -> Result<bool, &'static str> {
        if !self.is_scored(question) {
            return Err("UnknownQuestion");
        }
        let named = |given: &&Given| given.question == question && texts.contains(&given.text.as_str());
        let players: Vec<u8> = self.given.iter().filter(named).map(|given| given.player).collect();
        Ok(self.credit_all(question, &players, mark))
    }

    pub(super) fn credit(&mut self, question: u8, players: &[u8], mark: (bool, bool)) -> Result<bool, &'static str> {
        if !self.is_scored(question) {
            return Err("UnknownQuestion");
        }
        if !players.iter().all(|player| self.there(*player).is_some()) {
            return Err("UnknownPlayer");
        }
        let mut players = players.to_vec();
        players.sort_by_key(|id| self.all_players.iter().position(|player| player.id == *id));
        Ok(self.credit_all(question, &players, mark))
    }

    /// Computes the board again. A right answer earns no half.
    fn credit_all(&mut self, question: u8, players: &[u8], (correct, half): (bool, bool)) -> bool {
        let half = half && !correct;
        let mut something = false;
        for player in players {
            let halves = self.halves;
            match self.given.iter_mut().find(|given| (given.player, given.question) == (*player, question)) {
                Some(given) if (given.counts(), given.halved(halves)) == (correct, half) => continue,
                None if !correct && !half => continue,
                Some(given) => (given.ruled, given.half) = (Some(correct), half),
                None => self.given.push(Given::nothing(*player, question, (correct, half))),
            }
            something = true;
        }
        if something {
            self.lines = self.standing();
        }
        something
    }

    fn is_right(&self, player: u8, question: u8) -> bool {
        self.given.iter().any(|given| (given.player, given.question) == (player, question) && given.counts())
    }

    /// At most one appeal about each question and three about a round.
    pub(super) fn appeal(&mut self, player: u8, question: u8) -> Result<bool, &'static str> {
        if self.there(player).is_none() {
            return Err("UnknownPlayer");
        }
        if !self.is_scored(question) {
            return Err("UnknownQuestion");
        }
        let round = |question: u8| (question - 1) / self.per_round;
        let own = || self.appeals.iter().filter(|appeal| appeal.0 == player);
        if self.withdrawn.contains(&question) {
            return Ok(false);
        }
        let is_spent = own().filter(|appeal| round(appeal.1) == round(question)).count() >= 3;
        if is_spent || own().any(|appeal| appeal.1 == question) || self.is_right(player, question) {
            return Ok(false);
        }
        self.appeals.push((player, question, false));
        Ok(true)
    }

    pub(super) fn dismiss(&mut self, player: u8, question: u8) -> Result<bool, &'static str> {
        if !self.is_scored(question) {
            return Err("UnknownQuestion");
        }
        if self.there(player).is_none() {
            return Err("UnknownPlayer");
        }
        let is_right = self.is_right(player, question);
        let open = self.appeals.iter_mut().find(|appeal| **appeal == (player, question, false));
        Ok(open.filter(|_| !is_right).map(|appeal| appeal.2 = true).is_some())
    }

    /// The appeals that the host has not decided.
    pub fn open_appeals(&self) -> impl Iterator<Item = (u8, u8)> {
        let is_open = |appeal: &&(u8, u8, bool)| {
            self.there(appeal.0).is_some() && !appeal.2 && !self.is_right(appeal.0, appeal.1)
        };
        self.appeals.iter().filter(is_open).map(|appeal| (appeal.0, appeal.1))
    }

    /// One of them, by a number.
    pub fn open_appeal(&self, at: usize) -> Option<(u8, u8)> {
        self.open_appeals().nth(at % self.open_appeals().count().max(1))
    }

    /// A player's appeals: the question, whether it was accepted, and whether it was dismissed.
    pub fn appeals_of(&self, player: u8) -> Vec<(u8, bool, bool)> {
        let own = self.appeals.iter().filter(|appeal| appeal.0 == player && self.there(player).is_some());
        own.map(|appeal| (appeal.1, self.is_right(player, appeal.1), appeal.2)).collect()
    }
}
