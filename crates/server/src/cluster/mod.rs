//! This process among others: the bus that carries frames between nodes, and the list of nodes.
//!
//! `bus` is used by `games`, which knows no list of nodes; `members` drives `games` when the list changes. Neither decides
//! who may write to a game: that is the log's.

pub mod bus;
pub mod members;
