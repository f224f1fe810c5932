//! The audit log of commands: a line of JSON on standard error for each change of an account, a token, a game or a player, in the
//! shape of the service's own lines.
//!
//! Called by the commands after the change. A line holds the event and an id, never a name or a token.

use std::fmt::Display;

/// Writes the line of a change; `subject` is the id of what was changed.
pub(super) fn write(audit: &'static str, subject: impl Display) {
    tracing::info!(audit, by = "command", %subject, "audit");
}
