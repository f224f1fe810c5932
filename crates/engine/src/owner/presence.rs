//! Who is connected where, as the owner believes: for "one connection per participant" and for who counts as here.
//!
//! Not in the log (what the owner decides from it is): after a change of owner the edges say it again. Sessions it gives
//! out grow over the whole game, epochs included, so a command id of an older session never overtakes one of a newer.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hint::black_box;
use std::time::Duration;

use foldhash::fast::FixedState;
use quizhall_rules::{CommandId, Refusal, State};

use crate::ids::{ConnectionId, EdgeId, Participant, Time};

/// Sockets without a future remembered per participant, so that a late repeat of theirs does not win the seat back.
const REMEMBERED: usize = 4;
/// How long the host may be without a socket before anybody is told: a reload of the page takes less, and must not
/// flicker on every phone in the room.
const HOST_GRACE: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Presence {
    epoch: u64,
    given: u64,
    grace: Duration,
    /// Looked into for every command; the hashes are the same in every process, so that a simulation repeats exactly.
    seats: HashMap<Participant, Seat, FixedState>,
    /// Sockets that were replaced or are gone.
    former: BTreeMap<Participant, VecDeque<Former>>,
    /// Replaced sockets whose edge has not said that they are gone.
    evicted: BTreeSet<(EdgeId, ConnectionId)>,
    /// Who counts as here without having a socket, with the moment at which that ends.
    leaving: BTreeSet<(Time, Participant)>,
    leaving_at: BTreeMap<Participant, Time>,
}

#[derive(Debug, Clone, Copy)]
struct Seat {
    edge: EdgeId,
    connection: ConnectionId,
    session: u64,
    prior: Option<u64>,
    /// The last command over it, if that was refused.
    refused: Option<(CommandId, Refusal)>,
}

/// A socket that was replaced or is gone.
#[derive(Debug, Clone, Copy)]
struct Former {
    edge: EdgeId,
    connection: ConnectionId,
    /// From this owner and from an earlier one, if it ever had the seat.
    sessions: [Option<u64>; 2],
}

/// A socket that wants its participant's seat.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attachment {
    pub edge: EdgeId,
    pub connection: ConnectionId,
    pub prior: Option<u64>,
}

impl Seat {
    fn sessions(&self) -> [Option<u64>; 2] {
        [Some(self.session), self.prior]
    }
}

impl Former {
    fn is(&self, who: (EdgeId, ConnectionId)) -> bool {
        (self.edge, self.connection) == who
    }
}

impl Attachment {
    /// Whether the seat belongs to a newer socket: this one is a late repeat, or the loser of a race.
    fn is_older_than(&self, seat: &Seat) -> bool {
        // Numbers of one edge grow with time. Sessions say less there: a late repeat of a socket's first word names
        // none, though a later socket of the same edge may have been given one by an earlier owner.
        if seat.edge == self.edge {
            return self.connection < seat.connection;
        }
        // Two sockets tell a new owner of their past: the later session is the newer socket, and none at all newer still.
        self.prior.is_some_and(|prior| seat.prior.is_none_or(|of_seat| prior < of_seat))
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Seated {
    /// The socket's session, when it has the seat.
    pub session: Option<u64>,
    /// The socket that has to go.
    pub replaced: Option<(EdgeId, ConnectionId)>,
}

impl Presence {
    /// A new owner knows of no socket: everybody who counts as here has the grace period to be heard of.
    pub fn new(now: Time, epoch: u64, grace: Duration, state: &State) -> Self {
        let mut presence = Self {
            epoch,
            given: 0,
            grace,
            seats: HashMap::default(),
            former: BTreeMap::new(),
            evicted: BTreeSet::new(),
            leaving: BTreeSet::new(),
            leaving_at: BTreeMap::new(),
        };
        for player in state.players().filter(|player| player.connected) {
            presence.leave_at(now + grace, Participant::Player(player.id));
        }
        if state.is_host_present() {
            presence.leave_at(now + grace.max(HOST_GRACE), Participant::Host);
        }
        presence
    }

    pub fn attach(&mut self, participant: Participant, at: Attachment) -> Seated {
        let here = (at.edge, at.connection);
        if self.was_replaced(participant, here) {
            return Seated { session: None, replaced: Some(here) };
        }
        let seat = self.seats.get(&participant).copied();
        if let Some(seat) = seat {
            if (seat.edge, seat.connection) == here {
                return Seated { session: Some(seat.session), replaced: None };
            }
            if at.is_older_than(&seat) {
                self.evict(participant, here);
                return Seated { session: None, replaced: Some(here) };
            }
        }
        let old = seat.map(|seat| (seat.edge, seat.connection));
        if let Some(old) = old {
            self.evict(participant, old);
        }
        self.given += 1;
        let session = (self.epoch << 32) | self.given;
        self.seats.insert(
            participant,
            Seat { edge: at.edge, connection: at.connection, session, prior: at.prior, refused: None },
        );
        self.stay(participant);
        Seated { session: Some(session), replaced: old }
    }

    /// Frees the seat if this socket has it; returns whether its participant leaves at once.
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
            // Its first word may have been lost: a seat must not count as taken for ever because of that.
            self.expect(now, participant);
            return false;
        }
        self.seats.remove(&participant);
        // The host has time to load the page again, whatever the socket said.
        let leaves = clean && matches!(participant, Participant::Player(_));
        if !leaves {
            self.miss(now, participant);
        }
        leaves
    }

    /// Whether the participant has a socket; `None` in the grace period without one, which changes nothing.
    pub fn is_here(&self, participant: Participant) -> Option<bool> {
        let seated = self.seats.contains_key(&participant);
        (seated || !self.leaving_at.contains_key(&participant)).then_some(seated)
    }

    /// All sockets of an edge are lost.
    pub fn edge_gone(&mut self, now: Time, edge: EdgeId) {
        let lost: Vec<_> = self.seats.iter().filter(|(_, seat)| seat.edge == edge).map(|(who, _)| *who).collect();
        self.evicted.retain(|(of, _)| *of != edge);
        for participant in lost {
            self.seats.remove(&participant);
            self.miss(now, participant);
        }
    }

    /// Whether any socket of this edge has a seat.
    pub fn has_seats(&self, edge: EdgeId) -> bool {
        self.seats.values().any(|seat| seat.edge == edge)
    }

    /// Whether this socket has its participant's seat.
    pub fn holds(&self, participant: Participant, here: (EdgeId, ConnectionId)) -> bool {
        self.seats.get(&participant).is_some_and(|seat| (seat.edge, seat.connection) == here)
    }

    /// Touches the memory of a participant's seat.
    pub fn read_ahead(&self, participant: Participant) {
        black_box(self.seats.get(&participant).map(|seat| seat.connection));
    }

    /// What a repeat of a refused command gets: the same again, though the game may have moved on meanwhile.
    pub fn refusal_of(&self, participant: Participant, command_id: CommandId) -> Option<Refusal> {
        let (refused, refusal) = self.seats.get(&participant)?.refused?;
        (refused == command_id).then_some(refusal)
    }

    pub fn refused(&mut self, participant: Participant, command_id: CommandId, refusal: Refusal) {
        if let Some(seat) = self.seats.get_mut(&participant) {
            seat.refused = Some((command_id, refusal));
        }
    }

    /// Whether this socket had the seat, or asked for it too late, and can never have it again.
    pub fn was_replaced(&self, participant: Participant, here: (EdgeId, ConnectionId)) -> bool {
        self.former.get(&participant).is_some_and(|list| list.iter().any(|former| former.is(here)))
    }

    /// Whether a session belongs to the participant's seat or to an earlier socket of the same edge, which then knew the
    /// order of the two.
    pub fn is_from(&self, participant: Participant, edge: EdgeId, session: u64) -> bool {
        let seat = self.seats.get(&participant).is_some_and(|seat| seat.sessions().contains(&Some(session)));
        let mut former = self.former.get(&participant).into_iter().flatten();
        seat || former.any(|former| former.edge == edge && former.sessions.contains(&Some(session)))
    }

    /// Sockets to be told again that they were replaced, until their edges say that they are gone.
    pub fn evicted(&self) -> impl Iterator<Item = (EdgeId, ConnectionId)> {
        self.evicted.iter().copied()
    }

    /// Seats that are taken.
    pub fn len(&self) -> usize {
        self.seats.len()
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

    /// Somebody who counts as here and has no socket, as far as is known, has the grace period to be heard of.
    pub fn expect(&mut self, now: Time, participant: Participant) {
        if !self.seats.contains_key(&participant) && !self.leaving_at.contains_key(&participant) {
            self.miss(now, participant);
        }
    }

    /// The socket is gone without a goodbye that counts: the grace period begins.
    fn miss(&mut self, now: Time, participant: Participant) {
        let grace = match participant {
            Participant::Host => HOST_GRACE,
            Participant::Player(_) => self.grace,
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
        let seat = self.seats.get(&participant).filter(|seat| (seat.edge, seat.connection) == who);
        let sessions = seat.map_or([None; 2], Seat::sessions);
        let list = self.former.entry(participant).or_default();
        if list.iter().any(|former| former.is(who)) {
            return;
        }
        if list.len() == REMEMBERED {
            list.pop_front();
        }
        list.push_back(Former { edge: who.0, connection: who.1, sessions });
    }
}
