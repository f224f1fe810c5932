//! The co-hosts of a game: who else runs it beside its host, with a token and commands of their own.
//!
//! Made by `apply`, asked by `decide`, by the engine and by the server. Never holds a token, only its hash. A co-host who was removed
//! stays in the list: the numbers of devices never move, and what a co-host has marked keeps its name.

use serde::{Deserialize, Serialize};

use crate::State;
use crate::{CoHostId, CommandId, Device, DisplayName, TokenHash};

/// Co-hosts of a game with a token.
const MOST_CO_HOSTS: usize = 10;
/// Co-hosts whom a game has ever had: devices are numbers of a byte.
const MOST_EVER: usize = 250;

/// What a co-host may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostRole {
    /// All that the host may over a socket: another device of the host.
    Host,
    /// Review and marks.
    Marker,
    /// Who is in the room.
    Moderator,
}

/// A co-host who has a token, or had one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoHost {
    /// Its id.
    #[serde(rename = "cid")]
    pub id: CoHostId,
    /// What it may do.
    #[serde(rename = "ro")]
    pub role: HostRole,
    /// Who it is, as the host calls it.
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

    /// What the host's device may do: all, over the first one; `None` where its token opens nothing any more.
    pub fn host_role(&self, device: Device) -> Option<HostRole> {
        if device.is_first() {
            return Some(HostRole::Host);
        }
        self.place_of(device).filter(|place| !place.removed).map(|place| place.co_host.role)
    }

    /// What the host calls a co-host, also one who was removed; `None` for the host.
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

    /// Whether it was a co-host's device, whose token opens nothing any more.
    pub fn is_removed_co_host(&self, device: Device) -> bool {
        self.place_of(device).is_some_and(|place| place.removed)
    }

    /// Whose markings `undo_marking` over one of the host's devices takes back: those of all, or of a co-host who may only mark the
    /// own ones.
    pub fn undone_over(&self, device: Device) -> Option<Device> {
        (self.host_role(device) != Some(HostRole::Host)).then_some(device)
    }

    /// The device of a co-host who has a token.
    pub fn co_host(&self, id: CoHostId) -> Option<Device> {
        self.co_hosts().find(|(_, co_host)| co_host.id == id).map(|(device, _)| device)
    }

    /// Whether there are as many as may be.
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
