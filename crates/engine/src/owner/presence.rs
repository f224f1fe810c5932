//! The participants' sockets as the owner knows them: for "one connection per participant", and for which participants count as
//! connected.
//!
//! They are not in the log (except what the owner decides from them): after a change of owner the edges report them again.
//! Session numbers grow over the whole game, epochs included, so a command id of an older session never overtakes one of a newer
//! session.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::hint::black_box;
use std::time::Duration;

use foldhash::fast::FixedState;
use quizhall_rules::{CommandId, State};

use super::given::{Attachment, Session, Sessions};
use crate::ids::{ConnectionId, EdgeId, Participant, Time};

/// The number of replaced and closed sockets that are kept per participant, so that a late retransmission of an old socket does
/// not win the place back.
const REMEMBERED: usize = 4;
/// How long the host may be without a socket before that is stored: reloading the page takes less time, and must not show
/// on every phone in the room.
const HOST_GRACE: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Presence {
    epoch: u64,
    grace: Duration,
    sessions: Sessions,
    /// Sockets that were replaced or are closed.
    former: BTreeMap<Participant, VecDeque<Former>>,
    /// Replaced sockets whose edge has not reported that they are closed.
    evicted: BTreeSet<(EdgeId, ConnectionId)>,
    /// Participants who count as connected without a socket, with the time at which that ends.
    leaving: BTreeSet<(Time, Participant)>,
    leaving_at: BTreeMap<Participant, Time>,
    /// Participants who joined in the lobby and have had no socket: they count as connected there. Kept apart because a search for them
    /// among 100,000 players took the owner 20 ms at the start of a game.
    unseen: HashSet<Participant, FixedState>,
}

/// A socket that was replaced or is closed.
#[derive(Debug, Clone, Copy)]
struct Former {
    edge: EdgeId,
    connection: ConnectionId,
    /// The numbers from this owner and from an earlier one, if it ever was the newest.
    numbers: [Option<u64>; 2],
}

/// The devices of players that count as connected.
fn connected_in(state: &State) -> impl Iterator<Item = Participant> {
    let players = state.players().filter(|player| player.connected);
    players.flat_map(|player| {
        let devices = player.devices().filter(|device| player.is_device_connected(*device) == Some(true));
        devices.map(|device| Participant::player_over(player.id, device))
    })
}

impl Former {
    fn is(&self, who: (EdgeId, ConnectionId)) -> bool {
        (self.edge, self.connection) == who
    }
}

impl Attachment {
    /// Whether the session belongs to a newer socket: this one is a late retransmission, or lost a race.
    fn is_older_than(&self, session: &Session) -> bool {
        // Connection numbers of one edge grow with time. Session numbers are less reliable there: a late retransmission of a socket's
        // first frame has none, though a later socket of the same edge may have one from an earlier owner.
        if session.edge == self.edge {
            return self.connection < session.connection;
        }
        // Both sockets name their sessions of an earlier owner: the later session is the newer socket; a socket without one is newer still.
        self.prior.is_some_and(|prior| session.prior.is_none_or(|other| prior < other))
    }
}

/// The outcome of an attachment.
#[derive(Debug, Default)]
pub(super) struct AttachOutcome {
    /// The socket's session number, when it is the newest.
    pub session: Option<u64>,
    /// The socket that must be closed.
    pub replaced: Option<(EdgeId, ConnectionId)>,
}

impl Presence {
    /// A new owner knows no sockets: each participant who counts as connected has the grace period to attach one.
    pub fn new(now: Time, epoch: u64, grace: Duration, state: &State) -> Self {
        let mut presence = Self {
            epoch,
            grace,
            sessions: Sessions::default(),
            former: BTreeMap::new(),
            evicted: BTreeSet::new(),
            leaving: BTreeSet::new(),
            leaving_at: BTreeMap::new(),
            unseen: HashSet::default(),
        };
        for participant in connected_in(state) {
            presence.leave_at(now + grace, participant);
        }
        if state.is_host_present() {
            presence.leave_at(now + grace.max(HOST_GRACE), Participant::Host);
        }
        presence
    }

    pub fn attach(&mut self, participant: Participant, at: Attachment) -> AttachOutcome {
        let here = (at.edge, at.connection);
        if self.was_replaced(participant, here) {
            return AttachOutcome { session: None, replaced: Some(here) };
        }
        let session = self.sessions.of(participant).copied();
        if let Some(session) = session {
            if (session.edge, session.connection) == here {
                return AttachOutcome { session: Some(session.number), replaced: None };
            }
            if at.is_older_than(&session) {
                self.evict(participant, here);
                return AttachOutcome { session: None, replaced: Some(here) };
            }
        }
        let old = session.map(|session| (session.edge, session.connection));
        if let Some(old) = old {
            self.evict(participant, old);
        }
        let number = CommandId::session_of(self.epoch, self.sessions.count_given() + 1);
        self.sessions.give(Session::new(participant, at, number));
        self.unseen.remove(&participant);
        self.stay(participant);
        AttachOutcome { session: Some(number), replaced: old }
    }

    /// Ends the session if it belongs to this socket; returns whether its participant leaves at once.
    pub fn detach(
        &mut self,
        now: Time,
        (edge, connection): (EdgeId, ConnectionId),
        participant: Participant,
        clean: bool,
    ) -> bool {
        self.evicted.remove(&(edge, connection));
        self.remember(participant, (edge, connection));
        if !self.holds(participant, (edge, connection)) {
            // Its first frame may have been lost: the participant must not count as connected for ever because of that.
            self.expect(now, participant);
            return false;
        }
        self.sessions.remove(participant);
        // The host has time to reload the page, however the socket was closed.
        let leaves = clean && participant.as_host().is_none();
        if !leaves {
            self.miss(now, participant);
        }
        leaves
    }

    /// Whether the participant has a socket; `None` during the grace period without one, which changes nothing.
    pub fn is_here(&self, participant: Participant) -> Option<bool> {
        let is_attached = self.sessions.of(participant).is_some();
        (is_attached || !self.leaving_at.contains_key(&participant)).then_some(is_attached)
    }

    /// All sockets of an edge are lost.
    pub fn edge_gone(&mut self, now: Time, edge: EdgeId) {
        let lost: Vec<_> =
            self.sessions.iter().filter(|session| session.edge == edge).map(|session| session.participant).collect();
        self.evicted.retain(|(of, _)| *of != edge);
        for participant in lost {
            self.sessions.remove(participant);
            self.miss(now, participant);
        }
    }

    /// Whether any session belongs to this edge.
    pub fn has_sessions(&self, edge: EdgeId) -> bool {
        self.sessions.iter().any(|session| session.edge == edge)
    }

    /// Whether this socket is the newest of its participant.
    pub fn holds(&self, participant: Participant, here: (EdgeId, ConnectionId)) -> bool {
        self.sessions.of(participant).is_some_and(|session| (session.edge, session.connection) == here)
    }

    /// The session over which an edge sends a command, while it is the newest of its participant; by its number from 1 among those that were
    /// given, or by the number that an earlier owner gave it.
    pub fn over(&mut self, edge: EdgeId, command_id: CommandId) -> Option<&mut Session> {
        let session = match command_id.given_by(self.epoch) {
            Some((given, _)) => self.sessions.given(given).filter(|session| session.number == command_id.session),
            None => self.sessions.of_prior(command_id.session),
        };
        session.filter(|session| session.edge == edge && session.numbers().contains(&Some(command_id.session)))
    }

    /// Touches the memory of a session that was given, and returns the slot of its player.
    pub fn read_ahead_of(&self, given: u32) -> Option<u32> {
        self.sessions.read_ahead_of(given)
    }

    /// Touches the memory of a participant's session.
    pub fn read_ahead(&self, participant: Participant) {
        black_box(self.sessions.of(participant).map(|session| session.connection));
    }

    /// The participant's session, for what was refused on it and what changed nothing.
    pub fn session_of(&mut self, participant: Participant) -> Option<&mut Session> {
        self.sessions.of_mut(participant)
    }

    /// Whether this socket was replaced, or attached too late: its commands are never accepted again.
    pub fn was_replaced(&self, participant: Participant, here: (EdgeId, ConnectionId)) -> bool {
        self.former.get(&participant).is_some_and(|list| list.iter().any(|former| former.is(here)))
    }

    /// Whether a session number belongs to the participant's newest socket, or to an earlier one of the same edge, which knew the
    /// order of the two.
    pub fn is_from(&self, participant: Participant, edge: EdgeId, number: u64) -> bool {
        let is_newest = self.sessions.of(participant).is_some_and(|newest| newest.numbers().contains(&Some(number)));
        let mut former = self.former.get(&participant).into_iter().flatten();
        is_newest || former.any(|former| former.edge == edge && former.numbers.contains(&Some(number)))
    }

    /// Replaced sockets that are reported to their edges repeatedly, until these report them closed.
    pub fn evicted(&self) -> impl Iterator<Item = (EdgeId, ConnectionId)> {
        self.evicted.iter().copied()
    }

    /// How many participants have a socket.
    pub fn len(&self) -> usize {
        self.sessions.len()
    }

    /// How many participants have their socket on each edge.
    pub fn by_edge(&self) -> BTreeMap<EdgeId, usize> {
        let mut counts = BTreeMap::new();
        for session in self.sessions.iter() {
            *counts.entry(session.edge).or_default() += 1;
        }
        counts
    }

    /// Participants whose grace period is over.
    pub fn overdue(&mut self, now: Time) -> Vec<Participant> {
        let mut overdue = Vec::new();
        while let Some(&(at, participant)) = self.leaving.first() {
            if at > now {
                break;
            }
            self.stay(participant);
            overdue.push(participant);
        }
        overdue
    }

    pub fn next_deadline(&self) -> Option<Time> {
        self.leaving.first().map(|&(at, _)| at)
    }

    /// Another phone took the seat: its socket loses the seat, and is not closed as a replaced one.
    pub fn unseat(&mut self, now: Time, participant: Participant) {
        if self.sessions.remove(participant).is_some() {
            self.miss(now, participant);
        }
    }

    /// A participant who counts as connected without a known socket gets the grace period to attach one.
    pub fn expect(&mut self, now: Time, participant: Participant) {
        if self.sessions.of(participant).is_none() && !self.leaving_at.contains_key(&participant) {
            self.miss(now, participant);
        }
    }

    /// The same when the game starts, for a participant who joined in the lobby.
    pub fn expect_at_start(&mut self, participant: Participant) {
        self.unseen.insert(participant);
    }

    /// The game starts.
    pub fn start(&mut self, now: Time) {
        for participant in std::mem::take(&mut self.unseen) {
            self.expect(now, participant);
        }
    }

    /// The socket is not closed cleanly: the grace period begins.
    fn miss(&mut self, now: Time, participant: Participant) {
        let grace = match participant {
            Participant::Host | Participant::CoHost(_) => HOST_GRACE,
            Participant::Player(_) | Participant::Device(..) => self.grace,
        };
        self.leave_at(now + grace, participant);
    }

    fn leave_at(&mut self, at: Time, participant: Participant) {
        self.stay(participant);
        self.leaving.insert((at, participant));
        self.leaving_at.insert(participant, at);
    }

    fn stay(&mut self, participant: Participant) {
        if let Some(at) = self.leaving_at.remove(&participant) {
            self.leaving.remove(&(at, participant));
        }
    }

    fn evict(&mut self, participant: Participant, who: (EdgeId, ConnectionId)) {
        self.evicted.insert(who);
        self.remember(participant, who);
    }

    fn remember(&mut self, participant: Participant, who: (EdgeId, ConnectionId)) {
        let session = self.sessions.of(participant).filter(|session| (session.edge, session.connection) == who);
        let numbers = session.map_or([None; 2], Session::numbers);
        let list = self.former.entry(participant).or_default();
        if list.iter().any(|former| former.is(who)) {
            return;
        }
        if list.len() == REMEMBERED {
            list.pop_front();
        }
        list.push_back(Former { edge: who.0, connection: who.1, numbers });
    }
}
