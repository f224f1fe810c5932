//! Decides commands: an event for the batch, nothing, or a refusal.
//!
//! Called by `owner`. Decides by the rules against the newest state, durable or not; releases nothing and appends nothing.

use std::sync::Arc;

use quizhall_rules::{Actor, Change, Command, CommandId, Event, Origin, Phase, Refusal, decide};

use super::Owner;
use crate::ids::{EdgeId, Participant};

/// The outcome of a socket's command.
pub(super) enum Verdict {
    /// An event with its id is in the batch.
    Stored,
    /// It took effect earlier, or has nothing to do.
    Done,
    Refused(Refusal),
    Outdated,
}

impl Owner {
    /// Decides a command. One that would change something is dropped when its sender sent another command over another edge since it
    /// arrived: it was delayed and may be the older one.
    pub(super) fn judge(
        &mut self,
        (edge, participant): (EdgeId, Participant),
        (command_id, seen): (CommandId, Option<CommandId>),
        command: &Command,
    ) -> Verdict {
        if let Some(refusal) = self.presence.refusal_of(participant, command_id) {
            return Verdict::Refused(refusal);
        }
        let actor = match participant {
            Participant::Host => Actor::Host,
            Participant::Player(player) => Actor::Player(player),
        };
        let origin = Origin { actor, command_id: Some(command_id), at: self.now.into() };
        let event = match decide(&self.state, origin, command) {
            Err(refusal) => {
                self.presence.refused(participant, command_id, refusal);
                return Verdict::Refused(refusal);
            }
            Ok(event) => event.or_else(|| self.restated(participant, command_id, command)),
        };
        if let Some(event) = event {
            if self.is_outdated((edge, participant), command_id, seen) {
                return Verdict::Outdated;
            }
            self.state_time_before(&event.change);
            self.accept(event);
            return Verdict::Stored;
        }
        Verdict::Done
    }

    /// Whether the sender sent a command over another edge since this command arrived.
    fn is_outdated(
        &self,
        (edge, participant): (EdgeId, Participant),
        command_id: CommandId,
        seen: Option<CommandId>,
    ) -> bool {
        participant.last_command_in(&self.state).is_some_and(|last| {
            Some(last) != seen
                && last.session != command_id.session
                && !self.presence.is_from(participant, edge, last.session)
        })
    }

    /// An answer that counts already, given again over another socket: stored once more, or an older one that is held
    /// back somewhere could not be distinguished from what comes after this.
    fn restated(&self, participant: Participant, command_id: CommandId, command: &Command) -> Option<Event> {
        let (Participant::Player(player), Command::SubmitAnswer { question, .. }) = (participant, command) else {
            return None;
        };
        if self.state.last_command_of(player).is_none_or(|last| last.session == command_id.session) {
            return None;
        }
        let answer = self.state.answer_of(player, *question)?;
        let change = Change::Answered {
            player,
            question: *question,
            answer: Arc::clone(&answer.text),
            correct: answer.marked_correct,
            near_miss: answer.near_miss,
            partial: answer.partial,
            elapsed: answer.elapsed,
        };
        Some(Event { change, command_id: Some(command_id) })
    }

    /// Stores whether the participant is here, where that differs from what is stored; within the quiet time after an
    /// earlier such event at its end.
    pub(super) fn presence_changed(&mut self, participant: Participant) {
        if !self.coalescing.defers(self.now, participant) {
            self.store_presence(participant);
        }
    }

    fn store_presence(&mut self, participant: Participant) {
        let Some(here) = self.presence.is_here(participant) else { return };
        let stored = self.building.events.len();
        self.decide_for_service(&match (participant, here) {
            (Participant::Player(player), true) => Command::Return { player },
            (Participant::Player(player), false) => Command::Leave { player },
            (Participant::Host, true) => Command::HostReturn,
            (Participant::Host, false) => Command::HostLeave,
        });
        if self.building.events.len() > stored {
            self.coalescing.stored(self.now, participant);
        }
    }

    pub(super) fn decide_for_service(&mut self, command: &Command) {
        // A refusal here means that the player was removed or the game closed meanwhile: nothing to do.
        let _ = self.decide(Actor::Service, command);
    }

    /// Decides a command without an id: of the service, or one that came over HTTP.
    pub(super) fn decide(&mut self, actor: Actor, command: &Command) -> Result<(), Refusal> {
        let origin = Origin { actor, command_id: None, at: self.now.into() };
        if let Some(event) = decide(&self.state, origin, command)? {
            self.accept(event);
        }
        Ok(())
    }

    pub(super) fn accept(&mut self, event: Event) {
        if matches!(event.change, Change::Ended) {
            // Nothing is stored of it afterwards, and the state would show for good who was away a moment ago.
            for participant in self.coalescing.take_all() {
                self.store_presence(participant);
            }
        }
        let before = self.state.phase();
        self.state.apply_at(&event, self.now.into());
        self.building.phase_changed |= before != self.state.phase() || self.state.is_closed();
        self.note_in_presence(&event.change);
        self.building.events.push(event);
    }

    /// A seat that moved has no socket until the new phone opens one. A player who joined counts as here. In the lobby that holds until the first socket is closed, later for the grace
    /// period: a host does not wait all game for a player who never connected.
    fn note_in_presence(&mut self, change: &Change) {
        match change {
            // What the phone before has on its way does nothing any more.
            Change::SeatMoved { player, .. } => self.presence.unseat(self.now, Participant::Player(*player)),
            Change::Joined { player, .. } if self.state.phase() != Phase::Lobby => {
                self.presence.expect(self.now, Participant::Player(*player));
            }
            Change::Started => {
                for player in self.state.players().filter(|player| player.connected) {
                    self.presence.expect(self.now, Participant::Player(player.id));
                }
            }
            _ => {}
        }
    }
}
