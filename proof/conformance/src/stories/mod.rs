//! Rows that are small programs: what a table of single steps cannot say. Each plays on games of its own.

pub mod evening;
pub mod host_api;
pub mod limits;
pub mod lobby;
pub mod results;
pub mod security;
pub mod sockets;
pub mod v1;
pub mod waits;
