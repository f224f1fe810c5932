//! The answers to a question in groups of those that mean the same to its key, for a host who marks them as they arrive.

use std::collections::{HashMap, HashSet};

use quizhall_quiz::{QuestionId, QuestionKind, number};

use crate::base::{Answer, Game};

/// Answers with the same meaning to the key. `Debug` does not show their text.
#[derive(Clone, PartialEq, Eq)]
pub struct AnswerGroup<'a> {
    /// The text of the first of them, as written.
    pub text: &'a str,
    /// How many players gave it.
    pub count: usize,
    /// Whether they count as right.
    pub correct: bool,
    /// The points that each earns although they do not count as right.
    pub partial: u32,
    /// Whether they are wrong by the key of the quiz, and close to a right answer.
    pub near_miss: bool,
    /// Whether the host has ruled how they count.
    pub ruled: bool,
}

impl AnswerGroup<'_> {
    /// Whether the host has something to decide: neither the key nor the host marks them as right, and the host has not ruled
    /// on them.
    pub fn is_waiting(&self) -> bool {
        !self.correct && !self.ruled
    }
}

impl std::fmt::Debug for AnswerGroup<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "AnswerGroup({})", self.count)
    }
}

impl Game {
    /// How many texts given to a question of the current round the host has to decide about: texts close to a right answer, and texts
    /// that are no number where one is asked for. Texts that the key does not distinguish count once.
    pub(crate) fn texts_to_check(&self, question: QuestionId) -> usize {
        let doubtful = self.answers_to(question).filter(|answer| self.is_doubtful(question, answer));
        doubtful.map(|answer| self.compared(question, &answer.text)).collect::<HashSet<_>>().len()
    }

    /// Whether the host has to decide about an answer: it is such a text, and neither a mark nor a ruling of the host is on it.
    pub(crate) fn is_doubtful(&self, question: QuestionId, answer: &Answer) -> bool {
        let is_undecided = !answer.correct() && !answer.is_ruled();
        let is_numeric = || self.question(question).is_some_and(|asked| asked.kind == QuestionKind::Numeric);
        let is_unread = || !answer.text.is_empty() && number::readings(&answer.text).next().is_none();
        is_undecided && (answer.near_miss || is_numeric() && is_unread())
    }

    /// The answers to a question of the current round in groups. Groups that wait for the host come first, then larger groups,
    /// then groups in the order of their texts. Empty where no key marks the answers.
    pub fn answer_groups(&self, question: QuestionId) -> Vec<AnswerGroup<'_>> {
        if !self.question(question).is_some_and(|asked| asked.kind.has_key()) {
            return Vec::new();
        }
        let given = self.answers_to(question).filter(|answer| !answer.text.is_empty());
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut groups: Vec<AnswerGroup<'_>> = Vec::new();
        for answer in given {
            let place =
                *places.entry(self.compared(question, &answer.text).unwrap_or_default()).or_insert(groups.len());
            if let Some(group) = groups.get_mut(place) {
                group.count += 1;
                continue;
            }
            groups.push(AnswerGroup {
                text: &answer.text,
                count: 1,
                correct: answer.correct(),
                partial: answer.partial_points(),
                near_miss: answer.near_miss,
                ruled: answer.ruled.is_some(),
            });
        }
        groups
            .sort_by(|a, b| (b.is_waiting(), b.count).cmp(&(a.is_waiting(), a.count)).then_with(|| a.text.cmp(b.text)));
        groups
    }
}
