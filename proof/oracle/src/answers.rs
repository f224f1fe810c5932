//! The answers of a round: how each counts, their order of arrival, and the answers that a marking touched.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::fact::Mark;
use crate::game::Game;

/// One player's answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The player.
    pub player: Uuid,
    /// The question.
    pub question: Uuid,
    /// The latest text; empty when only the host's override made the answer.
    pub text: String,
    mark: Mark,
    /// How the key changed by the host marks it, if the host has ruled on its text.
    ruled: Option<Worth>,
    /// The percent of the time limit that the player had when it was given.
    pub time_percent: u16,
    /// The host's latest mark.
    overruled: Overruled,
    /// Its place in the order of first arrivals.
    arrival: usize,
}

impl Answer {
    /// Whether it counts as correct now.
    pub fn correct(&self) -> bool {
        self.worth().correct
    }

    fn worth(&self) -> Worth {
        self.overruled.unwrap_or_else(|| self.by_key())
    }

    fn by_key(&self) -> Worth {
        let Mark { correct, partial, .. } = self.mark;
        self.ruled.unwrap_or(Worth { correct, partial: if correct { 0 } else { partial } })
    }

    /// Whether its result differs from that of the key of the game.
    pub fn overridden(&self) -> bool {
        self.worth() != self.by_key()
    }

    /// Whether it counts as the host has changed the key.
    pub fn is_by_changed_key(&self) -> bool {
        self.ruled.is_some() && !self.overridden()
    }

    /// The points that it earns although it does not count as correct.
    pub fn partial_points(&self) -> u32 {
        self.worth().partial
    }

    /// The points that it earns for its question.
    pub fn points(&self, whole: u32) -> u32 {
        if self.correct() { whole } else { self.partial_points() }
    }

    /// How long the player took for it, in milliseconds; none where that earns nothing.
    pub fn elapsed(&self) -> Option<u32> {
        self.mark.elapsed
    }

    /// Whether it counts so already.
    pub fn counts_as(&self, worth: Worth) -> bool {
        self.worth() == worth
    }

    /// Whether the host has said how it counts.
    pub fn is_ruled(&self) -> bool {
        self.overruled.is_some() || self.ruled.is_some()
    }

    /// Whether it counts as wrong, and the host has said nothing about it.
    pub(crate) fn is_undecided(&self) -> bool {
        !self.correct() && !self.is_ruled()
    }

    /// Whether it was marked wrong and is close to an accepted answer.
    pub fn near_miss(&self) -> bool {
        self.mark.near_miss
    }
}

/// What one marking of the host changed.
#[derive(Debug, Clone)]
pub(crate) enum Marking {
    /// At least one answer: player, question, and the host's mark before; none without an answer.
    Answers(Vec<(Uuid, Uuid, Option<Overruled>)>),
    /// The key of a question: texts, and the host's earlier ruling on each.
    Key(Uuid, Vec<(String, Option<Worth>)>),
}

/// The host's mark, if any.
pub(crate) type Overruled = Option<Worth>;

/// What an answer counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worth {
    /// Whether it is right.
    pub correct: bool,
    /// The points that it earns if not.
    pub partial: u32,
}

impl Worth {
    /// Of a missing answer, too.
    pub const WRONG: Self = Self { correct: false, partial: 0 };
    /// All points of the question.
    pub const RIGHT: Self = Self { correct: true, partial: 0 };
}

/// The answers of a round, by question and player.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answers {
    by_question: BTreeMap<(Uuid, Uuid), Answer>,
    arrivals: usize,
}

impl Answers {
    pub(crate) fn get(&self, player: Uuid, question: Uuid) -> Option<&Answer> {
        self.by_question.get(&(question, player))
    }

    /// Stores an answer; a changed one keeps its place in the order of arrivals. Until [`Answers::set_time_percent`] the player had
    /// the usual time.
    pub(crate) fn put(&mut self, player: Uuid, question: Uuid, text: &str, mark: Mark) {
        let arrival = self.get(player, question).map_or(self.arrivals, |answer| answer.arrival);
        self.arrivals += 1;
        let (text, ruled, overruled) = (text.to_owned(), None, None);
        let answer = Answer { player, question, text, mark, ruled, time_percent: 100, overruled, arrival };
        self.by_question.insert((question, player), answer);
    }

    /// Stores the percent of the time limit that the player had.
    pub(crate) fn set_time_percent(&mut self, player: Uuid, question: Uuid, percent: u16) {
        if let Some(answer) = self.by_question.get_mut(&(question, player)) {
            answer.time_percent = percent;
        }
    }

    /// Stores how long the player took.
    pub(crate) fn time(&mut self, player: Uuid, question: Uuid, elapsed: u32) {
        if let Some(answer) = self.by_question.get_mut(&(question, player)) {
            answer.mark.elapsed = Some(elapsed);
        }
    }

    /// Marks the answers that players wrote by the key changed by the host.
    pub(crate) fn rule_each(&mut self, question: Uuid, ruling: impl Fn(&str) -> Option<Worth>) {
        for answer in self.by_question.values_mut().filter(|answer| answer.question == question) {
            answer.ruled = Some(&answer.text).filter(|text| !text.is_empty()).and_then(|text| ruling(text));
        }
    }

    /// Sets how an answer counts; without one it makes an empty one.
    pub(crate) fn overrule(&mut self, player: Uuid, question: Uuid, worth: Worth) {
        if self.get(player, question).is_none() {
            self.put(player, question, "", Mark::WRONG);
        }
        if let Some(answer) = self.by_question.get_mut(&(question, player)) {
            answer.overruled = Some(worth);
        }
    }

    /// The host's mark of an answer; none without an answer.
    pub(crate) fn overruled(&self, player: Uuid, question: Uuid) -> Option<Overruled> {
        self.get(player, question).map(|answer| answer.overruled)
    }

    /// Undoes a marking of the host. The nearest answers, which may have changed since, stay as they are.
    pub(crate) fn restore(&mut self, player: Uuid, question: Uuid, before: Option<Overruled>) {
        match (before, self.by_question.get_mut(&(question, player))) {
            (Some(overruled), Some(answer)) => answer.overruled = overruled,
            _ => drop(self.by_question.remove(&(question, player))),
        }
    }

    /// Marks every answer to a question again.
    pub(crate) fn mark_each(&mut self, question: Uuid, is_right: impl Fn(Uuid) -> bool) {
        for ((asked, player), answer) in &mut self.by_question {
            if *asked == question {
                let mark = if is_right(*player) { Mark::RIGHT } else { Mark::WRONG };
                answer.mark = Mark { elapsed: answer.mark.elapsed, ..mark };
            }
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Answer> {
        self.by_question.values()
    }

    /// The answers to a question in the order in which the first of each player came.
    pub(crate) fn in_order(&self, question: Uuid) -> Vec<&Answer> {
        let mut answers: Vec<_> = self.to(question).collect();
        answers.sort_by_key(|answer| answer.arrival);
        answers
    }

    fn to(&self, question: Uuid) -> impl Iterator<Item = &Answer> {
        self.by_question.range((question, Uuid::nil())..=(question, Uuid::max())).map(|(_, answer)| answer)
    }
}

impl Game {
    /// What an answer to a question is worth that the host marks so.
    pub fn worth(&self, question: Uuid, correct: bool, half: bool) -> Worth {
        let points = self.quiz.question(question).map_or(0, |question| question.points);
        Worth { correct, partial: if half && !correct { points / 2 } else { 0 } }
    }

    /// A player's answer to a question of this round, including answers of removed players.
    pub fn answer(&self, player: Uuid, question: Uuid) -> Option<&Answer> {
        self.answers.get(player, question)
    }

    /// Stores how long a player took for a stored answer, in milliseconds: a server knows this better than the participants.
    pub fn note_elapsed(&mut self, player: Uuid, question: Uuid, elapsed: u32) {
        self.answers.time(player, question, elapsed);
    }

    /// The answers to a question of this round in the order in which the first of each player came.
    pub fn answers_to(&self, question: Uuid) -> Vec<&Answer> {
        let mut answers = self.answers.in_order(question);
        answers.retain(|answer| !self.was_removed(answer.player));
        answers
    }

    /// The players whose answers to a question have one of these texts for the key, in the order of their first answers.
    pub fn known_by(&self, question: Uuid, texts: &[String]) -> Vec<Uuid> {
        let Some(asked) = self.quiz.question(question) else { return Vec::new() };
        let mut answers = self.answers_to(question);
        answers.retain(|answer| !answer.text.is_empty() && texts.contains(&asked.compared(&answer.text)));
        answers.iter().map(|answer| answer.player).collect()
    }

    /// The host's ruling on a text, in the form in which the key of a question of this round compares it.
    pub fn ruling(&self, question: Uuid, text: &str) -> Option<Worth> {
        self.rulings.get(&(question, text.to_owned())).copied()
    }

    /// The texts of the answers to a question that mean the same to its key as one of these.
    pub fn alike(&self, question: Uuid, texts: &[String]) -> Vec<String> {
        let Some(asked) = self.quiz.question(question) else { return Vec::new() };
        let wanted: Vec<_> = texts.iter().map(|text| asked.compared(text)).collect();
        let given = self.answers_to(question).into_iter().map(|answer| answer.text.clone());
        given.filter(|text| wanted.contains(&asked.compared(text))).collect()
    }

    /// The answers to a question with one of these texts that do not yet count as given, or about which the host has to decide: those that
    /// `mark_answers` would touch.
    pub fn markable(&self, question: Uuid, texts: &[String], worth: Worth) -> Vec<&Answer> {
        let mut answers = self.answers_to(question);
        answers.retain(|answer| texts.contains(&answer.text) && (!answer.counts_as(worth) || self.is_doubtful(answer)));
        answers
    }
}
