//! The load tool: bots to play with, and evenings that host themselves and check every message.
//!
//! The binary is a thin shell around [`cli::run`]; tests call [`evening::run`] with a server of their own.

pub mod cli;
pub mod evening;
pub mod play;

mod descriptors;
mod names;
mod pace;

pub use pace::Think;
