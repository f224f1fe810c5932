//! What can be asked of any change: its kind, as the log spells it, and who sent the message that caused it. Nothing but the kind is ever
//! printed of an event: it holds answers and names.

use std::fmt;

use super::{Change, Created};
use crate::{Device, PlayerId};

impl Change {
    /// The kind as the log spells it, for logs and metrics.
    pub const fn kind(&self) -> &'static str {
        self.row().kind
    }

    /// Which player sent the message that caused it, over which device; none for what the host or the service did.
    pub const fn sender(&self) -> Option<(PlayerId, Device)> {
        match self {
            Self::Answered { player, device, .. }
            | Self::Suggested { player, device, .. }
            | Self::JokerPlayed { player, device, .. }
            | Self::Appealed { player, device, .. }
            | Self::TieBreakAnswered { player, device, .. } => Some((*player, *device)),
            _ => None,
        }
    }
}

impl fmt::Debug for Change {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Change({})", self.kind())
    }
}

impl fmt::Debug for Created {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Created").field("game", &self.game).finish_non_exhaustive()
    }
}
