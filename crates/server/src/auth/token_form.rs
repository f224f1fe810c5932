//! The form of each kind of token, for the description of the HTTP interface.
//!
//! Uses the constants that make the tokens. Never holds a token.

use super::token::{
    GAME_BYTES, HOST_PREFIX, NAMED_PREFIX, PAIRING_PREFIX, PLAYER_PREFIX, RESULTS_PREFIX, SECRET_BYTES, SET_UP_PREFIX,
    SPECTATOR_PREFIX,
};

/// The form of a kind of token.
#[derive(Debug, Clone, Copy)]
pub struct TokenForm {
    prefix: &'static str,
    bytes: usize,
}

impl TokenForm {
    /// A session of a host.
    pub const SESSION: Self = Self { prefix: HOST_PREFIX, bytes: SECRET_BYTES };
    /// A token of an account for programs.
    pub const NAMED: Self = Self { prefix: NAMED_PREFIX, bytes: SECRET_BYTES };
    /// The set-up link.
    pub const SET_UP: Self = Self { prefix: SET_UP_PREFIX, bytes: SECRET_BYTES };
    /// A results link.
    pub const RESULTS: Self = Self { prefix: RESULTS_PREFIX, bytes: SECRET_BYTES };
    /// A screen that shows a code.
    pub const PAIRING: Self = Self { prefix: PAIRING_PREFIX, bytes: SECRET_BYTES };
    /// A player.
    pub const PLAYER: Self = Self { prefix: PLAYER_PREFIX, bytes: GAME_BYTES + SECRET_BYTES };
    /// A spectator.
    pub const SPECTATOR: Self = Self { prefix: SPECTATOR_PREFIX, bytes: GAME_BYTES + SECRET_BYTES };

    /// A regular expression for the whole token.
    pub fn pattern(self) -> String {
        // base64url without padding.
        format!("^{}[A-Za-z0-9_-]{{{}}}$", self.prefix, (self.bytes * 4).div_ceil(3))
    }
}
