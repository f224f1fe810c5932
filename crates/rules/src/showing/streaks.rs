//! Streaks: in a round that counts them, the bonus of a right answer that follows right answers of the same player. Also the
//! bonus of a joker for all answers of a player in its round.
//!
//! Called wherever points are counted, with the answers of a round in order of release. Computed again from the marks each time
//! and never stored, so a mark of the host also changes the answers after it.

use quizhall_quiz::{Question, QuestionKind, Quiz};

use crate::base::{Answer, Player, Sheet, Worth};
use crate::clock::speed;

/// The bonus of each further right answer of a streak, in percent of the points of its question.
const STEP: u32 = 10;
/// The largest bonus of a streak, in percent.
const MOST: u32 = 50;

/// The points of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Earned {
    /// All its points; below 0 for a wrong answer in a round with minus points.
    pub points: i32,
    /// The bonus for the streak.
    pub for_streak: u32,
    /// The bonus for speed.
    pub for_speed: u32,
    /// The bonus for the joker, which equals all the other points together.
    pub for_joker: i32,
}

/// The streak of one player in a round.
#[derive(Clone, Copy, Default)]
pub(crate) struct Streak {
    /// How many answers in a row were right.
    length: u32,
    /// The number of the question to which the last of them was given.
    last: u32,
    /// Whether the player's joker doubles the round.
    doubles: bool,
    /// The points of a wrong answer.
    wrong: i32,
}

impl Streak {
    /// The streak of a player before the first question of a round (from 0) of the quiz.
    pub fn of(player: &Player, quiz: &Quiz, round: usize) -> Self {
        let Some(of_quiz) = quiz.rounds.get(round) else { return Self::default() };
        Self { doubles: of_quiz.joker && player.doubles(round), wrong: of_quiz.wrong_points, ..Self::default() }
    }

    /// What an answer to the question with this number earns. Numbers rise by one from each marked question to the next. A
    /// withdrawn question has no number, and an answer to it earns nothing.
    pub fn earn(&mut self, number: Option<u32>, question: &Question, answer: &Answer) -> Earned {
        let Some(number) = number else { return Earned::default() };
        let earned = self.earn_once(number, question, answer);
        let for_joker = if self.doubles { earned.points } else { 0 };
        Earned { points: earned.points + for_joker, for_joker, ..earned }
    }

    fn earn_once(&mut self, number: u32, question: &Question, answer: &Answer) -> Earned {
        if is_wrong(question, answer) {
            return Earned { points: self.wrong, ..Earned::default() };
        }
        if !answer.correct() {
            return Earned::of(answer.partial_points(), 0, (question, answer));
        }
        self.length = if self.last + 1 == number { self.length + 1 } else { 1 };
        self.last = number;
        let percent = (self.length - 1).saturating_mul(STEP).min(MOST);
        let for_streak = part(question.points, percent);
        Earned::of(question.points, for_streak, (question, answer))
    }
}

impl Earned {
    /// Each part is counted only from the points of the mark.
    fn of(marked: u32, for_streak: u32, (question, answer): (&Question, &Answer)) -> Self {
        let for_speed = speed::points_for(marked, question, answer);
        let points = i32::try_from(marked + for_streak + for_speed).unwrap_or(i32::MAX);
        Self { points, for_streak, for_speed, for_joker: 0 }
    }
}

/// A released question with its answers, and with the number by which streaks are counted.
pub(crate) struct Numbered<'a> {
    /// From 0.
    pub round: usize,
    /// None when the question was withdrawn.
    pub number: Option<u32>,
    pub question: &'a Question,
    pub sheet: &'a Sheet,
}

/// Numbers released questions (each with its round) from 1. A question without marks has the number of the question before it, so
/// it neither continues nor ends a streak. A withdrawn question has no number and does not affect a streak either. Without streaks
/// the numbers are never consecutive, so every streak has the length 1.
pub(crate) fn numbered<'a>(
    streaks: bool,
    sheets: impl Iterator<Item = (usize, &'a Question, &'a Sheet)>,
) -> impl Iterator<Item = Numbered<'a>> {
    let step = if streaks { 1 } else { 2 };
    let mut number = 0;
    sheets.map(move |(round, question, sheet)| {
        number += if question.kind.is_marked() && !sheet.withdrawn { step } else { 0 };
        Numbered { round, number: (!sheet.withdrawn).then_some(number), question, sheet }
    })
}

/// Whether a player gave this answer and it is neither right nor partly right. An answer to a `nearest` question is never wrong.
fn is_wrong(question: &Question, answer: &Answer) -> bool {
    let can_be = question.kind.is_marked() && question.kind != QuestionKind::Nearest && !answer.text.is_empty();
    can_be && answer.counts_as(Worth::WRONG)
}

/// A percentage of the points, rounded down.
fn part(points: u32, percent: u32) -> u32 {
    u32::try_from(u64::from(points) * u64::from(percent) / 100).unwrap_or(u32::MAX)
}
