//! How each kind of table row is played. Tables say what; this says how.

pub mod auth;
pub mod coverage;
pub mod http;
pub mod message;
