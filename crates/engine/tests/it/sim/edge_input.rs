//! The service of a node: passes the frames of owners, and the parts of the log that it has read, to the edge.

use quizhall_engine::{
    ConnectionId, EdgeId, EdgeInput, FromOwner, Outcome, OwnerHere, Participant, RouteInput, Time, ToEdge, ToOwner,
};
use quizhall_rules::{Change, CommandId, Event, Refusal};

use super::coverage::Kind;
use super::judge::Cause;
use super::mutation::Mutation;
use super::node::gist;
use super::owning::OwnerSlot;
use super::{World, edge_options};

/// The most events that an edge applies one by one when it reads them in the log.
const FOLLOWED: usize = 64;

impl World {
    pub fn edge_receives(&mut self, (to, from): (EdgeId, EdgeId), (mut frame, sent): (FromOwner, Time)) {
        let Some(node) = self.node_of(to) else { return };
        let accepted = self.nodes[node].accepts_from(from) || self.is_mutant(Mutation::RemovedAreAccepted);
        if self.is_cut(from, to) || !accepted {
            return;
        }
        let released = matches!(frame.message, ToEdge::Released { .. });
        if released && self.nodes[node].old {
            return;
        }
        if self.nodes[node].edge.is_none() {
            return self.send_to_node(node, from, ToOwner::Unsubscribe);
        }
        self.trace.detail(|| format!("{to:?} from epoch {}: {}", frame.epoch, gist(&frame.message)));
        let epoch = frame.epoch;
        let input = match frame.message {
            ToEdge::Released { to } => RouteInput::Released { from, epoch, to },
            _ => RouteInput::OwnerSeen { from, epoch },
        };
        self.route_step(node, input);
        if let (true, Some(slot)) = (self.is_mutant(Mutation::EpochIgnored), self.nodes[node].edge.as_ref()) {
            frame.epoch = frame.epoch.max(slot.epoch);
        }
        let cause = self.cause_of(node, &frame);
        let attached = attached_by(&frame.message);
        for (_, participant) in &attached {
            let newest = epoch == self.store.truth.epoch;
            let same = self.clients.iter_mut().filter(|client| client.who == *participant && newest);
            same.for_each(|client| client.seated = true);
        }
        let attached: Vec<_> = attached.into_iter().map(|(connection, _)| connection).collect();
        let recent = edge_options(false).liveness.is_recent(self.agenda.now.saturating_sub(sent));
        let input = if recent || self.is_mutant(Mutation::BelatedCounts) {
            EdgeInput::FromOwner(frame)
        } else {
            self.coverage.note(Kind::FrameBelated);
            EdgeInput::FromOwnerLate(frame)
        };
        self.edge_step(node, input, cause);
        self.watch_probe(node, &attached);
    }

    fn cause_of(&mut self, node: usize, frame: &FromOwner) -> Cause {
        let Some(slot) = self.nodes[node].edge.as_mut() else { return Cause::Other };
        slot.epoch = slot.epoch.max(frame.epoch);
        let heeded = slot.epoch == frame.epoch;
        let here = |seq: u64| slot.edge.seq() >= seq;
        match &frame.message {
            // Frames of an owner are ignored once a frame of its successor has arrived.
            _ if !heeded => Cause::Other,
            ToEdge::State { .. } => Cause::State,
            ToEdge::Done { command_id, .. } => Cause::Done(*command_id),
            // A refusal that depends on events which this edge lacks is dropped, and the command is decided again.
            ToEdge::Refused { command_id, seq, refusal, .. } if here(*seq) => {
                reply(*command_id, Outcome::Refused(*refusal))
            }
            ToEdge::Outdated { command_id, seq, .. } if here(*seq) => Cause::Outdated(*command_id),
            ToEdge::Outcomes { seq, rows } if here(*seq) => {
                Cause::Together(rows.iter().map(|(_, command_id, outcome)| reply(*command_id, *outcome)).collect())
            }
            _ => Cause::Other,
        }
    }

    /// The log was read for an edge, or could not be read.
    pub fn log_read(&mut self, node: usize, serial: u64, mut read: EdgeInput) {
        let Some(slot) = self.nodes[node].edge.as_mut().filter(|slot| slot.serial == serial) else { return };
        let seq = slot.edge.seq();
        let mut cause = Cause::Other;
        match &mut read {
            EdgeInput::StateRead(Some(stored)) => {
                // The state that was read names the newest owner, too.
                slot.epoch = slot.epoch.max(stored.state.epoch());
                cause = Cause::State;
            }
            EdgeInput::TailRead { first, events, .. } => {
                let epochs = events.iter().filter_map(|event| match event.change {
                    Change::Claimed { epoch, .. } => Some(epoch),
                    _ => None,
                });
                slot.epoch = epochs.max().unwrap_or_default().max(slot.epoch);
                if *first < seq && !events.is_empty() {
                    self.coverage.note(Kind::TailOlder);
                    if self.mutation == Some(Mutation::OlderTailTaken) {
                        *first = seq;
                    }
                }
                let known = usize::try_from(seq.saturating_sub(*first)).expect("few events");
                let unknown = events.get(known..).unwrap_or_default();
                if !unknown.is_empty() {
                    self.coverage.note(Kind::TailRead);
                }
                if unknown.len() > FOLLOWED || leaves_a_board(unknown) {
                    cause = Cause::State;
                }
            }
            EdgeInput::StateRead(None) => cause = Cause::Unread,
            _ => {}
        }
        self.edge_step(node, read, cause);
    }

    /// Called before a socket is attached: the edge learns whether the owner is on its node. Returns how many events clients have been
    /// shown, on any node, unless that owner has been replaced and does not know it.
    pub fn set_owner_here(&mut self, node: usize) -> u64 {
        let (is_trusted, is_hasty) =
            (self.is_mutant(Mutation::OtherNodesTrusted), self.is_mutant(Mutation::AppendNotAwaited));
        let log_end = |slot: &OwnerSlot| if is_hasty { 0 } else { slot.log_end };
        let owner = self.nodes[node].owner.as_ref().map(|slot| OwnerHere { epoch: slot.epoch, log_end: log_end(slot) });
        if let Some(slot) = self.nodes[node].edge.as_mut() {
            let epoch = slot.edge.state().map(quizhall_rules::State::epoch).filter(|_| is_trusted);
            slot.edge.set_owner_here(epoch.map(|epoch| OwnerHere { epoch, log_end: 0 }).or(owner));
        }
        if owner.is_none_or(|owner| owner.epoch == self.store.truth.epoch) { self.shown } else { 0 }
    }

    /// For a mutant: an edge that always considers its replica to be recent.
    pub fn pretend_recent(&mut self, node: usize) {
        let Some(slot) = self.nodes[node].edge.as_ref() else { return };
        if self.mutation == Some(Mutation::StaleIsShown) && slot.edge.state().is_some() {
            let message = ToEdge::Heartbeat { seq: slot.edge.seq() };
            let frame = FromOwner { epoch: slot.epoch, message };
            self.edge_step(node, EdgeInput::FromOwner(frame), Cause::Other);
        }
    }
}

/// Whether a board appears and is replaced within these events. An edge does not apply them one by one then.
fn leaves_a_board(events: &[Event]) -> bool {
    let mut after = events.iter().skip_while(|event| !matches!(event.change, Change::ScoresReleased { .. }));
    after.any(|event| matches!(event.change, Change::NextRoundStarted | Change::Ended))
}

/// The sockets that a frame gives sessions, with their participants.
fn attached_by(message: &ToEdge) -> Vec<(ConnectionId, Participant)> {
    match message {
        ToEdge::Attached { connection, participant, .. } => vec![(*connection, *participant)],
        ToEdge::AttachedMany(sockets) => {
            sockets.iter().map(|(connection, participant, _)| (*connection, *participant)).collect()
        }
        _ => Vec::new(),
    }
}

fn reply(command_id: CommandId, outcome: Outcome) -> Cause {
    match outcome {
        Outcome::Done => Cause::Done(command_id),
        Outcome::Refused(Refusal::Superseded) => Cause::Other,
        Outcome::Refused(_) => Cause::Refused(command_id),
        Outcome::Outdated => Cause::Outdated(command_id),
    }
}
