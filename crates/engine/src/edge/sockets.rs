//! Sockets that connect and close: the first messages to a socket, and its end.
//!
//! Called by `edge` and its other parts, which decide the messages in between. Writes no socket itself.

use super::sessions::Session;
use super::{Edge, EdgeEffect, is_known};
use crate::frames::ToOwner;
use crate::ids::{ConnectionId, Time};
use crate::sections::{self, View};
use crate::wire::{self, Close, CloseCode, FrameKind, Recipient};

impl Edge {
    pub(super) fn attach(
        &mut self,
        now: Time,
        connection: ConnectionId,
        session: Session,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let (participant, announced) = (session.participant, session.announce(connection));
        // Before anything else: the phone that had the seat must not close the socket of the one that has it.
        if self.state().is_some_and(|state| session.holder().is_void(state)) {
            return effects.push(EdgeEffect::Close(connection, CloseCode::Unauthorized.into()));
        }
        if let Some(present) = self.sessions.of(participant) {
            if present > connection {
                // Two sockets of one participant opened at almost the same time, and the newer one attached first.
                return effects.push(EdgeEffect::Close(connection, CloseCode::Replaced.into()));
            }
            self.close(present, CloseCode::Replaced.into(), effects);
        }
        self.sessions.insert(connection, session);
        if let Some(replica) = &self.replica {
            let state = &replica.state;
            if state.is_closed() {
                return self.close(connection, CloseCode::GameClosed.into(), effects);
            }
            if let Some(player) = participant.player()
                && state.is_removed(player)
            {
                return self.close(connection, CloseCode::Removed.into(), effects);
            }
            if is_known(state, participant) {
                self.welcome(now, connection, effects);
            } else {
                // The player joined over another node a moment ago: the event is in the log, and has not arrived here yet.
                self.wait_for_log(now, connection, effects);
            }
            self.note_phase(now);
        } else {
            self.freshness.note_newcomer(now, connection);
        }
        effects.push(EdgeEffect::ToOwner(ToOwner::Attach(announced)));
        self.sessions.wait(connection);
    }

    /// Sends the sync messages.
    pub(super) fn send_sync(&mut self, now: Time, connection: ConnectionId, effects: &mut Vec<EdgeEffect>) {
        if self.screens.contains(connection) {
            return self.show_screen(now, connection, effects);
        }
        let (Some(replica), Some(session)) = (&self.replica, self.sessions.get_mut(connection)) else { return };
        let (state, participant) = (&replica.state, session.participant);
        let frames = match participant.player() {
            Some(player) if wire::is_withheld(state, participant, session.dialect) => {
                wire::sync_withheld(state, player, session.dialect)
            }
            _ => {
                let mut frames = self.pacing.sync_shared((state, replica.next), session.recipient());
                frames.extend(wire::sync_own(state, self.boards.as_ref(), participant, session.dialect));
                frames
            }
        };
        if session.has_extension() {
            let frames = sections::around(&View::whole(state, participant, now), frames).into_iter();
            effects.extend(frames.map(|(frame, kind)| EdgeEffect::Send(connection, frame, kind)));
            Self::send_timers(now, (connection, participant), (None, state), effects);
            let clocks = sections::clocks(None, &View::whole(state, participant, now)).into_iter();
            effects.extend(clocks.map(|(frame, kind)| EdgeEffect::Send(connection, frame, kind)));
            if participant.as_host().is_some() {
                self.pacing.host_synced(connection, state);
            }
        } else {
            effects.extend(frames.into_iter().map(|frame| EdgeEffect::Send(connection, frame, FrameKind::Queued)));
        }
        if session.recipient() == Recipient::Player {
            Self::send_answered(connection, state, effects);
        }
        if session.has_extension() && participant.as_host().is_some() {
            self.note_hosts(&[connection]);
            self.note_review(connection);
        }
    }

    /// Removes a socket that its client closed.
    pub(super) fn leave(&mut self, connection: ConnectionId, clean: bool, effects: &mut Vec<EdgeEffect>) {
        self.freshness.note_gone(connection);
        if self.screens.remove(connection) {
            return;
        }
        let Some(session) = self.sessions.remove(connection) else { return };
        self.departing.insert(connection, (session.participant, clean));
        let participant = session.participant;
        effects.push(EdgeEffect::ToOwner(ToOwner::Detach { connection, participant, clean }));
    }

    /// Closes a socket.
    pub(super) fn close(&mut self, connection: ConnectionId, close: Close, effects: &mut Vec<EdgeEffect>) {
        if self.sessions.contains(connection) {
            effects.push(EdgeEffect::Close(connection, close));
            self.leave(connection, false, effects);
        }
    }

    pub(super) fn close_all(&mut self, close: Close, effects: &mut Vec<EdgeEffect>) {
        self.close_screens(close, effects);
        for connection in self.sessions.ids() {
            self.close(connection, close, effects);
        }
    }

    pub(super) fn close_shown(&mut self, close: Close, effects: &mut Vec<EdgeEffect>) {
        for connection in self.sessions.ids().into_iter().filter(|id| !self.waits_for_log(*id)).collect::<Vec<_>>() {
            self.close(connection, close, effects);
        }
    }
}
