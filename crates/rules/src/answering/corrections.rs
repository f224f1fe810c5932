//! Marks that the host corrects when the scores of their round are out. All scores and the board are then calculated again, as if
//! the marks had been set during the review.
//!
//! Changed by `apply`, read by `decide` and the engine. A correction cannot be undone; the host can correct the mark again.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::State;
use crate::base::board::Board;
use crate::base::roster::PlayerSlot;
use crate::base::sheet::{HostMark, Sheet};
use crate::{PlayerId, QuestionId, Refusal};

impl State {
    /// The players whose answers have a text that `is_named` and do not yet count as given, in order of arrival. None where the
    /// scores of the question's round are not out, the question was not released, or its answers are not marked.
    pub(crate) fn correctable(
        &self,
        question: QuestionId,
        is_named: impl Fn(&str) -> bool,
        (correct, partial): (bool, u32),
    ) -> Option<Vec<PlayerId>> {
        let sheet = self.scored_sheet(question)?;
        let named = sheet.answers().filter(|answer| !answer.counts_as(correct, partial) && is_named(&answer.text));
        let players = named.map(|answer| self.roster.player(answer.slot)).filter(|player| !player.removed);
        Some(players.map(|player| player.id).collect())
    }

    /// The same for named players. A player without an answer is included, as if the answer were wrong.
    pub(crate) fn creditable(
        &self,
        question: QuestionId,
        named: &[PlayerId],
        (correct, partial): (bool, u32),
    ) -> Result<Vec<PlayerId>, Refusal> {
        let sheet = self.scored_sheet(question).ok_or(Refusal::UnknownQuestion)?;
        let slots: Option<BTreeSet<_>> = named.iter().map(|player| self.roster.find_player(*player)).collect();
        let is_otherwise = |slot: &PlayerSlot| {
            sheet.answer(*slot).map_or(correct || partial > 0, |answer| !answer.counts_as(correct, partial))
        };
        let otherwise = slots.ok_or(Refusal::UnknownPlayer)?.into_iter().filter(is_otherwise);
        Ok(otherwise.map(|slot| self.roster.player(slot).id).collect())
    }

    /// Whether a question has marks that can be corrected.
    pub(crate) fn is_scored_question(&self, question: QuestionId) -> bool {
        self.scored_sheet(question).is_some()
    }

    pub(crate) fn scored_sheet(&self, question: QuestionId) -> Option<&Sheet> {
        let place = self.frozen.place(question).filter(|place| self.is_scored(place.round))?;
        self.frozen.at(place).filter(|asked| asked.kind.is_marked())?;
        self.rounds.get(place.round)?.sheet(place.question)
    }

    pub(crate) fn correct_marks(&mut self, question: QuestionId, players: &[PlayerId], mark: HostMark) {
        let Some(place) = self.frozen.place(question).filter(|place| self.is_scored(place.round)) else { return };
        let Some(sheet) = self.rounds[place.round].sheet_mut(place.question) else { return };
        let slots: Vec<_> = players.iter().filter_map(|player| self.roster.find_player(*player)).collect();
        for slot in &slots {
            sheet.overrule(*slot, mark);
            self.roster.player_mut(*slot).answered = true;
        }
        if !slots.is_empty() {
            self.score_anew();
        }
    }

    /// Calculates the scores of all rounds that are out from the current marks.
    pub(crate) fn score_anew(&mut self) {
        let scored = (0..self.rounds.len()).filter(|round| self.is_scored(*round));
        let earned: Vec<Vec<i64>> = scored.map(|round| self.earned_in(round)).collect();
        for (slot, player) in self.roster.all_mut().enumerate() {
            let points = || earned.iter().filter_map(|round| round.get(slot));
            (player.score, player.round_score) = (points().sum(), points().next_back().copied().unwrap_or_default());
        }
        self.board = Arc::new(Board::of(&self.roster));
    }
}
