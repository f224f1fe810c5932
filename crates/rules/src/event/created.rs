//! How a game begins: its first event.

use std::fmt;
use std::sync::Arc;

use quizhall_quiz::Quiz;
use serde::{Deserialize, Serialize};

use crate::base::{GameId, HostId, MarkingRule, PlayOptions, Seal};

/// The beginning of a game.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Created {
    /// The game.
    pub game: GameId,
    /// Its owner.
    pub host: HostId,
    /// The code players type.
    pub code: String,
    /// The quiz as it was at creation; later edits of it do not change the game.
    pub quiz: Quiz,
    /// The key from which the service derives the tokens of idempotent joins. Stored as hexadecimal digits.
    #[serde(with = "crate::base::hex")]
    pub join_secret: [u8; 32],
    /// Wall-clock time of creation in milliseconds since 1970, for display only.
    pub created_at_ms: i64,
    /// How it is played, until the host changes that in the lobby.
    #[serde(flatten)]
    pub options: PlayOptions,
    /// The rule by which answers are compared.
    #[serde(default, skip_serializing_if = "MarkingRule::is_first")]
    pub rule: MarkingRule,
    /// The seal of the quiz; none of games that are not sealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed: Option<Arc<Seal>>,
}

impl fmt::Debug for Created {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Created").field("game", &self.game).finish_non_exhaustive()
    }
}
