//! Names for the parties of a hosted game, and the engine's notion of time.

use std::time::Duration;

use quizhall_rules::{Actor, CommandId, Device, PlayerId, ScreenId, State};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::wire::{Dialect, Recipient};

/// Time since some fixed moment of this process; monotonic, never compared between machines.
pub type Time = Duration;

/// Frames or events whose memory is fetched together: with more, what came first is forgotten again before its
/// turn, and the processor cannot wait for that many places at once anyway.
pub const READ_AHEAD: usize = 16;

/// A node, above all in its role as holder of sockets. Unique per process start: a node that was taken for dead comes back
/// with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EdgeId(pub u64);

impl EdgeId {
    /// The edge of the node whose incarnation has this id, as `Claimed` names it: its last 64 bits, which are random.
    pub fn of_node(node: Uuid) -> Self {
        Self(node.as_u64_pair().1)
    }
}

/// A socket, unique within its edge and growing with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConnectionId(pub u64);

/// A command that came over HTTP and waits for its outcome, unique within its edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(pub u64);

/// Who sits behind a socket: one device of the host or of a player, with sessions, commands and presence of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Participant {
    /// The game's one host.
    Host,
    /// A co-host, over this device of the host's.
    CoHost(Device),
    /// One of its players, over the first device.
    Player(PlayerId),
    /// One of its players, over a further device.
    Device(PlayerId, Device),
}

/// Who has presented a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Holder {
    /// Whose token it is.
    pub participant: Participant,
    /// How often the seat had moved to another phone when it got this token ([`State::moves_of`]).
    pub moves: u32,
}

/// What a socket is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seat {
    /// A participant's.
    Participant(Holder),
    /// A viewer's: it is sent what the room may know, and sends nothing.
    Viewer(Viewer),
}

/// Who is sent pictures and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A screen, whose token is in the log.
    Screen(ScreenId),
    /// A spectator, whose token was made for this id and is good for as long as the host lets spectators watch.
    Spectator(Uuid),
}

impl Viewer {
    /// Whether its token opens this game now.
    pub fn may_watch(self, state: &State) -> bool {
        match self {
            Self::Screen(screen) => state.has_screen(screen),
            Self::Spectator(_) => state.may_watch(),
        }
    }

    /// Its id, whichever of the two it is.
    pub fn uuid(self) -> Uuid {
        match self {
            Self::Screen(screen) => screen.uuid(),
            Self::Spectator(id) => id,
        }
    }
}

impl From<Participant> for Holder {
    /// The holder of a token that was given with the seat.
    fn from(participant: Participant) -> Self {
        Self { participant, moves: 0 }
    }
}

impl Holder {
    /// Whether the token opens nothing any more: the seat has moved on since, or the co-host was removed.
    pub(crate) fn is_void(self, state: &State) -> bool {
        match self.participant.as_player() {
            Some((player, device)) => self.moves < state.moves_over(player, device),
            None => self.participant.as_host().is_some_and(|device| state.is_removed_co_host(device)),
        }
    }
}

impl Participant {
    /// A player over one of the player's devices.
    pub fn player_over(player: PlayerId, device: Device) -> Self {
        if device.is_first() { Self::Player(player) } else { Self::Device(player, device) }
    }

    /// Over which socket an actor's commands would come; none of the service.
    pub(crate) fn of(actor: Actor) -> Option<Self> {
        match actor {
            Actor::Host => Some(Self::Host),
            Actor::CoHost(device) => Some(Self::CoHost(device)),
            Actor::Player(player) => Some(Self::Player(player)),
            Actor::Device(player, device) => Some(Self::Device(player, device)),
            Actor::Service => None,
        }
    }

    /// Over which of the host's devices; none of a player.
    pub fn as_host(self) -> Option<Device> {
        match self {
            Self::Host => Some(Device::FIRST),
            Self::CoHost(device) => Some(device),
            Self::Player(_) | Self::Device(..) => None,
        }
    }

    /// The host, over one of the host's devices.
    pub fn host_over(device: Device) -> Self {
        if device.is_first() { Self::Host } else { Self::CoHost(device) }
    }

    /// Which player it is, over which device; none of the host.
    pub fn as_player(self) -> Option<(PlayerId, Device)> {
        match self {
            Self::Host | Self::CoHost(_) => None,
            Self::Player(player) => Some((player, Device::FIRST)),
            Self::Device(player, device) => Some((player, device)),
        }
    }

    /// Which player it is; none of the host.
    pub fn player(self) -> Option<PlayerId> {
        self.as_player().map(|(player, _)| player)
    }

    /// Whose command it is that comes from here.
    pub(crate) fn actor(self) -> Actor {
        match self {
            Self::Host => Actor::Host,
            Self::CoHost(device) => Actor::CoHost(device),
            Self::Player(player) => Actor::Player(player),
            Self::Device(player, device) => Actor::Device(player, device),
        }
    }

    /// What their socket of this dialect is to a message that goes to many.
    pub fn recipient(self, dialect: Dialect) -> Recipient {
        Recipient::of(self.as_host().is_some(), dialect)
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
