//! What owner and edges say to each other over the bus, which may lose, delay and repeat any of it.
//!
//! Every frame of an owner carries its epoch and, where order matters, the sequence number it speaks of,
//! so an edge recognises old owners and gaps; every command carries a [`CommandId`], so the owner recognises repeats.
//! Between nodes they travel as JSON, also between neighbouring versions: new variants and fields are additions, and a
//! frame that is not understood counts as lost.

use std::sync::Arc;

use quizhall_rules::{Actor, Command, CommandId, Event, Refusal, State};
use serde::{Deserialize, Serialize};

use crate::ids::{ConnectionId, EdgeId, Participant, RequestId};

/// From an edge to the owner of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToOwner {
    /// The edge has no state, or a gap in it: send the state.
    Hello,
    /// A socket is here. Repeated until `Attached` comes.
    Attach {
        /// Which socket.
        connection: ConnectionId,
        /// Who it belongs to.
        participant: Participant,
        /// The session an earlier owner gave it, if one did.
        prior: Option<u64>,
    },
    /// A socket is gone. Repeated until `Detached` comes.
    Detach {
        /// Which socket.
        connection: ConnectionId,
        /// Who it belonged to.
        participant: Participant,
        /// Whether the client said goodbye.
        clean: bool,
    },
    /// A message of a participant. Repeated until it is answered.
    Command {
        /// Over which socket.
        connection: ConnectionId,
        /// Who sent it.
        participant: Participant,
        /// Which message of which session.
        #[serde(rename = "stamp")]
        command_id: CommandId,
        /// The participant's last command in force, as far as the edge knew when the message came in.
        seen: Option<CommandId>,
        /// The owner that is meant, by its epoch. A later one is asked anew, by an edge that still wants it: what arrives
        /// late may come from a socket that was refused and closed. `None` from nodes of a version that did not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        epoch: Option<u64>,
        /// What it asks for.
        command: Command,
    },
    /// A command that came over HTTP. Repeated until it is answered; its effect must be idempotent by itself.
    Request {
        /// To be named in the answer.
        request: RequestId,
        /// On whose behalf.
        actor: Actor,
        /// What it asks for.
        command: Command,
    },
    /// The edge holds nothing of this game (any more): no frames, please.
    Goodbye,
}

/// From an owner to an edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FromOwner {
    /// The owner's epoch; an edge ignores frames of an epoch older than it has seen.
    pub epoch: u64,
    /// The message.
    pub message: ToEdge,
}

/// The message of a [`FromOwner`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToEdge {
    /// The whole committed state. To the edge on the owner's own node only; others get [`ToEdge::Stored`].
    #[serde(skip)]
    State {
        /// How many events it contains.
        seq: u64,
        /// The state.
        state: Arc<State>,
    },
    /// The log holds at least this many events: read the state there. What is stored is committed, so this carries the
    /// whole state between nodes without a word of it on the bus.
    Stored {
        /// How many events.
        seq: u64,
    },
    /// Events that are durable now.
    Committed {
        /// Sequence number of the first.
        first: u64,
        /// The events.
        events: Arc<[Event]>,
    },
    /// The socket has a session; its commands may come.
    Attached {
        /// Which socket.
        connection: ConnectionId,
        /// Who it belongs to.
        participant: Participant,
        /// Its session, above every earlier one of the game.
        session: u64,
    },
    /// The owner knows that the socket is gone.
    Detached {
        /// Which socket.
        connection: ConnectionId,
    },
    /// The same participant connected elsewhere.
    Replaced {
        /// Which socket has to go.
        connection: ConnectionId,
    },
    /// The command is in force since earlier, or there was nothing to do. One that is stored now is answered by its event,
    /// which carries the id.
    Done {
        /// Over which socket it came.
        connection: ConnectionId,
        /// Which command.
        #[serde(rename = "stamp")]
        command_id: CommandId,
        /// The edge must have this many events before it tells anybody.
        seq: u64,
    },
    /// The command is refused; nothing has changed.
    Refused {
        /// Over which socket it came.
        connection: ConnectionId,
        /// Which command.
        #[serde(rename = "stamp")]
        command_id: CommandId,
        /// Why.
        refusal: Refusal,
        /// The edge must have this many events before it tells anybody.
        seq: u64,
    },
    /// Nothing has changed: the message came in before the edge knew of one that the same participant sent over another
    /// edge, so it may be the older of the two. Who sent it looks at the game again and decides.
    Outdated {
        /// Over which socket it came.
        connection: ConnectionId,
        /// Which command.
        #[serde(rename = "stamp")]
        command_id: CommandId,
        /// The edge must have this many events before it tells anybody.
        seq: u64,
    },
    /// The outcome of a request.
    Answer {
        /// Which request.
        request: RequestId,
        /// Done, or why not.
        result: Result<(), Refusal>,
        /// The edge must have this many events before it tells anybody.
        seq: u64,
    },
    /// A sign of life: how many events the log has.
    Heartbeat {
        /// Their number.
        seq: u64,
    },
    /// The owner has written its last row and let go of the game.
    Released {
        /// Who is to take it.
        to: Option<EdgeId>,
    },
}

impl ToEdge {
    /// Whether the owner says it only after its log has told it, at that time, that it owns the game: then the replica is
    /// as recent as can be. (A seat may be given or taken without that; it shows nobody anything.)
    pub(crate) fn is_looked_up(&self) -> bool {
        !matches!(self, Self::Attached { .. } | Self::Detached { .. })
    }

    /// How many events an edge must have for this to be the next that it lacks, if anything.
    pub(crate) fn events_before(&self) -> u64 {
        match self {
            Self::Committed { first, .. } => *first,
            Self::Stored { seq }
            | Self::Done { seq, .. }
            | Self::Refused { seq, .. }
            | Self::Outdated { seq, .. }
            | Self::Answer { seq, .. }
            | Self::Heartbeat { seq } => *seq,
            Self::State { .. }
            | Self::Attached { .. }
            | Self::Detached { .. }
            | Self::Replaced { .. }
            | Self::Released { .. } => 0,
        }
    }
}
