//! An entry of a game's log: a change, and the command that caused it.

use serde::{Deserialize, Serialize};

use super::change::Change;
use crate::base::{CommandId, Device, is_false};

/// One entry of a game's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The change.
    #[serde(rename = "c")]
    pub change: Change,
    /// The id of the command that caused it; none for changes by the service.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<CommandId>,
    /// The device of the host that sent the command; the first for changes by players and the service.
    #[serde(rename = "h", default, skip_serializing_if = "Device::is_first")]
    pub host: Device,
    /// Whether it was taken as the next step of the game. Then it does not stop the autopilot, it ends a break, and a picture with the
    /// standings shows the held ones.
    #[serde(rename = "nx", default, skip_serializing_if = "is_false")]
    pub is_step: bool,
}

impl Event {
    /// An event that no co-host caused.
    pub fn new(change: Change, command_id: Option<CommandId>) -> Self {
        Self { change, command_id, host: Device::FIRST, is_step: false }
    }
}
