//! The co-hosts of a game: they run it together with its host, each with a token and commands of their own.
//!
//! Never holds a token, only its hash. A co-host who was removed
//! stays in the list: the numbers of devices never move, and what a co-host has marked keeps its name.

use quizhall_quiz::CoHostRole;
use serde::{Deserialize, Serialize};

use crate::base::{CoHostId, CommandId, Device, DisplayName, TokenHash};

/// The most co-hosts of a game who have a token.
const MOST_CO_HOSTS: usize = 10;
/// Co-hosts that a game can have had: devices are numbers of a byte.
const MOST_EVER: usize = 250;

/// A co-host who has or had a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoHost {
    /// Its id.
    #[serde(rename = "cid")]
    pub id: CoHostId,
    /// What it may do.
    #[serde(rename = "ro")]
    pub role: CoHostRole,
    /// The name that the host gave it.
    #[serde(rename = "n")]
    pub label: DisplayName,
    /// Hash of the token that opens its socket.
    #[serde(rename = "k")]
    pub token: TokenHash,
    /// Wall-clock time in milliseconds since 1970, for display only.
    pub at_ms: i64,
}

/// The place of a co-host in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Place {
    co_host: CoHost,
    removed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_command: Option<CommandId>,
}

/// The co-hosts whom a game has had, in order of adding: the first is the host's second device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CoHosts(Vec<Place>);

impl CoHosts {
    pub(crate) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The co-hosts who have a token, with their devices.
    pub fn all(&self) -> impl Iterator<Item = (Device, &CoHost)> {
        let numbered = (1..).map(Device).zip(&self.0);
        numbered.filter(|(_, place)| !place.removed).map(|(device, place)| (device, &place.co_host))
    }

    /// What a device of the host may do. The first device may do everything; `None` for a device whose token is no longer valid.
    pub fn role(&self, device: Device) -> Option<CoHostRole> {
        if device.is_first() {
            return Some(CoHostRole::Host);
        }
        self.place_of(device).filter(|place| !place.removed).map(|place| place.co_host.role)
    }

    /// The name that the host gave a co-host, removed or not; `None` for the host.
    pub fn label(&self, device: Device) -> Option<&DisplayName> {
        self.place_of(device).map(|place| &place.co_host.label)
    }

    /// The device of the co-host whose token has this hash.
    pub fn by_token(&self, token: &TokenHash) -> Option<Device> {
        self.all().find(|(_, co_host)| co_host.token == *token).map(|(device, _)| device)
    }

    /// The device of a co-host who has a token.
    pub fn device_of(&self, id: CoHostId) -> Option<Device> {
        self.all().find(|(_, co_host)| co_host.id == id).map(|(device, _)| device)
    }

    /// Whether the device belonged to a co-host whose token is no longer valid.
    pub fn is_removed(&self, device: Device) -> bool {
        self.place_of(device).is_some_and(|place| place.removed)
    }

    /// The device whose markings `undo_marking` undoes for this device of the host. A co-host whose role is not `host` undoes
    /// only their own; `None` means those of all devices.
    pub fn undone_over(&self, device: Device) -> Option<Device> {
        (self.role(device) != Some(CoHostRole::Host)).then_some(device)
    }

    /// Whether the game has as many co-hosts as are allowed.
    pub fn are_full(&self) -> bool {
        self.all().count() >= MOST_CO_HOSTS || self.0.len() >= MOST_EVER
    }

    /// The id of the last stored command of a co-host.
    pub fn last_command(&self, device: Device) -> Option<CommandId> {
        self.place_of(device)?.last_command
    }

    pub(crate) fn last_command_mut(&mut self, device: Device) -> Option<&mut Option<CommandId>> {
        self.place_of_mut(device).map(|place| &mut place.last_command)
    }

    pub(crate) fn add(&mut self, co_host: &CoHost) {
        self.0.push(Place { co_host: co_host.clone(), removed: false, last_command: None });
    }

    pub(crate) fn remove(&mut self, device: Device) {
        if let Some(place) = self.place_of_mut(device) {
            place.removed = true;
        }
    }

    /// None for the first device, which is the host's own.
    fn place_of(&self, device: Device) -> Option<&Place> {
        self.0.get(usize::from(device.0).checked_sub(1)?)
    }

    fn place_of_mut(&mut self, device: Device) -> Option<&mut Place> {
        self.0.get_mut(usize::from(device.0).checked_sub(1)?)
    }
}
