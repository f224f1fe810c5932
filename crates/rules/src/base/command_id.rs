//! The id of a command, which distinguishes a retransmission from a new command.

use serde::{Deserialize, Serialize};

/// Identifies a command of one participant, so that a retransmission is recognised. Ids are ordered: a newer connection has a
/// larger session, and a later command of a connection has a larger number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct CommandId {
    /// The connection; compared first.
    pub session: u64,
    /// The command within the connection.
    pub number: u64,
}

impl CommandId {
    /// The session with this number among those that the owner of an epoch has given.
    pub fn session_of(epoch: u64, given: u64) -> u64 {
        (epoch << 32) | given
    }

    /// The epoch of the owner that gave its session.
    pub fn epoch(self) -> u64 {
        self.session >> 32
    }

    /// The number of its session among those that the owner of an epoch has given, and its own; none for a session of another owner.
    pub fn given_by(self, epoch: u64) -> Option<(u32, u32)> {
        let given = u32::try_from(self.session & u64::from(u32::MAX)).ok()?;
        let is_own = self.session == Self::session_of(epoch, given.into());
        is_own.then_some(given).zip(u32::try_from(self.number).ok())
    }
}

impl From<(u64, u64)> for CommandId {
    fn from((session, number): (u64, u64)) -> Self {
        Self { session, number }
    }
}

impl From<CommandId> for (u64, u64) {
    fn from(command_id: CommandId) -> Self {
        (command_id.session, command_id.number)
    }
}
