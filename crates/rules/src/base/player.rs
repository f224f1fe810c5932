//! A player as stored in the state, removed players included.

use std::sync::Arc;

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::base::adjustment::Adjustment;
use crate::base::command_id::CommandId;
use crate::base::device::TeamCode;
use crate::base::ids::PlayerId;
use crate::base::name::DisplayName;
use crate::base::team::Team;
use crate::base::token::TokenHash;

/// A player's number in the order of joining.
pub(crate) type PlayerSlot = u32;

/// A player of the game. `Debug` shows neither name nor token.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// The public id.
    pub id: PlayerId,
    /// The name shown.
    pub display_name: DisplayName,
    /// Whether the player has not left the lobby. It is independent of the socket once the game runs.
    pub present: bool,
    /// Whether the player has a socket, or lost it less than the grace period ago. The same grace period begins when a player
    /// joins.
    #[serde(default = "connected_by_default")]
    pub connected: bool,
    pub(crate) token: TokenHash,
    pub(crate) idempotency: Option<TokenHash>,
    #[serde(rename = "stamp")]
    pub(crate) command_id: Option<CommandId>,
    pub(crate) removed: bool,
    /// Whether the player cannot join again with the same token or key.
    #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
    pub(crate) banned: bool,
    /// Whether the player has an answer or override in any round, and therefore a place on the board.
    pub(crate) answered: bool,
    pub(crate) score: i64,
    pub(crate) round_score: i64,
    /// The round, from 0, for which the joker was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joker: Option<u32>,
    /// Whether the player has had no phone so far, so that the host enters the answers.
    #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
    pub on_paper: bool,
    /// Whether the host gave the player another name.
    #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
    pub renamed: bool,
    /// The player's appeals, in order of arrival.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) appeals: Vec<Appealed>,
    /// The points that the host gave the player by hand, in order of giving.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) adjustments: Vec<Adjustment>,
    /// The place in each tie-break since the latest scores, up to the last one that asked the player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) ties: Vec<u32>,
    /// The additional values of a player that is a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) team: Option<Box<Team>>,
}

impl Player {
    /// A player who just joined, without a team.
    pub(crate) fn joined(id: PlayerId, display_name: DisplayName, token: TokenHash) -> Self {
        Self {
            id,
            display_name,
            present: true,
            connected: true,
            token,
            idempotency: None,
            command_id: None,
            removed: false,
            banned: false,
            answered: false,
            score: 0,
            round_score: 0,
            joker: None,
            on_paper: false,
            renamed: false,
            appeals: Vec::new(),
            adjustments: Vec::new(),
            ties: Vec::new(),
            team: None,
        }
    }

    /// The same with the idempotency key of the join, and as a team if there is a code.
    pub(crate) fn with(self, idempotency: Option<TokenHash>, team: Option<TeamCode>) -> Self {
        Self { idempotency, team: team.map(|code| Team::new(code).into()), ..self }
    }

    /// A player who just got a seat without a phone.
    pub(crate) fn seated(id: PlayerId, display_name: DisplayName) -> Self {
        Self { connected: false, on_paper: true, ..Self::joined(id, display_name, TokenHash::NONE) }
    }

    /// Hash of the session token that opens this player's socket.
    pub fn token(&self) -> TokenHash {
        self.token
    }

    /// The points of every round whose scores are out.
    pub fn score(&self) -> i64 {
        self.score
    }

    /// Whether the player was erased: such a player has a neutral name. A player on paper never had a token, so erasure cannot be
    /// recognised there and the answer is always `false`.
    pub fn is_erased(&self) -> bool {
        !self.on_paper && self.token == TokenHash::NONE
    }

    /// Whether the host removed this player.
    pub fn is_removed(&self) -> bool {
        self.removed
    }

    /// Whether the player has appealed at all.
    pub fn has_appealed(&self) -> bool {
        !self.appeals.is_empty()
    }

    /// The points that the host gave the player by hand, in order of giving.
    pub fn adjustments(&self) -> &[Adjustment] {
        &self.adjustments
    }

    /// Whether the player has an answer or a mark of the host in any round.
    pub fn has_answered(&self) -> bool {
        self.answered
    }

    /// Whether the player has a place on the board.
    pub(crate) fn is_listed(&self) -> bool {
        !self.removed && (self.present || self.answered || !self.adjustments.is_empty())
    }
}

/// The value for states from before this field existed.
fn connected_by_default() -> bool {
    true
}

/// One appeal, as stored with the player. `Debug` does not show the text.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Appealed {
    pub question: QuestionId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
    pub dismissed: bool,
}

impl std::fmt::Debug for Appealed {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Appealed({})", self.question)
    }
}
