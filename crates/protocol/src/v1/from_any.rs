//! Host or player to server, extension messages: what either may ask of the socket itself. The game never hears of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A message of anybody who speaks `quizhall.v1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum FromAnyV1 {
    /// Is this socket alive, and have I heard everything that was sent before? For pages, which cannot send a ping frame.
    Ping,
}
