//! The load tool: bots to play with, evenings that host themselves and check every message, and measurements.
//!
//! The binary is a thin shell around [`cli::run`]; tests call [`evening::run`] with a server of their own.

pub mod bench;
pub mod cli;
pub mod evening;
pub mod play;

mod baseline;
mod connections;
mod descriptors;
mod monotonic;
mod names;
mod pace;
mod users;

pub use pace::Think;
