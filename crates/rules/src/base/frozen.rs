//! The quiz as the game froze it, with an index of the place and the key of every question.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;
use quizhall_quiz::{Question, QuestionId, Quiz};
use serde::{Deserialize, Serialize, Serializer};

use crate::base::marking::{Key, MarkingRule};

/// The place of a question in the quiz.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub round: usize,
    pub question: usize,
}

/// The quiz with its index, which is derived from it. Clones share both.
#[derive(Clone, Deserialize)]
#[serde(from = "Arc<Quiz>")]
pub(crate) struct FrozenQuiz {
    quiz: Arc<Quiz>,
    index: Arc<HashMap<QuestionId, Entry, RandomState>>,
}

struct Entry {
    place: Place,
    /// Made when the first answer is marked.
    key: OnceLock<Key>,
}

impl FrozenQuiz {
    pub fn quiz(&self) -> &Arc<Quiz> {
        &self.quiz
    }

    pub fn place(&self, question: QuestionId) -> Option<Place> {
        self.index.get(&question).map(|entry| entry.place)
    }

    /// The key of a question of the quiz by the rule of the game, which never changes.
    pub fn key(&self, question: QuestionId, rule: MarkingRule) -> Option<&Key> {
        let entry = self.index.get(&question)?;
        let asked = self.at(entry.place)?;
        Some(entry.key.get_or_init(|| Key::of(asked, rule)))
    }

    /// Replaces a question with another that has the same id. Other holders of the quiz keep the old question.
    pub fn replace(&mut self, place: Place, question: Question) {
        let mut quiz = Quiz::clone(&self.quiz);
        let old = quiz.rounds.get_mut(place.round).and_then(|round| round.questions.get_mut(place.question));
        if let Some(old) = old {
            *old = question;
            *self = Arc::new(quiz).into();
        }
    }

    pub fn at(&self, place: Place) -> Option<&Question> {
        self.quiz.rounds.get(place.round)?.questions.get(place.question)
    }
}

impl From<Arc<Quiz>> for FrozenQuiz {
    fn from(quiz: Arc<Quiz>) -> Self {
        let mut index = HashMap::default();
        for (round, questions) in quiz.rounds.iter().map(|round| &round.questions).enumerate() {
            for (question, asked) in questions.iter().enumerate() {
                let entry = Entry { place: Place { round, question }, key: OnceLock::new() };
                index.insert(asked.id, entry);
            }
        }
        Self { quiz, index: Arc::new(index) }
    }
}

impl Serialize for FrozenQuiz {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.quiz.serialize(out)
    }
}

impl PartialEq for FrozenQuiz {
    fn eq(&self, other: &Self) -> bool {
        self.quiz == other.quiz
    }
}
