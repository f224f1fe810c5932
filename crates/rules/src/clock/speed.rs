//! Points for speed: in a round that counts it, what an answer to a question with a time limit earns more, the sooner it was given.
//!
//! How long a player took is stored with the answer, once and by the owner; the points follow from it and from the marks wherever
//! points are counted. What counts as the time is `docs/speed-points.md`.

use crate::State;
use crate::base::sheet::Answer;
use crate::clock::timers::share;
use crate::{Moment, Question, QuestionId};

/// What an answer earns more that took so many milliseconds: as large a share of its points as was left of the time limit, to the
/// nearest whole point.
pub(crate) fn points_for(points: u32, question: &Question, answer: &Answer) -> u32 {
    let (Some(elapsed), Some(limit)) = (answer.elapsed, whole_time(question, answer.time_percent)) else { return 0 };
    let left = limit.saturating_sub(u64::from(elapsed));
    let nearest = (2 * u64::from(points) * left + limit) / (2 * limit);
    u32::try_from(nearest).unwrap_or(u32::MAX)
}

/// The time after which an answer of a player with this percent of the time limit earns nothing more, milliseconds.
fn whole_time(question: &Question, percent: u16) -> Option<u64> {
    question.time_limit.filter(|seconds| *seconds > 0).map(|seconds| share(u64::from(seconds) * 1_000, percent))
}

impl State {
    /// Whether speed earns points in a question of the round being played.
    pub fn counts_speed(&self, question: QuestionId) -> bool {
        let round = self.quiz().rounds.get(self.round());
        let asked = self.question(question).filter(|_| round.is_some_and(|round| round.speed_points));
        asked.is_some_and(|asked| asked.kind.is_marked() && asked.time_limit.is_some())
    }

    /// How long a player took whose answer is decided at a moment of this process, milliseconds: what was `measured` at the player's
    /// socket, but no more than for how long the timer of the question has run. None where speed earns nothing.
    pub(crate) fn elapsed(&self, question: QuestionId, measured: Option<u32>, at: Moment) -> Option<u32> {
        let ran = u32::try_from(self.ran(question, at)?).unwrap_or(u32::MAX);
        Some(measured.map_or(ran, |measured| measured.min(ran)))
    }
}
