//! Corrections by the host other than marks: the wording of a question, the withdrawal of a question, and the name of a player.
//!
//! Changed by `apply`, read by `decide` and the engine. A withdrawn question keeps its answers and marks, but where points are
//! counted it is treated as if it had not been asked. A withdrawal cannot be undone.

use std::sync::Arc;

use quizhall_quiz::{Question, QuestionId, UnfitEdit};
use serde::{Deserialize, Serialize};

use crate::base::{DisplayName, Game, Player, PlayerId, Refusal};

/// New words for a question. `Debug` does not show them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionEdit {
    /// The question.
    #[serde(rename = "q")]
    pub question: QuestionId,
    /// The new text; none to keep the current one.
    #[serde(rename = "tx", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The new choices, in their order; none to keep the current ones.
    #[serde(rename = "ch", default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// The new accepted answers; none to keep the current ones.
    #[serde(rename = "as", default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Vec<String>>,
}

impl std::fmt::Debug for QuestionEdit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "QuestionEdit({})", self.question)
    }
}

impl QuestionEdit {
    /// The question with these words.
    fn of(&self, asked: &Question) -> Result<Question, UnfitEdit> {
        asked.edited(self.text.as_deref(), self.choices.as_deref(), self.accepted.as_deref())
    }
}

impl Game {
    /// Whether a question was released, in any round.
    pub fn was_released(&self, question: QuestionId) -> bool {
        self.sheet_of_any_round(question).is_some()
    }

    /// Whether the text of a question was edited after its release, in any round.
    pub fn is_corrected(&self, question: QuestionId) -> bool {
        self.sheet_of_any_round(question).is_some_and(|sheet| sheet.corrected)
    }

    /// Whether a question was withdrawn, in any round.
    pub fn is_withdrawn(&self, question: QuestionId) -> bool {
        self.sheet_of_any_round(question).is_some_and(|sheet| sheet.withdrawn)
    }

    /// Whether the scores of a question's round are out.
    pub fn is_of_scored_round(&self, question: QuestionId) -> bool {
        self.frozen.place(question).is_some_and(|place| self.is_scored(place.round))
    }

    /// The players (not removed) whom the host gave another name.
    pub fn renamed_players(&self) -> impl Iterator<Item = &Player> {
        self.roster.renamed()
    }

    /// The part of an edit that changes something; none when nothing changes.
    pub(crate) fn new_words(&self, edit: &QuestionEdit) -> Result<Option<QuestionEdit>, Refusal> {
        let QuestionEdit { question, text, choices, accepted } = edit;
        let asked = self.question(*question).ok_or(Refusal::UnknownQuestion)?;
        if text.is_none() && choices.is_none() && accepted.is_none() {
            return Err(Refusal::UnfitText);
        }
        let text = text.clone().filter(|text| *text != asked.text);
        let choices = choices.clone().filter(|choices| *choices != asked.choices);
        let accepted = accepted.clone().filter(|accepted| choices.is_some() || *accepted != asked.accepted);
        let edit = QuestionEdit { question: *question, text, choices, accepted };
        let was_released = self.was_released(*question);
        if edit.choices.is_some() && was_released {
            return Err(Refusal::UnfitChoices);
        }
        if edit.accepted.is_some() && was_released {
            return Err(Refusal::UnfitAccepted);
        }
        edit.of(asked).map_err(|unfit| match unfit {
            UnfitEdit::Text => Refusal::UnfitText,
            UnfitEdit::Choices => Refusal::UnfitChoices,
            UnfitEdit::Accepted => Refusal::UnfitAccepted,
        })?;
        let is_new = edit.text.is_some() || edit.choices.is_some() || edit.accepted.is_some();
        Ok(is_new.then_some(edit))
    }

    /// Whether a released question has not been withdrawn.
    pub(crate) fn can_withdraw(&self, question: QuestionId) -> Result<bool, Refusal> {
        self.sheet_of_any_round(question).map(|sheet| !sheet.withdrawn).ok_or(Refusal::UnknownQuestion)
    }

    /// Whether a name differs from the player's current name.
    pub(crate) fn can_rename(&self, player: PlayerId, name: &DisplayName) -> Result<bool, Refusal> {
        let slot = self.roster.find_player(player).ok_or(Refusal::UnknownPlayer)?;
        if self.roster.is_taken_by_another(name, slot) {
            return Err(Refusal::NameTaken);
        }
        Ok(self.roster.player(slot).display_name != *name)
    }

    pub(crate) fn edit_question(&mut self, edit: &QuestionEdit) {
        let Some(place) = self.frozen.place(edit.question) else { return };
        let words = |asked: &Question| edit.of(asked).ok();
        let Some(edited) = self.frozen.at(place).and_then(words) else { return };
        self.frozen.replace(edited, &self.options);
        if let Some(sheet) = self.sheet_of_any_round_mut(edit.question) {
            sheet.corrected = true;
        }
    }

    /// The answers to the question earn nothing from now on.
    pub(crate) fn withdraw(&mut self, question: QuestionId) {
        let Some(sheet) = self.sheet_of_any_round_mut(question) else { return };
        (sheet.withdrawn, sheet.closed) = (true, true);
        if self.is_of_scored_round(question) {
            self.score_anew();
        }
    }

    pub(crate) fn rename(&mut self, player: PlayerId, name: &DisplayName) {
        let Some(slot) = self.roster.find_player(player) else { return };
        self.roster.rename(slot, name);
        if self.board.standing_of(player).is_some() {
            self.board = Arc::new(self.board.renamed(player, name, &self.roster));
        }
    }
}
