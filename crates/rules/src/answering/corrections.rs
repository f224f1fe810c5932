//! Marks that the host corrects when the scores of their round are out. The scores are computed again from all marks, as if they had been set
//! so in the review, and the board with them.
//!
//! Changed by `apply`, read by `decide` and the engine. A correction cannot be undone; the host can correct the mark again.

use std::collections::BTreeSet;

use quizhall_quiz::QuestionId;

use crate::base::{Game, HostMark, PlayerId, PlayerSlot, Refusal, Sheet, Worth};

impl Game {
    /// The players whose answers have a text that `is_named` and do not yet count as given, in order of arrival. None where the
    /// scores of the question's round are not out, the question was not released, or its answers are not marked.
    pub(crate) fn correctable(
        &self,
        question: QuestionId,
        is_named: impl Fn(&str) -> bool,
        worth: Worth,
    ) -> Option<Vec<PlayerId>> {
        let sheet = self.scored_sheet(question)?;
        let named = sheet.answers().filter(|answer| !answer.counts_as(worth) && is_named(&answer.text));
        let players = named.map(|answer| self.roster.player(answer.slot)).filter(|player| !player.removed);
        Some(players.map(|player| player.id).collect())
    }

    /// The same by players. A missing answer counts as wrong.
    pub(crate) fn creditable(
        &self,
        question: QuestionId,
        named: &[PlayerId],
        worth: Worth,
    ) -> Result<Vec<PlayerId>, Refusal> {
        let sheet = self.scored_sheet(question).ok_or(Refusal::UnknownQuestion)?;
        let slots: Option<BTreeSet<_>> = named.iter().map(|player| self.roster.find_player(*player)).collect();
        let is_otherwise =
            |slot: &PlayerSlot| sheet.answer(*slot).map_or(worth != Worth::WRONG, |answer| !answer.counts_as(worth));
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
}
