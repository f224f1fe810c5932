//! Hashes of tokens: of sessions, screens, co-hosts, seat codes and idempotency keys.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The SHA-256 of a player's token or of an idempotency key; the thing itself is never here. Stored as 64
/// hexadecimal digits; `Debug` shows nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TokenHash(#[serde(with = "crate::base::hex")] pub [u8; 32]);

impl TokenHash {
    /// The hash of no token: no player, phone or key has it.
    pub(crate) const NONE: Self = Self([0; 32]);
    /// Replaces the token of a removed phone of a team. No token has this hash.
    pub(crate) const NOBODYS: Self = Self([0xff; 32]);

    /// Whether it replaces the token of a removed phone.
    pub fn is_nobodys(&self) -> bool {
        *self == Self::NOBODYS
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TokenHash(..)")
    }
}
