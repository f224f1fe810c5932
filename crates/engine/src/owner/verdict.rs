//! The outcome of a command, and the reply that it means.

use quizhall_rules::{CommandId, Refusal};

use crate::frames::ToEdge;
use crate::ids::ConnectionId;

/// The outcome of a socket's command.
pub(super) enum Verdict {
    /// An event with its id is in the batch.
    Stored,
    /// It took effect earlier, or changes nothing.
    Done,
    Refused(Refusal),
    Outdated,
}

impl Verdict {
    /// The reply to a command of a socket; none for a stored one, whose event contains the id and is the reply. An edge must have applied
    /// `seq` events before it.
    pub fn reply(self, (connection, command_id): (ConnectionId, CommandId), seq: u64) -> Option<ToEdge> {
        match self {
            Self::Stored => None,
            Self::Done => Some(ToEdge::Done { connection, command_id, seq }),
            Self::Refused(refusal) => Some(ToEdge::Refused { connection, command_id, refusal, seq }),
            Self::Outdated => Some(ToEdge::Outdated { connection, command_id, seq }),
        }
    }
}
