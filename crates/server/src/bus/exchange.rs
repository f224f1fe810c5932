//! The mailboxes of this process: for each live game one for its edge, one for its owner when that is here, and one for
//! the supervisor that knows where the owner is. Frames for other nodes go on over the remote bus.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use quizhall_engine::{EdgeId, FromOwner, Members, Place, RouteInput, ToEdge, ToOwner};
use quizhall_rules::GameId;
use tokio::sync::mpsc;

use super::{Arrived, Bus, Parcel, Remote};
use crate::clock;
use crate::telemetry::metrics;

/// Frames a mailbox holds. A socket has one command on its way, so this is above what the sockets of a game can send;
/// what comes on top is lost, which the engine treats like any other loss.
const CAPACITY: usize = 131_072;
/// Route updates that a supervisor has not read yet; it notices a lost one by the silence of the owner.
const ROUTE_UPDATES: usize = 4_096;
/// Games that others ask this node for and that are not live here.
const SOUGHT: usize = 1_024;

/// Where an owner's place is kept for whoever sends: a node's id, or nobody's.
const NOWHERE: u64 = 0;

/// The receiving ends of one game's mailboxes.
pub struct Mailbox {
    /// Which opening of the game's mailboxes this is.
    pub opening: u64,
    /// Frames for the edge.
    pub edge: mpsc::Receiver<Arrived<FromOwner>>,
    /// Frames of owners, as input for the supervisor.
    pub route_updates: mpsc::Receiver<RouteInput>,
}

type ToOwnerSender = mpsc::Sender<(EdgeId, ToOwner)>;

struct Boxes {
    opening: u64,
    place: AtomicU64,
    owner: Mutex<Option<ToOwnerSender>>,
    edge: mpsc::Sender<Arrived<FromOwner>>,
    route_updates: mpsc::Sender<RouteInput>,
}

/// The way to other nodes, and who they are.
pub struct Peers {
    /// Carries parcels.
    pub remote: Arc<dyn Remote>,
    /// Whose parcels are heard.
    pub members: Arc<RwLock<Members>>,
}

/// All mailboxes of this process.
pub struct Exchange {
    me: AtomicU64,
    peers: OnceLock<Peers>,
    boxes: RwLock<HashMap<GameId, Arc<Boxes>>>,
    openings: AtomicU64,
    sought: mpsc::Sender<GameId>,
}

impl Exchange {
    /// No mailboxes yet. The receiver gets the games that other nodes take this one for the owner of and that are not
    /// live here.
    pub fn new(me: EdgeId) -> (Self, mpsc::Receiver<GameId>) {
        let (sought, seekers) = mpsc::channel(SOUGHT);
        let exchange = Self {
            me: AtomicU64::new(me.0),
            peers: OnceLock::new(),
            boxes: RwLock::default(),
            openings: AtomicU64::new(0),
            sought,
        };
        (exchange, seekers)
    }

    /// Connects this process with others; at most once.
    pub fn join(&self, peers: Peers) {
        let _ = self.peers.set(peers);
    }

    /// Whether there may be other nodes.
    pub fn has_peers(&self) -> bool {
        self.peers.get().is_some()
    }

    /// This node's id, at this moment.
    pub fn me(&self) -> EdgeId {
        EdgeId(self.me.load(Ordering::Acquire))
    }

    /// This node goes on under another id. Every game must have been dropped.
    pub fn be(&self, me: EdgeId) {
        self.me.store(me.0, Ordering::Release);
    }

    /// Everybody else in the list of nodes.
    pub fn others(&self) -> Vec<EdgeId> {
        let Some(peers) = self.peers.get() else { return Vec::new() };
        peers.members.read().unwrap_or_else(PoisonError::into_inner).others().collect()
    }

    /// Opens fresh mailboxes for a game; frames for earlier ones go nowhere from now on.
    pub fn open(&self, game: GameId) -> Mailbox {
        let (to_edge, edge) = mpsc::channel(CAPACITY);
        let (to_supervisor, route_updates) = mpsc::channel(ROUTE_UPDATES);
        let opening = self.openings.fetch_add(1, Ordering::Relaxed);
        let boxes = Boxes {
            opening,
            place: AtomicU64::new(NOWHERE),
            owner: Mutex::default(),
            edge: to_edge,
            route_updates: to_supervisor,
        };
        self.boxes.write().unwrap_or_else(PoisonError::into_inner).insert(game, Arc::new(boxes));
        Mailbox { opening, edge, route_updates }
    }

    /// Closes a game's mailboxes, unless they have been opened anew since, and says goodbye to an owner elsewhere.
    pub fn close(&self, game: GameId, opening: u64) {
        let mut all = self.boxes.write().unwrap_or_else(PoisonError::into_inner);
        let Some(boxes) = all.get(&game).filter(|boxes| boxes.opening == opening).map(Arc::clone) else { return };
        all.remove(&game);
        drop(all);
        let place = EdgeId(boxes.place.load(Ordering::Acquire));
        if place.0 != NOWHERE && place != self.me() {
            self.send(place, Parcel::ToOwner { game, from: self.me(), frame: ToOwner::Goodbye });
        }
    }

    /// Opens the mailbox of an owner on this node; the one before it is closed.
    pub fn seat_owner(&self, game: GameId) -> mpsc::Receiver<(EdgeId, ToOwner)> {
        let (sender, receiver) = mpsc::channel(CAPACITY);
        if let Some(boxes) = self.of(game) {
            *lock(&boxes.owner) = Some(sender);
        }
        receiver
    }

    /// Closes the mailbox of the owner on this node, who reads what is left in it.
    pub fn unseat_owner(&self, game: GameId) {
        if let Some(boxes) = self.of(game) {
            lock(&boxes.owner).take();
        }
    }

    /// Where frames for the owner go from now on.
    pub fn set_place(&self, game: GameId, place: Place) {
        let Some(boxes) = self.of(game) else { return };
        let node = match place {
            Place::Nowhere => NOWHERE,
            Place::Here => self.me().0,
            Place::There(node) => node.0,
        };
        boxes.place.store(node, Ordering::Release);
    }

    /// Takes a parcel of another node, unless that is known to be gone.
    pub fn receive(&self, Arrived { what, sent_after }: Arrived<Parcel>) {
        match what {
            Parcel::ToOwner { game, from, frame } => {
                if self.hears(from) {
                    self.for_owner(game, from, frame);
                }
            }
            Parcel::ToEdge { game, from, frame } => {
                if self.hears(from) {
                    self.for_edge(game, from, Arrived { what: frame, sent_after });
                }
            }
            // Not about a game.
            Parcel::Notice(_) => {}
        }
    }

    fn for_owner(&self, game: GameId, from: EdgeId, frame: ToOwner) {
        let goodbye = frame == ToOwner::Goodbye;
        let Some(boxes) = self.of(game) else {
            if !goodbye {
                // Lost when many are sought at once: the sender asks again.
                let _ = self.sought.try_send(game);
            }
            return;
        };
        let owner = lock(&boxes.owner).clone();
        match owner {
            Some(owner) => count_lost(owner.try_send((from, frame)).is_err()),
            None if goodbye => {}
            None => drop(boxes.route_updates.try_send(RouteInput::SoughtHere)),
        }
    }

    fn for_edge(&self, game: GameId, from: EdgeId, frame: Arrived<FromOwner>) {
        let Some(boxes) = self.of(game) else {
            return self.send(from, Parcel::ToOwner { game, from: self.me(), frame: ToOwner::Goodbye });
        };
        let epoch = frame.what.epoch;
        let heard = match frame.what.message {
            ToEdge::Released { to } => RouteInput::Released { from, epoch, to },
            _ => RouteInput::Heard { from, epoch },
        };
        count_lost(boxes.route_updates.try_send(heard).is_err());
        count_lost(boxes.edge.try_send(frame).is_err());
    }

    /// Whether frames of this node count: while it is in the list, and always on this node itself.
    pub fn hears(&self, node: EdgeId) -> bool {
        let listed = |peers: &Peers| peers.members.read().unwrap_or_else(PoisonError::into_inner).hears(node);
        node == self.me() || self.peers.get().is_some_and(listed)
    }

    fn send(&self, to: EdgeId, parcel: Parcel) {
        match self.peers.get() {
            Some(peers) => peers.remote.send(to, parcel),
            None => metrics::bus_frame_lost(),
        }
    }

    fn of(&self, game: GameId) -> Option<Arc<Boxes>> {
        self.boxes.read().unwrap_or_else(PoisonError::into_inner).get(&game).map(Arc::clone)
    }
}

impl Bus for Exchange {
    fn to_owner(&self, game: GameId, from: EdgeId, frames: &mut Vec<ToOwner>) {
        let Some(boxes) = self.of(game) else {
            return frames.drain(..).for_each(|_| metrics::bus_frame_lost());
        };
        let place = EdgeId(boxes.place.load(Ordering::Acquire));
        if place == self.me() {
            let owner = lock(&boxes.owner).clone();
            for frame in frames.drain(..) {
                count_lost(owner.as_ref().is_none_or(|owner| owner.try_send((from, frame)).is_err()));
            }
        } else if place.0 != NOWHERE {
            for frame in frames.drain(..) {
                self.send(place, Parcel::ToOwner { game, from, frame });
            }
        }
        frames.clear();
    }

    fn to_edge(&self, game: GameId, edge: EdgeId, frame: FromOwner) {
        if edge != self.me() {
            return self.send(edge, Parcel::ToEdge { game, from: self.me(), frame });
        }
        let frame = Arrived { what: frame, sent_after: clock::now() };
        count_lost(self.of(game).is_none_or(|boxes| boxes.edge.try_send(frame).is_err()));
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
