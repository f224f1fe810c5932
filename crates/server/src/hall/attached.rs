//! The connections attached to one game on this node, as the edge's effects reach them.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use foldhash::fast::RandomState;
use quizhall_engine::wire::Close;
use quizhall_engine::{ConnectionId, Dialect, FrameKind};
use tokio::task::JoinSet;

use crate::socket::Connection;

/// Recipients of a broadcast that the game's task writes to itself, in about a millisecond. For more there are threads, each
/// with at least as many: a task would hold up everything else on its core or, if it paused, might continue on another one
/// with cold caches.
const FEW: usize = 256;
/// Recipients whose memory is fetched together: what the kernel does for so many leaves it in the cache.
const AHEAD: usize = 32;
/// Threads that write a big broadcast: half of the cores. The other half is for the kernel, which does the receivers' work in
/// the sender's name, and for what players send meanwhile; measured with two cores, a second writer makes each frame a
/// seventh dearer.
static WRITERS: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1)));

/// Shared between the edge's task and whoever closes the sockets when that task dies.
#[derive(Default)]
pub(super) struct Attached {
    connections: Mutex<Inner>,
}

/// Whom a broadcast is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Audience {
    /// Everybody.
    All,
    /// Everybody whose socket has the additions.
    V1,
}

type List = Arc<[Arc<Connection>]>;

#[derive(Default)]
struct Inner {
    by_id: HashMap<ConnectionId, Arc<Connection>, RandomState>,
    /// Who belongs to each audience, kept until somebody comes or goes, so that a broadcast copies nothing.
    lists: [Option<List>; 2],
    /// Why the game is gone. Its edge may be at work for a moment longer: whom it takes in then is sent away as well.
    ended: Option<Close>,
}

impl Attached {
    pub fn insert(&self, connection: Arc<Connection>) {
        let mut inner = self.lock();
        if let Some(close) = inner.ended {
            return connection.close(close);
        }
        inner.lists = [None, None];
        inner.by_id.insert(connection.id(), connection);
    }

    pub fn remove(&self, id: ConnectionId) -> Option<Arc<Connection>> {
        let mut inner = self.lock();
        inner.lists = [None, None];
        inner.by_id.remove(&id)
    }

    /// Writes a frame to one of them, if it is (still) here.
    pub fn send(&self, id: ConnectionId, frame: Bytes, kind: FrameKind) {
        // The lock is held over a write that never waits. The game's task is the only one to come, go, send and broadcast;
        // others only count, or close all of them at the end.
        if let Some(connection) = self.lock().by_id.get(&id) {
            connection.send(frame, kind);
        }
    }

    pub fn has(&self, id: ConnectionId) -> bool {
        self.lock().by_id.contains_key(&id)
    }

    pub fn len(&self) -> usize {
        self.lock().by_id.len()
    }

    /// Closes and forgets all of them, and whoever comes later.
    pub fn close_all(&self, close: Close) {
        let ended = Inner { ended: Some(close), ..Inner::default() };
        let connections = std::mem::replace(&mut *self.lock(), ended).by_id;
        for connection in connections.into_values() {
            connection.close(close);
        }
    }

    /// Writes one frame to all of an audience, by threads when they are many; resolves with their number when every socket
    /// has it or has queued it.
    ///
    /// # Panics
    /// When writing does: a bug ends this game's sockets and no other's (promise P27), and whoever comes back is shown what
    /// stands.
    pub async fn broadcast(&self, audience: Audience, frame: &Bytes, kind: FrameKind) -> usize {
        let all = self.list(audience);
        if all.len() <= FEW {
            send_to(&all, frame, kind);
            return all.len();
        }
        let share = all.len().div_ceil(*WRITERS).max(FEW);
        let mut writers = JoinSet::new();
        for first in (0..all.len()).step_by(share) {
            let (all, frame) = (Arc::clone(&all), frame.clone());
            let end = (first + share).min(all.len());
            writers.spawn_blocking(move || send_to(&all[first..end], &frame, kind));
        }
        while let Some(written) = writers.join_next().await {
            // Cancelled only when the process ends.
            if let Err(error) = written
                && error.is_panic()
            {
                std::panic::resume_unwind(error.into_panic());
            }
        }
        all.len()
    }

    fn list(&self, audience: Audience) -> List {
        let Inner { by_id, lists, .. } = &mut *self.lock();
        let belongs = |connection: &&Arc<Connection>| match audience {
            Audience::All => true,
            Audience::V1 => connection.dialect() == Dialect::QuizhallV1,
        };
        let list = lists[audience as usize].get_or_insert_with(|| {
            let mut all: Vec<_> = by_id.values().filter(belongs).map(Arc::clone).collect();
            // In the order in which they came: what belongs to neighbours lies close together, here and in the kernel.
            all.sort_unstable_by_key(|connection| connection.id());
            all.into()
        });
        Arc::clone(list)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send_to(connections: &[Arc<Connection>], frame: &Bytes, kind: FrameKind) {
    for some in connections.chunks(AHEAD) {
        for connection in some {
            connection.read_ahead();
        }
        for connection in some {
            connection.send(frame.clone(), kind);
        }
    }
}
