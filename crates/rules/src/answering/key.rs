//! The key of this game: changes by the host to the keys of the quiz, while answers arrive or are reviewed.
//!
//! Changed by `apply`, read by `decide`. A change is stored with the question's answers and marks all of them, earlier and later
//! ones; `markings` can undo it. The mark that an answer got by the key of the quiz is kept next to it.

use std::collections::BTreeMap;

use quizhall_quiz::QuestionId;

use crate::base::{Game, KeyMark, Mark, PlayerId, Worth};

/// The most texts of a question that the host can rule on. It may never shrink: logs hold decisions made under it.
pub(crate) const MOST_RULINGS: usize = 1_000;

/// Texts in the form in which a key compares them, each with the host's earlier ruling.
pub(crate) type Rulings = Vec<(String, Option<Worth>)>;

impl Game {
    /// The host's changes to the key of a question of the current round.
    pub(crate) fn rulings(&self, question: QuestionId) -> &BTreeMap<String, Worth> {
        const NONE: &BTreeMap<String, Worth> = &BTreeMap::new();
        self.sheet(question).map_or(NONE, |sheet| &sheet.rulings)
    }

    /// The form in which the key of a question compares an answer.
    pub fn compared(&self, question: QuestionId, answer: &str) -> Option<String> {
        Some(self.frozen.key(question, self.rule)?.compared(answer))
    }

    /// The players whose answers to a question of this round have one of these texts (in the form in which the key compares
    /// them), in order of arrival.
    pub fn answers_ruled_by(&self, question: QuestionId, texts: &[impl AsRef<str>]) -> Vec<PlayerId> {
        let is_named = |text: &str| {
            let compared = self.compared(question, text);
            !text.is_empty() && texts.iter().any(|named| compared.as_deref() == Some(named.as_ref()))
        };
        let named = self.answers_to(question).filter(|answer| is_named(&answer.text));
        named.map(|answer| self.roster.player(answer.slot).id).collect()
    }

    /// Marks an answer to a question of the quiz, open or not.
    pub(crate) fn mark(&self, question: QuestionId, answer: &str) -> Option<Mark> {
        let mark = self.frozen.key(question, self.rule)?.mark(answer);
        let round = &self.quiz().rounds[self.frozen.place(question)?.round];
        let partial = if mark.near_miss && round.half_points { self.half_of(question) } else { mark.partial };
        Some(Mark { partial, ..mark })
    }

    /// Half of the points of a question, rounded down.
    pub(crate) fn half_of(&self, question: QuestionId) -> u32 {
        self.question(question).map_or(0, |question| question.points / 2)
    }

    /// The host's ruling on an answer; none where the host has not ruled on its text.
    pub(crate) fn ruling_of(&self, question: QuestionId, answer: &str) -> Option<Worth> {
        let rulings = self.rulings(question);
        if rulings.is_empty() { None } else { rulings.get(&self.compared(question, answer)?).copied() }
    }

    /// The mark of an answer on arrival, with the host's ruling in the changed key.
    pub(crate) fn key_mark(&self, question: QuestionId, text: &str, mark: Mark) -> KeyMark {
        let Mark { correct, near_miss, partial } = mark;
        KeyMark { correct, near_miss, partial, ruled: self.ruling_of(question, text) }
    }

    /// Changes the key of a released question of this round; what it said of the texts before.
    pub(crate) fn rule_on(&mut self, question: QuestionId, texts: &[String], worth: Worth) -> Option<Rulings> {
        let sheet = self.sheet_mut(question)?;
        let before = texts.iter().map(|text| (text.clone(), sheet.rulings.insert(text.clone(), worth))).collect();
        self.mark_by_key(question);
        Some(before)
    }

    pub(crate) fn restore_key(&mut self, question: QuestionId, before: Rulings) {
        let Some(sheet) = self.sheet_mut(question) else { return };
        // The earlier ruling of a text that was named twice is stored first, so it is restored last.
        for (text, ruling) in before.into_iter().rev() {
            match ruling {
                Some(worth) => sheet.rulings.insert(text, worth),
                None => sheet.rulings.remove(&text),
            };
        }
        self.mark_by_key(question);
    }

    fn mark_by_key(&mut self, question: QuestionId) {
        let Some(mut rulings) = self.sheet_mut(question).map(|sheet| std::mem::take(&mut sheet.rulings)) else {
            return;
        };
        let frozen = self.frozen.clone();
        let key = frozen.key(question, self.rule);
        if let Some(sheet) = self.sheet_mut(question) {
            sheet.rule_each(|text| rulings.get(&key?.compared(text)).copied());
            std::mem::swap(&mut sheet.rulings, &mut rulings);
        }
    }
}
