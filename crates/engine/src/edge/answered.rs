//! Sends phones the number of players who have answered the newest question. The number is sent a pause after a change and
//! includes all changes of that pause, so it does not identify a player who was seen typing.
//!
//! Called by `edge` after every input and at its ticks, and for a socket that connects.

use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::State;

use super::{Edge, EdgeEffect};
use crate::ids::{ConnectionId, Time};
use crate::wire::{self, Audience, FrameKind, Frames};

/// The time from a change to the number that includes it. At most one number a second is sent.
const PAUSE: Duration = Duration::from_secs(1);

/// A newer number replaces one that is not written yet.
const OF_NUMBER: FrameKind = FrameKind::Replace(wire::ANSWERED_KEY);

/// The numbers that the phones here have been sent.
#[derive(Debug, Default)]
pub(super) struct Answered {
    /// How many events the state had when the players were last counted.
    counted: Option<u64>,
    shown: Option<Bytes>,
    pub(super) due: Option<Time>,
}

impl Edge {
    /// Stores that the number may have changed.
    pub(super) fn note_answered(&mut self, now: Time) {
        let shown = self.replica.as_ref().filter(|replica| wire::may_show_answered(&replica.state));
        if shown.is_some_and(|replica| self.answered.counted != Some(replica.next)) {
            self.answered.due.get_or_insert(now + PAUSE);
        }
    }

    /// Sends the number when it is due and has changed.
    pub(super) fn flush_answered(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let Some(replica) = self.replica.as_ref().filter(|_| self.answered.due.is_some_and(|due| due <= now)) else {
            return;
        };
        let number = self.sessions.any_v1().then(|| wire::answered_status(&replica.state)).flatten();
        self.answered.due = None;
        self.answered.counted = Some(replica.next);
        if let Some(number) = number.filter(|number| self.answered.shown.as_ref() != Some(number)) {
            let message = Frames::to(Audience::Players, number.clone());
            effects.push(EdgeEffect::Broadcast(message, OF_NUMBER));
            self.answered.shown = Some(number);
        }
    }

    /// Sends the number to a player's socket that connects.
    pub(super) fn send_answered(connection: ConnectionId, state: &State, effects: &mut Vec<EdgeEffect>) {
        let number = wire::answered_status(state);
        effects.extend(number.map(|number| EdgeEffect::Send(connection, number, OF_NUMBER)));
    }
}
