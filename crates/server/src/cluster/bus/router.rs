//! Routes frames to the mailboxes of this process: for each live game one for its edge, one for its owner when it is
//! here, and one for its ownership supervisor. Frames for other nodes go over the remote bus.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use quizhall_engine::{EdgeId, FromOwner, Members, Place, RouteInput, ToEdge, ToOwner};
use quizhall_rules::GameId;
use tokio::sync::mpsc;

use super::{Bus, BusMessage, Received, Remote};
use crate::clock;
use crate::telemetry::metrics;

/// Frames that a mailbox holds. A socket has one command in flight, so this is more than the sockets of a game can
/// send. Frames beyond it are dropped, which the engine treats like any other loss.
const CAPACITY: usize = 131_072;
/// Route updates that a supervisor has not read yet; it notices a lost one by the silence of the owner.
const ROUTE_UPDATES: usize = 4_096;
/// Requests of other nodes for games that are not live here.
const REQUESTED: usize = 1_024;

/// The place of an owner whose node is unknown; otherwise the place is the node's id.
const NOWHERE: u64 = 0;

/// The receiving ends of one game's mailboxes.
pub struct Mailbox {
    /// The number of this opening of the game's mailboxes.
    pub opening: u64,
    /// Frames for the edge.
    pub edge: mpsc::Receiver<Received<FromOwner>>,
    /// Frames of owners, as input for the supervisor.
    pub route_updates: mpsc::Receiver<RouteInput>,
}

type ToOwnerSender = mpsc::Sender<(EdgeId, ToOwner)>;

struct GameMailboxes {
    opening: u64,
    place: AtomicU64,
    owner: Mutex<Option<ToOwnerSender>>,
    edge: mpsc::Sender<Received<FromOwner>>,
    route_updates: mpsc::Sender<RouteInput>,
}

/// The bus to other nodes, and the list of them.
pub struct Peers {
    /// Carries messages.
    pub remote: Arc<dyn Remote>,
    /// The nodes whose messages are accepted.
    pub members: Arc<RwLock<Members>>,
}

/// All mailboxes of this process.
pub struct Router {
    me: AtomicU64,
    peers: OnceLock<Peers>,
    mailboxes: RwLock<HashMap<GameId, Arc<GameMailboxes>>>,
    openings: AtomicU64,
    requested: mpsc::Sender<GameId>,
}

impl Router {
    /// A router without mailboxes. The receiver gets the games that other nodes expect to be owned here and that are
    /// not live here.
    pub fn new(me: EdgeId) -> (Self, mpsc::Receiver<GameId>) {
        let (requested, requests) = mpsc::channel(REQUESTED);
        let router = Self {
            me: AtomicU64::new(me.0),
            peers: OnceLock::new(),
            mailboxes: RwLock::default(),
            openings: AtomicU64::new(0),
            requested,
        };
        (router, requests)
    }

    /// Connects this process with others; may be called once.
    pub fn join(&self, peers: Peers) {
        let _ = self.peers.set(peers);
    }

    /// Whether there may be other nodes.
    pub fn has_peers(&self) -> bool {
        self.peers.get().is_some()
    }

    /// This node's present id.
    pub fn me(&self) -> EdgeId {
        EdgeId(self.me.load(Ordering::Acquire))
    }

    /// Sets this node's id for its next incarnation. Every game must have been dropped.
    pub fn set_node(&self, me: EdgeId) {
        self.me.store(me.0, Ordering::Release);
    }

    /// All other nodes in the list.
    pub fn others(&self) -> Vec<EdgeId> {
        let Some(peers) = self.peers.get() else { return Vec::new() };
        peers.members.read().unwrap_or_else(PoisonError::into_inner).others().collect()
    }

    /// Opens new mailboxes for a game; from now on frames for earlier ones are dropped.
    pub fn open(&self, game: GameId) -> Mailbox {
        let (to_edge, edge) = mpsc::channel(CAPACITY);
        let (to_supervisor, route_updates) = mpsc::channel(ROUTE_UPDATES);
        let opening = self.openings.fetch_add(1, Ordering::Relaxed);
        let mailboxes = GameMailboxes {
            opening,
            place: AtomicU64::new(NOWHERE),
            owner: Mutex::default(),
            edge: to_edge,
            route_updates: to_supervisor,
        };
        self.mailboxes.write().unwrap_or_else(PoisonError::into_inner).insert(game, Arc::new(mailboxes));
        Mailbox { opening, edge, route_updates }
    }

    /// Closes a game's mailboxes, unless they have been opened again since, and sends `Unsubscribe` to an owner on
    /// another node.
    pub fn close(&self, game: GameId, opening: u64) {
        let mut all = self.mailboxes.write().unwrap_or_else(PoisonError::into_inner);
        let Some(mailboxes) = all.get(&game).filter(|mailboxes| mailboxes.opening == opening).map(Arc::clone) else {
            return;
        };
        all.remove(&game);
        drop(all);
        let place = EdgeId(mailboxes.place.load(Ordering::Acquire));
        if place.0 != NOWHERE && place != self.me() {
            self.send(place, BusMessage::ToOwner { game, from: self.me(), frame: ToOwner::Unsubscribe });
        }
    }

    /// Opens the mailbox of an owner on this node; the previous one is closed.
    pub fn open_owner_mailbox(&self, game: GameId) -> mpsc::Receiver<(EdgeId, ToOwner)> {
        let (sender, receiver) = mpsc::channel(CAPACITY);
        if let Some(mailboxes) = self.of(game) {
            *lock(&mailboxes.owner) = Some(sender);
        }
        receiver
    }

    /// Closes the mailbox of the owner on this node; the owner reads the remaining frames.
    pub fn close_owner_mailbox(&self, game: GameId) {
        if let Some(mailboxes) = self.of(game) {
            lock(&mailboxes.owner).take();
        }
    }

    /// Sets where frames for the owner go from now on.
    pub fn set_place(&self, game: GameId, place: Place) {
        let Some(mailboxes) = self.of(game) else { return };
        let node = match place {
            Place::Nowhere => NOWHERE,
            Place::Here => self.me().0,
            Place::There(node) => node.0,
        };
        mailboxes.place.store(node, Ordering::Release);
    }

    /// Delivers a message of another node, if that node is in the list.
    pub fn receive(&self, Received { what, sent_after }: Received<BusMessage>) {
        match what {
            BusMessage::ToOwner { game, from, frame } => {
                if self.accepts_from(from) {
                    self.for_owner(game, from, frame);
                }
            }
            BusMessage::ToEdge { game, from, frame } => {
                if self.accepts_from(from) {
                    self.for_edge(game, from, Received { what: frame, sent_after });
                }
            }
            // A notice is not about a game.
            BusMessage::Notice(_) => {}
        }
    }

    fn for_owner(&self, game: GameId, from: EdgeId, frame: ToOwner) {
        let unsubscribes = frame == ToOwner::Unsubscribe;
        let Some(mailboxes) = self.of(game) else {
            if !unsubscribes {
                // Dropped when too many games are requested at once: the sender retransmits.
                let _ = self.requested.try_send(game);
            }
            return;
        };
        let owner = lock(&mailboxes.owner).clone();
        match owner {
            Some(owner) => count_lost(owner.try_send((from, frame)).is_err()),
            None if unsubscribes => {}
            None => drop(mailboxes.route_updates.try_send(RouteInput::RequestedHere)),
        }
    }

    fn for_edge(&self, game: GameId, from: EdgeId, frame: Received<FromOwner>) {
        let Some(mailboxes) = self.of(game) else {
            return self.send(from, BusMessage::ToOwner { game, from: self.me(), frame: ToOwner::Unsubscribe });
        };
        let epoch = frame.what.epoch;
        let update = match frame.what.message {
            ToEdge::Released { to } => RouteInput::Released { from, epoch, to },
            _ => RouteInput::OwnerSeen { from, epoch },
        };
        count_lost(mailboxes.route_updates.try_send(update).is_err());
        count_lost(mailboxes.edge.try_send(frame).is_err());
    }

    /// Whether frames of a node are accepted: those of a listed node, and always those of this node itself.
    pub fn accepts_from(&self, node: EdgeId) -> bool {
        let listed = |peers: &Peers| peers.members.read().unwrap_or_else(PoisonError::into_inner).accepts_from(node);
        node == self.me() || self.peers.get().is_some_and(listed)
    }

    fn send(&self, to: EdgeId, message: BusMessage) {
        match self.peers.get() {
            Some(peers) => peers.remote.send(to, message),
            None => metrics::bus_frame_lost(),
        }
    }

    fn of(&self, game: GameId) -> Option<Arc<GameMailboxes>> {
        self.mailboxes.read().unwrap_or_else(PoisonError::into_inner).get(&game).map(Arc::clone)
    }
}

impl Bus for Router {
    fn to_owner(&self, game: GameId, from: EdgeId, frames: &mut Vec<ToOwner>) {
        let Some(mailboxes) = self.of(game) else {
            return frames.drain(..).for_each(|_| metrics::bus_frame_lost());
        };
        let place = EdgeId(mailboxes.place.load(Ordering::Acquire));
        if place == self.me() {
            let owner = lock(&mailboxes.owner).clone();
            for frame in frames.drain(..) {
                count_lost(owner.as_ref().is_none_or(|owner| owner.try_send((from, frame)).is_err()));
            }
        } else if place.0 != NOWHERE {
            for frame in frames.drain(..) {
                self.send(place, BusMessage::ToOwner { game, from, frame });
            }
        }
        frames.clear();
    }

    fn to_edge(&self, game: GameId, edge: EdgeId, frame: FromOwner) {
        if edge != self.me() {
            return self.send(edge, BusMessage::ToEdge { game, from: self.me(), frame });
        }
        let frame = Received { what: frame, sent_after: clock::now() };
        count_lost(self.of(game).is_none_or(|mailboxes| mailboxes.edge.try_send(frame).is_err()));
    }
}

fn count_lost(lost: bool) {
    if lost {
        metrics::bus_frame_lost();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
