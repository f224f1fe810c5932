//! The sockets of the fixed game: each keeps the frames that it was sent, and reads them as a client at the end.
//!
//! The clients are slow: of frames that newer ones replace they get only the newest, and no queue is ever full.

use std::collections::BTreeMap;

use bytes::Bytes;
use quizhall_engine::wire::Frames;
use quizhall_engine::{ConnectionId, Dialect, FrameKind, Participant};
use quizhall_protocol::{Role, ServerMessage, frame, read_server_message};
use serde_json::value::RawValue;

/// One socket.
#[derive(Debug)]
pub struct Socket {
    /// The participant that it belongs to.
    pub participant: Participant,
    /// Which messages exist on it.
    pub dialect: Dialect,
    runs: Vec<Bytes>,
    /// The newest of the frames that newer ones replace, by key.
    newest: BTreeMap<u64, Bytes>,
}

/// All sockets.
#[derive(Debug, Default)]
pub struct Sockets {
    attached: BTreeMap<ConnectionId, Socket>,
}

impl Sockets {
    pub fn attach(&mut self, id: ConnectionId, participant: Participant, dialect: Dialect) {
        self.attached.insert(id, Socket { participant, dialect, runs: Vec::new(), newest: BTreeMap::new() });
    }

    pub fn get(&self, id: ConnectionId) -> &Socket {
        &self.attached[&id]
    }

    pub fn iter(&self) -> impl Iterator<Item = &Socket> {
        self.attached.values()
    }

    pub fn send(&mut self, id: ConnectionId, run: &Bytes, kind: FrameKind) {
        self.attached.get_mut(&id).expect("frames go to attached sockets").take(run, kind);
    }

    pub fn broadcast(&mut self, message: &Frames, kind: FrameKind) {
        for socket in self.attached.values_mut() {
            if let Some(frame) = message.of(socket.participant.recipient(socket.dialect)) {
                socket.take(frame, kind);
            }
        }
    }
}

impl Socket {
    /// The role of its participant.
    pub fn role(&self) -> Role {
        if self.participant == Participant::Host { Role::Host } else { Role::Player }
    }

    /// Every message that it was sent, in order; after them the newest of those that newer ones replace.
    pub fn messages(&self) -> Vec<ServerMessage> {
        self.runs.iter().chain(self.newest.values()).flat_map(|run| self.messages_of(run.clone())).collect()
    }

    fn take(&mut self, run: &Bytes, kind: FrameKind) {
        match kind {
            FrameKind::Queued | FrameKind::Closes(_) | FrameKind::Asks(_) => self.runs.push(run.clone()),
            FrameKind::Replace(key) => drop(self.newest.insert(key, run.clone())),
        }
    }

    /// A run is one or more whole frames.
    fn messages_of(&self, mut run: Bytes) -> Vec<ServerMessage> {
        let mut messages = Vec::new();
        while !run.is_empty() {
            let payload = frame::payload(&run);
            let mut texts = serde_json::Deserializer::from_slice(&payload).into_iter::<&RawValue>();
            let text = texts.next().expect("a frame carries JSON").expect("a frame carries JSON");
            let read = read_server_message(text.get(), self.role()).expect("a message as clients know it");
            messages.push(read.expect("a type that clients know"));
            run = payload.slice(texts.byte_offset()..);
        }
        messages
    }
}
