//! Frames of the owner: applying committed events, detecting gaps and new owners, catching up by state transfer.

use std::sync::Arc;

use quizhall_rules::{Change, CommandId, Event, State};

use super::freshness::StoredState;
use super::sessions::Session;
use super::{Edge, EdgeEffect, RETRANSMIT_AFTER, Replica, is_known, sender_of};
use crate::frames::{FromOwner, Outcome, ToEdge, ToOwner};
use crate::ids::{ConnectionId, Participant, READ_AHEAD, Time};
use crate::log::Head;
use crate::sections::{self, View};
use crate::snapshot::{Ahead, Snapshot};
use crate::wire::{self, Boards, CloseCode, Closing, FrameKind, Recipient};

/// A row of the log as its owner sends it ([`ToEdge::Committed`]).
struct CommittedRow<'a> {
    first: u64,
    chain: Option<(u64, u64)>,
    events: &'a [Event],
}

impl Edge {
    pub(super) fn receive(&mut self, now: Time, frame: FromOwner, effects: &mut Vec<EdgeEffect>) {
        if frame.epoch < self.epoch {
            return;
        }
        if frame.epoch > self.epoch {
            self.new_owner(now, frame.epoch, effects);
        }
        // A frame that requires more events than are here shows that the replica is out of date.
        let required = frame.message.events_before();
        let counts = self.freshness.counts() && frame.message.is_verified();
        if counts && self.replica.as_ref().is_none_or(|replica| replica.next >= required) {
            self.freshness.note_frame(now);
        }
        self.owner_answers |= frame.message.answers_commands();
        match frame.message {
            ToEdge::State { seq, head, state } if self.replica.is_none() && self.freshness.counts() => {
                let (ahead, state) = (Ahead::of(&state), Arc::unwrap_or_clone(state));
                self.install(now, Replica { state, next: seq, head: Some(head), ahead }, effects);
            }
            // Missing events are read from the log: a state has no events to render.
            ToEdge::State { seq, .. } | ToEdge::Stored { seq } => self.catch_up_to(now, seq, effects),
            // The next owner sends frames.
            ToEdge::Released { .. } => {}
            ToEdge::Committed { first, chain, events } => {
                self.committed(now, &CommittedRow { first, chain, events: &events }, effects);
            }
            ToEdge::Attached { connection, participant, session } => {
                self.attached(connection, participant, session, effects);
            }
            ToEdge::AttachedMany(sockets) => {
                for (connection, participant, session) in sockets {
                    self.attached(connection, participant, session, effects);
                }
            }
            ToEdge::Detached { connection } => {
                self.departing.remove(&connection);
            }
            ToEdge::Replaced { connection } => self.close(connection, CloseCode::Replaced.into(), effects),
            ToEdge::Heartbeat { seq } => {
                self.has_or_asks(now, seq, effects);
            }
            ToEdge::Done { connection, command_id, seq } => {
                self.replied(now, seq, &[(connection, command_id, Outcome::Done)], effects);
            }
            ToEdge::Refused { connection, command_id, refusal, seq } => {
                self.replied(now, seq, &[(connection, command_id, Outcome::Refused(refusal))], effects);
            }
            ToEdge::Outdated { connection, command_id, seq } => {
                self.replied(now, seq, &[(connection, command_id, Outcome::Outdated)], effects);
            }
            ToEdge::Outcomes { seq, rows } => self.replied(now, seq, &rows, effects),
            ToEdge::Answer { request, result, seq } => {
                if self.has_events(now, seq, effects) {
                    self.answered(request, result, effects);
                }
            }
        }
    }

    /// The owner's word on commands that caused no event.
    fn replied(
        &mut self,
        now: Time,
        seq: u64,
        rows: &[(ConnectionId, CommandId, Outcome)],
        effects: &mut Vec<EdgeEffect>,
    ) {
        if !self.has_events(now, seq, effects) {
            return;
        }
        for &(connection, command_id, outcome) in rows {
            match outcome {
                Outcome::Done => self.done(now, connection, command_id, effects),
                Outcome::Refused(refusal) => self.refused(connection, command_id, refusal, effects),
                Outcome::Outdated => self.outdated(connection, command_id, effects),
            }
        }
    }

    /// Registers the sockets with a new owner, and retransmits unacknowledged commands.
    pub(super) fn new_owner(&mut self, now: Time, epoch: u64, effects: &mut Vec<EdgeEffect>) {
        self.epoch = epoch;
        self.bundling.forget();
        self.ask_for_state(now, effects);
        let (mut sockets, mut unanswered) = (Vec::new(), Vec::new());
        for (connection, session) in self.sessions.iter_mut() {
            session.prior = session.id.take().or(session.prior);
            sockets.push(session.announce(connection));
            unanswered.extend(session.in_flight.is_some().then_some(connection));
        }
        self.announce(&sockets, effects);
        for connection in unanswered {
            self.send_in_flight(connection, effects);
        }
        for connection in self.sessions.ids() {
            self.sessions.wait(connection);
        }
        self.next_retransmission = now + RETRANSMIT_AFTER;
    }

    fn attached(&mut self, connection: ConnectionId, participant: Participant, id: u64, effects: &mut Vec<EdgeEffect>) {
        let Some(session) = self.sessions.get_mut(connection) else {
            // The socket is closed already.
            self.departing.insert(connection, (participant, false));
            return effects.push(EdgeEffect::ToOwner(ToOwner::Detach { connection, participant, clean: false }));
        };
        if session.id != Some(id) {
            // If the owner still had the session, its numbers continue.
            if session.prior != Some(id) {
                session.last_number = 0;
            }
            session.id = Some(id);
        }
        self.pump(connection, effects);
    }

    fn committed(&mut self, now: Time, row: &CommittedRow, effects: &mut Vec<EdgeEffect>) {
        let CommittedRow { first, chain, events } = *row;
        let Some(replica) = &self.replica else { return };
        let Some(known) = replica.next.checked_sub(first) else {
            // They may answer commands in flight.
            self.freshness.answer_dropped();
            return self.ask_for_state(now, effects);
        };
        let before_it = replica.head;
        self.is_up_to_date(now, effects);
        let before = effects.len();
        let known = usize::try_from(known).unwrap_or(usize::MAX);
        for some in events.get(known..).unwrap_or_default().chunks(READ_AHEAD) {
            self.read_ahead_for_events(some);
            for event in some {
                self.apply_event(now, event, effects);
            }
        }
        if known == 0 {
            let last = chain.filter(|(previous, _)| before_it.is_some_and(|head| head.batch == *previous));
            self.note_head(last.map(|(_, batch)| Head { seq: first, batch }));
        }
        self.flush_paced(now, effects);
        // A participant who became known through these events is shown the resulting state, and receives none of their messages.
        self.keep_from_unshown(before, effects);
        self.is_up_to_date(now, effects);
    }

    /// Touches the memory that these events need, as [`State::read_ahead`] does.
    fn read_ahead_for_events(&self, events: &[Event]) {
        let Some(state) = self.state() else { return };
        let mut senders = [None; READ_AHEAD];
        for (event, senders) in events.iter().zip(&mut senders) {
            if let Change::Answered { player, .. } = event.change {
                state.read_ahead(player);
                *senders = self.sessions.of(sender_of(event));
            }
        }
        for connection in senders.into_iter().flatten() {
            self.sessions.read_ahead(connection);
        }
    }

    pub(super) fn install(&mut self, now: Time, read: Replica, effects: &mut Vec<EdgeEffect>) {
        self.state_came();
        if self.seq() >= read.next {
            return;
        }
        let (state, before) = (&read.state, self.replica.take());
        match &before {
            None => self.pacing.forget(),
            Some(before) => self.pacing.carry_over(&before.state, state),
        }
        self.close_removed(state, effects);
        self.close_void(state, effects);
        self.boards = wire::has_boards(state).then(|| Boards::new(state));
        for (connection, session) in self.sessions.iter() {
            if !is_known(state, session.participant) {
                self.freshness.note_unknown(now, connection);
            }
        }
        let is_shown = |(connection, session): &(ConnectionId, &Session)| {
            !self.freshness.is_too_new(*connection) && is_known(state, session.participant)
        };
        let (mut rendered, mut new_hosts, mut stated_hosts) = (Vec::new(), Vec::new(), Vec::new());
        let has_new_step = before.as_ref().is_none_or(|before| before.state.step_number() != state.step_number());
        for (connection, session) in self.sessions.iter().filter(is_shown) {
            rendered.push(connection);
            let shown = before.as_ref().map(|before| &before.state).filter(|_| !self.freshness.is_unshown(connection));
            let view = View::whole(state, session.participant, now);
            let frames = match shown {
                Some(before) => sections::catch_up(before, &view, session.dialect),
                None => sections::sync(&view, session.dialect),
            };
            if session.has_extension() && session.participant.as_host().is_some() {
                new_hosts.extend(shown.is_none().then_some(connection));
                stated_hosts.extend((shown.is_none() || has_new_step).then_some(connection));
            }
            let is_round_over = state.phase() == quizhall_rules::Phase::RoundReview;
            effects.extend(frames.into_iter().map(|(frame, kind)| {
                let closes = kind == FrameKind::Queued && is_round_over;
                EdgeEffect::Send(connection, frame, if closes { FrameKind::Closes(Closing::Round) } else { kind })
            }));
            if session.has_extension() {
                let of_round = shown.filter(|before| before.round() == state.round());
                Self::send_timers(now, (connection, session.participant), (of_round, state), effects);
                let clocks = sections::clocks(shown, &view).into_iter();
                effects.extend(clocks.map(|(frame, kind)| EdgeEffect::Send(connection, frame, kind)));
            }
            if shown.is_none() && session.recipient() == Recipient::Player {
                Self::send_answered(connection, state, effects);
            }
        }
        for host in &new_hosts {
            self.pacing.host_synced(*host, state);
        }
        let closed = state.is_closed();
        self.replica = Some(read);
        self.note_hosts(&stated_hosts);
        for connection in rendered {
            self.note_review(connection);
            self.freshness.end_wait(connection);
            self.pump(connection, effects);
        }
        self.flush_paced(now, effects);
        self.note_phase(now);
        if closed {
            self.close_all(CloseCode::GameClosed.into(), effects);
            effects.push(EdgeEffect::GameClosed);
        }
    }

    /// The replica ends with this row, which is known to follow the one that it ended with before.
    pub(super) fn note_head(&mut self, head: Option<Head>) {
        if let Some(replica) = &mut self.replica {
            replica.head = head;
        }
    }

    /// The last row of the replica, when it is known: what is read of the log for it has to follow this row.
    pub fn head(&self) -> Option<Head> {
        self.replica.as_ref().and_then(|replica| replica.head)
    }

    /// A snapshot of the replica; `None` when its place in the log is not known.
    pub fn snapshot(&self) -> Option<Snapshot> {
        let Replica { state, next, head, .. } = self.replica.as_ref()?;
        head.map(|head| Snapshot { head, next_seq: *next, state: Arc::new(state.clone()) })
    }

    /// The replica with its place in the log, for a claim on its node ([`Claim::of_replica`](crate::claim::Claim::of_replica)).
    pub fn replica(&self) -> Option<StoredState> {
        let Replica { state, next, head, ahead } = self.replica.as_ref()?;
        Some(StoredState { seq: *next, head: *head, ahead: *ahead, state: state.clone() })
    }

    /// Closes the sockets of players whom a state has as removed; they are sent nothing of it.
    fn close_removed(&mut self, state: &State, effects: &mut Vec<EdgeEffect>) {
        let is_removed =
            |session: &Session| session.participant.player().is_some_and(|player| state.is_removed(player));
        let removed = self.sessions.iter().filter(|(_, session)| is_removed(session)).map(|(connection, _)| connection);
        for connection in removed.collect::<Vec<_>>() {
            self.close(connection, CloseCode::Removed.into(), effects);
        }
    }

    /// Closes the sockets whose tokens are no longer valid in a state.
    fn close_void(&mut self, state: &State, effects: &mut Vec<EdgeEffect>) {
        let void = self.sessions.iter().filter(|(_, session)| session.holder().is_void(state));
        for connection in void.map(|(connection, _)| connection).collect::<Vec<_>>() {
            self.close(connection, CloseCode::Unauthorized.into(), effects);
        }
    }

    /// Whether the events that a reply requires are here; if not, the reply is dropped, and its command is retransmitted when they
    /// are.
    fn has_events(&mut self, now: Time, seq: u64, effects: &mut Vec<EdgeEffect>) -> bool {
        let present = self.has_or_asks(now, seq, effects);
        if !present {
            self.freshness.answer_dropped();
        }
        present
    }

    /// Whether this many events are here; if not, asks for the state.
    fn has_or_asks(&mut self, now: Time, seq: u64, effects: &mut Vec<EdgeEffect>) -> bool {
        let here = self.replica.as_ref().is_some_and(|replica| replica.next >= seq);
        if here {
            self.is_up_to_date(now, effects);
        } else {
            self.ask_for_state(now, effects);
        }
        here
    }

    pub(super) fn ask_for_state(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        self.ask_for_state_if(self.hello_due.is_none_or(|due| due <= now), now, effects);
    }

    pub(super) fn ask_for_state_if(&mut self, due: bool, now: Time, effects: &mut Vec<EdgeEffect>) {
        if due {
            self.hello_due = Some(now + RETRANSMIT_AFTER);
            self.hellos += 1;
            effects.push(EdgeEffect::ToOwner(ToOwner::Hello));
        }
    }

    /// Whether the owner did not answer the last `Hello`: it may be cut off from the log, which this node need not be.
    pub(super) fn is_unanswered(&self) -> bool {
        self.hellos > 1
    }

    pub(super) fn state_came(&mut self) {
        (self.hello_due, self.hellos) = (None, 0);
    }
}
