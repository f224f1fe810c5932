//! Checks everything that an edge sends, at the moment it sends it, against the durable log: invariants 3, 5, 8 and 11.

use std::rc::Rc;

use bytes::Bytes;
use quizhall_engine::wire::{Close, CloseCode};
use quizhall_engine::{
    Closing, ConnectionId, Dialect, EdgeEffect, EdgeInput, FrameKind, FromOwner, Participant, ToEdge,
};
use quizhall_protocol::to_all::AnswerRevealed;
use quizhall_protocol::{Role, ServerMessage, ToAll, ToHost, ToPlayer, frame, read_server_message};
use quizhall_rules::{Change, CommandId, Event, PlayerId, QuestionId, Setting};

use super::agenda::What;
use super::coverage::Kind;
use super::database::Query;
use super::mutation::{Mutation, miscounted};
use super::node::EdgeSlot;
use super::quiz::{CANARY, HOST_CANARY};
use super::socket::{Down, Out};
use super::{Socket, World};

/// Why an edge takes a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    Attach,
    State,
    Done(CommandId),
    Refused(CommandId),
    Outdated(CommandId),
    /// Replies that came together.
    Together(Vec<Cause>),
    /// The log could not be read.
    Unread,
    Tick,
    Other,
}

/// The data for checking one step of an edge.
pub struct Step {
    pub node: usize,
    /// Number of events in its replica after the step.
    pub after: usize,
    /// Whether the log could not be read, so that the replica is shown.
    pub unread: bool,
    /// Whether the frames rebuild views: then they answer no command.
    during_sync: bool,
    /// Sockets whose players this edge did not know before, or that have been shown nothing: the frames that they receive rebuild
    /// their view too.
    strangers: Vec<usize>,
    /// Those of them that have been shown nothing, with the types that they must receive first.
    pub unshown: Vec<(usize, Vec<&'static str>)>,
    /// Whether a socket was closed.
    closes: bool,
    /// The types of the messages sent to each socket.
    pub said: Vec<(usize, &'static str)>,
}

impl World {
    pub fn edge_step(&mut self, node: usize, input: EdgeInput, cause: Cause) {
        let Some(mut slot) = self.nodes[node].edge.take() else { return };
        let mut effects = Vec::new();
        let place = |slot: &EdgeSlot| slot.edge.state().map(|state| (state.phase(), state.round()));
        let (before, place_before) = (slot.edge.seq(), place(&slot));
        let strangers = self.strangers(&slot);
        let shown_before = self.unshown(&slot);
        slot.edge.step(self.agenda.now, input, &mut effects);
        let after = usize::try_from(slot.edge.seq()).expect("few events");
        self.trace.note(self.agenda.now, "edge", &[node as u64, slot.id.0, after as u64, effects.len() as u64]);
        if after > self.store.events.len() {
            self.fail(format!("3: node {node} shows event {after} of {}", self.store.events.len()));
            after_all(self, node, slot);
            return;
        }
        let transferred = cause == Cause::State && before != after as u64;
        if transferred {
            self.coverage.note(Kind::StateTransfer);
            self.advance(&mut slot, after);
        }
        let moved = transferred && place_before != place(&slot);
        let fresh = matches!(cause, Cause::Attach) || (transferred && before == 0);
        let during_sync = fresh || moved;
        let unshown = if transferred || before == 0 { self.unshown(&slot) } else { shown_before };
        let unread = cause == Cause::Unread;
        let mut step = Step { node, after, unread, during_sync, strangers, unshown, closes: false, said: Vec::new() };
        for effect in effects {
            self.edge_effect(&mut slot, &mut step, effect);
        }
        self.advance(&mut slot, after);
        let is_tick = cause == Cause::Tick;
        self.note_reply(cause, &slot, &step);
        self.check_welcome(&slot, &step);
        if transferred {
            self.check_caught_up(&slot);
        }
        if !step.said.is_empty() {
            self.shown = self.shown.max(after as u64);
        }
        self.after_edge_step(node, &mut slot, is_tick);
        let needs = [slot.edge.socket_count(), slot.edge.waiting(), slot.edge.departing()];
        let wanted = needs.into_iter().any(|need| need > 0);
        self.nodes[node].edge = Some(slot);
        self.want_owner(node, wanted);
    }

    fn note_reply(&mut self, cause: Cause, slot: &EdgeSlot, step: &Step) {
        match cause {
            Cause::Done(command_id) if !step.said.is_empty() => self.check_confirmed(command_id, step.after),
            Cause::Refused(command_id) => self.note_refusal(command_id, slot.epoch, step.closes),
            Cause::Outdated(command_id) if step.closes => self.ledger.refused.push((command_id, None)),
            Cause::Together(replies) => {
                for reply in replies {
                    self.note_reply(reply, slot, step);
                }
            }
            _ => {}
        }
    }

    fn advance(&self, slot: &mut EdgeSlot, to: usize) {
        while slot.reference.events < to {
            let event = &self.store.events[slot.reference.events];
            slot.reference.apply(event).expect("the store has checked it");
        }
    }

    pub fn attached(&self, slot: &EdgeSlot) -> Vec<usize> {
        let here = |socket: &usize| self.sockets[*socket].server_open && self.sockets[*socket].edge == slot.id;
        (0..self.sockets.len()).filter(here).collect()
    }

    pub fn socket_of(&self, slot: &EdgeSlot, connection: ConnectionId) -> Option<usize> {
        let same = |socket: &Socket| socket.edge == slot.id && socket.connection == Some(connection);
        self.sockets.iter().rposition(same)
    }

    /// Whether a mutant loses this frame to a socket.
    fn loses(&mut self, socket: usize, bytes: &Bytes) -> bool {
        let is_co_host = matches!(self.sockets[socket].who, Participant::CoHost(_));
        let is_meant = self.is_mutant(Mutation::SheetsLost) && is_sheet(bytes)
            || self.is_mutant(Mutation::MarksLost) && is_co_host && is_marks(bytes);
        is_meant && self.dice.chance(500)
    }

    fn edge_effect(&mut self, slot: &mut EdgeSlot, step: &mut Step, effect: EdgeEffect) {
        let Some(effect) = self.unless_of_screen(slot, step, effect) else { return };
        match effect {
            EdgeEffect::ToOwner(frame) => {
                self.note_session(slot, &frame);
                self.send_to_owner(step.node, frame);
            }
            EdgeEffect::ReadState => {
                self.query(step.node, Query::Behind(slot.serial, slot.edge.seq(), slot.edge.head()));
            }
            EdgeEffect::Send(connection, bytes, kind) => {
                if let Some(socket) = self.socket_of(slot, connection) {
                    if self.loses(socket, &bytes) {
                        return;
                    }
                    let mut some = vec![socket];
                    if self.mutation == Some(Mutation::BoardsForAll) && is_board(&bytes) {
                        some = self.attached(slot);
                    }
                    let is_closing = matches!(kind, FrameKind::Closes(Closing::Question(_)));
                    if self.is_mutant(Mutation::ClosedForAll) && is_closing {
                        some = self.attached(slot);
                        some.retain(|socket| self.sockets[*socket].dialect == Dialect::QuizhallV1);
                    }
                    self.say(slot, step, &some, (&bytes, kind));
                }
            }
            EdgeEffect::Broadcast(message, kind) => {
                let all = self.attached(slot);
                for (audience, bytes) in message.parts() {
                    let mut some = all.clone();
                    if self.mutation != Some(Mutation::ExtensionForAll) {
                        let recipient = |socket: &Socket| socket.who.recipient(socket.dialect);
                        some.retain(|socket| audience.includes(recipient(&self.sockets[*socket])));
                    }
                    self.say(slot, step, &some, (bytes, kind));
                }
                if kind == FrameKind::Closes(Closing::Round) {
                    self.check_counts(slot, &all);
                    if let Some(key) = self.early_key(slot) {
                        self.say(slot, step, &all, (&key, FrameKind::Queued));
                    }
                }
            }
            EdgeEffect::SendScores(part, players) => {
                // Scores are rendered from the state after the step; later frames of the step may show an older one.
                let place = slot.reference.clone();
                for (connection, player) in players {
                    let scores = slot.edge.scores(connection, player, part);
                    let scores = scores.map(|run| miscounted(run, self.mutation));
                    if let (Some(socket), Some(bytes)) = (self.socket_of(slot, connection), scores) {
                        self.say(slot, step, &[socket], (&bytes, FrameKind::Queued));
                    }
                }
                slot.reference = place;
            }
            EdgeEffect::Close(connection, close) => {
                step.closes = true;
                if let Some(socket) = self.socket_of(slot, connection) {
                    self.closed(socket, close);
                }
            }
            EdgeEffect::Answer(request, result) => {
                if let Some((client, command, _)) = slot.requests.remove(&request.0) {
                    let way = self.dice.millis(1, 30);
                    self.agenda.after(way, What::Answered(client, command, result));
                }
            }
            EdgeEffect::Acknowledged(_) => {}
            EdgeEffect::GameClosed => self.fail("9: no command closed the game".to_owned()),
        }
    }

    /// For a mutant that reveals an answer at the end of the round: its message.
    fn early_key(&self, slot: &EdgeSlot) -> Option<Bytes> {
        let question = slot.edge.state()?.released().next()?;
        self.is_mutant(Mutation::KeyBeforeReveal).then(|| frame::text(&revealed(question)))
    }

    /// Checks one run of frames, sent to sockets that all get the same.
    fn say(&mut self, slot: &mut EdgeSlot, step: &mut Step, to: &[usize], (bytes, kind): (&Bytes, FrameKind)) {
        self.trace.bytes(bytes);
        for text in texts(bytes) {
            let Some(first) = to.first() else { return };
            let who = self.sockets[*first].who;
            let role = if who.as_host().is_some() { Role::Host } else { Role::Player };
            let message = match read_server_message(&text, role) {
                Ok(Some(message)) => Rc::new(message),
                other => return self.fail(format!("3: not a message: {other:?}")),
            };
            self.trace.detail(|| format!("to {to:?}: {text}"));
            while !slot.reference.says(&message, who) {
                if slot.reference.events == step.after {
                    let place = slot.reference.events;
                    return self.fail(format!("3: not true at event {place} for {to:?}: {text}"));
                }
                self.advance(slot, slot.reference.events + 1);
            }
            // A sheet has the team's own texts.
            let has_key = matches!(
                &*message,
                ServerMessage::Player(ToPlayer::RoundScores(_) | ToPlayer::TeamSheet(_))
                    | ServerMessage::All(ToAll::AnswerRevealed(_))
            );
            if (role == Role::Player && !has_key && text.contains(CANARY)) || text.contains(HOST_CANARY) {
                return self.fail(format!("8: a key or a note in {text}"));
            }
            for socket in to {
                self.check_dialect(*socket, &message);
                self.check_withheld((&slot.reference, step.after), *socket, &message);
                self.note_said(*socket, step, &message);
                let receiver = (self.sockets[*socket].who, self.sockets[*socket].dialect);
                let during_sync = step.during_sync || step.strangers.contains(socket);
                if receiver.0.as_host().is_some() && receiver.1 == Dialect::QuizhallV1 && !during_sync {
                    self.check_received(&slot.reference, *socket, &message);
                }
                if receiver.1 == Dialect::QuizhallV1 && !during_sync {
                    self.check_jokers(&slot.reference, *socket, &message);
                    self.check_sheet(&slot.reference, *socket, &message);
                }
                let down = Down::Message { message: Rc::clone(&message), during_sync };
                self.queue(*socket, Out { kind, down });
            }
        }
    }

    fn note_said(&mut self, socket: usize, step: &mut Step, message: &ServerMessage) {
        step.said.push((socket, message.name()));
        self.sockets[socket].said.apply(message);
        if let ServerMessage::Host(ToHost::ScoreboardUpdate(count)) = message {
            let question = QuestionId::from(count.question_id);
            self.sockets[socket].counts.insert(question, count.answer_count as usize);
        }
        if matches!(message, ServerMessage::Host(ToHost::AnswersUpdate(_))) {
            self.coverage.note(Kind::DeskHeard);
        }
    }

    /// Invariant 3: the edge that confirms a command to its sender has its event. Excluded are changes that may be requested when they
    /// are already in effect: the first confirmation is then right as well, although a repeated frame may take effect after the API,
    /// or an answer, has changed the state.
    fn check_confirmed(&mut self, command_id: CommandId, after: usize) {
        let its = |event: &Event| {
            let may_repeat = matches!(
                event.change,
                Change::Set(Setting::Locked(_))
                    | Change::TallyShown { .. }
                    | Change::BreakEnded
                    | Change::JokerPlayed { .. }
                    | Change::Appealed { .. }
                    | Change::AppealDismissed { .. }
                    | Change::QuestionEdited(_)
                    | Change::QuestionWithdrawn { .. }
                    | Change::PlayerRenamed { .. }
                    | Change::SeatAdded { .. }
                    | Change::AnswerEntered { .. }
                    | Change::Suggested { .. }
                    | Change::TieBreakStarted { .. }
                    | Change::TieBreakAnswered { .. }
                    | Change::TieBreakEnded { .. }
            );
            event.command_id == Some(command_id) && !may_repeat
        };
        let event = self.store.singles.iter().find(|(_, event)| its(event)).map(|(place, _)| *place);
        if let Some(event) = event.filter(|event| *event >= after) {
            self.fail(format!("3: event {event} is confirmed by an edge that has {after}"));
        }
    }

    /// Invariant 5: at the end of a round the host has received the last count of every question.
    fn check_counts(&mut self, slot: &EdgeSlot, sockets: &[usize]) {
        for socket in sockets.iter().filter(|socket| self.sockets[**socket].who.as_host().is_some()) {
            for question in &slot.reference.released {
                let sent = self.sockets[*socket].counts.get(&QuestionId::from(*question)).copied().unwrap_or_default();
                let counted = slot.reference.answers_to(*question).len();
                if sent != counted {
                    return self.fail(format!("5: the host was sent {sent} of {counted} answers"));
                }
            }
        }
    }

    pub fn watch_owner(&mut self, frame: &FromOwner, proof: Option<u64>) {
        use ToEdge::{Answer, Committed, Done, Outdated, Refused, Replaced, State, Stored};
        let gated = matches!(
            frame.message,
            Answer { .. }
                | Committed { .. }
                | Done { .. }
                | Outdated { .. }
                | Refused { .. }
                | Replaced { .. }
                | State { .. }
                | Stored { .. }
        );
        // A frame that depends on a reading of the log was true then, however long ago that was; it is late but not wrong.
        match proof {
            None if gated => self.fail("3: an owner speaks without having looked at the log".to_owned()),
            Some(newest) if gated && newest != frame.epoch => {
                self.fail(format!("3: a woken owner of epoch {} speaks in epoch {newest}", frame.epoch));
            }
            _ => {}
        }
        if let Refused { seq, .. } | Outdated { seq, .. } = &frame.message
            && *seq > self.store.events.len() as u64
        {
            self.fail("3: a refusal before the commit of what it rests on".to_owned());
        }
    }

    pub fn closed(&mut self, socket: usize, close: Close) {
        self.trace.note(self.agenda.now, "close", &[socket as u64, u64::from(close.code.number())]);
        self.sockets[socket].server_open = false;
        self.closed_at = self.agenda.now;
        let healthy = self.is_healthy(self.sockets[socket].node);
        match (close.code, self.sockets[socket].who) {
            (CloseCode::Removed, who) if !who.player().is_some_and(|player| self.was_removed(player)) => {
                self.fail("11: a player is lost: the close code says removed".to_owned());
            }
            (CloseCode::Unauthorized, who) if !self.has_moved_on(socket) && !self.is_removed_co_host(who) => {
                self.fail("13: the phone that has the seat is closed as one that lost it".to_owned());
            }
            (CloseCode::StorageUnavailable, _) if healthy => {
                self.fail("10: a command was not stored in 5 s, long after the last fault".to_owned());
            }
            (CloseCode::Replaced, _) if self.nodes.len() == 1 && self.is_newest(socket) => {
                self.fail("11: the newest socket of a participant was replaced".to_owned());
            }
            (CloseCode::RateLimited | CloseCode::WrongRole | CloseCode::InternalError, _) => {
                self.fail(format!("9: closed with {close}"));
            }
            (CloseCode::StorageUnavailable, _) => self.coverage.note(Kind::StorageTimeout),
            (CloseCode::WrongPhase, _) => self.coverage.note(Kind::WrongPhase),
            (CloseCode::UnknownQuestion, _) => self.coverage.note(Kind::UnknownQuestion),
            _ => {}
        }
        self.queue(socket, Out { kind: FrameKind::Queued, down: Down::Closed(close.code) });
    }

    fn is_newest(&self, socket: usize) -> bool {
        let this = &self.sockets[socket];
        let same = |other: &&Socket| other.client == this.client && other.edge == this.edge;
        self.sockets.iter().filter(same).all(|other| other.connection <= this.connection)
    }

    pub fn was_removed(&self, player: PlayerId) -> bool {
        self.store.truth.was_removed(player.uuid())
    }

    /// Invariant 9: a command whose sender was sent a refusal is never stored. An ignored command is dropped without a reply: only the
    /// owner that refused it may not store it, because a later owner may receive it for the first time in a late frame.
    fn note_refusal(&mut self, command_id: CommandId, epoch: u64, closes: bool) {
        let stored = self.store.singles.iter().any(|(_, event)| event.command_id == Some(command_id));
        if !closes && !stored {
            self.coverage.note(Kind::AnswerCrossed);
        }
        if closes || !stored {
            self.ledger.refused.push((command_id, (!closes).then_some(epoch)));
        }
    }
}

fn after_all(world: &mut World, node: usize, slot: Box<EdgeSlot>) {
    world.nodes[node].edge = Some(slot);
}

fn revealed(question: &quizhall_rules::Question) -> ToAll {
    ToAll::AnswerRevealed(AnswerRevealed {
        question_id: question.id.uuid(),
        correct_answer: question.shown_key(),
        explanation: question.explanation.clone(),
        tally: Vec::new(),
    })
}

fn is_sheet(run: &Bytes) -> bool {
    texts(run).iter().any(|text| text.contains("team_sheet"))
}

fn is_marks(run: &Bytes) -> bool {
    texts(run).iter().any(|text| text.contains("answers_marked") || text.contains("override_applied"))
}

fn is_board(run: &Bytes) -> bool {
    texts(run).iter().any(|text| text.contains("round_leaderboard"))
}

/// The JSON texts of a run of frames.
pub fn texts(run: &Bytes) -> Vec<String> {
    let mut rest = run.clone();
    let mut texts = Vec::new();
    while !rest.is_empty() {
        let (header, length) = match rest[1] {
            126 => (4, usize::from(u16::from_be_bytes([rest[2], rest[3]]))),
            127 => {
                (10, usize::try_from(u64::from_be_bytes(rest[2..10].try_into().expect("eight bytes"))).expect("small"))
            }
            short => (2, usize::from(short)),
        };
        let one = rest.split_to(header + length);
        texts.push(String::from_utf8(frame::payload(&one).to_vec()).expect("JSON is UTF-8"));
    }
    texts
}
