//! Names for the parts of a hosted game, and the engine's notion of time.

use std::time::Duration;

use quizhall_rules::{Actor, CommandId, Device, PlayerId, ScreenId, State};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Time since a fixed moment of this process; monotonic, never compared between machines.
pub type Time = Duration;

/// The number of frames or events whose memory is fetched together: with more, the first would have left the cache before they are
/// used, and the processor cannot wait for that many places at once anyway.
pub const READ_AHEAD: usize = 16;

/// A node, above all in its role as holder of sockets. Unique per start of a process: a node that was considered dead returns with
/// another id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EdgeId(pub u64);

impl EdgeId {
    /// The edge of the node whose incarnation has this id, as `Claimed` names it: its last 64 bits, which are random.
    pub fn of_node(node: Uuid) -> Self {
        Self(node.as_u64_pair().1)
    }
}

/// A socket, unique within its edge; numbers grow with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConnectionId(pub u64);

/// A command that came over HTTP and waits for its outcome, unique within its edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(pub u64);

/// The participant at the other end of a socket: one device of the host or of a player, with its own sessions, commands and presence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Participant {
    /// The game's one host.
    Host,
    /// A co-host, with this device of the host.
    CoHost(Device),
    /// A player, with the first device.
    Player(PlayerId),
    /// A player, with a further device.
    Device(PlayerId, Device),
}

/// The holder of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Holder {
    /// The participant that the token belongs to.
    pub participant: Participant,
    /// How many times the seat had moved to another phone when it got this token ([`State::moves_of`]).
    pub moves: u32,
}

/// The purpose of a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The socket of a participant.
    Participant(Holder),
    /// The socket of a viewer. It receives what the room may know, and sends nothing.
    Viewer(Viewer),
}

/// A viewer receives only pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A screen, whose token is in the log.
    Screen(ScreenId),
    /// A spectator, whose token was made for this id and is valid while the host lets spectators watch.
    Spectator(Uuid),
}

impl Viewer {
    /// Whether the viewer's token is valid for this game now.
    pub fn may_watch(self, state: &State) -> bool {
        match self {
            Self::Screen(screen) => state.screens().has(screen),
            Self::Spectator(_) => state.may_watch(),
        }
    }

    /// The viewer's id.
    pub fn uuid(self) -> Uuid {
        match self {
            Self::Screen(screen) => screen.uuid(),
            Self::Spectator(id) => id,
        }
    }
}

impl From<Participant> for Holder {
    /// The holder of a token from before any move of the seat.
    fn from(participant: Participant) -> Self {
        Self { participant, moves: 0 }
    }
}

impl Holder {
    /// Whether the token is no longer valid: the seat has moved since, or the co-host was removed.
    pub(crate) fn is_void(self, state: &State) -> bool {
        match self.participant.as_player() {
            Some((player, device)) => self.moves < state.moves_over(player, device),
            None => self.participant.as_host().is_some_and(|device| state.co_hosts().is_removed(device)),
        }
    }
}

impl Participant {
    /// A player with one of the player's devices.
    pub fn player_over(player: PlayerId, device: Device) -> Self {
        if device.is_first() { Self::Player(player) } else { Self::Device(player, device) }
    }

    /// The participant whose sockets an actor's commands come from; `None` for the service.
    pub(crate) fn of(actor: Actor) -> Option<Self> {
        match actor {
            Actor::Host => Some(Self::Host),
            Actor::CoHost(device) => Some(Self::CoHost(device)),
            Actor::Player(player) => Some(Self::Player(player)),
            Actor::Device(player, device) => Some(Self::Device(player, device)),
            Actor::Service => None,
        }
    }

    /// The host's device; `None` for a player.
    pub fn as_host(self) -> Option<Device> {
        match self {
            Self::Host => Some(Device::FIRST),
            Self::CoHost(device) => Some(device),
            Self::Player(_) | Self::Device(..) => None,
        }
    }

    /// The host with one of the host's devices.
    pub fn host_over(device: Device) -> Self {
        if device.is_first() { Self::Host } else { Self::CoHost(device) }
    }

    /// The player and the device; `None` for the host.
    pub fn as_player(self) -> Option<(PlayerId, Device)> {
        match self {
            Self::Host | Self::CoHost(_) => None,
            Self::Player(player) => Some((player, Device::FIRST)),
            Self::Device(player, device) => Some((player, device)),
        }
    }

    /// The player; `None` for the host.
    pub fn player(self) -> Option<PlayerId> {
        self.as_player().map(|(player, _)| player)
    }

    /// The player whose first phone this is.
    pub(crate) fn as_first_phone(self) -> Option<PlayerId> {
        match self {
            Self::Player(player) => Some(player),
            _ => None,
        }
    }

    /// The actor of commands from this participant.
    pub(crate) fn actor(self) -> Actor {
        match self {
            Self::Host => Actor::Host,
            Self::CoHost(device) => Actor::CoHost(device),
            Self::Player(player) => Actor::Player(player),
            Self::Device(player, device) => Actor::Device(player, device),
        }
    }

    /// The id of this participant's last command that took effect in a state.
    pub(crate) fn last_command_in(self, state: &State) -> Option<CommandId> {
        match self {
            Self::Host => state.last_host_command(Device::FIRST),
            Self::CoHost(device) => state.last_host_command(device),
            Self::Player(player) => state.last_command_of(player),
            Self::Device(player, device) => state.last_command_over(player, device),
        }
    }
}
