//! The right answers that the host has revealed in the current round, before or after its scores.
//!
//! The state keeps only which questions were revealed; the rest follows from the quiz and the answers.

use quizhall_quiz::{Question, QuestionId, QuestionKind};
use serde::{Deserialize, Serialize};

use crate::base::Game;
use crate::showing::tally::TallyEntry;

/// A question whose right answer is revealed. `Debug` shows neither text nor key.
#[derive(Debug)]
pub struct Revealed<'a> {
    /// The question.
    pub question: &'a Question,
    /// How many players gave each choice, where an answer is one choice; otherwise empty.
    pub tally: Vec<TallyEntry>,
}

/// The questions of this round whose right answers the host has revealed, in that order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct RevealedAnswers(Vec<QuestionId>);

impl RevealedAnswers {
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, question: QuestionId) -> bool {
        self.0.contains(&question)
    }

    /// The revealed answers as they are shown.
    pub fn shown<'a>(&'a self, game: &'a Game) -> impl Iterator<Item = Revealed<'a>> {
        let shown = |question| Revealed { question, tally: choices_of(game, question) };
        self.0.iter().filter_map(|question| game.question(*question)).map(shown)
    }

    /// A question that was not released in this round reveals nothing.
    pub fn reveal(&mut self, game: &Game, question: QuestionId) {
        if game.is_released(question) && !self.has(question) {
            self.0.push(question);
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

fn choices_of(game: &Game, question: &Question) -> Vec<TallyEntry> {
    let is_of_one_choice =
        matches!(question.kind, QuestionKind::MultipleChoice | QuestionKind::TrueFalse | QuestionKind::Poll);
    if is_of_one_choice { game.count_answers(question) } else { Vec::new() }
}
