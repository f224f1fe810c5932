//! Speed in the model: how long answers took, by the timers of their questions, and the points for it.

use super::Model;
use super::timers::Timer;

/// The time limit in milliseconds of every question in a game that counts speed.
const LIMIT: u64 = 30_000;

#[derive(Clone, Default)]
pub struct Speed {
    pub counts: bool,
    /// The time that the socket measured for the next answer.
    pub measured: Option<u32>,
}

impl Model {
    pub(super) fn start_limit(&mut self, question: u8) {
        if self.speed.counts {
            self.timers.all.push(Timer::new(Some(question), LIMIT));
        }
    }

    /// The time left of a timer is stored.
    pub fn state_time(&mut self, question: Option<u8>) {
        self.timers.all.iter_mut().filter(|timer| timer.of == question).for_each(Timer::state);
    }

    pub(super) fn took(&self, question: u8) -> Option<u64> {
        let timer = self.timers.all.iter().find(|timer| timer.of == Some(question)).filter(|_| self.speed.counts)?;
        let ran = timer.ran();
        Some(self.speed.measured.map_or(ran, |measured| u64::from(measured).min(ran)))
    }

    /// The additional points for speed: the share of the limit that was left, rounded.
    pub(super) fn for_speed(&self, player: u8, question: u8, points: u64) -> u64 {
        let given = self.given.iter().find(|given| (given.player, given.question) == (player, question));
        let Some((took, percent)) = given.and_then(|given| Some((given.took?, given.percent))) else { return 0 };
        let limit = LIMIT / 100 * u64::from(percent);
        let thousandths = points * (limit - took.min(limit)) * 1_000 / limit;
        (thousandths + 500) / 1_000
    }
}
