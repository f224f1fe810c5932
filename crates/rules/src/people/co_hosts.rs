//! The co-hosts of a game: people who run it together with its host, with tokens and commands of their own.
//!
//! Changed by `apply`, read by `decide`, by the engine and by the server. Never holds a token, only its hash. A removed co-host
//! stays in the list, so that the numbers of devices never change and the marks of that co-host keep the label.

use serde::{Deserialize, Serialize};

use crate::State;
use crate::{CoHostId, CommandId, Device, DisplayName, TokenHash};

/// The most co-hosts of a game who have a token.
const MOST_CO_HOSTS: usize = 10;
/// The most co-hosts that a game has ever had: the number of a device is one byte.
const MOST_EVER: usize = 250;

/// What a co-host may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostRole {
    /// Everything that the host may do over a socket: another device of the host.
    Host,
    /// Review answers and mark them.
    Marker,
    /// Manage who is in the game.
    Moderator,
}

/// A co-host who has or had a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoHost {
    /// Its id.
    #[serde(rename = "cid")]
    pub id: CoHostId,
    /// What it may do.
    #[serde(rename = "ro")]
    pub role: HostRole,
    /// The name that the host gave it.
    #[serde(rename = "n")]
    pub label: DisplayName,
    /// Hash of the token that opens its socket.
    #[serde(rename = "k")]
    pub token: TokenHash,
    /// Wall-clock time in milliseconds since 1970, for display only.
    pub at_ms: i64,
}

/// The place of a co-host in the state.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    co_host: CoHost,
    removed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_command: Option<CommandId>,
}

impl State {
    /// The co-hosts who have a token, in order of adding, with their devices.
    pub fn co_hosts(&self) -> impl Iterator<Item = (Device, &CoHost)> {
        let numbered = (1..).map(Device).zip(&self.co_hosts);
        numbered.filter(|(_, place)| !place.removed).map(|(device, place)| (device, &place.co_host))
    }

    /// What a device of the host may do. The first device may do everything; `None` for a device whose token is no longer valid.
    pub fn host_role(&self, device: Device) -> Option<HostRole> {
        if device.is_first() {
            return Some(HostRole::Host);
        }
        self.place_of(device).filter(|place| !place.removed).map(|place| place.co_host.role)
    }

    /// The name that the host gave a co-host, removed or not; `None` for the host.
    pub fn co_host_label(&self, device: Device) -> Option<&DisplayName> {
        self.place_of(device).map(|place| &place.co_host.label)
    }

    /// The device of the co-host whose token has this hash.
    pub fn co_host_by_token(&self, token: &TokenHash) -> Option<Device> {
        self.co_hosts().find(|(_, co_host)| co_host.token == *token).map(|(device, _)| device)
    }

    /// The id of the last stored command of one of the host's devices.
    pub fn last_host_command(&self, device: Device) -> Option<CommandId> {
        if device.is_first() { self.last_host_command } else { self.place_of(device)?.last_command }
    }

    /// Whether the device belonged to a co-host whose token is no longer valid.
    pub fn is_removed_co_host(&self, device: Device) -> bool {
        self.place_of(device).is_some_and(|place| place.removed)
    }

    /// The device whose markings `undo_marking` takes back. A co-host who may only mark takes back only markings of the same
    /// device; `None` means those of all devices.
    pub fn undone_over(&self, device: Device) -> Option<Device> {
        (self.host_role(device) != Some(HostRole::Host)).then_some(device)
    }

    /// The device of a co-host who has a token.
    pub fn co_host(&self, id: CoHostId) -> Option<Device> {
        self.co_hosts().find(|(_, co_host)| co_host.id == id).map(|(device, _)| device)
    }

    /// Whether the game has as many co-hosts as are allowed.
    pub(crate) fn has_all_co_hosts(&self) -> bool {
        self.co_hosts().count() >= MOST_CO_HOSTS || self.co_hosts.len() >= MOST_EVER
    }

    pub(crate) fn last_host_command_mut(&mut self, device: Device) -> Option<&mut Option<CommandId>> {
        if device.is_first() {
            return Some(&mut self.last_host_command);
        }
        self.place_of_mut(device).map(|place| &mut place.last_command)
    }

    pub(crate) fn add_co_host(&mut self, co_host: &CoHost) {
        self.co_hosts.push(Place { co_host: co_host.clone(), removed: false, last_command: None });
    }

    pub(crate) fn remove_co_host(&mut self, device: Device) {
        if let Some(place) = self.place_of_mut(device) {
            place.removed = true;
        }
    }

    /// None for the first device, which is the host's own.
    fn place_of(&self, device: Device) -> Option<&Place> {
        self.co_hosts.get(usize::from(device.0).checked_sub(1)?)
    }

    fn place_of_mut(&mut self, device: Device) -> Option<&mut Place> {
        self.co_hosts.get_mut(usize::from(device.0).checked_sub(1)?)
    }
}
