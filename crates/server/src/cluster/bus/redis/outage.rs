//! Says in the log that the way to the cache store is lost, and that it is there again: once each.
//!
//! Used by `line` and `inbox`, which have a connection each. Never says where it leads.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::cluster::bus::BusError;

/// Which of the connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Messages of this node to others.
    Traffic = 1,
    /// Questions: shared limits and probes.
    Questions = 2,
    /// Messages of others to this node.
    Inbox = 4,
}

/// Which connections are lost.
#[derive(Debug, Default)]
pub(super) struct Outage(AtomicU8);

impl Outage {
    /// This connection is lost.
    pub(super) fn begins(&self, way: Way, reason: &BusError) {
        if self.0.fetch_or(way as u8, Ordering::Relaxed) == 0 {
            tracing::warn!(%reason, "the way to the cache store is lost");
        }
    }

    /// This connection is there, or not needed any more.
    pub(super) fn ends(&self, way: Way) {
        if self.0.fetch_and(!(way as u8), Ordering::Relaxed) == way as u8 {
            tracing::info!("the way to the cache store is there again");
        }
    }
}
