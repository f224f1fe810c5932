//! The tally of a question whose answers are not marked: how many players had given each answer when the host showed it. It is
//! part of the state, so every replica shows the same tally.
//!
//! Changed by `apply`, read by `decide` and by the engine. It never stores which player gave an answer.

use std::collections::HashMap;

use quizhall_quiz::choice;
use serde::{Deserialize, Serialize};

use crate::State;
use crate::{AnswerTexts, MarkingRule, Moment, Question, QuestionId, QuestionKind};

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

impl State {
    /// The latest tally that the host has shown in this round, if any.
    pub fn tally(&self) -> Option<&Tally> {
        self.shown_tally.as_ref().map(|shown| &shown.tally)
    }

    /// The tally of a question from its current answers, without the entries of these texts; and those of the texts that removed
    /// an entry.
    pub(crate) fn tally_of(&self, question: QuestionId, hidden: &AnswerTexts) -> (Tally, Vec<String>) {
        let counted = self.question(question).map_or_else(Vec::new, |asked| self.count_answers(asked));
        let (left_out, entries): (Vec<_>, Vec<_>) = counted.into_iter().partition(|entry| hidden.name(&entry.answer));
        let entries = entries.into_iter().take(MOST_ENTRIES).collect();
        (Tally { question, entries }, left_out.into_iter().map(|entry| entry.answer).collect())
    }

    pub(crate) fn show_tally(&mut self, question: QuestionId, hidden: &[String], at: Moment) {
        self.count_tally(question, hidden);
        self.step_after_tally(at);
    }

    fn count_tally(&mut self, question: QuestionId, hidden: &[String]) {
        let (tally, _) = self.tally_of(question, &hidden.iter().cloned().collect());
        self.shown_tally = Some(ShownTally { tally, hidden: hidden.to_vec() });
    }

    /// Counts the shown tally again, without a player who was removed.
    pub(crate) fn recount_tally(&mut self) {
        if let Some(ShownTally { tally, hidden }) = self.shown_tally.take() {
            self.count_tally(tally.question, &hidden);
        }
    }

    pub(crate) fn count_answers(&self, question: &Question) -> Vec<TallyEntry> {
        let answers = self.sheet(question.id).into_iter().flat_map(crate::base::sheet::Sheet::answers);
        let texts = answers.filter(|answer| !self.roster.player(answer.slot).removed).map(|answer| &*answer.text);
        if question.kind == QuestionKind::WordCloud { words(texts, self.rule) } else { votes(&question.choices, texts) }
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
