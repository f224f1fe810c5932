//! The meaning of each type of question, only from the interface's reference (messages.md#marking): the form for a
//! plain socket, the right answers with their points, and the tally.
//!
//! As plain as can be, and exact for what the suites answer: whole choices or single letters, numbers as programs write
//! them, words of ASCII letters.

use std::collections::{BTreeMap, BTreeSet};

use quizhall_protocol::to_all::{Tally, TallyEntry};
use quizhall_protocol::{Dialect, QuestionKind, shapes};
use uuid::Uuid;

use crate::fact::Mark;
use crate::game::Game;
use crate::quiz::Question;

const MOST_ENTRIES: usize = 50;
const LONGEST_WORD: usize = 40;

impl Question {
    /// Whether its answers are right or wrong.
    pub fn is_marked(&self) -> bool {
        !matches!(self.kind.or_text(), QuestionKind::Poll | QuestionKind::WordCloud)
    }

    /// Whether a key marks each of its answers.
    pub fn has_key(&self) -> bool {
        self.is_marked() && self.kind != QuestionKind::Nearest
    }

    /// The text by which the key knows an answer: equal for two answers that mean the same to it.
    pub fn compared(&self, answer: &str) -> String {
        let trimmed = || answer.trim().to_owned();
        match self.kind.or_text() {
            QuestionKind::Text => folded(answer),
            QuestionKind::Numeric => answer.trim().parse().map_or_else(|_| trimmed(), |number: f64| number.to_string()),
            QuestionKind::MultiSelect => self.named(answer).map_or_else(trimmed, |named| {
                let offered = self.choices.iter().flatten().filter(|choice| named.contains(choice));
                offered.cloned().collect::<Vec<_>>().join("\n")
            }),
            QuestionKind::Order => self.named(answer).map_or_else(trimmed, |named| named.join("\n")),
            _ => trimmed(),
        }
    }

    /// The correct answer in results.
    pub fn key(&self) -> String {
        match self.kind.or_text() {
            QuestionKind::MultiSelect | QuestionKind::Order => self.accepted.join("\n"),
            _ => self.accepted.first().cloned().unwrap_or_default(),
        }
    }

    /// The question as sockets of this dialect see it.
    pub fn released(&self, dialect: Dialect) -> shapes::Question {
        let Self { id, kind, text, choices, points, counts_speed, .. } = self;
        let whole = shapes::Question {
            media: None,
            speed_points: *counts_speed && dialect == Dialect::QuizhallV1,
            id: *id,
            text: text.clone(),
            kind: kind.clone(),
            choices: choices.clone(),
            points: *points,
        };
        if dialect == Dialect::QuizhallV1 {
            return whole;
        }
        match kind.or_text() {
            QuestionKind::MultiSelect | QuestionKind::Order => {
                let lines =
                    ('A'..).zip(choices.iter().flatten()).map(|(letter, choice)| format!("\n{letter}: {choice}"));
                let text = format!("{text}\n{}", lines.collect::<String>());
                shapes::Question { text, kind: QuestionKind::Text.into(), choices: None, ..whole }
            }
            QuestionKind::Poll => shapes::Question { kind: QuestionKind::MultipleChoice.into(), ..whole },
            QuestionKind::WordCloud => shapes::Question { kind: QuestionKind::Text.into(), ..whole },
            QuestionKind::Nearest => shapes::Question { kind: QuestionKind::Numeric.into(), ..whole },
            _ => whole,
        }
    }

    /// The right mark of an answer that is exactly the key, or the key followed by an `x`, or far from it, or names
    /// choices. An answer to a `nearest` question is marked when the round ends, and some are never marked.
    pub fn mark_of(&self, answer: &str) -> Mark {
        let is_marked_alone = self.is_marked() && self.kind != QuestionKind::Nearest;
        let whole = if is_marked_alone && self.key() == answer { Mark::RIGHT } else { Mark::WRONG };
        self.mark_of_choices(answer).or_else(|| self.mark_of_near_miss(answer)).unwrap_or(whole)
    }

    /// The right mark of the key of a `text` question followed by an `x`; `None` for other answers. The key has at
    /// least five letters.
    pub fn mark_of_near_miss(&self, answer: &str) -> Option<Mark> {
        let is_near = self.kind.or_text() == QuestionKind::Text && answer.strip_suffix('x') == Some(&self.key());
        let partial = if self.halves_near_misses { self.points / 2 } else { 0 };
        is_near.then_some(Mark { near_miss: true, partial, ..Mark::WRONG })
    }

    /// How an answer to a `multi_select` or `order` question must be marked; `None` for other types.
    pub fn mark_of_choices(&self, answer: &str) -> Option<Mark> {
        let named = self.named(answer);
        let (right, of) = match self.kind.or_text() {
            QuestionKind::MultiSelect => {
                let named: BTreeSet<_> = named.unwrap_or_default().into_iter().collect();
                let right = named.iter().filter(|choice| self.accepted.contains(choice)).count();
                (right.saturating_sub(named.len() - right), self.accepted.len())
            }
            QuestionKind::Order => {
                let named = named.unwrap_or_default();
                let is_whole = named.iter().collect::<BTreeSet<_>>().len() == named.len();
                let pairs: Vec<_> = self.accepted.windows(2).collect();
                let right = named.windows(2).filter(|pair| is_whole && pairs.contains(pair)).count();
                (right, pairs.len())
            }
            _ => return None,
        };
        if right == of {
            return Some(Mark::RIGHT);
        }
        let partial = u64::from(self.points) * right as u64 / of as u64;
        Some(Mark { partial: u32::try_from(partial).unwrap_or(u32::MAX), ..Mark::WRONG })
    }

    /// The choices that an answer names, by their texts or by single letters.
    fn named(&self, answer: &str) -> Option<Vec<String>> {
        let choices = self.choices.as_deref().unwrap_or_default();
        let by_text: Option<Vec<_>> =
            answer.lines().map(|line| choices.iter().find(|choice| *choice == line.trim()).cloned()).collect();
        let by_letter = || {
            let letters: Vec<char> = answer.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
            let of =
                |letter: &char| choices.get((letter.to_ascii_uppercase() as usize).checked_sub('A' as usize)?).cloned();
            letters.iter().map(of).collect::<Option<Vec<_>>>()
        };
        by_text.filter(|named| !named.is_empty()).or_else(by_letter)
    }

    fn distance(&self, answer: &str) -> Option<f64> {
        let right: f64 = self.accepted.first()?.trim().parse().ok()?;
        let given: f64 = answer.trim().parse().ok()?;
        Some((given - right).abs())
    }
}

impl Game {
    /// Marks the `nearest` questions of a round that was closed: the least distance is right.
    pub(crate) fn mark_nearest(&mut self) {
        for id in self.released.clone() {
            let Some(question) = self.quiz.question(id).filter(|asked| asked.kind == QuestionKind::Nearest).cloned()
            else {
                continue;
            };
            let distances: BTreeMap<Uuid, f64> = self
                .answers_to(id)
                .iter()
                .filter_map(|answer| Some((answer.player, question.distance(&answer.text)?)))
                .collect();
            let least = distances.values().copied().min_by(f64::total_cmp);
            let is_right = |player: Uuid| {
                distances.get(&player).zip(least).is_some_and(|(own, least)| own.total_cmp(&least).is_eq())
            };
            self.answers.mark_each(id, is_right);
        }
    }

    /// The players of each closed `nearest` question whose answers count as right.
    pub(crate) fn nearest(&self) -> BTreeMap<Uuid, Vec<Uuid>> {
        let asked = |id: &&Uuid| self.quiz.question(**id).is_some_and(|asked| asked.kind == QuestionKind::Nearest);
        let right = |id: Uuid| {
            self.answers_to(id).iter().filter(|answer| answer.correct()).map(|answer| answer.player).collect()
        };
        self.released.iter().filter(asked).map(|id| (*id, right(*id))).collect()
    }

    /// The tally of a question as its answers are now, without these entries.
    pub(crate) fn count_tally(&self, question: Uuid, hidden: &[String]) -> Tally {
        let asked = self.quiz.question(question);
        let is_of_choices = asked.is_some_and(|asked| asked.kind != QuestionKind::WordCloud);
        let texts: Vec<_> = self.answers_to(question).iter().map(|answer| answer.text.clone()).collect();
        let mut entries: Vec<TallyEntry> = if is_of_choices {
            let votes: Vec<_> =
                asked.iter().flat_map(|asked| texts.iter().filter_map(|text| asked.named(text))).collect();
            let count = |choice: &String| count(votes.iter().filter(|vote| **vote == [choice.clone()]).count());
            let choices = asked.and_then(|asked| asked.choices.clone()).unwrap_or_default();
            choices.into_iter().map(|answer| TallyEntry { count: count(&answer), answer }).collect()
        } else {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for text in texts.iter().filter(|text| text.chars().count() <= LONGEST_WORD) {
                *counts.entry(folded(text)).or_default() += 1;
            }
            counts.into_iter().map(|(answer, times)| TallyEntry { answer, count: count(times) }).collect()
        };
        if !is_of_choices {
            // Stable: equal counts stay in the order of their texts.
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.count));
        }
        entries.retain(|entry| !entry.answer.is_empty() && !hidden.contains(&entry.answer));
        entries.truncate(MOST_ENTRIES);
        Tally { question_id: question, entries }
    }
}

fn count(times: usize) -> u32 {
    crate::messages::count(times)
}

/// Case, punctuation and white space folded; between a letter and a digit no space is left.
fn folded(text: &str) -> String {
    let plain: String = text.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
    plain.split_whitespace().fold(String::new(), |mut folded, word| {
        let is_digit = |c: char| c.is_ascii_digit();
        let is_apart = !folded.is_empty() && folded.ends_with(is_digit) == word.starts_with(is_digit);
        folded.push_str(if is_apart { " " } else { "" });
        folded + word
    })
}
