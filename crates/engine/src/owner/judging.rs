//! Decides commands: an event for the batch, nothing to do, or a refusal.
//!
//! Called by `owner`. Decides by the rules with the newest state, durable or not; releases nothing and appends nothing.

use std::sync::Arc;

use quizhall_rules::{
    Actor, Change, CoHost, Command, CommandId, Device, Event, HostRole, Origin, Phase, Refusal, decide,
};

use super::Owner;
use super::allowances::bytes_of;
use super::verdict::Verdict;
use crate::ids::{EdgeId, Participant};

impl Owner {
    /// Decides a command. A command that would change something is dropped if its sender has sent another command through another edge
    /// since it arrived: it was delayed and may be the older one.
    pub(super) fn judge(
        &mut self,
        (edge, participant): (EdgeId, Participant),
        (command_id, seen): (CommandId, Option<CommandId>),
        command: &Command,
    ) -> Verdict {
        if let Some(verdict) = self.presence.session_of(participant).and_then(|session| session.repeated(command_id)) {
            return verdict;
        }
        let origin = Origin { actor: participant.actor(), command_id: Some(command_id), at: self.now.into() };
        let event = match decide(&self.state, origin, command) {
            Err(refusal) => {
                return self.refuse(participant, command_id, refusal);
            }
            Ok(event) => event.or_else(|| self.restated(participant, command_id, command)),
        };
        if let Some(event) = event {
            if self.is_outdated((edge, participant), command_id, seen) {
                return Verdict::Outdated;
            }
            if !self.may_store(participant, &event) {
                return self.refuse(participant, command_id, Refusal::TooMuch);
            }
            self.state_time_before(&event.change);
            self.accept(event);
            return Verdict::Stored;
        }
        if let Some(session) = self.presence.session_of(participant) {
            session.note_done(command_id);
        }
        Verdict::Done
    }

    fn refuse(&mut self, participant: Participant, command_id: CommandId, refusal: Refusal) -> Verdict {
        if let Some(session) = self.presence.session_of(participant) {
            session.note_refused(command_id, refusal);
        }
        Verdict::Refused(refusal)
    }

    /// Whether the sender has sent a command through another edge since this command arrived.
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

    /// The event for an answer that counts already and is given again on another socket. It is stored once more, because otherwise a
    /// delayed older answer could not be distinguished from a newer one.
    fn restated(&self, participant: Participant, command_id: CommandId, command: &Command) -> Option<Event> {
        let (player, device) = participant.as_player()?;
        if self.state.last_command_over(player, device).is_none_or(|last| last.session == command_id.session) {
            return None;
        }
        let change = match command {
            Command::SubmitAnswer { question, .. } => {
                let answer = self.state.answer_of(player, *question)?;
                Change::Answered {
                    player,
                    device,
                    question: *question,
                    answer: Arc::clone(&answer.text),
                    correct: answer.marked_correct,
                    near_miss: answer.near_miss,
                    partial: answer.partial,
                    elapsed: answer.elapsed,
                }
            }
            Command::SuggestAnswer { question, answer } => {
                Change::Suggested { player, device, question: *question, answer: answer.as_str().into() }
            }
            _ => return None,
        };
        Some(Event::new(change, Some(command_id)))
    }

    /// Stores whether the participant is connected, if the stored value differs. Within the quiet time after an earlier such
    /// event, it is stored at the end of that time.
    pub(super) fn presence_changed(&mut self, participant: Participant) {
        if !self.coalescing.defers(self.now, participant) {
            self.store_presence(participant);
        }
    }

    fn store_presence(&mut self, participant: Participant) {
        let here = match participant.as_player() {
            Some(_) => self.presence.is_here(participant),
            None => self.is_host_here(),
        };
        let Some(here) = here else { return };
        let stored = self.building.events.len();
        self.decide_for_service(&match (participant.as_player(), here) {
            (Some((player, device)), true) => Command::Return { player, device },
            (Some((player, device)), false) => Command::Leave { player, device },
            (None, true) => Command::HostReturn,
            (None, false) => Command::HostLeave,
        });
        if self.building.events.len() > stored {
            self.coalescing.stored(self.now, participant);
        }
    }

    /// Whether the host is connected with any device, or a co-host of the same role is; `None` while one of them has the grace period.
    fn is_host_here(&self) -> Option<bool> {
        let is_host = |(_, co_host): &(Device, &CoHost)| co_host.role == HostRole::Host;
        let co_hosts = self.state.co_hosts().all().filter(is_host).map(|(device, _)| Participant::CoHost(device));
        let here: Vec<_> =
            std::iter::once(Participant::Host).chain(co_hosts).map(|host| self.presence.is_here(host)).collect();
        if here.contains(&Some(true)) { Some(true) } else { (!here.contains(&None)).then_some(false) }
    }

    pub(super) fn decide_for_service(&mut self, command: &Command) {
        // A refusal here means that the player was removed or the game closed meanwhile, so there is nothing to do.
        let _ = self.decide(Actor::Service, command);
    }

    /// Decides a command without an id: from the service, or over HTTP.
    pub(super) fn decide(&mut self, actor: Actor, command: &Command) -> Result<(), Refusal> {
        let origin = Origin { actor, command_id: None, at: self.now.into() };
        if let Some(event) = decide(&self.state, origin, command)? {
            if Participant::of(actor).is_some_and(|participant| !self.may_store(participant, &event)) {
                return Err(Refusal::TooMuch);
            }
            self.accept(event);
        }
        Ok(())
    }

    /// Whether the log may grow by this event for this participant now. A player, a phone, a screen or a co-host can always be removed:
    /// each can be removed only once.
    fn may_store(&mut self, participant: Participant, event: &Event) -> bool {
        use Change::{CoHostRemoved, PlayerRemoved, ScreenRemoved, SeatMoved};
        let removed = matches!(event.change, PlayerRemoved { .. } | ScreenRemoved { .. } | CoHostRemoved { .. });
        if removed || matches!(event.change, SeatMoved { .. }) {
            return true;
        }
        let bytes = bytes_of(event);
        match participant.as_first_phone().and_then(|player| self.state.slot_of(player)) {
            Some(slot) => self.allowances.take_of_player(self.now, slot, bytes),
            None => self.allowances.take(self.now, (participant, self.state.player_count()), bytes),
        }
    }

    pub(super) fn accept(&mut self, event: Event) {
        if matches!(event.change, Change::Ended) {
            // Nothing is stored after the end, so a participant who is away at that moment would be shown as away for ever.
            for participant in self.coalescing.take_all() {
                self.store_presence(participant);
            }
        }
        let before = self.state.phase();
        self.state.apply_at(&event, self.now.into());
        self.building.phase_changed |= before != self.state.phase() || self.state.is_closed();
        self.note_in_presence(&event.change);
        self.building.store(event);
    }

    /// Updates presence after an event. A seat that moved has no socket until the new phone opens one. A player who joined counts as
    /// connected: in the lobby until the first socket is closed, later for the grace period, so that a host does not wait all game for a
    /// player who never connected.
    fn note_in_presence(&mut self, change: &Change) {
        match change {
            // Commands that are still in transit from the previous phone no longer take effect.
            Change::SeatMoved { player, device, .. } => {
                self.presence.unseat(self.now, Participant::player_over(*player, *device));
            }
            Change::CoHostRemoved { device } => self.presence.unseat(self.now, Participant::CoHost(*device)),
            Change::Joined { player, .. } if self.state.phase() == Phase::Lobby => {
                self.presence.expect_at_start(Participant::Player(*player));
            }
            Change::Joined { player, .. } => self.presence.expect(self.now, Participant::Player(*player)),
            Change::Started => self.presence.start(self.now),
            _ => {}
        }
    }
}
