//! Points by hand: what the host gave a player or took away, apart from any question. Stored with the player.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::device::Device;

/// Points that the host gave a player by hand. `Debug` does not show the reason.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Adjustment {
    /// Its number in the game, from 1, in order of giving.
    pub number: u32,
    /// The round, from 0, to which it belongs.
    pub round: u32,
    /// The points, which may be below 0.
    pub points: i32,
    /// The host's reason, which the player is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Arc<str>>,
    /// The host's device that gave it.
    #[serde(default, skip_serializing_if = "Device::is_first")]
    pub by: Device,
}

impl std::fmt::Debug for Adjustment {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Adjustment({}, {} in {})", self.number, self.points, self.round)
    }
}
