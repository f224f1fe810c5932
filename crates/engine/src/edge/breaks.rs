//! What sockets with the extension are sent of a break: `break_update`.
//!
//! Called by `edge` on connecting, by `timers` at its ticks, by `events` behind each event's own messages. Time left is that of
//! the replica at a moment of this process; the owner alone decides when a break ends.

use quizhall_rules::{Change, Event, Phase, State};

use super::timers::NOTICEABLE;
use super::{Edge, EdgeEffect};
use crate::ids::{ConnectionId, Time};
use crate::wire::{self, FrameKind, Frames};

impl Edge {
    /// Sends a socket of the extension the break of a state, or that the one `before` is over. The end of the game says so itself.
    pub(super) fn send_break_to(
        (now, connection): (Time, ConnectionId),
        before: Option<&State>,
        state: &State,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let is_over = before.is_some_and(State::has_break) && state.phase() != Phase::Ended;
        if state.has_break() || is_over {
            let kind = FrameKind::Replace(wire::BREAK_KEY);
            effects.push(EdgeEffect::Send(connection, wire::break_update(state, now.into()), kind));
        }
    }

    /// What the break has left here, to be asked before an event is in the replica.
    pub(super) fn break_counted(&self, now: Time) -> Option<u64> {
        self.state().and_then(|state| state.break_left(now.into())).map(|(ms, _)| ms)
    }

    /// Sends what an event changes of the break; `counted` is what it had left here before.
    pub(super) fn send_changed_break(
        &mut self,
        now: Time,
        event: &Event,
        counted: Option<u64>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let left = self.break_counted(now);
        let has_changed = match &event.change {
            Change::BreakStarted { .. } => true,
            Change::Claimed { .. } => left.is_some(),
            Change::Ended => false,
            Change::BreakMark { .. } => {
                left.zip(counted).is_some_and(|(left, counted)| left.abs_diff(counted) > NOTICEABLE)
            }
            _ => left.is_some() != counted.is_some(),
        };
        if has_changed {
            self.send_break(now, effects);
            if matches!(event.change, Change::BreakStarted { .. } | Change::BreakEnded) {
                self.note_shown_to_host(event.command_id);
            }
        }
    }

    /// Sends all sockets of the extension what the break has left, or that there is none.
    pub(super) fn send_break(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        let message = Frames::extension(wire::break_update(state, now.into()));
        effects.push(EdgeEffect::Broadcast(message, FrameKind::Replace(wire::BREAK_KEY)));
        self.timers_sent(now);
    }

    /// What the break has left, for a host whose command has changed nothing.
    pub(super) fn break_confirmed(&self, now: Time) -> Vec<bytes::Bytes> {
        self.state().map(|state| wire::break_update(state, now.into())).into_iter().collect()
    }
}
