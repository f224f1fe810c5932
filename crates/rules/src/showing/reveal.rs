//! The right answers that the host has revealed in the current round, before or after the scores.
//!
//! Changed by `apply`, read by `decide` and by the engine. Only the ids of the questions are stored; everything that is shown
//! follows from the quiz and the answers.

use crate::State;
use crate::{Question, QuestionId, QuestionKind, TallyEntry};

/// A question whose right answer is revealed. `Debug` shows neither text nor key.
#[derive(Debug)]
pub struct Revealed<'a> {
    /// The question.
    pub question: &'a Question,
    /// How many players gave each choice, where an answer is one choice; otherwise empty.
    pub tally: Vec<TallyEntry>,
}

impl State {
    /// Whether the right answer to a question of the current round is revealed.
    pub fn is_revealed(&self, question: QuestionId) -> bool {
        self.revealed.contains(&question)
    }

    /// The questions of the current round whose right answers are revealed, in that order.
    pub fn revealed(&self) -> impl Iterator<Item = Revealed<'_>> {
        let shown = |question| Revealed { question, tally: self.choices_of(question) };
        self.revealed.iter().filter_map(|question| self.question(*question)).map(shown)
    }

    /// Ignores a question that was not released in this round.
    pub(crate) fn reveal(&mut self, question: QuestionId) {
        if self.is_released(question) && !self.is_revealed(question) {
            self.revealed.push(question);
        }
    }

    fn choices_of(&self, question: &Question) -> Vec<TallyEntry> {
        let is_of_one_choice =
            matches!(question.kind, QuestionKind::MultipleChoice | QuestionKind::TrueFalse | QuestionKind::Poll);
        if is_of_one_choice { self.count_answers(question) } else { Vec::new() }
    }
}
