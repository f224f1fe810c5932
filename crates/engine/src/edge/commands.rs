//! Commands of sockets: queueing, sending to the owner, retransmission, and the owner's replies.

use quizhall_rules::{Command, CommandId, Event, Refusal};

use super::sessions::{InFlight, Waiting};
use super::{Edge, EdgeEffect, Message, RETRANSMIT_AFTER};
use crate::frames::ToOwner;
use crate::ids::{ConnectionId, Time};
use crate::wire::{self, CloseCode};

/// Commands a socket may queue after the one in flight: twice the burst of the rate limit.
const QUEUE: usize = 256;

/// The commands that are retransmitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retransmit {
    /// All commands: the previous owner may have lost them.
    All,
    /// Commands that have waited for long enough. Under load most unacknowledged commands are very young, and retransmitting them
    /// would only double the owner's work.
    Old,
}

/// The command for a message, in a game that may hold this many players; `None` when an answer is out of range.
pub(super) fn command_of(message: &Message, elapsed: Option<u32>, player_limit: u32) -> Option<Command> {
    match message {
        Message::Host(message) => wire::command_of(message, player_limit),
        Message::Player(message) => wire::submitted(message, elapsed),
    }
}

impl Edge {
    pub(super) fn message(
        &mut self,
        now: Time,
        (connection, closings_written): (ConnectionId, u32),
        command: Option<Command>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(command) = command else {
            return self.close(connection, wire::answer_out_of_range(), effects);
        };
        let state = self.replica.as_ref().map(|replica| &replica.state);
        let is_held = self.is_held(connection);
        let Some(session) = self.sessions.get_mut(connection) else { return };
        if session.queue.len() >= QUEUE {
            return self.close(connection, CloseCode::RateLimited.into(), effects);
        }
        let crosses = session.closings.are_crossed_by(&command, closings_written, state);
        let seen = state.and_then(|state| session.participant.last_command_in(state));
        let waiting = Waiting { command, since: now, crosses, seen };
        match session.id.filter(|_| !is_held) {
            // Nothing is queued before it, so it is sent without the queue.
            Some(id) if session.in_flight.is_none() && session.queue.is_empty() => {
                session.send(id, waiting);
                self.send_in_flight(connection, effects);
            }
            _ => session.queue.push_back(waiting),
        }
        self.sessions.wait(connection);
    }

    /// Whether the commands of a socket wait because it has been shown nothing: it would not receive their replies.
    fn is_held(&self, connection: ConnectionId) -> bool {
        self.replica.is_none() || self.freshness.is_unshown(connection)
    }

    /// Sends the next queued command of a socket when none is in flight.
    pub(super) fn pump(&mut self, connection: ConnectionId, effects: &mut Vec<EdgeEffect>) {
        let is_held = self.is_held(connection);
        let Some(session) = self.sessions.get_mut(connection) else { return };
        let Some(id) = session.id else { return };
        if session.in_flight.is_some() {
            return;
        }
        if session.queue.is_empty() {
            return self.sessions.settle(connection);
        }
        let Some(waiting) = session.queue.pop_front_if(|_| !is_held) else { return };
        session.send(id, waiting);
        self.send_in_flight(connection, effects);
    }

    /// Sends the command in flight of a socket to the owner, now or together with others.
    pub(super) fn send_in_flight(&mut self, connection: ConnectionId, effects: &mut Vec<EdgeEffect>) {
        if self.travels_with_others(connection) {
            return self.bundling.collect(connection);
        }
        let Some(session) = self.sessions.get(connection) else { return };
        let Some(in_flight) = &session.in_flight else { return };
        effects.push(EdgeEffect::ToOwner(in_flight.to_owner(connection, session.participant, self.epoch)));
    }

    /// Completes the command that caused a committed event; the owner sends no other reply for it.
    pub(super) fn stored(&mut self, now: Time, event: &Event, effects: &mut Vec<EdgeEffect>) {
        let Some(command_id) = event.command_id else { return };
        if let Some(connection) = self.sessions.of(super::sender_of(event)) {
            self.done(now, connection, command_id, effects);
        }
    }

    pub(super) fn done(
        &mut self,
        now: Time,
        connection: ConnectionId,
        command_id: CommandId,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(in_flight) = self.take_in_flight(connection, command_id) else { return };
        if !in_flight.shown {
            self.confirm(now, connection, &in_flight.waiting.command, effects);
        }
        self.pump(connection, effects);
    }

    pub(super) fn refused(
        &mut self,
        connection: ConnectionId,
        command_id: CommandId,
        refusal: Refusal,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(in_flight) = self.take_in_flight(connection, command_id) else { return };
        let is_of_closing = matches!(refusal, Refusal::WrongPhase | Refusal::UnknownQuestion);
        if in_flight.waiting.crosses && is_of_closing {
            return self.pump(connection, effects);
        }
        self.close(connection, wire::close_for(refusal), effects);
    }

    /// Closes the socket, so that the client synchronizes and then sends its newest message again.
    pub(super) fn outdated(&mut self, connection: ConnectionId, command_id: CommandId, effects: &mut Vec<EdgeEffect>) {
        if self.take_in_flight(connection, command_id).is_some() {
            self.close(connection, CloseCode::ResyncRequired.into(), effects);
        }
    }

    /// Retransmits unacknowledged commands, requests and detachments.
    pub(super) fn retransmit(&mut self, now: Time, which: Retransmit, effects: &mut Vec<EdgeEffect>) {
        self.next_retransmission = now + RETRANSMIT_AFTER;
        self.retransmit_commands(now, which, effects);
        self.requests.retransmit(now, effects);
        for (&connection, &(participant, clean)) in &self.departing {
            effects.push(EdgeEffect::ToOwner(ToOwner::Detach { connection, participant, clean }));
        }
    }

    /// Retransmits unacknowledged commands, and closes sockets whose command has timed out.
    fn retransmit_commands(&mut self, now: Time, which: Retransmit, effects: &mut Vec<EdgeEffect>) {
        let (mut overdue, mut sockets, mut together) = (Vec::new(), Vec::new(), Vec::new());
        let owner_answers = std::mem::take(&mut self.owner_answers);
        for connection in self.sessions.waiting() {
            let Some(session) = self.sessions.get_mut(connection) else { continue };
            if session.waiting_since().is_some_and(|since| now >= since + self.options.command_timeout) {
                overdue.push(connection);
            } else if session.id.is_none() {
                sockets.push(session.announce(connection));
            } else if let Some(in_flight) = &mut session.in_flight
                && (in_flight.is_due(owner_answers) || which == Retransmit::All)
            {
                if self.travels_with_others(connection) {
                    together.push(connection);
                } else {
                    self.send_in_flight(connection, effects);
                }
            }
        }
        self.announce(&sockets, effects);
        self.send_together(together, effects);
        for connection in overdue {
            self.close(connection, CloseCode::StorageUnavailable.into(), effects);
        }
    }

    pub(super) fn take_in_flight(&mut self, connection: ConnectionId, command_id: CommandId) -> Option<Box<InFlight>> {
        let session = self.sessions.get_mut(connection)?;
        if session.in_flight.as_ref()?.command_id != command_id {
            return None;
        }
        session.in_flight.take()
    }
}
