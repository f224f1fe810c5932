//! The quiz as the game froze it: as written and as played, with an index of the place and the key of every question.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;
use quizhall_quiz::{Question, QuestionId, Quiz};

use crate::base::marking::{Key, MarkingRule};
use crate::base::options::PlayOptions;
use crate::base::played::played;

/// The place of a question in the quiz.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub round: usize,
    pub question: usize,
}

/// The quiz with what is derived from it. Clones share everything.
#[derive(Clone)]
pub(crate) struct FrozenQuiz {
    /// As its author wrote it. Only this is stored.
    written: Arc<Quiz>,
    /// As the options of the game shape it.
    quiz: Arc<Quiz>,
    index: Arc<HashMap<QuestionId, Entry, RandomState>>,
}

struct Entry {
    place: Place,
    /// Made when the first answer is marked.
    key: OnceLock<Key>,
}

impl FrozenQuiz {
    pub fn of(written: Arc<Quiz>, options: &PlayOptions) -> Self {
        let quiz = played(&written, options);
        let mut index = HashMap::default();
        for (round, questions) in quiz.rounds.iter().map(|round| &round.questions).enumerate() {
            for (question, asked) in questions.iter().enumerate() {
                let entry = Entry { place: Place { round, question }, key: OnceLock::new() };
                index.insert(asked.id, entry);
            }
        }
        Self { written, quiz, index: Arc::new(index) }
    }

    /// The quiz as its author wrote it.
    pub fn written(&self) -> &Arc<Quiz> {
        &self.written
    }

    /// The quiz as it is played.
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

    /// Replaces the question that has the same id, as it is played. Other holders of the quiz keep the old question.
    pub fn replace(&mut self, question: Question, options: &PlayOptions) {
        let mut written = Quiz::clone(&self.written);
        let mut questions = written.rounds.iter_mut().flat_map(|round| &mut round.questions);
        if let Some(old) = questions.find(|old| old.id == question.id) {
            // The limit that is played can be that of the options.
            *old = Question { time_limit: old.time_limit, ..question };
            *self = Self::of(Arc::new(written), options);
        }
    }

    pub fn at(&self, place: Place) -> Option<&Question> {
        self.quiz.rounds.get(place.round)?.questions.get(place.question)
    }
}

/// The options, from which the rest follows, are compared by the game.
impl PartialEq for FrozenQuiz {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}
