//! An entry of a game's log: a change, and the command that caused it.

use serde::{Deserialize, Serialize};

use super::Change;
use crate::base::{CommandId, Device};

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
}

impl Event {
    /// An event that no co-host caused.
    pub fn new(change: Change, command_id: Option<CommandId>) -> Self {
        Self { change, command_id, host: Device::FIRST }
    }
}
