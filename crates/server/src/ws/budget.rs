//! The bytes that wait for all sockets together (promise 15).
//!
//! A broadcast that waits for a thousand sockets is one frame in memory, so frames are counted once, by their address.
//! Only waiting frames are counted here; frames that are written directly are not.

use std::collections::HashMap;
use std::mem::size_of;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::Notify;

const SHARDS: usize = 16;

/// The count of one process.
pub struct Budget {
    limit: usize,
    used: AtomicUsize,
    frames: [Mutex<HashMap<usize, usize>>; SHARDS],
    /// Notifies the reaper when the limit is exceeded.
    pub(super) exceeded: Notify,
}

/// A waiting frame, counted until it is dropped.
pub struct Charged {
    pub(super) frame: Bytes,
    budget: Arc<Budget>,
}

impl Budget {
    /// A count of nothing, with a limit in bytes.
    pub fn new(limit: usize) -> Self {
        let frames = std::array::from_fn(|_| Mutex::default());
        Self { limit, used: AtomicUsize::new(0), frames, exceeded: Notify::new() }
    }

    /// Counts a frame. Beyond the limit it is counted too, and the reaper is notified.
    pub fn charge(self: &Arc<Self>, frame: Bytes) -> Charged {
        let holders = *self.shard(&frame).entry(address(&frame)).and_modify(|holders| *holders += 1).or_insert(1);
        let bytes = if holders == 1 { frame.len() + size_of::<Charged>() } else { size_of::<Charged>() };
        let used = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if used > self.limit {
            self.exceeded.notify_one();
        }
        Charged { frame, budget: Arc::clone(self) }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// The bytes of all frames that wait, each counted once, and of what holds them.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether the reaper should close the slowest sockets.
    pub(super) fn is_exceeded(&self) -> bool {
        self.used() > self.limit
    }

    /// Whether even the reaper is too late: then a socket that needs more is closed at once. This bounds memory.
    pub(super) fn is_far_exceeded(&self) -> bool {
        self.used() > self.limit + self.limit / 4
    }

    fn shard(&self, frame: &Bytes) -> MutexGuard<'_, HashMap<usize, usize>> {
        // The lowest bits of all frames are alike, because frames are allocations.
        let shard = (address(frame) >> 6) % SHARDS;
        self.frames[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Charged {
    fn drop(&mut self) {
        let mut bytes = size_of::<Self>();
        let mut shard = self.budget.shard(&self.frame);
        // The frame lives until after this, so no other frame can have its address.
        if let Some(holders) = shard.get_mut(&address(&self.frame)) {
            *holders -= 1;
            if *holders == 0 {
                shard.remove(&address(&self.frame));
                bytes += self.frame.len();
            }
        }
        drop(shard);
        self.budget.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

fn address(frame: &Bytes) -> usize {
    frame.as_ptr().addr()
}
