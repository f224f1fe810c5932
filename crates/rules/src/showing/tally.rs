//! Counts of answers: the tally that the host shows of a question without marks, as it was when shown; the number of right
//! answers; and the number of answers that name each choice. The tally is part of the state, so every replica shows the same
//! one.
//!
//! It never contains which player gave an answer.

use std::collections::HashMap;

use quizhall_quiz::{Question, QuestionId, QuestionKind, choice};
use serde::{Deserialize, Serialize};

use crate::base::{AnswerTexts, Game, MarkingRule};

/// The most entries of a tally. The entries with the largest counts are kept.
const MOST_ENTRIES: usize = 50;

/// How many players gave each answer to a question. `Debug` does not show the answers.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The question.
    pub question: QuestionId,
    /// For a poll, every choice in the author's order; for a word cloud, at most 50 folded texts, the most frequent first.
    pub entries: Vec<TallyEntry>,
}

/// One answer and its count.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyEntry {
    /// The choice, or the folded text.
    pub answer: String,
    /// How many players gave it, without removed players.
    pub count: u32,
}

/// The tally that the host shows, and the entries that the host hides.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ShownTally {
    tally: Tally,
    hidden: Vec<String>,
}

impl ShownTally {
    /// The tally of a question as its answers are now, without the entries of the `hidden` texts.
    pub fn of(game: &Game, question: QuestionId, hidden: &[String]) -> Self {
        let (tally, _) = game.tally_of(question, &hidden.iter().cloned().collect());
        Self { tally, hidden: hidden.to_vec() }
    }

    /// The same, counted again after a player was removed.
    pub fn recounted(&self, game: &Game) -> Self {
        Self::of(game, self.tally.question, &self.hidden)
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}

impl Game {
    /// The tally of a question from its current answers, without the entries of these texts; and those of the texts that removed
    /// an entry.
    pub(crate) fn tally_of(&self, question: QuestionId, hidden: &AnswerTexts) -> (Tally, Vec<String>) {
        let counted = self.question(question).map_or_else(Vec::new, |asked| self.count_answers(asked));
        let (left_out, entries): (Vec<_>, Vec<_>) = counted.into_iter().partition(|entry| hidden.name(&entry.answer));
        let entries = entries.into_iter().take(MOST_ENTRIES).collect();
        (Tally { question, entries }, left_out.into_iter().map(|entry| entry.answer).collect())
    }

    pub(crate) fn count_answers(&self, question: &Question) -> Vec<TallyEntry> {
        let texts = self.answers_to(question.id).map(|answer| &*answer.text);
        if question.kind == QuestionKind::WordCloud { words(texts, self.rule) } else { votes(&question.choices, texts) }
    }

    /// How many answers to a question of the current round count as right, without those of removed players.
    pub fn right_answers(&self, question: QuestionId) -> usize {
        self.answers_to(question).filter(|answer| answer.correct()).count()
    }

    /// For each choice of a question of the current round, how many answers name it.
    pub fn taken(&self, question: &Question) -> Vec<u32> {
        let mut taken = vec![0; question.choices.len()];
        for answer in self.answers_to(question.id) {
            let mut named = choice::named(&answer.text, &question.choices).unwrap_or_default();
            named.sort_unstable();
            named.dedup();
            for place in named {
                taken[place] += 1;
            }
        }
        taken
    }
}

/// An answer that names no choice, or several, is no vote.
fn votes<'a>(choices: &[String], texts: impl Iterator<Item = &'a str>) -> Vec<TallyEntry> {
    let mut entries: Vec<_> = choices.iter().map(|choice| TallyEntry { answer: choice.clone(), count: 0 }).collect();
    for text in texts {
        if let Some([vote]) = choice::named(text, choices).as_deref()
            && let Some(entry) = entries.get_mut(*vote)
        {
            entry.count += 1;
        }
    }
    entries
}

/// A text that is too long is left out.
fn words<'a>(texts: impl Iterator<Item = &'a str>, rule: MarkingRule) -> Vec<TallyEntry> {
    let mut counts: HashMap<String, u32> = HashMap::new();
    for text in texts.filter(|text| text.chars().count() <= Question::LIMITS.word) {
        *counts.entry(rule.fold(text)).or_default() += 1;
    }
    counts.remove("");
    let mut entries: Vec<_> = counts.into_iter().map(|(answer, count)| TallyEntry { answer, count }).collect();
    entries.sort_unstable_by(|a, b| b.count.cmp(&a.count).then_with(|| a.answer.cmp(&b.answer)));
    entries
}

impl std::fmt::Debug for Tally {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Tally({}, {} entries)", self.question, self.entries.len())
    }
}

impl std::fmt::Debug for TallyEntry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "TallyEntry({})", self.count)
    }
}
