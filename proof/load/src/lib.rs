//! The load tool: bots to play with, full games that host themselves and check every message, and measurements.
//!
//! The binary is a thin shell around [`cli::run`]; tests call [`full_game::run`] with a server of their own.

pub mod bench;
pub mod cli;
pub mod connections;
pub mod full_game;
pub mod media;
pub mod play;

mod baseline;
mod descriptors;
mod monotonic;
mod names;
mod pace;
mod users;

pub use pace::Think;
pub use users::{Spread, answers, tally};
