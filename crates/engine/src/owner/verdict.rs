//! What the owner decided about a command of a socket.

use quizhall_rules::{CommandId, Refusal};

use crate::frames::{Outcome, ToEdge};
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
    /// What the edge is sent; nothing for a stored command, whose event contains the id and is the reply.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Stored => None,
            Self::Done => Some(Outcome::Done),
            Self::Refused(refusal) => Some(Outcome::Refused(refusal)),
            Self::Outdated => Some(Outcome::Outdated),
        }
    }

    /// The reply to a command of a socket, if there is one. An edge must have applied `seq` events before it.
    pub fn reply(self, of: (ConnectionId, CommandId), seq: u64) -> Option<ToEdge> {
        self.outcome().map(|outcome| outcome.reply(of, seq))
    }
}
