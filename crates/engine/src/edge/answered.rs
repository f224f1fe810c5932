//! Sends phones how many players have answered the newest question. The number follows a change after a pause, with all changes of that
//! pause in it: so it does not name the player who was seen to type.
//!
//! Called by `edge` after every input and at its ticks, and for a socket that connects.

use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::State;

use super::{Edge, EdgeEffect};
use crate::ids::{ConnectionId, Time};
use crate::wire::{self, Audience, FrameKind, Frames};

/// From a change to the number that has it. At most one number a second.
const PAUSE: Duration = Duration::from_secs(1);

/// A newer number takes the place of one that is not written yet.
const OF_NUMBER: FrameKind = FrameKind::Replace(wire::ANSWERED_KEY);

/// What the phones here have been sent.
#[derive(Debug, Default)]
pub(super) struct Answered {
    /// How many events the state had when it was counted last.
    counted: Option<u64>,
    shown: Option<Bytes>,
    pub(super) due: Option<Time>,
}

impl Edge {
    /// Notes that the number may be another one.
    pub(super) fn note_answered(&mut self, now: Time) {
        let shown = self.replica.as_ref().filter(|replica| wire::may_show_answered(&replica.state));
        if shown.is_some_and(|replica| self.answered.counted != Some(replica.next)) {
            self.answered.due.get_or_insert(now + PAUSE);
        }
    }

    /// Sends the number when that is due and it is another one.
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
