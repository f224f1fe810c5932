//! Scores: the points of a round from its marks, the sum of the rounds whose scores are out, and the board.

use std::sync::Arc;

use quizhall_quiz::Question;

use crate::base::{Board, Game, Sheet};
use crate::showing::streaks::{Streak, numbered};

impl Game {
    /// Adds the points of the current round to the scores, once, and ranks the players; whether it was done now.
    pub(crate) fn score_round(&mut self) -> bool {
        let round = self.round();
        if self.rounds.get(round).is_none_or(|played| played.scored) {
            return false;
        }
        let earned = self.earned_in(round);
        for (player, earned) in self.roster.all_mut().zip(earned) {
            player.round_score = earned;
            player.score += earned;
            player.ties.clear();
        }
        self.rounds[round].scored = true;
        self.rank();
        true
    }

    /// Calculates the scores of all rounds that are out from the current marks.
    pub(crate) fn score_anew(&mut self) {
        let scored = (0..self.rounds.len()).filter(|round| self.is_scored(*round));
        let earned: Vec<Vec<i64>> = scored.map(|round| self.earned_in(round)).collect();
        for (slot, player) in self.roster.all_mut().enumerate() {
            let points = || earned.iter().filter_map(|round| round.get(slot));
            (player.score, player.round_score) = (points().sum(), points().next_back().copied().unwrap_or_default());
        }
        self.rank();
    }

    /// Builds the board from the present scores.
    pub(crate) fn rank(&mut self) {
        self.board = Arc::new(Board::of(&self.roster));
    }

    /// The points of a round by slot.
    pub(crate) fn earned_in(&self, round: usize) -> Vec<i64> {
        let mut earned: Vec<_> = self.roster.all().map(|player| (0, Streak::of(player, self.quiz(), round))).collect();
        for (number, question, sheet) in self.numbered_sheets_of(round) {
            for answer in sheet.answers() {
                let (points, streak) = &mut earned[answer.slot as usize];
                *points += i64::from(streak.earn(number, question, answer).points);
            }
        }
        earned.into_iter().map(|(points, _)| points).collect()
    }

    /// The released questions of a round with their answers and with the numbers by which streaks are counted. A withdrawn
    /// question has no number.
    pub(crate) fn numbered_sheets_of(&self, round: usize) -> impl Iterator<Item = (Option<u32>, &Question, &Sheet)> {
        numbered(self.quiz().rounds.get(round), self.sheets_of(round))
    }
}
