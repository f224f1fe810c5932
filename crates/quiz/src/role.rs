//! The roles of co-hosts, which the rules, the log and the HTTP API spell alike.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// What a co-host may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CoHostRole {
    /// Everything that the host may do over a socket, and screens and seat codes over HTTP: another device of the host.
    Host,
    /// Reviews and marks: `override_answer`, `mark_answers`, `accept_answer`, `open_desk`, `undo_marking` of its own
    /// markings,
    /// `correct_marks`, `dismiss_appeal` and `enter_answer`.
    Marker,
    /// Looks after the room: `lock_game`, `remove_player`, `rename_player` and `add_seat`, and seat codes over HTTP.
    Moderator,
}
