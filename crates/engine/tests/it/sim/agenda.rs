//! The future events of a world, by simulated time; time jumps from one to the next.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use quizhall_engine::edge::RequestError;
use quizhall_engine::{AppendOutcome, EdgeId, FromOwner, Head, Message, Time, ToOwner};

use quizhall_rules::Expiry;

use super::database::{Query, Received};
use super::faults::Mend;
use super::socket::Down;
use super::store::Write;

/// An event; nodes, sockets and clients are named by their index.
#[derive(Debug)]
pub enum What {
    /// The bus delivers a frame to a node, for the owner there.
    ToOwner {
        to: EdgeId,
        from: EdgeId,
        frame: ToOwner,
    },
    /// The bus delivers a frame to a node, for its edge, with the time when it was sent.
    ToEdge {
        to: EdgeId,
        from: EdgeId,
        frame: FromOwner,
        sent: Time,
    },
    /// A write reaches the database.
    Execute(Write),
    /// An owner (node, run) or a claim receives the outcome of its append, and the newest epoch at that time.
    Appended(usize, u64, AppendOutcome, u64),
    /// A request for the head of the log reaches the database.
    ReadHead(usize, u64),
    /// The head arrives, with the newest epoch at the time when it was read.
    HeadRead(usize, u64, Option<Head>, u64),
    /// The last part of a snapshot reaches the database.
    SnapshotWritten(usize, EdgeId, u64),
    /// Another query reaches the database, and whether a node still waits for the answer.
    Query(usize, EdgeId, Query, bool),
    /// The answer reaches the node.
    Received(usize, EdgeId, Received),
    Enter(usize, EdgeId),
    Renew(usize, EdgeId),
    RouteTick(usize, EdgeId),
    OwnerTick(usize, u64),
    /// An expiry is delivered in its turn among the frames for an owner.
    Expired(usize, u64, Expiry),
    EdgeTick(EdgeId, u64),
    /// A node checks whether it still needs its edge.
    Idle(usize),
    /// The handshake of a socket is complete.
    Attach(usize),
    /// A message arrives from a socket's client.
    Up(usize, Message),
    /// The server notices that a socket is closed, with a close frame or without.
    Gone(usize, bool),
    /// A socket writes the next frame of its queue.
    Write(usize),
    /// The client reads a frame.
    Down(usize, Down),
    /// The client notices that its socket is closed.
    Lost(usize),
    /// The client gives up, because it has received nothing for too long.
    GiveUp(usize),
    /// A node that stops closes a socket.
    SendAway(usize),
    /// An HTTP request reaches a node.
    Request(usize, usize, HttpCommand),
    /// The response reaches the client.
    Answered(usize, HttpCommand, Result<(), RequestError>),
    Act(usize),
    /// A screen checks its socket.
    Screen(usize),
    Fault,
    /// A fault ends.
    Mend(Mend),
    /// Checks whether exactly the connected participants count as connected.
    Watch,
    Resume(usize),
    Restart(usize),
    Exit(usize),
    Heal,
    /// The owner's node dies while no other fault happens.
    Probe,
    ProbeOver,
}

/// A client's HTTP request; the number distinguishes its attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpCommand {
    Join(u64),
    Remove(usize),
    Lock(bool),
    RemoveCoHost,
    /// The token of a screen is issued or revoked.
    Screen(usize, bool),
    /// Issues a code for the seat of a client; the number distinguishes the codes of a seat.
    IssueCode(usize, u64),
    /// A phone takes its seat with this code.
    Move(u64),
    /// The host removes the phone of this client from its team.
    RemovePhone(usize),
}

#[derive(Debug)]
struct Entry {
    at: Time,
    order: u64,
    what: What,
}

#[derive(Debug, Default)]
pub struct Agenda {
    pub now: Time,
    heap: BinaryHeap<Reverse<Entry>>,
    order: u64,
}

impl Agenda {
    pub fn at(&mut self, at: Time, what: What) {
        self.order += 1;
        self.heap.push(Reverse(Entry { at: at.max(self.now), order: self.order, what }));
    }

    pub fn after(&mut self, delay: Time, what: What) {
        self.at(self.now + delay, what);
    }

    /// Loses the frames of a node that have not arrived at another one yet; returns whether there were any.
    pub fn lose_frames_of(&mut self, node: EdgeId) -> bool {
        let before = self.heap.len();
        self.heap.retain(|Reverse(entry)| match &entry.what {
            What::ToOwner { to, from, .. } | What::ToEdge { to, from, .. } => *from != node || to == from,
            _ => true,
        });
        self.heap.len() < before
    }

    /// Jumps to the next event.
    pub fn next(&mut self) -> Option<What> {
        let Reverse(entry) = self.heap.pop()?;
        self.now = entry.at;
        Some(entry.what)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.at, self.order).cmp(&(other.at, other.order))
    }
}
