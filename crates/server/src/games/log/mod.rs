//! The games' side of their logs: rows and snapshots on their way to the store, each by the one task that writes them.
//!
//! Called by `owner`, `ownership` and `reading`. Reads no log and knows no connection.

pub(super) mod appender;
pub(super) mod outage;
pub(super) mod row;
pub(super) mod snapshots;
