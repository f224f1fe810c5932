//! The sender and the origin of a command.

use serde::{Deserialize, Serialize};

use crate::base::{CommandId, Device, Moment, PlayerId};

/// The sender of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The host, over the socket or the host API.
    Host,
    /// A co-host, over the socket of this device of the host.
    CoHost(Device),
    /// This player, over the socket of the first device.
    Player(PlayerId),
    /// This player, over the socket of a further device.
    Device(PlayerId, Device),
    /// The service itself: joins, presence, deletion.
    Service,
}

impl Actor {
    /// The actor for a player on one of the player's devices.
    pub fn player_over(player: PlayerId, device: Device) -> Self {
        if device.is_first() { Self::Player(player) } else { Self::Device(player, device) }
    }

    /// The player and the device; `None` for the host, co-hosts and the service.
    pub fn as_player(self) -> Option<(PlayerId, Device)> {
        match self {
            Self::Player(player) => Some((player, Device::FIRST)),
            Self::Device(player, device) => Some((player, device)),
            Self::Host | Self::CoHost(_) | Self::Service => None,
        }
    }

    /// The device of the host; `None` for players and the service.
    pub fn as_host(self) -> Option<Device> {
        match self {
            Self::Host => Some(Device::FIRST),
            Self::CoHost(device) => Some(device),
            Self::Player(_) | Self::Device(..) | Self::Service => None,
        }
    }
}

/// The origin of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The sender.
    pub actor: Actor,
    /// Its id; none for a command that came over HTTP or from the service.
    pub command_id: Option<CommandId>,
    /// The moment at which it is decided.
    pub at: Moment,
}
