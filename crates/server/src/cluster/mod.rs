//! This process as one of several: the bus that carries frames between nodes, and the list of nodes.
//!
//! `bus` is used by `games`, which knows no list of nodes; `members` drives `games` when the list changes. Neither
//! decides who may write to a game: the log does.

pub mod bus;
pub mod members;
