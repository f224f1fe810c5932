//! Plays each kind of table row. The tables define what is played; this folder defines how.

pub mod auth;
pub mod coverage;
pub mod http;
pub mod message;
