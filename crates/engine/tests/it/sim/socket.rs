//! The sockets of a world: a queue on the server's side like the real one, ordered in both directions, and every way to end.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use quizhall_engine::wire::CloseCode;
use quizhall_engine::{ConnectionId, Dialect, EdgeId, EdgeInput, FrameKind, Holder, Message, Participant, Time};
use quizhall_protocol::{ServerMessage, ToHost};
use quizhall_rules::QuestionId;

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::judge::Cause;
use super::mutation::Mutation;
use super::v1::Received;

/// Frames that may wait for a player's socket (messages.md#limits).
const MOST_WAITING: usize = 64;

#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about one end of the socket")]
pub struct Socket {
    pub client: usize,
    pub who: Participant,
    /// How many times the seat had moved when its client got the token.
    pub moves: u32,
    pub dialect: Dialect,
    pub node: usize,
    pub edge: EdgeId,
    pub connection: Option<ConnectionId>,
    pub server_open: bool,
    /// Whether it has been shown the state of the game, for which there may be no message.
    pub shown: bool,
    pub opened_at: Time,
    /// How many events clients of any node had been shown when it was attached.
    pub known: u64,
    pub client_open: bool,
    pub out: VecDeque<Out>,
    /// Frames that close a question or a round, written to their last byte.
    closings_written: u32,
    /// When the questions in which speed counts were written to their last byte.
    pub asked: Vec<(QuestionId, Time)>,
    writing: bool,
    slow: bool,
    up_at: Time,
    down_at: Time,
    /// Answers that the client sent on this socket and has not seen acknowledged, as places in the ledger.
    pub outstanding: BTreeMap<QuestionId, VecDeque<usize>>,
    /// Questions answered on this socket before it received them: their acknowledgements prove nothing.
    pub strays: Vec<QuestionId>,
    /// Open questions as the client has received them on this socket.
    pub open: Vec<QuestionId>,
    /// Questions of rounds that ended on this socket.
    pub closed: Vec<QuestionId>,
    /// The last count that was put into the queue, per question.
    pub counts: BTreeMap<QuestionId, usize>,
    pub saw_end: bool,
    /// The extension messages as they were put into the queue.
    pub said: Received,
    /// The extension messages as the client has read them.
    pub seen: Received,
}

/// An entry in the queue of a socket.
#[derive(Debug)]
pub struct Out {
    pub kind: FrameKind,
    pub down: Down,
}

/// What a client reads.
#[derive(Debug, Clone)]
pub enum Down {
    Message {
        message: Rc<ServerMessage>,
        /// Part of the messages that rebuild the view: not the answer to a message on this socket.
        during_sync: bool,
    },
    Closed(CloseCode),
}

impl Socket {
    /// After the last fault, slow phones read at normal speed.
    pub fn make_fast(&mut self) {
        self.slow = false;
    }
}

impl World {
    /// A client opens a socket to a node that is up.
    pub fn connect(&mut self, client: usize) {
        let Some(node) = self.choose_node(client) else { return };
        let Some(edge) = self.nodes[node].id else { return };
        let slow = !self.healed && self.dice.chance(60);
        if slow {
            self.coverage.note(Kind::SocketSlow);
        }
        let socket = self.sockets.len();
        self.sockets.push(Socket {
            client,
            who: self.clients[client].who,
            moves: self.clients[client].moves,
            dialect: self.clients[client].dialect,
            node,
            edge,
            connection: None,
            server_open: false,
            shown: false,
            opened_at: Time::ZERO,
            known: 0,
            client_open: true,
            out: VecDeque::new(),
            closings_written: 0,
            asked: Vec::new(),
            writing: false,
            slow,
            up_at: Time::ZERO,
            down_at: Time::ZERO,
            outstanding: BTreeMap::new(),
            strays: Vec::new(),
            open: Vec::new(),
            closed: Vec::new(),
            counts: BTreeMap::new(),
            saw_end: false,
            said: Received::default(),
            seen: Received::default(),
        });
        self.clients[client].socket = Some(socket);
        let way = self.dice.millis(1, 40);
        self.sockets[socket].up_at = self.agenda.now + way;
        self.agenda.after(way, What::Attach(socket));
    }

    pub fn attach(&mut self, socket: usize) {
        let Socket { node, edge, who: participant, moves, dialect, .. } = self.sockets[socket];
        if self.nodes[node].id != Some(edge) || !self.nodes[node].is_up() {
            return self.agenda.after(Duration::from_millis(300), What::Lost(socket));
        }
        self.open_edge(node);
        self.pretend_recent(node);
        self.nodes[node].connections += 1;
        let connection = ConnectionId(self.nodes[node].connections);
        self.sockets[socket].connection = Some(connection);
        self.sockets[socket].server_open = true;
        self.sockets[socket].opened_at = self.agenda.now;
        self.sockets[socket].known = self.set_owner_here(node);
        let moves = if self.is_mutant(Mutation::OldTokensCount) { u32::MAX } else { moves };
        let holder = Holder { participant, moves };
        self.trace.note(self.agenda.now, "attach", &[socket as u64, node as u64, connection.0]);
        self.edge_step(node, EdgeInput::Attach(connection, holder, dialect), Cause::Attach);
        if !self.sockets[socket].shown && self.sockets[socket].server_open {
            self.coverage.note(Kind::SocketWaits);
        }
    }

    /// A client that waits too long for a message gives up.
    pub fn give_up_on(&mut self, socket: usize) {
        let node = self.sockets[socket].node;
        if self.nodes[node].paused && self.sockets[socket].client_open {
            self.coverage.note(Kind::ClientGivesUp);
            self.hang_up(socket, false);
        }
    }

    /// The client sends; a message on a socket that is closed on the other side is lost.
    pub fn send(&mut self, socket: usize, message: Message) {
        let way = self.dice.micros(200, 30_000);
        let at = self
            .with_others(&message, self.agenda.now + way)
            .max(self.sockets[socket].up_at + Duration::from_micros(1));
        self.sockets[socket].up_at = at;
        self.agenda.at(at, What::Up(socket, message));
    }

    pub fn up(&mut self, socket: usize, message: Message) {
        let Socket { node, edge, connection: Some(connection), .. } = self.sockets[socket] else { return };
        if self.nodes[node].edge.as_ref().is_none_or(|slot| slot.id != edge) {
            return;
        }
        let closings_written = self.sockets[socket].closings_written;
        let elapsed = self.measure(socket, &message);
        self.trace.note(self.agenda.now, "message", &[socket as u64, u64::from(closings_written)]);
        self.trace.detail(|| format!("{message:?}"));
        self.edge_step(node, EdgeInput::Message { connection, message, closings_written, elapsed }, Cause::Other);
    }

    /// The client ends the socket, with or without a close frame.
    pub fn hang_up(&mut self, socket: usize, clean: bool) {
        self.sockets[socket].client_open = false;
        let noticed = if clean { self.dice.millis(1, 40) } else { self.dice.millis(1, 2_500) };
        let at = (self.agenda.now + noticed).max(self.sockets[socket].up_at + Duration::from_micros(1));
        self.agenda.at(at, What::Gone(socket, clean));
        let client = self.sockets[socket].client;
        if self.clients[client].socket == Some(socket) {
            self.clients[client].socket = None;
            // Some hosts are away so long that all players are informed.
            let long = client == 0 && !self.healed && self.dice.chance(400);
            let away = if long { self.dice.millis(4_500, 8_000) } else { self.dice.millis(5, 1_500) };
            self.clients[client].retry_at = self.agenda.now + away;
        }
    }

    pub fn notice_close(&mut self, socket: usize, clean: bool) {
        let Socket { node, edge, connection: Some(connection), .. } = self.sockets[socket] else { return };
        self.sockets[socket].server_open = false;
        // The client still reads the reason for the close.
        self.sockets[socket].out.retain(|out| matches!(out.down, Down::Closed(_)));
        if self.nodes[node].edge.as_ref().is_some_and(|slot| slot.id == edge) {
            self.edge_step(node, EdgeInput::Detached(connection, clean), Cause::Other);
        }
    }

    pub fn queue(&mut self, socket: usize, out: Out) {
        if self.mutation == Some(Mutation::ChangesLost) && is_change(&out.down) && self.dice.chance(500) {
            return;
        }
        let waiting = &mut self.sockets[socket];
        if let FrameKind::Replace(_) = out.kind
            && let Some(older) = waiting.out.iter_mut().rev().find(|older| older.kind == out.kind)
        {
            older.down = out.down;
            return;
        }
        waiting.out.push_back(out);
        if waiting.out.len() > MOST_WAITING && waiting.server_open {
            waiting.out.clear();
            waiting.server_open = false;
            waiting.out.push_back(Out { kind: FrameKind::Queued, down: Down::Closed(CloseCode::SlowConsumer) });
            self.agenda.after(Duration::from_micros(10), What::Gone(socket, false));
        }
        if !self.sockets[socket].writing {
            self.sockets[socket].writing = true;
            self.write_later(socket);
        }
    }

    fn write_later(&mut self, socket: usize) {
        let pace = if self.sockets[socket].slow { self.dice.millis(20, 600) } else { self.dice.micros(2, 60) };
        self.agenda.after(pace, What::Write(socket));
    }

    pub fn write(&mut self, socket: usize) {
        let Some(out) = self.sockets[socket].out.pop_front() else {
            self.sockets[socket].writing = false;
            return;
        };
        self.sockets[socket].closings_written += u32::from(matches!(out.kind, FrameKind::Closes(_)));
        if let FrameKind::Asks(question) = out.kind {
            let now = self.agenda.now;
            self.sockets[socket].asked.push((question, now));
        }
        let way = self.dice.micros(200, 30_000);
        let at = (self.agenda.now + way).max(self.sockets[socket].down_at + Duration::from_micros(1));
        self.sockets[socket].down_at = at;
        self.agenda.at(at, What::Down(socket, out.down));
        self.write_later(socket);
    }
}

/// Whether it reports a change in the room.
fn is_change(down: &Down) -> bool {
    match down {
        Down::Message { message, .. } => {
            matches!(&**message, ServerMessage::Host(ToHost::RoomUpdate(update)) if !update.whole)
        }
        Down::Closed(_) => false,
    }
}
