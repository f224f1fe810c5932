//! When an owner states the time left, and when it closes a timer that ran out.
//!
//! Called by `owner` at its ticks. An expiry first goes to the caller, which queues it after the commands that have already
//! reached the owner. These commands are decided first, so they count. Decides nothing itself.

use std::time::Duration;

use quizhall_rules::{Change, Command, Event, Expiry, Moment, State};

use super::{Owner, OwnerEffect};
use crate::ids::Time;

/// An expiry that has not come back after this long is given to the caller again.
const AGAIN: Duration = Duration::from_secs(5);

/// The expiries that are with the caller, with the time at which each is given again. At most one per timer.
#[derive(Debug, Default)]
pub(super) struct Expiries(Vec<(Expiry, Time)>);

impl Expiries {
    /// The time at which the first expiry is given to the caller.
    fn next_deadline(&self, state: &State) -> Option<Time> {
        let due = |(closes_at, expiry): (Moment, Expiry)| self.given_until(expiry).unwrap_or_else(|| closes_at.into());
        state.expiries().map(due).min()
    }

    fn given_until(&self, expiry: Expiry) -> Option<Time> {
        self.0.iter().find(|(given, _)| *given == expiry).map(|(_, again)| *again)
    }

    /// Takes the expiries that are due; they are now with the caller.
    fn take_due(&mut self, now: Time, state: &State) -> Vec<Expiry> {
        self.0.retain(|(given, again)| now < *again && state.expiries().any(|(_, expiry)| expiry == *given));
        let at = Moment::from(now);
        let over = state.expiries().filter(|(closes_at, _)| *closes_at <= at).map(|(_, expiry)| expiry);
        let due: Vec<_> = over.filter(|expiry| self.given_until(*expiry).is_none()).collect();
        self.0.extend(due.iter().map(|expiry| (*expiry, now + AGAIN)));
        due
    }
}

impl Owner {
    /// States the time left when that is due, and gives expiries to the caller.
    pub(super) fn tick_timers(&mut self, effects: &mut Vec<OwnerEffect>) {
        let at = Moment::from(self.now);
        if self.state.next_mark(at).is_some_and(|mark| mark <= at) {
            self.decide_for_service(&Command::MarkTimers);
        }
        let due = self.expiries.take_due(self.now, &self.state);
        effects.extend(due.into_iter().map(OwnerEffect::Queue));
    }

    /// Closes a timer that ran out. Everything that reached the owner before has been decided.
    pub(super) fn expire(&mut self, expiry: Expiry) {
        if self.retiring.is_none() {
            self.decide_for_service(&Command::Expire(expiry));
        }
    }

    /// States the time left before the host changes it, where players earn points for speed. The log then contains the time that
    /// the timer has run since the last statement.
    pub(super) fn state_time_before(&mut self, change: &Change) {
        let Change::TimerSet(set) = change else { return };
        if let Some(left) = self.state.unstated(set.left.question, self.now.into()) {
            self.accept(Event::new(Change::TimerMark { left: vec![left], step: None }, None));
        }
    }

    /// The time at which [`Owner::tick_timers`] next has something to do.
    pub(super) fn next_of_timers(&self) -> Option<Time> {
        let mark = self.state.next_mark(self.now.into()).map(Time::from);
        mark.into_iter().chain(self.expiries.next_deadline(&self.state)).min()
    }

    /// Counts a silence without any input, not even a tick, as a sleep of this process: no time passed for timers meanwhile.
    pub(super) fn note_sleep(&mut self, now: Time) {
        let pause = now.saturating_sub(self.now);
        if pause >= self.liveness.silence {
            self.state.delay_timers(Moment::from(pause).0);
        }
    }
}
