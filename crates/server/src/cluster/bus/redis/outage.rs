//! Logs that the connection to the cache store is lost, and that it is restored: once each.
//!
//! Used by `line` and `inbox`, which have a connection each. Never logs the address.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::cluster::bus::BusError;

/// One of the connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// For messages of this node to others.
    Traffic = 1,
    /// For questions: shared limits and probes.
    Questions = 2,
    /// For messages of others to this node.
    Inbox = 4,
}

/// The lost connections.
#[derive(Debug, Default)]
pub(super) struct Outage(AtomicU8);

impl Outage {
    /// Records that this connection is lost.
    pub(super) fn begins(&self, way: Way, reason: &BusError) {
        if self.0.fetch_or(way as u8, Ordering::Relaxed) == 0 {
            tracing::warn!(%reason, "the way to the cache store is lost");
        }
    }

    /// Records that this connection is restored, or no longer needed.
    pub(super) fn ends(&self, way: Way) {
        if self.0.fetch_and(!(way as u8), Ordering::Relaxed) == way as u8 {
            tracing::info!("the way to the cache store is there again");
        }
    }
}
