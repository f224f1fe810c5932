//! The bus of a single process: two mailboxes per live game.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use quizhall_engine::{EdgeId, FromOwner, ToOwner};
use quizhall_rules::GameId;
use tokio::sync::mpsc;

use super::Bus;
use crate::telemetry::metrics;

/// Frames a mailbox holds. A socket has one command on its way, so this is above what the sockets of a game can send;
/// what comes on top is lost, which the engine treats like any other loss.
const CAPACITY: usize = 131_072;

/// The receiving ends of one game's mailboxes.
pub struct Mailbox {
    /// Which opening of the game's mailboxes this is.
    pub opening: u64,
    /// Frames for the owner, with the edge they come from.
    pub owner: mpsc::Receiver<(EdgeId, ToOwner)>,
    /// Frames for the edge.
    pub edge: mpsc::Receiver<FromOwner>,
}

struct Route {
    opening: u64,
    owner: mpsc::Sender<(EdgeId, ToOwner)>,
    edge: mpsc::Sender<FromOwner>,
}

/// All routes of this process.
#[derive(Default)]
pub struct LocalBus {
    routes: RwLock<HashMap<GameId, Arc<Route>>>,
    openings: AtomicU64,
}

impl LocalBus {
    /// Opens fresh mailboxes for a game; frames for earlier ones go nowhere from now on.
    pub fn open(&self, game: GameId) -> Mailbox {
        let (to_owner, owner) = mpsc::channel(CAPACITY);
        let (to_edge, edge) = mpsc::channel(CAPACITY);
        let opening = self.openings.fetch_add(1, Ordering::Relaxed);
        let route = Arc::new(Route { opening, owner: to_owner, edge: to_edge });
        self.routes.write().unwrap_or_else(PoisonError::into_inner).insert(game, route);
        Mailbox { opening, owner, edge }
    }

    /// Closes a game's mailboxes, unless they have been opened anew since. The owner reads what is left in its own.
    pub fn close(&self, game: GameId, opening: u64) {
        let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
        if routes.get(&game).is_some_and(|route| route.opening == opening) {
            routes.remove(&game);
        }
    }

    fn route(&self, game: GameId) -> Option<Arc<Route>> {
        self.routes.read().unwrap_or_else(PoisonError::into_inner).get(&game).map(Arc::clone)
    }
}

impl Bus for LocalBus {
    fn to_owner(&self, game: GameId, from: EdgeId, frame: ToOwner) {
        let lost = self.route(game).is_none_or(|route| route.owner.try_send((from, frame)).is_err());
        if lost {
            metrics::bus_frame_lost();
        }
    }

    fn to_edge(&self, game: GameId, _edge: EdgeId, frame: FromOwner) {
        let lost = self.route(game).is_none_or(|route| route.edge.try_send(frame).is_err());
        if lost {
            metrics::bus_frame_lost();
        }
    }
}
