//! The devices of a participant: the phones of a team, each with a token of its own.
//!
//! The state numbers them in order of arrival, and everything that concerns one device carries its number. Most participants have
//! one device.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::base::ids::PlayerId;

/// One of a participant's devices, by order of arrival. Stored as a number, which is left out for the first device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Device(pub u8);

impl Device {
    /// The device with which the participant joined. Most participants have no other.
    pub const FIRST: Self = Self(0);

    /// Whether the participant joined with it.
    pub fn is_first(&self) -> bool {
        *self == Self::FIRST
    }
}

/// A device of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayerDevice {
    pub player: PlayerId,
    pub device: Device,
}

/// The code with which further phones join a team, in upper case.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TeamCode([u8; Self::LENGTH]);

impl TeamCode {
    /// The number of symbols of a code.
    pub const LENGTH: usize = 4;

    /// Reads a text as a code, if it has the right length and is ASCII.
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
