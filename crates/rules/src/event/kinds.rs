//! The properties of any change: its kind, as the log spells it, and the sender of the message that caused it. `Debug` prints
//! only the kind of an event, because events hold answers and names.

use std::fmt;

use super::change::Change;
use crate::base::{Device, PlayerId};

impl Change {
    /// The kind as the log spells it, for logs and metrics.
    pub const fn kind(&self) -> &'static str {
        self.row().kind
    }

    /// How many commands it stands for: that of a bundle is the number of its answers. Wherever the size of a log or batch matters, this is
    /// what counts.
    pub fn weight(&self) -> u64 {
        match self {
            Self::Answers(bundle) => bundle.rows.0.len() as u64,
            _ => 1,
        }
    }

    /// The player and the device that sent the message which caused it; none for changes by the host or the service.
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
