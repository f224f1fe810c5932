//! The games' side of their logs: rows and snapshots for the store, each written by a single task.
//!
//! Called by `owner`, `ownership` and `reading`. Reads no log and knows no connections.

pub(super) mod appender;
pub mod outage;
pub(super) mod row;
pub(super) mod snapshots;
