//! The devices of a participant: the phones of a team, each with a token of its own.
//!
//! Made by the state in order of arrival, and carried by whatever is about one device. Most participants have one.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of a participant's devices, by order of arrival. Stored as a number, and left out where it is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Device(pub u8);

impl Device {
    /// The one that came with the participant: the only one of most.
    pub const FIRST: Self = Self(0);

    /// Whether it came with the participant.
    pub fn is_first(&self) -> bool {
        *self == Self::FIRST
    }
}

/// What further phones of a team join with, in upper case.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TeamCode([u8; Self::LENGTH]);

impl TeamCode {
    /// Symbols of a code.
    pub const LENGTH: usize = 4;

    /// The code that a text is, if it has the length and is ASCII.
    pub fn parse(text: &str) -> Option<Self> {
        let symbols = <[u8; Self::LENGTH]>::try_from(text.as_bytes()).ok()?;
        symbols.is_ascii().then_some(Self(symbols))
    }

    /// As it is shown.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl TryFrom<String> for TeamCode {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("expected four symbols")
    }
}

impl From<TeamCode> for String {
    fn from(code: TeamCode) -> Self {
        code.as_str().to_owned()
    }
}

impl fmt::Debug for TeamCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TeamCode(..)")
    }
}
