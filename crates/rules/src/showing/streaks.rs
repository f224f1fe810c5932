//! Streaks: in a round that counts them, what a right answer earns more when the player's answers before it were right too. Also
//! what all answers of a player earn more in the round of the joker.
//!
//! Called wherever points are counted, with the answers of a round in order of release. Made anew from the marks each time and
//! never stored, so a mark of the host changes the answers behind it as well.

use crate::base::roster::Player;
use crate::base::sheet::{Answer, Sheet};
use crate::clock::speed;
use crate::{Question, QuestionKind, Quiz, Round};

/// What each further right answer of a streak earns more, in percent of the points of its question.
const STEP: u32 = 10;
/// What it earns more at most, in percent.
const MOST: u32 = 50;

/// What an answer earns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Earned {
    /// All of it; below 0 for a wrong answer in a round that says so.
    pub points: i32,
    /// The part that it earns for the streak alone.
    pub for_streak: u32,
    /// The part that it earns for its speed alone.
    pub for_speed: u32,
    /// The part that it earns for the joker: as much as without it.
    pub for_joker: i32,
}

/// The streak of one player in a round.
#[derive(Clone, Copy, Default)]
pub(crate) struct Streak {
    /// How many answers in a row were right.
    length: u32,
    /// The number of the question that the last of them is to.
    last: u32,
    /// Whether the player's joker doubles the round.
    doubles: bool,
    /// What a wrong answer earns.
    wrong: i32,
}

impl Streak {
    /// A player's before the first question of a round (from 0) of the quiz.
    pub fn of(player: &Player, quiz: &Quiz, round: usize) -> Self {
        let wrong = quiz.rounds.get(round).map_or(0, |round| round.wrong_points);
        Self { doubles: player.doubles(round), wrong, ..Self::default() }
    }

    /// What an answer earns to the question with this number; numbers rise by one from each marked question to the next. To a
    /// withdrawn question, which has none, it earns nothing.
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
    /// The parts are counted from the points of the mark alone, each for itself.
    fn of(marked: u32, for_streak: u32, (question, answer): (&Question, &Answer)) -> Self {
        let for_speed = speed::points_for(marked, question, answer);
        let points = i32::try_from(marked + for_streak + for_speed).unwrap_or(i32::MAX);
        Self { points, for_streak, for_speed, for_joker: 0 }
    }
}

/// Gives the released questions of a round their numbers from 1 on. A question without marks has that of the one before: it
/// neither continues a streak nor ends one, and neither does a withdrawn one, which has no number. Without streaks no number follows another, so every streak has the length 1.
pub(crate) fn numbered<'a>(
    round: Option<&Round>,
    sheets: impl Iterator<Item = (&'a Question, &'a Sheet)>,
) -> impl Iterator<Item = (Option<u32>, &'a Question, &'a Sheet)> {
    let step = if round.is_some_and(|round| round.streaks) { 1 } else { 2 };
    let mut number = 0;
    sheets.map(move |(question, sheet)| {
        number += if question.kind.is_marked() && !sheet.withdrawn { step } else { 0 };
        ((!sheet.withdrawn).then_some(number), question, sheet)
    })
}

/// Whether a player gave it and it is neither right nor partly right. Of the others that are not the nearest none is wrong.
fn is_wrong(question: &Question, answer: &Answer) -> bool {
    let can_be = question.kind.is_marked() && question.kind != QuestionKind::Nearest && !answer.text.is_empty();
    can_be && answer.counts_as(false, 0)
}

/// So many percent of the points, rounded down.
fn part(points: u32, percent: u32) -> u32 {
    u32::try_from(u64::from(points) * u64::from(percent) / 100).unwrap_or(u32::MAX)
}
