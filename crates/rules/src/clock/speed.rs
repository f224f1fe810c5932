//! Points for speed: in a round that counts them, the bonus of an answer to a question with a time limit. An earlier answer has a
//! larger bonus.
//!
//! The time that a player took is decided once, by the owner, and stored with the answer. The points are calculated from it and
//! from the marks wherever points are counted. `docs/build/speed-points.md` defines which time counts.

use quizhall_quiz::{Question, QuestionId};

use crate::base::{Answer, Game, share};

/// The bonus of a fast answer: the share of its points that equals the share of the time limit that was left, rounded to the
/// nearest point.
pub(crate) fn points_for(points: u32, question: &Question, answer: &Answer) -> u32 {
    let (Some(elapsed), Some(limit)) = (answer.elapsed, whole_time(question, answer.time_percent)) else { return 0 };
    let left = limit.saturating_sub(u64::from(elapsed));
    let nearest = (2 * u64::from(points) * left + limit) / (2 * limit);
    u32::try_from(nearest).unwrap_or(u32::MAX)
}

/// The time in milliseconds after which a player with this percent of the time limit gets no bonus.
fn whole_time(question: &Question, percent: u16) -> Option<u64> {
    question.time_limit.filter(|seconds| *seconds > 0).map(|seconds| share(u64::from(seconds) * 1_000, percent))
}

impl Game {
    /// Whether speed earns points in a question of the round being played.
    pub fn counts_speed(&self, question: QuestionId) -> bool {
        let round = self.quiz().rounds.get(self.round());
        let asked = self.question(question).filter(|_| round.is_some_and(|round| round.speed_points));
        asked.is_some_and(|asked| asked.kind.is_marked() && asked.time_limit.is_some())
    }
}
