//! Frames between owner and edges. The bus may lose, delay, reorder and duplicate them.
//!
//! Every frame of an owner carries its epoch and, where order matters, a number of events, so an edge detects frames of earlier
//! owners and gaps; every command carries a [`CommandId`], so the owner detects retransmissions. Between nodes frames are JSON,
//! also between neighbouring versions: variants and fields are only added, and a frame that cannot be decoded counts as lost.

use std::fmt;
use std::sync::Arc;

use quizhall_rules::{Actor, AnswerText, Change, Command, CommandId, Event, QuestionId, Refusal, Rows, SentRow, State};
use serde::{Deserialize, Serialize};

use crate::ids::{ConnectionId, EdgeId, Participant, RequestId};
use crate::log::Head;

/// From an edge to the owner of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToOwner {
    /// The edge has no state, or missed events: it asks for the state.
    Hello,
    /// A socket connected. Retransmitted until `Attached` arrives.
    Attach(Attaching),
    /// Sockets of a game in which answers travel together, each as if it came by itself. Sent only while every node reads bundles.
    AttachMany(Vec<Attaching>),
    /// A socket closed. Retransmitted until `Detached` arrives.
    Detach {
        /// The socket.
        connection: ConnectionId,
        /// Its participant.
        participant: Participant,
        /// Whether the client closed it cleanly.
        clean: bool,
    },
    /// A command of a participant. Retransmitted until its event or a reply arrives.
    Command {
        /// The socket that it came from.
        connection: ConnectionId,
        /// Its sender.
        participant: Participant,
        /// Its id.
        #[serde(rename = "stamp")]
        command_id: CommandId,
        /// The last command of the participant that had taken effect, as far as the edge knew when this one arrived.
        seen: Option<CommandId>,
        /// The epoch of the owner for which the command is meant. A later owner drops it, and an edge that still needs it
        /// retransmits it to that owner, because a delayed command may belong to a socket that was refused and closed. `None`
        /// from nodes of a version without the field.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        epoch: Option<u64>,
        /// The command.
        command: Command,
    },
    /// Answers of players to one question, each a [`ToOwner::Command`] over the first phone of its player, whose last command had come over
    /// the same socket or an earlier one of this edge. Sent only while every node reads bundles. The answers that are still
    /// unanswered are retransmitted, with others or by themselves.
    Answers(GivenAnswers),
    /// A command that came over HTTP. Retransmitted until it is answered, so its effect must be idempotent by itself.
    Request {
        /// Identifies it in the answer.
        request: RequestId,
        /// The actor on whose behalf it was sent.
        actor: Actor,
        /// The command.
        command: Command,
    },
    /// The edge no longer serves this game: the owner stops sending frames to it.
    #[serde(rename = "goodbye")]
    Unsubscribe,
}

/// A socket that connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attaching {
    /// The socket.
    pub connection: ConnectionId,
    /// Its participant.
    pub participant: Participant,
    /// The session that an earlier owner assigned, if any.
    pub prior: Option<u64>,
    /// How many times the seat had moved when its token was given. An owner that knows of a newer token gives no session.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub moves: u32,
}

/// Answers to one question.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct GivenAnswers {
    /// The owner for which they are meant. Another owner drops them.
    pub epoch: u64,
    /// The epoch of the owner that gave the sessions, if that was an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_by: Option<u64>,
    /// The question.
    pub question: QuestionId,
    /// The texts that the rows name by their index.
    pub texts: Vec<AnswerText>,
    /// The answers.
    pub rows: Rows<SentRow>,
}

impl GivenAnswers {
    /// The epoch of the owner that gave the sessions.
    pub fn sessions_of(&self) -> u64 {
        self.given_by.unwrap_or(self.epoch)
    }
}

/// Without the answers.
impl fmt::Debug for GivenAnswers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (question, rows) = (self.question, self.rows.0.len());
        write!(out, "GivenAnswers({rows} to {question:?} in epoch {})", self.epoch)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(moves: &u32) -> bool {
    *moves == 0
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
    /// The whole committed state. Sent only by an owner that begins, to the edge on its node, when its claim was made without that edge's
    /// replica; otherwise an edge gets [`ToEdge::Stored`].
    #[serde(skip)]
    State {
        /// How many events it contains.
        seq: u64,
        /// The last row of the log whose events it contains.
        head: Head,
        /// The state.
        state: Arc<State>,
    },
    /// The log holds at least this many events: the edge reads the state from the log, so that states never travel on the bus.
    Stored {
        /// The number of events.
        seq: u64,
    },
    /// Events that are durable now: a row of the log.
    Committed {
        /// Sequence number of the first.
        first: u64,
        /// The ids of the row before it and of the row: an edge that has the one as its last row now has the other. `None` from
        /// nodes of a version without the field.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chain: Option<(u64, u64)>,
        /// The events.
        events: Arc<[Event]>,
    },
    /// The socket has a session, so its commands are accepted.
    Attached {
        /// The socket.
        connection: ConnectionId,
        /// Its participant.
        participant: Participant,
        /// Its session, above every earlier one of the game.
        session: u64,
    },
    /// Sockets of an [`ToOwner::AttachMany`] have these sessions.
    AttachedMany(Vec<(ConnectionId, Participant, u64)>),
    /// Acknowledges `Detach`.
    Detached {
        /// The socket.
        connection: ConnectionId,
    },
    /// The same participant connected with a newer socket.
    Replaced {
        /// The socket to close.
        connection: ConnectionId,
    },
    /// The command took effect earlier, or changes nothing. A command that is stored now is answered by its event, which carries
    /// the id.
    Done {
        /// The socket that it came from.
        connection: ConnectionId,
        /// The id of the command.
        #[serde(rename = "stamp")]
        command_id: CommandId,
        /// How many events the edge must have applied before it processes this.
        seq: u64,
    },
    /// The command is refused; nothing has changed.
    Refused {
        /// The socket that it came from.
        connection: ConnectionId,
        /// The id of the command.
        #[serde(rename = "stamp")]
        command_id: CommandId,
        /// The reason.
        refusal: Refusal,
        /// How many events the edge must have applied before it processes this.
        seq: u64,
    },
    /// The command was dropped because it may be the older of two: when it arrived at its edge, the edge had not yet applied a
    /// command that the same participant sent through another edge. The edge closes the socket, so that the client synchronizes
    /// again.
    Outdated {
        /// The socket that it came from.
        connection: ConnectionId,
        /// The id of the command.
        #[serde(rename = "stamp")]
        command_id: CommandId,
        /// How many events the edge must have applied before it processes this.
        seq: u64,
    },
    /// The same for answers that came together.
    Outcomes {
        /// How many events the edge must have applied before it processes this.
        seq: u64,
        /// The sockets that they came from, the ids of the commands, and what became of them.
        rows: Vec<(ConnectionId, CommandId, Outcome)>,
    },
    /// The outcome of a request.
    Answer {
        /// The request.
        request: RequestId,
        /// Success, or the refusal.
        result: Result<(), Refusal>,
        /// How many events the edge must have applied before it processes this.
        seq: u64,
    },
    /// A heartbeat, with the length of the log.
    Heartbeat {
        /// How many events the log has.
        seq: u64,
    },
    /// The owner has written its last row and released the game.
    Released {
        /// The node that should claim it, if one was chosen.
        to: Option<EdgeId>,
    },
}

/// What became of a command that caused no event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As in [`ToEdge::Done`].
    Done,
    /// As in [`ToEdge::Refused`].
    Refused(Refusal),
    /// As in [`ToEdge::Outdated`].
    Outdated,
}

impl Outcome {
    /// The frame for one command.
    pub(crate) fn reply(self, (connection, command_id): (ConnectionId, CommandId), seq: u64) -> ToEdge {
        match self {
            Self::Done => ToEdge::Done { connection, command_id, seq },
            Self::Refused(refusal) => ToEdge::Refused { connection, command_id, refusal, seq },
            Self::Outdated => ToEdge::Outdated { connection, command_id, seq },
        }
    }
}

impl ToEdge {
    /// Whether the owner sends it only after the log has confirmed that it owns the game, so that the replica is up to date.
    /// (`Attached`, `AttachedMany` and `Detached` are sent without this confirmation; they show clients nothing.)
    pub(crate) fn is_verified(&self) -> bool {
        !matches!(self, Self::Attached { .. } | Self::AttachedMany(_) | Self::Detached { .. })
    }

    /// Whether it shows that the owner decides commands of participants.
    pub(crate) fn answers_commands(&self) -> bool {
        match self {
            Self::Committed { events, .. } => {
                let of_command =
                    |event: &Event| event.command_id.is_some() || matches!(event.change, Change::Answers(_));
                events.iter().any(of_command)
            }
            Self::Done { .. } | Self::Refused { .. } | Self::Outdated { .. } | Self::Outcomes { .. } => true,
            _ => false,
        }
    }

    /// How many events an edge must have applied before it can process this message.
    pub(crate) fn events_before(&self) -> u64 {
        match self {
            Self::Committed { first, .. } => *first,
            Self::Stored { seq }
            | Self::Done { seq, .. }
            | Self::Refused { seq, .. }
            | Self::Outdated { seq, .. }
            | Self::Outcomes { seq, .. }
            | Self::Answer { seq, .. }
            | Self::Heartbeat { seq } => *seq,
            Self::State { .. }
            | Self::Attached { .. }
            | Self::AttachedMany(_)
            | Self::Detached { .. }
            | Self::Replaced { .. }
            | Self::Released { .. } => 0,
        }
    }
}
