//! Places for connections. A new connection always gets one, if need be from a connection that sends nothing.
//!
//! Held by `accept`, which registers every connection here; `connection` reports when a request begins and ends. A
//! connection with a request under way, and a WebSocket, never lose their place.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::telemetry::{Limit, metrics};

/// How long an evicted connection may take to close; its task has nothing else to do.
const CLOSING: Duration = Duration::from_millis(100);

/// A fixed number of places. Cheap to clone.
#[derive(Clone)]
pub struct Places {
    free: Arc<Semaphore>,
    waiting: Arc<Mutex<Waiting>>,
}

/// The connections that may lose their place, in the order in which they are evicted.
#[derive(Default)]
struct Waiting {
    next: u64,
    lines: BTreeMap<Turn, Arc<Line>>,
}

/// The order of eviction: first connections without any complete request, then those between two requests; the oldest
/// of each first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Fresh(u64),
    Idle(u64),
}

/// The state shared by a connection and the list of waiting ones.
#[derive(Default)]
struct Line {
    evicted: Notify,
    gone: Notify,
}

/// A connection's place, given back when dropped.
pub struct Place {
    places: Places,
    line: Arc<Line>,
    state: Mutex<State>,
    _permit: OwnedSemaphorePermit,
}

struct State {
    turn: Option<Turn>,
    requests: u32,
}

/// A request under way. When it is dropped, the connection waits for the next one.
pub struct Request {
    place: Arc<Place>,
    is_last: bool,
}

impl Places {
    /// `count` places, all of them free.
    pub fn new(count: usize) -> Self {
        let free = Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS)));
        Self { free, waiting: Arc::default() }
    }

    /// A place for one more connection, if need be from a connection that sends nothing; `None` when all are in use.
    pub async fn enter(&self) -> Option<Place> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Some(self.place(permit));
        }
        if !self.evict().await {
            return None;
        }
        Arc::clone(&self.free).try_acquire_owned().ok().map(|permit| self.place(permit))
    }

    /// Closes the connection that is first in the order, and waits until it is closed. Returns whether one was closed.
    pub async fn evict(&self) -> bool {
        let Some((_, line)) = self.waiting().lines.pop_first() else { return false };
        metrics::limit_reached(Limit::ConnectionsEvicted);
        line.evicted.notify_one();
        timeout(CLOSING, line.gone.notified()).await.is_ok()
    }

    fn place(&self, permit: OwnedSemaphorePermit) -> Place {
        metrics::connection_opened();
        let line = Arc::new(Line::default());
        let turn = self.waiting().add(Turn::Fresh, &line);
        let state = Mutex::new(State { turn: Some(turn), requests: 0 });
        Place { places: self.clone(), line, state, _permit: permit }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn add(&mut self, turn: fn(u64) -> Turn, line: &Arc<Line>) -> Turn {
        self.next += 1;
        let turn = turn(self.next);
        self.lines.insert(turn, Arc::clone(line));
        turn
    }
}

impl Place {
    /// Resolves when the connection has to end.
    pub async fn evicted(&self) {
        self.line.evicted.notified().await;
    }

    /// Marks that a request has arrived; `None` when the connection was evicted before: then the request must have no
    /// effect.
    pub fn begin(self: &Arc<Self>) -> Option<Request> {
        let (mut waiting, mut state) = (self.places.waiting(), self.state());
        if let Some(turn) = state.turn.take() {
            waiting.lines.remove(&turn)?;
        }
        state.requests += 1;
        drop((waiting, state));
        Some(Request { place: Arc::clone(self), is_last: false })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Request {
    /// The connection becomes a WebSocket: it never waits for a request again.
    pub fn becomes_socket(mut self) {
        self.is_last = true;
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        let place = &self.place;
        let (mut waiting, mut state) = (place.places.waiting(), place.state());
        state.requests -= 1;
        if state.requests == 0 && !self.is_last {
            state.turn = Some(waiting.add(Turn::Idle, &place.line));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = state.turn.take() {
            self.places.waiting().lines.remove(&turn);
        }
        metrics::connection_closed();
        self.line.gone.notify_one();
    }
}
