//! Scores: the points of a round from its marks and from what the host gave by hand, the sum of the rounds whose scores are out, and the board.

use std::sync::Arc;

use crate::base::{Board, Game};
use crate::showing::streaks::{Numbered, Streak, numbered};

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
        let mut sums = vec![(0, 0); self.roster.all().len()];
        let mut streaks = Vec::new();
        for round in (0..self.rounds.len()).filter(|round| self.is_scored(*round)) {
            if self.streaks_begin(round) == round {
                streaks = self.new_streaks(round);
            }
            let earned = earn(self.numbered_sheets_of(round), &mut streaks);
            for ((sum, last), earned) in sums.iter_mut().zip(self.with_adjustments(round, earned)) {
                (*sum, *last) = (*sum + earned, earned);
            }
        }
        for (player, sums) in self.roster.all_mut().zip(sums) {
            (player.score, player.round_score) = sums;
        }
        self.rank();
    }

    /// Builds the board from the present scores.
    pub(crate) fn rank(&mut self) {
        self.board = Arc::new(Board::of(&self.roster));
    }

    /// The points of a round by slot.
    pub(crate) fn earned_in(&self, round: usize) -> Vec<i64> {
        let mut streaks = self.new_streaks(round);
        earn(self.numbered_up_to(round).filter(|asked| asked.round < round), &mut streaks);
        self.with_adjustments(round, earn(self.numbered_sheets_of(round), &mut streaks))
    }

    /// The points of a round by slot, with those that the host gave by hand.
    fn with_adjustments(&self, round: usize, mut earned: Vec<i64>) -> Vec<i64> {
        if self.was_adjusted() {
            for (earned, player) in earned.iter_mut().zip(self.roster.all()) {
                *earned += player.adjusted_in(round);
            }
        }
        earned
    }

    /// The streaks of all players where they begin, by slot.
    pub(crate) fn new_streaks(&self, round: usize) -> Vec<Streak> {
        self.roster.all().map(|player| Streak::of(player, self.quiz(), round)).collect()
    }

    /// The round with which the streaks of a round begin: the round itself, or the first of its section.
    pub(crate) fn streaks_begin(&self, round: usize) -> usize {
        self.section(round).map_or(round, |section| round - section.question_index)
    }

    /// The released questions of a round with their answers and numbers.
    pub(crate) fn numbered_sheets_of(&self, round: usize) -> impl Iterator<Item = Numbered<'_>> {
        self.numbered_up_to(round).filter(move |asked| asked.round == round)
    }

    /// The same, after those of the earlier rounds whose streaks continue in this one.
    pub(crate) fn numbered_up_to(&self, round: usize) -> impl Iterator<Item = Numbered<'_>> {
        let streaks = self.quiz().rounds.get(round).is_some_and(|played| played.streaks);
        let begin = if streaks { self.streaks_begin(round) } else { round };
        let of_round = |round| self.sheets_of(round).map(move |(question, sheet)| (round, question, sheet));
        numbered(streaks, (begin..=round).flat_map(of_round))
    }
}

/// What these questions earn, by slot. Continues the streaks of the players.
fn earn<'a>(asked: impl Iterator<Item = Numbered<'a>>, streaks: &mut [Streak]) -> Vec<i64> {
    let mut earned = vec![0; streaks.len()];
    for Numbered { number, question, sheet, .. } in asked {
        for answer in sheet.answers() {
            let slot = answer.slot as usize;
            earned[slot] += i64::from(streaks[slot].earn(number, question, answer).points);
        }
    }
    earned
}
