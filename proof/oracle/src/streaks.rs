//! The points of an answer, with its bonuses for streaks, for speed and for the joker (messages.md#marking).

use std::collections::BTreeMap;

use quizhall_protocol::QuestionKind;
use uuid::Uuid;

use crate::answers::{Answer, Answers, Worth};
use crate::game::Game;
use crate::quiz::Question;

/// The points of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Earned {
    /// All of it.
    pub points: i32,
    /// The part for a streak.
    pub for_streak: u32,
    /// The part for its speed.
    pub for_speed: u32,
    /// The part for the joker.
    pub for_joker: i32,
}

impl Game {
    /// The points of a player's answer to a released question of this round, by the present marks.
    pub fn earned(&self, player: Uuid, question: &Question) -> Earned {
        self.earned_in(self.round, player, question)
    }

    /// The questions that were released in a round so far, and the answers to them.
    pub(crate) fn played(&self, round: usize) -> (&[Uuid], &Answers) {
        self.past.get(round).map_or((&self.released, &self.answers), |(released, answers)| (released, answers))
    }

    /// The points of each player in a round, as the answers are marked now, with those by hand.
    pub(crate) fn earned_of_all(&self, round: usize) -> BTreeMap<Uuid, i64> {
        let mut earned = BTreeMap::new();
        for answer in self.played(round).1.all() {
            let asked = self.quiz.question(answer.question);
            let points = asked.map_or(0, |question| self.earned_in(round, answer.player, question).points);
            *earned.entry(answer.player).or_default() += i64::from(points);
        }
        for one in self.adjustments.iter().filter(|one| one.round == round) {
            *earned.entry(one.player).or_default() += i64::from(one.points);
        }
        earned
    }

    fn earned_in(&self, round: usize, player: Uuid, question: &Question) -> Earned {
        let answer = self.played(round).1.get(player, question.id).filter(|_| !self.is_withdrawn(question.id));
        let Some(answer) = answer else { return Earned::default() };
        let percent = if answer.correct() { (self.right_before(round, player, question.id) * 10).min(50) } else { 0 };
        let for_streak = u32::try_from(u64::from(question.points) * percent / 100).expect("at most half of the points");
        let marked = answer.points(question.points);
        let for_speed = question.points_for_speed(marked, (answer.elapsed(), answer.time_percent));
        // A wrong answer was given, to a question that marks each answer by itself: `nearest` compares all answers.
        let can_be_wrong = question.is_marked() && question.kind.or_text() != QuestionKind::Nearest;
        let is_wrong = can_be_wrong && answer.counts_as(Worth::WRONG) && !answer.text.is_empty();
        let right = i32::try_from(marked + for_streak + for_speed).expect("at most 2,500,000");
        let once = if is_wrong { self.quiz.rounds[round].wrong_points } else { right };
        let is_doubled = self.player(player).is_some_and(|player| player.joker == Some(round));
        let for_joker = if is_doubled { once } else { 0 };
        Earned { points: once + for_joker, for_streak, for_speed, for_joker }
    }

    /// How many consecutive questions directly before this one, of its section too, the player has right. Questions without marks and withdrawn
    /// ones are skipped.
    fn right_before(&self, round: usize, player: Uuid, question: Uuid) -> u64 {
        if !self.quiz.rounds[round].streaks {
            return 0;
        }
        let rounds = self.quiz.streaks_begin(round)..=round;
        let released = rounds.flat_map(|round| self.played(round).0.iter().map(move |question| (round, *question)));
        let before = released.take_while(|(_, released)| *released != question);
        let before = before.filter(|(_, id)| !self.is_withdrawn(*id));
        let marked: Vec<_> =
            before.filter(|(_, id)| self.quiz.question(*id).is_some_and(Question::is_marked)).collect();
        let answer = |(round, question): (usize, Uuid)| self.played(round).1.get(player, question);
        let is_right = |asked: &&(usize, Uuid)| answer(**asked).is_some_and(Answer::correct);
        marked.iter().rev().take_while(is_right).count() as u64
    }
}

impl Question {
    /// The additional points for an answer that took `elapsed` milliseconds from a player with `percent` of every time
    /// limit: the share of the limit that was left, rounded to the nearest whole point, half up.
    fn points_for_speed(&self, points: u32, (elapsed, percent): (Option<u32>, u16)) -> u32 {
        let (Some(elapsed), Some(limit)) = (elapsed.filter(|_| self.counts_speed), self.time_limit) else { return 0 };
        let limit = u64::from(limit) * 10 * u64::from(percent);
        let share = u64::from(points) * (limit - limit.min(elapsed.into()));
        let up = share % limit * 2 >= limit;
        u32::try_from(share / limit + u64::from(up)).expect("at most as many as the points")
    }
}
