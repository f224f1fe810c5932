//! The attached sockets and the commands that each has in flight.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hint::black_box;

use foldhash::fast::FixedState;
use quizhall_rules::{Command, CommandId, Device};

use super::closings::Closings;
use crate::frames::{Attaching, ToOwner};
use crate::ids::{ConnectionId, Holder, Participant, Time};
use crate::wire::{Dialect, Recipient};

/// The most checks between two retransmissions of a command.
const LONGEST_PAUSE: u32 = 4;

/// One attached socket.
#[derive(Debug)]
pub(super) struct Session {
    pub participant: Participant,
    /// How many times the seat had moved when it got the token that opened this socket.
    pub moves: u32,
    /// The dialect, which decides which messages exist on the socket.
    pub dialect: Dialect,
    /// Its session number, given by the owner; until then commands wait here.
    pub id: Option<u64>,
    /// The session number that an earlier owner gave.
    pub prior: Option<u64>,
    pub last_number: u64,
    /// On the heap, because most sockets usually have nothing in flight.
    pub in_flight: Option<Box<InFlight>>,
    pub queue: VecDeque<Waiting>,
    pub closings: Closings,
    /// Whether anything is unanswered; kept by [`Sessions`].
    waits: bool,
    /// Whether it is a host that was sent groups of answers to review.
    pub reviews_groups: bool,
}

/// A command not yet sent to the owner.
#[derive(Debug)]
pub(super) struct Waiting {
    pub command: Command,
    pub since: Time,
    /// Whether its sender could not know of a closing that may refuse it: such a refusal is not a mistake of the client.
    pub crosses: bool,
    /// The participant's last command that had taken effect in the replica when this one arrived.
    pub seen: Option<CommandId>,
}

/// The command in flight.
#[derive(Debug)]
pub(super) struct InFlight {
    pub command_id: CommandId,
    pub waiting: Waiting,
    /// Whether its event has already been shown to the participant.
    pub shown: bool,
    /// At how many checks it was in flight already.
    pub checks: u32,
}

impl InFlight {
    /// Whether it is retransmitted at this check. At its first check a command is too young. An owner that answers others has much to
    /// do: then there is one check without a retransmission after the first, and three after every later one.
    pub fn is_due(&mut self, owner_answers: bool) -> bool {
        self.checks += 1;
        let pause = LONGEST_PAUSE.min(self.checks.next_power_of_two());
        self.checks > 1 && (!owner_answers || self.checks.is_multiple_of(pause))
    }

    /// The frame for the owner of this epoch, the same every time.
    pub fn to_owner(&self, connection: ConnectionId, participant: Participant, epoch: u64) -> ToOwner {
        let Waiting { command, seen, .. } = &self.waiting;
        let (command_id, seen, command) = (self.command_id, *seen, command.clone());
        ToOwner::Command { connection, participant, command_id, seen, epoch: Some(epoch), command }
    }
}

impl Session {
    pub fn new(Holder { participant, moves }: Holder, dialect: Dialect) -> Self {
        Self {
            participant,
            moves,
            dialect,
            id: None,
            prior: None,
            last_number: 0,
            in_flight: None,
            queue: VecDeque::new(),
            closings: Closings::default(),
            waits: false,
            reviews_groups: false,
        }
    }

    /// The recipient that it is for messages to many.
    pub fn recipient(&self) -> Recipient {
        self.participant.recipient(self.dialect)
    }

    /// The holder of the token that opened it.
    pub fn holder(&self) -> Holder {
        Holder { participant: self.participant, moves: self.moves }
    }

    /// The request for a session to an owner.
    pub fn announce(&self, connection: ConnectionId) -> Attaching {
        Attaching { connection, participant: self.participant, prior: self.prior, moves: self.moves }
    }

    pub fn has_extension(&self) -> bool {
        self.dialect == Dialect::QuizhallV1
    }

    /// Puts a command in flight, over a session number of the owner.
    pub fn send(&mut self, id: u64, waiting: Waiting) {
        self.last_number += 1;
        let command_id = CommandId { session: id, number: self.last_number };
        self.in_flight = Some(Box::new(InFlight { command_id, waiting, shown: false, checks: 0 }));
    }

    /// The time since which the oldest command has waited.
    pub fn waiting_since(&self) -> Option<Time> {
        let oldest = self.in_flight.as_ref().map(|in_flight| in_flight.waiting.since);
        oldest.or_else(|| self.queue.front().map(|waiting| waiting.since))
    }
}

/// All sockets, by id and by participant. The hashes are the same in every process, so that a simulation repeats exactly; no
/// client chooses the keys.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    by_connection: HashMap<ConnectionId, Session, FixedState>,
    by_participant: HashMap<Participant, ConnectionId, FixedState>,
    /// The sockets of the host and of co-hosts, by the host's devices.
    hosts: BTreeMap<Device, ConnectionId>,
    /// How many sockets have anything unanswered.
    waiting: usize,
}

impl Sessions {
    pub fn insert(&mut self, connection: ConnectionId, session: Session) {
        self.by_participant.insert(session.participant, connection);
        if let Some(device) = session.participant.as_host() {
            self.hosts.insert(device, connection);
        }
        self.waiting += usize::from(session.waits);
        self.by_connection.insert(connection, session);
    }

    pub fn remove(&mut self, connection: ConnectionId) -> Option<Session> {
        let session = self.by_connection.remove(&connection)?;
        self.waiting -= usize::from(session.waits);
        if self.by_participant.get(&session.participant) == Some(&connection) {
            self.by_participant.remove(&session.participant);
            session.participant.as_host().and_then(|device| self.hosts.remove(&device));
        }
        Some(session)
    }

    pub fn get(&self, connection: ConnectionId) -> Option<&Session> {
        self.by_connection.get(&connection)
    }

    pub fn get_mut(&mut self, connection: ConnectionId) -> Option<&mut Session> {
        self.by_connection.get_mut(&connection)
    }

    /// Touches the memory of a socket's command in flight.
    pub fn read_ahead(&self, connection: ConnectionId) {
        let in_flight = self.by_connection.get(&connection).and_then(|session| session.in_flight.as_ref());
        black_box(in_flight.map(|in_flight| in_flight.command_id));
    }

    pub fn contains(&self, connection: ConnectionId) -> bool {
        self.by_connection.contains_key(&connection)
    }

    pub fn of(&self, participant: Participant) -> Option<ConnectionId> {
        self.by_participant.get(&participant).copied()
    }

    /// The sockets of the host and of co-hosts.
    pub fn hosts(&self) -> impl Iterator<Item = ConnectionId> {
        self.hosts.values().copied()
    }

    /// Those that speak `quizhall.v1`, each with its device of the host.
    pub fn hosts_v1(&self) -> impl Iterator<Item = (Device, ConnectionId)> {
        let hosts = self.hosts.iter().map(|(device, connection)| (*device, *connection));
        hosts.filter(|(_, host)| self.by_connection.get(host).is_some_and(Session::has_extension))
    }

    /// Whether any socket has the extension.
    pub fn any_v1(&self) -> bool {
        self.by_connection.values().any(Session::has_extension)
    }

    /// The ids of all sockets, the oldest first.
    pub fn ids(&self) -> Vec<ConnectionId> {
        let mut ids: Vec<_> = self.by_connection.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    pub fn iter(&self) -> impl Iterator<Item = (ConnectionId, &Session)> {
        self.by_connection.iter().map(|(id, session)| (*id, session))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (ConnectionId, &mut Session)> {
        self.by_connection.iter_mut().map(|(id, session)| (*id, session))
    }

    pub fn len(&self) -> usize {
        self.by_connection.len()
    }

    /// Notes that something of this socket is unanswered.
    pub fn wait(&mut self, connection: ConnectionId) {
        if let Some(session) = self.by_connection.get_mut(&connection) {
            self.waiting += usize::from(!std::mem::replace(&mut session.waits, true));
        }
    }

    /// Notes that nothing of this socket is unanswered any more.
    pub fn settle(&mut self, connection: ConnectionId) {
        if let Some(session) = self.by_connection.get_mut(&connection) {
            self.waiting -= usize::from(std::mem::take(&mut session.waits));
        }
    }

    /// Sockets with anything unanswered, the oldest first.
    pub fn waiting(&self) -> Vec<ConnectionId> {
        let waiting = self.by_connection.iter().filter(|(_, session)| session.waits);
        let mut waiting: Vec<_> = waiting.map(|(id, _)| *id).collect();
        waiting.sort_unstable();
        waiting
    }

    pub fn waiting_len(&self) -> usize {
        self.waiting
    }
}
