//! How an owner handles the frames of edges: their sockets, and the commands from those sockets.
//!
//! Called by `owner` for each frame. A reply waits in the batch until everything that it depends on is durable. Decides no rule
//! itself.

use std::time::Duration;

use super::given::Attachment;
use super::{Owner, OwnerEffect};
use crate::frames::{Attaching, ToEdge, ToOwner};
use crate::ids::{EdgeId, Holder, Time};

/// How long an edge with sessions must send only `Unsubscribe` before the owner acts on it: longer than frames can be delayed.
const DOUBT: Duration = Duration::from_secs(5);
/// The most events and replies that may wait for an append. Each socket has one command in flight, so a healthy store never lets
/// this fill. When a store is down, it bounds repeated commands and returning sockets.
const WAITING_ROOM: usize = 65_536;

impl Owner {
    pub(super) fn receive(&mut self, now: Time, edge: EdgeId, frame: ToOwner, effects: &mut Vec<OwnerEffect>) {
        if !matches!(frame, ToOwner::Unsubscribe) {
            self.doubted.remove(&edge);
        }
        match frame {
            // The store is slow or down and the waiting room is full, or another owner will decide: edges retransmit.
            ToOwner::Command { .. } | ToOwner::Answers(_) | ToOwner::Request { .. }
                if self.building.len() >= WAITING_ROOM => {}
            _ if self.retiring.is_some() => {}
            // Delayed, and meant for an earlier owner: an edge that still needs it retransmits it to this one.
            ToOwner::Command { epoch: Some(epoch), .. } if epoch < self.epoch => {}
            ToOwner::Answers(answers) if answers.epoch != self.epoch => {}
            ToOwner::Answers(answers) => self.take_answers(edge, &answers),
            ToOwner::Hello => {
                self.edges.insert(edge);
                self.building.hellos.insert(edge);
            }
            ToOwner::Attach(socket) => {
                self.edges.insert(edge);
                if let Some(session) = self.attach(edge, socket) {
                    let Attaching { connection, participant, .. } = socket;
                    effects.push(self.frame(edge, ToEdge::Attached { connection, participant, session }));
                }
            }
            ToOwner::AttachMany(sockets) => {
                self.edges.insert(edge);
                let attached = sockets.into_iter().filter_map(|socket| {
                    let session = self.attach(edge, socket)?;
                    Some((socket.connection, socket.participant, session))
                });
                let attached = ToEdge::AttachedMany(attached.collect());
                effects.push(self.frame(edge, attached));
            }
            ToOwner::Detach { connection, participant, clean } => {
                if self.presence.detach(now, (edge, connection), participant, clean) {
                    self.presence_changed(participant);
                }
                effects.push(self.frame(edge, ToEdge::Detached { connection }));
            }
            ToOwner::Command { connection, participant, .. }
                if !self.presence.holds(participant, (edge, connection)) =>
            {
                // A delayed duplicate must not undo what the participant did on a newer socket. A command whose
                // `Attach` has not arrived yet is retransmitted.
                if self.presence.was_replaced(participant, (edge, connection)) {
                    self.building.push(edge, ToEdge::Replaced { connection });
                }
            }
            ToOwner::Command { connection, participant, command_id, seen, command, .. } => {
                let verdict = self.judge((edge, participant), (command_id, seen), &command);
                self.reply(edge, verdict.reply((connection, command_id), self.speculative_seq()));
            }
            ToOwner::Unsubscribe if self.is_doubtful(now, edge) => {}
            ToOwner::Unsubscribe => {
                self.edges.remove(&edge);
                self.presence.edge_gone(now, edge);
            }
            ToOwner::Request { request, actor, command } => {
                let result = self.decide(actor, &command);
                let seq = self.speculative_seq();
                self.building.push(edge, ToEdge::Answer { request, result, seq });
            }
        }
    }

    /// Sends a reply once everything decided so far is durable.
    pub(super) fn reply(&mut self, edge: EdgeId, reply: Option<ToEdge>) {
        if let Some(reply) = reply {
            self.building.push(edge, reply);
        }
    }

    /// Whether an `Unsubscribe` may be a delayed duplicate, from before sockets attached. An edge without the game sends one for every
    /// frame that it receives, so delayed copies come in numbers; and it continues to send them.
    fn is_doubtful(&mut self, now: Time, edge: EdgeId) -> bool {
        self.presence.has_sessions(edge) && now < *self.doubted.entry(edge).or_insert(now) + DOUBT
    }

    /// The session of this socket, if it is the newest of its participant.
    fn attach(&mut self, edge: EdgeId, socket: Attaching) -> Option<u64> {
        let Attaching { connection, participant, prior, moves } = socket;
        // Its edge closes the socket when the event that is in transit to it arrives.
        if (Holder { participant, moves }).is_void(&self.state) {
            return None;
        }
        let slot = participant.as_first_phone().and_then(|player| self.state.slot_of(player));
        let outcome = self.presence.attach(participant, Attachment { edge, connection, prior, slot });
        if let Some((edge, connection)) = outcome.replaced.filter(|_| self.building.len() < WAITING_ROOM) {
            self.building.push(edge, ToEdge::Replaced { connection });
        }
        let session = outcome.session?;
        self.presence_changed(participant);
        Some(session)
    }
}
