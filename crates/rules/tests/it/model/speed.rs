//! Speed in the model: a stopwatch per open question, which stands still while the timers are held.

use super::Model;

/// The time limit of every question of a game that counts speed, milliseconds.
const LIMIT: u64 = 30_000;

#[derive(Clone, Default)]
pub struct Speed {
    pub counts: bool,
    /// What was measured at the socket of the next answer.
    pub measured: Option<u32>,
    /// For how long each question has been asked.
    ran: Vec<(u8, u64)>,
}

impl Model {
    pub(super) fn start_limit(&mut self, question: u8) {
        if self.speed.counts {
            self.timers.left.push((Some(question), LIMIT));
            self.speed.ran.push((question, 0));
        }
    }

    /// Time passes, before it does for the timers: a stopwatch goes no further than its timer.
    pub(super) fn run(&mut self, ms: u64) {
        for (question, ran) in &mut self.speed.ran {
            let left = self.timers.left.iter().find(|(of, _)| *of == Some(*question));
            *ran += left.map_or(0, |(_, left)| ms.min(*left));
        }
    }

    pub(super) fn took(&self, question: u8) -> Option<u64> {
        let (_, ran) = self.speed.ran.iter().find(|(asked, _)| *asked == question)?;
        Some(self.speed.measured.map_or(*ran, |measured| u64::from(measured).min(*ran)))
    }

    /// What points earn more: the share of them that was left of the limit, rounded.
    pub(super) fn for_speed(&self, player: u8, question: u8, points: u64) -> u64 {
        let given = self.given.iter().find(|given| (given.player, given.question) == (player, question));
        let Some(took) = given.and_then(|given| given.took) else { return 0 };
        let thousandths = points * (LIMIT - took.min(LIMIT)) * 1_000 / LIMIT;
        (thousandths + 500) / 1_000
    }
}
