//! The seal of a game whose host wants to prove which questions were played: hashes of the questions as they were at creation
//! (docs/sealed.md).
//!
//! The service computes it, because it needs the secret of the game. It is stored in the first event and never changes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A SHA-256. Stored as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealHash(#[serde(with = "crate::base::hex")] pub [u8; 32]);

/// The seal of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// The seal: the hash of all leaves.
    pub seal: SealHash,
    /// The hash of each question with its salt, in the order of the quiz.
    pub leaves: Vec<SealHash>,
}

impl fmt::Display for SealHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&::hex::encode(self.0))
    }
}

/// It is public.
impl fmt::Debug for SealHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}
