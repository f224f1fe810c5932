//! Extra time: players who have a longer share of every timer, so that a timer ends for some players before it ends for all.
//!
//! It is part of the state, built from the log only. A timer of 30 s is over after 45 s for a player with 150 percent. The
//! distinct percents of the players are the stages of the timer, in ascending order; the last stage closes it. Called by `apply`
//! and where commands are decided; decides nothing.

use serde::{Deserialize, Serialize};

use crate::State;
use crate::base::roster::PlayerSlot;
use crate::clock::timers::{NOMINAL, TimeLeft, Timer, TimerLength, Timers, share};
use crate::{Moment, Phase, PlayerId, QuestionId};

/// The percent of each player whose percent differs from [`NOMINAL`].
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExtraTime(Vec<(PlayerSlot, u16)>);

impl ExtraTime {
    pub fn is_unused(&self) -> bool {
        self.0.is_empty()
    }

    fn of(&self, slot: PlayerSlot) -> u16 {
        self.0.iter().find(|(of, _)| *of == slot).map_or(NOMINAL, |(_, percent)| *percent)
    }

    fn set(&mut self, slot: PlayerSlot, percent: u16) {
        self.0.retain(|(of, _)| *of != slot);
        if percent != NOMINAL {
            self.0.push((slot, percent));
        }
    }
}

/// A stage of a timer that is over while later stages still run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stage {
    /// The percent of the players whose time is over.
    pub up: u16,
    /// The percent of the players whose time is over next.
    pub next: u16,
    /// The time left until then, milliseconds.
    pub ms: u64,
}

impl State {
    /// Which percent of every timer a player has; 100 without extra time.
    pub fn time_percent_of(&self, player: PlayerId) -> u16 {
        self.roster.find_player(player).map_or(NOMINAL, |slot| self.extra.of(slot))
    }

    /// Whether any player has extra time.
    pub fn has_extra_time(&self) -> bool {
        !self.extra.is_unused()
    }

    /// Whether the time left can differ between players.
    pub fn has_stages(&self) -> bool {
        self.has_extra_time() || self.timers.is_any_over()
    }

    /// Whether a question of the current round takes answers from this player, if the phase allows answers.
    pub fn is_open_for(&self, question: QuestionId, player: PlayerId) -> bool {
        let is_over = |slot| self.timers.is_over(question, (slot, self.extra.of(slot)));
        let is_closed = || self.timers.is_any_over() && self.roster.find_player(player).is_some_and(is_over);
        self.is_open(question) && !is_closed()
    }

    /// The questions that take no answers from this player while the round continues, in order of release.
    pub fn closed_questions_for(&self, player: PlayerId) -> impl Iterator<Item = QuestionId> {
        let released = self.released().filter(|_| self.phase() == Phase::Question).map(|asked| asked.id);
        released.filter(move |question| !self.is_open_for(*question, player))
    }

    /// The time that each timer has left for a player at a moment of this process, the oldest timer first. Timers that are over
    /// for the player are left out.
    pub fn time_left_of(&self, player: PlayerId, at: Moment) -> impl Iterator<Item = TimeLeft> {
        let slot = self.roster.find_player(player);
        let percent = slot.map_or(NOMINAL, |slot| self.extra.of(slot));
        let left =
            self.timers.left_for(percent, at, move |timer| !slot.is_some_and(|slot| timer.is_over_for(slot, percent)));
        left.filter(move |left| left.question.is_none_or(|question| self.is_open_for(question, player)))
    }

    /// The time that each timer has left for players without extra time, and by how many milliseconds its last stage is longer.
    pub fn time_left(&self, at: Moment) -> impl Iterator<Item = (TimeLeft, u64)> {
        let longest = self.timers.left_for(self.stages().last().copied().unwrap_or(NOMINAL), at, |_| true);
        let nominal = self.timers.left_for(NOMINAL, at, |_| true);
        nominal.zip(longest).map(|(left, longest)| (left, longest.ms.saturating_sub(left.ms)))
    }

    /// The stage of a timer that ends now, unless it is the last.
    pub(crate) fn ending_stage(&self, question: Option<QuestionId>, at: Moment) -> Option<Stage> {
        let up = self.timers.stage_of(question)?;
        let next = self.stages().into_iter().find(|stage| *stage > up)?;
        let mut left = self.timers.left_for(next, at, |_| true);
        left.find(|left| left.question == question).map(|left| Stage { up, next, ms: left.ms })
    }

    /// A timer with this much time for players without extra time, in the form in which the log states it.
    pub(crate) fn timer_of(&self, TimeLeft { question, ms }: TimeLeft) -> TimerLength {
        let (_, percent) = self.timers.length_of(question).unwrap_or((0, NOMINAL));
        TimerLength::of(TimeLeft { question, ms: share(ms, percent) }, ms)
    }

    /// A timer whose time left the log states as `left`, with `more` time for players without extra time.
    pub(crate) fn longer_timer(&self, left: TimeLeft, more: u64) -> TimerLength {
        let (of, percent) = self.timers.length_of(left.question).unwrap_or((0, NOMINAL));
        let added = share(of + more, percent) - share(of, percent);
        TimerLength::of(TimeLeft { ms: left.ms + added, ..left }, of + more)
    }

    /// A question that is already closed for the player stays closed.
    pub(crate) fn set_extra_time(&mut self, player: PlayerId, percent: u16) {
        let Some(slot) = self.roster.find_player(player) else { return };
        self.timers.keep_over(slot, self.extra.of(slot));
        self.extra.set(slot, percent);
        self.restage_timers();
    }

    /// Has to be called after the set of players who count has changed.
    pub(crate) fn restage_timers(&mut self) {
        let stages = self.stages();
        self.timers.restage(&stages);
    }

    pub(crate) fn forget_extra_time(&mut self, slot: PlayerSlot) {
        self.extra.set(slot, NOMINAL);
        self.restage_timers();
    }

    /// [`NOMINAL`] and the distinct percents of the players who have not left, in ascending order.
    fn stages(&self) -> Vec<u16> {
        let counts = |(slot, _): &&(PlayerSlot, u16)| self.roster.player(*slot).present;
        let extra = self.extra.0.iter().filter(counts).map(|(_, percent)| *percent);
        let mut stages: Vec<u16> = extra.chain([NOMINAL]).collect();
        stages.sort_unstable();
        stages.dedup();
        stages
    }
}

impl Timers {
    /// Whether a timer is over for some players.
    fn is_any_over(&self) -> bool {
        self.running.iter().any(Timer::is_over_for_some)
    }

    /// Whether the time of a question or of its round is over for a player with this percent.
    fn is_over(&self, question: QuestionId, (slot, percent): (PlayerSlot, u16)) -> bool {
        let mut concerned = self.running.iter().filter(|timer| timer.left.question.is_none_or(|of| of == question));
        concerned.any(|timer| timer.is_over_for(slot, percent))
    }
}
