//! Server to the socket that asked, extension messages: answers of the socket itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A message that only the socket which asked for it receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum ToSenderV1 {
    /// The answer to `ping`, behind everything that was queued on this socket before; never unasked.
    Pong,
}
