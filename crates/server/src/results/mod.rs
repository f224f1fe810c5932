//! The results of games: collected from a state, as a table for spreadsheets, over several games, and what a link shows of them.
//!
//! Used by `http` and the command line. Knows no request.

pub mod by_link;
mod collect;
pub mod formula;
pub mod league;
pub mod table;
pub mod what_if;

pub use collect::{Collected, collect};
