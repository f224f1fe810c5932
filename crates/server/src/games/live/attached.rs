//! The connections attached to one game on this node, as the edge's effects reach them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use foldhash::fast::RandomState;
use quizhall_engine::wire::{Audience, Close, Frames};
use quizhall_engine::{ConnectionId, FrameKind};

use super::sink::Sink;
use super::writers::{self, FEW, WRITERS};

/// Recipients whose memory is fetched together: after the kernel's work for this many, it is still in the cache.
pub(in crate::games) const AHEAD: usize = 32;

/// The connections of one game. Shared between the edge's task and the registry, which closes the sockets when that task dies.
#[derive(Default)]
pub struct Attached {
    connections: Mutex<Inner>,
}

type List = Arc<[Arc<dyn Sink>]>;

#[derive(Default)]
struct Inner {
    by_id: HashMap<ConnectionId, Arc<dyn Sink>, RandomState>,
    /// The connections of each audience, kept until one is added or removed, so that a broadcast copies nothing.
    lists: HashMap<Audience, List, RandomState>,
    /// Why the game ended. Its edge may run a moment longer: sockets that it attaches then are closed as well.
    ended: Option<Close>,
}

impl Attached {
    /// Attaches a connection. Once the game has ended, the connection is closed instead.
    pub fn insert(&self, connection: Arc<dyn Sink>) {
        let mut inner = self.lock();
        if let Some(close) = inner.ended {
            return connection.close(close);
        }
        inner.lists.clear();
        inner.by_id.insert(connection.id(), connection);
    }

    /// Detaches a connection and returns it; `None` when it is not attached.
    pub fn remove(&self, id: ConnectionId) -> Option<Arc<dyn Sink>> {
        let mut inner = self.lock();
        inner.lists.clear();
        inner.by_id.remove(&id)
    }

    /// Writes a frame to one connection, if it is (still) here.
    pub(in crate::games) fn send(&self, id: ConnectionId, frame: Bytes, kind: FrameKind) {
        // The lock is held during a write that never waits. Only the game's task attaches, detaches, sends and
        // broadcasts; others only count, or close all connections at the end.
        if let Some(connection) = self.lock().by_id.get(&id) {
            connection.send(frame, kind);
        }
    }

    /// Touches the memory that writing to these connections, at most [`AHEAD`], will need.
    pub(in crate::games) fn read_ahead(&self, ids: impl Iterator<Item = ConnectionId>) {
        let mut found = [const { None }; AHEAD];
        let inner = self.lock();
        for (id, found) in ids.zip(&mut found) {
            *found = inner.by_id.get(&id);
        }
        for connection in found.into_iter().flatten() {
            connection.read_ahead();
        }
    }

    pub(in crate::games) fn has(&self, id: ConnectionId) -> bool {
        self.lock().by_id.contains_key(&id)
    }

    pub(in crate::games) fn len(&self) -> usize {
        self.lock().by_id.len()
    }

    /// Closes and forgets all of them, and closes those that are attached later.
    pub(in crate::games) fn close_all(&self, close: Close) {
        let ended = Inner { ended: Some(close), ..Inner::default() };
        let connections = std::mem::replace(&mut *self.lock(), ended).by_id;
        for connection in connections.into_values() {
            connection.close(close);
        }
    }

    /// Writes a message to all its recipients, with several threads when they are many. Resolves with their number when
    /// every socket has it or has queued it.
    ///
    /// # Panics
    /// When writing panics: a bug ends this game's sockets and no others (promise 27), and clients that reconnect get
    /// the sync messages.
    pub async fn broadcast(&self, message: &Frames, kind: FrameKind) -> usize {
        let mut recipients = 0;
        for (audience, frame) in message.parts() {
            let list = self.list(audience);
            recipients += list.len();
            if list.len() <= FEW {
                send_to(&list, frame, kind);
            } else {
                let frame = frame.clone();
                writers::share(list, *WRITERS, move |some| send_to(some, &frame, kind)).await;
            }
        }
        recipients
    }

    fn list(&self, audience: Audience) -> List {
        let Inner { by_id, lists, .. } = &mut *self.lock();
        let belongs = |connection: &&Arc<dyn Sink>| connection.recipient().is_some_and(|who| audience.includes(who));
        let list = lists.entry(audience).or_insert_with(|| {
            let mut all: Vec<_> = by_id.values().filter(belongs).map(Arc::clone).collect();
            // In the order in which they connected, because the memory of neighbours lies close together, here and in
            // the kernel.
            all.sort_unstable_by_key(|connection| connection.id());
            all.into()
        });
        Arc::clone(list)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send_to(connections: &[Arc<dyn Sink>], frame: &Bytes, kind: FrameKind) {
    for some in connections.chunks(AHEAD) {
        for connection in some {
            connection.read_ahead();
        }
        for connection in some {
            connection.send(frame.clone(), kind);
        }
    }
}
