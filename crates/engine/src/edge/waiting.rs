//! Sends hosts what the next step of the game waits for, which changes with answers and marks (`step_update`). The step itself is a
//! section, which is sent at once.
//!
//! Called by `edge` after every input and at its ticks, and by `events` after each event.

use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::{Phase, State};

use super::{Edge, EdgeEffect};
use crate::ids::{ConnectionId, Time};
use crate::wire::{self, FrameKind, NEXT_KEY, room};

/// The time from a change to the statement that includes it, and the least time between two; in games so big that a host has no list of the
/// players, a second.
const PAUSE: Duration = Duration::from_millis(250);
const HUGE: Duration = Duration::from_secs(1);

/// The statement that the hosts here have been sent.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// How many events the state had when it was last looked at.
    seen: Option<u64>,
    /// None when it is not the same for all of them, because one has connected since.
    shown: Option<Bytes>,
    pub(super) due: Option<Time>,
}

impl Edge {
    /// The number of the next step; 0 without a state.
    pub(super) fn step_number(&self) -> u32 {
        self.state().map_or(0, State::step_number)
    }

    /// Stores what hosts have been sent by an event that has changed the next step.
    pub(super) fn note_step(&mut self, before: u32, sent: &[EdgeEffect]) {
        if self.step_number() == before {
            return;
        }
        let statement = sent.iter().rev().find_map(|effect| match effect {
            EdgeEffect::Send(_, frame, FrameKind::Replace(NEXT_KEY)) => Some(frame.clone()),
            _ => None,
        });
        (self.waiting.seen, self.waiting.shown) = (self.replica.as_ref().map(|replica| replica.next), statement);
    }

    /// Stores that these hosts were sent the present statement, on connecting or with a state. The others may have an earlier one.
    pub(super) fn note_hosts(&mut self, sent: &[ConnectionId]) {
        if !sent.is_empty() {
            let are_all = self.host_devices().all(|host| sent.contains(&host));
            let statement = self.state().map(wire::step_frame);
            self.waiting.shown = statement.filter(|now| are_all || self.waiting.shown.as_ref() == Some(now));
        }
    }

    /// Stores that what the next step waits for may have changed.
    pub(super) fn note_waiting(&mut self, now: Time) {
        let Some(replica) = self.replica.as_ref().filter(|_| self.waiting.due.is_none()) else { return };
        let is_new = self.waiting.seen != Some(replica.next) && may_wait(&replica.state);
        if is_new && self.host_devices().next().is_some() {
            let pause = if room::is_room_listed(&replica.state) { PAUSE } else { HUGE };
            self.waiting.due = Some(now + pause);
        }
    }

    /// Sends what the next step waits for when it is due and has changed.
    pub(super) fn flush_waiting(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let Some(replica) = self.replica.as_ref().filter(|_| self.waiting.due.is_some_and(|due| due <= now)) else {
            return;
        };
        let update = wire::step_frame(&replica.state);
        (self.waiting.due, self.waiting.seen) = (None, Some(replica.next));
        if self.waiting.shown.replace(update.clone()).as_ref() != Some(&update) {
            let send = |host| EdgeEffect::Send(host, update.clone(), FrameKind::Replace(NEXT_KEY));
            effects.extend(self.host_devices().map(send));
        }
    }
}

/// Whether the step can wait for anything; costs nothing.
fn may_wait(state: &State) -> bool {
    matches!(state.phase(), Phase::Question | Phase::RoundReview) || state.open_tie_break().is_some()
}
