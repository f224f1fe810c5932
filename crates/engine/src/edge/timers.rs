//! What sockets with the extension are sent of timers: `timer_update` and `question_closed`. Of breaks: `breaks`.
//!
//! Called by `edge` on connecting and at its ticks, by `events` behind each event's own messages. Time left is that of the
//! replica at a moment of this process; the owner alone decides when a question closes.

use std::time::Duration;

use quizhall_rules::{Change, Event, Moment, QuestionId, State, TimeLeft};

use super::{Edge, EdgeEffect};
use crate::ids::{ConnectionId, Time};
use crate::wire::{self, Closing, FrameKind, Frames, extension};

/// How often the time left is sent though nothing has changed.
const EVERY: Duration = Duration::from_secs(10);
/// A mark of the owner that differs by more from what this edge counts is sent at once, milliseconds.
pub(super) const NOTICEABLE: u64 = 500;

impl Edge {
    /// Sends a socket of the extension the timers of a state, and the questions that are closed there and not `before`.
    pub(super) fn send_timers(
        (now, connection): (Time, ConnectionId),
        before: Option<&State>,
        state: &State,
        effects: &mut Vec<EdgeEffect>,
    ) {
        for question in state.closed_questions().filter(|closed| before.is_none_or(|before| before.is_open(*closed))) {
            let kind = FrameKind::Closes(Closing::Question(question));
            effects.push(EdgeEffect::Send(connection, extension::question_closed(question), kind));
        }
        for left in state.timers(now.into()) {
            let kind = FrameKind::Replace(wire::timer_key(left.question));
            effects.push(EdgeEffect::Send(connection, extension::timer_update(state, left), kind));
        }
        if let Some(next) = state.next_step(now.into()) {
            let kind = FrameKind::Replace(wire::STEP_KEY);
            effects.push(EdgeEffect::Send(connection, extension::autopilot_step(state, next), kind));
        }
    }

    /// Sends the time left of every timer when that was done long ago.
    pub(super) fn flush_timers(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if self.next_of_timers().is_some_and(|due| due <= now) {
            self.send_time_left(now, |_| true, effects);
            self.send_step(now, effects);
            if self.state().is_some_and(State::has_break) {
                self.send_break(now, effects);
            }
            self.timers_due = now + EVERY;
        }
    }

    /// When [`Edge::flush_timers`] has something next.
    pub(super) fn next_of_timers(&self) -> Option<Time> {
        let is_counted = |state: &State| {
            let at = Moment::default();
            state.timers(at).next().is_some() || state.next_step(at).is_some() || state.has_break()
        };
        let has_timers = self.state().is_some_and(is_counted);
        has_timers.then_some(self.timers_due)
    }

    /// What time the timers that a mark names have left here, to be asked before the mark is in the replica.
    pub(super) fn counted_before(&self, now: Time, change: &Change) -> Vec<TimeLeft> {
        match (change, self.state()) {
            (Change::TimerMark { .. }, Some(state)) => state.timers(now.into()).collect(),
            _ => Vec::new(),
        }
    }

    /// Sends what an event changes of the timers; `counted` is what they had left here before a mark.
    pub(super) fn send_changed_timers(
        &mut self,
        now: Time,
        event: &Event,
        counted: &[TimeLeft],
        effects: &mut Vec<EdgeEffect>,
    ) {
        match &event.change {
            Change::QuestionReleased { question } => {
                self.send_time_left(now, |left| left.question == Some(*question), effects);
            }
            Change::Started | Change::NextRoundStarted | Change::Claimed { .. } => {
                self.send_time_left(now, |_| true, effects);
                self.send_step(now, effects);
            }
            Change::TimerSet(set) => {
                self.send_time_left(now, |left| left.question == set.question, effects);
                self.note_shown_to_host(event.command_id);
            }
            Change::TimerHeld { .. } => {
                self.send_time_left(now, |_| true, effects);
                self.note_shown_to_host(event.command_id);
            }
            Change::TimerMark { left, .. } => {
                let jumps = |left: TimeLeft| {
                    let before = counted.iter().find(|before| before.question == left.question);
                    before.is_none_or(|before| before.ms.abs_diff(left.ms) > NOTICEABLE)
                };
                let jumped: Vec<_> = left.iter().filter(|left| jumps(**left)).map(|left| left.question).collect();
                self.send_time_left(now, |left| jumped.contains(&left.question), effects);
            }
            Change::QuestionClosed { question } => {
                Self::send_closed(*question, effects);
                self.send_step(now, effects);
            }
            Change::AutopilotSet { .. } => {
                self.send_time_left(now, |_| true, effects);
                self.send_step(now, effects);
            }
            Change::TallyShown { .. } | Change::HostLeft | Change::HostReturned => self.send_step(now, effects),
            _ => {}
        }
    }

    /// The time left of every timer, for a host whose command has changed nothing.
    pub(super) fn all_time_left(&self, now: Time) -> Vec<bytes::Bytes> {
        let Some(state) = self.state() else { return Vec::new() };
        state.timers(now.into()).map(|left| extension::timer_update(state, left)).collect()
    }

    fn send_closed(question: QuestionId, effects: &mut Vec<EdgeEffect>) {
        let message = Frames::extension(extension::question_closed(question));
        effects.push(EdgeEffect::Broadcast(message, FrameKind::Closes(Closing::Question(question))));
    }

    /// Sends what the autopilot does next, while no question is open.
    fn send_step(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let Some(replica) = &self.replica else { return };
        let Some(next) = replica.state.next_step(now.into()) else { return };
        let message = Frames::extension(extension::autopilot_step(&replica.state, next));
        effects.push(EdgeEffect::Broadcast(message, FrameKind::Replace(wire::STEP_KEY)));
        self.timers_sent(now);
    }

    /// Notes that a time left was sent: the next one is not due before a while.
    pub(super) fn timers_sent(&mut self, now: Time) {
        self.timers_due = if self.timers_due <= now { now + EVERY } else { self.timers_due };
    }

    fn send_time_left(&mut self, now: Time, is_meant: impl Fn(&TimeLeft) -> bool, effects: &mut Vec<EdgeEffect>) {
        let Some(replica) = &self.replica else { return };
        for left in replica.state.timers(now.into()).filter(is_meant) {
            let message = Frames::extension(extension::timer_update(&replica.state, left));
            effects.push(EdgeEffect::Broadcast(message, FrameKind::Replace(wire::timer_key(left.question))));
            self.timers_due = if self.timers_due <= now { now + EVERY } else { self.timers_due };
        }
    }
}
