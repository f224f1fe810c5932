//! The tables of `quizhall.v1`: extension messages for sockets that negotiated it in the handshake, in games where others did not.

pub mod coverage;
pub mod matrix;
pub mod payload;
pub mod standing;
