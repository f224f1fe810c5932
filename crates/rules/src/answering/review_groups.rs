//! The answers to a question in groups of those that mean the same, for a host who reviews a round with very many answers.
//!
//! Unlike `groups`, which serves a host while answers arrive, a group has every spelling and every mark in it, and questions without a
//! key are grouped too. It only reads. Removed players are left out.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use quizhall_quiz::{QuestionId, QuestionKind, number};

use crate::answering::review::ReviewEntry;
use crate::base::{Answer, AnswerTexts, Game, PlayerId};

/// The answers to a question of the current round. `Debug` does not show their texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed<'a> {
    /// How many there are, with the empty ones of players to whom the host gave points.
    pub answers: usize,
    /// How many of them count as right.
    pub right: usize,
    /// Groups that wait for the host come first, then other doubtful ones, then larger ones, then those that came first.
    pub groups: Vec<ReviewGroup<'a>>,
}

/// Answers with the same meaning. `Debug` does not show their text.
#[derive(Clone, PartialEq, Eq)]
pub struct ReviewGroup<'a> {
    /// What they have in common: unique in a question, and the same after each mark.
    pub meaning: String,
    /// Each spelling once, the most frequent first, then those that came first.
    pub texts: Vec<&'a str>,
    /// How many players gave it.
    pub count: usize,
    /// How many of them count as right.
    pub right: usize,
    /// How many of them earn a part of the points.
    pub partial: usize,
    /// The most that one of those earns.
    pub partial_points: u32,
    /// Whether one of them is wrong by the key of the quiz, and close to a right answer.
    pub near_miss: bool,
    /// Whether they are no number where one was asked for.
    pub unread: bool,
    /// Whether the host has decided how each of them counts.
    pub ruled: bool,
}

impl ReviewGroup<'_> {
    fn is_doubtful(&self) -> bool {
        self.near_miss || self.unread
    }

    /// Whether marking may have got it wrong, and the host has not decided.
    pub fn is_waiting(&self) -> bool {
        let is_settled = self.ruled || self.right == self.count || (self.partial > 0 && self.right == 0);
        self.is_doubtful() && !is_settled
    }

    fn add(&mut self, answer: &Answer) {
        self.count += 1;
        self.right += usize::from(answer.correct());
        self.partial += usize::from(answer.partial_points() > 0);
        self.partial_points = self.partial_points.max(answer.partial_points());
        self.near_miss |= answer.near_miss;
        self.ruled &= answer.is_ruled();
    }
}

impl std::fmt::Debug for ReviewGroup<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "ReviewGroup({})", self.count)
    }
}

impl Reviewed<'_> {
    /// How many groups wait for the host.
    pub fn waiting(&self) -> usize {
        self.groups.iter().filter(|group| group.is_waiting()).count()
    }
}

/// The groups while they grow. Each text is compared once, however many players gave it.
struct Grouping<'a> {
    /// The group of each text, and its place among the spellings.
    texts: HashMap<&'a str, (usize, usize)>,
    meanings: HashMap<String, usize>,
    groups: Vec<ReviewGroup<'a>>,
    /// How often each spelling of a group was given.
    given: Vec<Vec<usize>>,
}

impl<'a> Grouping<'a> {
    fn add(&mut self, answer: &'a Answer, meaning: impl FnOnce(&str) -> String, is_unread: impl FnOnce(&str) -> bool) {
        let text: &str = &answer.text;
        let (group, spelling) = *self.texts.entry(text).or_insert_with(|| {
            let meaning = meaning(text);
            let group = *self.meanings.entry(meaning.clone()).or_insert_with(|| {
                self.groups.push(ReviewGroup {
                    meaning,
                    texts: Vec::new(),
                    count: 0,
                    right: 0,
                    partial: 0,
                    partial_points: 0,
                    near_miss: false,
                    unread: is_unread(text),
                    ruled: true,
                });
                self.given.push(Vec::new());
                self.groups.len() - 1
            });
            self.groups[group].texts.push(text);
            self.given[group].push(0);
            (group, self.given[group].len() - 1)
        });
        self.given[group][spelling] += 1;
        self.groups[group].add(answer);
    }

    fn sorted(mut self) -> Vec<ReviewGroup<'a>> {
        for (group, given) in self.groups.iter_mut().zip(self.given) {
            let mut texts: Vec<_> = given.into_iter().zip(std::mem::take(&mut group.texts)).collect();
            texts.sort_by_key(|(given, _)| Reverse(*given));
            group.texts = texts.into_iter().map(|(_, text)| text).collect();
        }
        self.groups.sort_by_key(|group| Reverse((group.is_waiting(), group.is_doubtful(), group.count)));
        self.groups
    }
}

impl Game {
    /// How many answers of the current round there are to review.
    pub fn answers_in_round(&self) -> usize {
        self.sheets_of(self.round()).map(|(question, _)| self.answer_count(question.id)).sum()
    }

    /// The answers to a question of the current round in groups; none for a question that was not released in it.
    pub fn reviewed(&self, question: QuestionId) -> Reviewed<'_> {
        let of_number = self.question(question).is_some_and(|asked| is_of_number(asked.kind));
        let is_unread = |text: &str| of_number && !text.is_empty() && number::readings(text).next().is_none();
        let mut grouping =
            Grouping { texts: HashMap::new(), meanings: HashMap::new(), groups: Vec::new(), given: Vec::new() };
        for answer in self.answers_to(question) {
            grouping.add(answer, |text| self.meaning(question, text), is_unread);
        }
        let groups = grouping.sorted();
        let sum = |of: fn(&ReviewGroup<'_>) -> usize| groups.iter().map(of).sum();
        Reviewed { answers: sum(|group| group.count), right: sum(|group| group.right), groups }
    }

    /// What these players' answers to a question mean; nothing for those who have none.
    pub fn meanings_of<'p>(
        &self,
        question: QuestionId,
        players: impl IntoIterator<Item = &'p PlayerId>,
    ) -> BTreeSet<String> {
        let answers = players.into_iter().filter_map(|player| self.answer_of(*player, question));
        let texts: HashSet<&str> = answers.map(|answer| &*answer.text).collect();
        texts.into_iter().map(|text| self.meaning(question, text)).collect()
    }

    /// The answers to a question of the current round that mean the same as this text, in order of arrival.
    pub fn answers_like(&self, question: QuestionId, text: &str) -> impl Iterator<Item = ReviewEntry<'_>> {
        let named = self.alike(question, &std::iter::once(text.to_owned()).collect());
        let asked = self.question(question);
        let answers =
            asked.into_iter().flat_map(move |asked| self.answers_to(asked.id).map(move |answer| (asked, answer)));
        answers.filter(move |(_, answer)| named.name(&answer.text)).map(move |(question, answer)| ReviewEntry {
            player: self.roster.player(answer.slot),
            question,
            answer,
        })
    }

    /// The texts of all answers to a question of the current round that mean the same as one of these.
    pub fn alike(&self, question: QuestionId, texts: &AnswerTexts) -> AnswerTexts {
        let wanted: BTreeSet<String> = texts.iter().map(|text| self.meaning(question, text)).collect();
        let given: HashSet<&str> = self.answers_to(question).map(|answer| &*answer.text).collect();
        given.into_iter().filter(|text| wanted.contains(&self.meaning(question, text))).map(str::to_owned).collect()
    }

    /// The form of an answer that all answers with the same meaning have: that in which the key compares it, and where no key marks it
    /// a number by its value and a word as in the tally.
    fn meaning(&self, question: QuestionId, text: &str) -> String {
        match self.question(question).map(|asked| asked.kind) {
            Some(QuestionKind::WordCloud) => self.rule.fold(text),
            Some(QuestionKind::Nearest) => {
                let readings: Vec<String> = self.rule.readings(text).map(|given| given.to_string()).collect();
                if readings.is_empty() { text.trim().to_owned() } else { readings.join("\u{1f}") }
            }
            Some(_) | None => self.compared(question, text).unwrap_or_default(),
        }
    }
}

fn is_of_number(kind: QuestionKind) -> bool {
    matches!(kind, QuestionKind::Numeric | QuestionKind::Nearest)
}
