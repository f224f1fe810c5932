//! Server to all participants, additions: which round this is, and whether the host is here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A message that everybody who speaks `quizhall.v1` receives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum ToAllV1 {
    /// A round began: after `game_started`, and with `start_next_round`. On connecting, the round being played.
    RoundStarted(RoundStarted),
    /// The host came or went. On connecting, first of all.
    HostStatus(HostStatus),
}

/// Payload of `round_started`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct RoundStarted {
    /// Which round, from 1.
    pub round: u32,
    /// How many rounds the quiz has.
    pub rounds: u32,
    /// The round's title; may be empty.
    pub title: String,
    /// How many questions the round has, released or not.
    pub question_count: u32,
}

/// Payload of `host_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct HostStatus {
    /// Whether the host has a socket; a gap of less than 5 s is not told.
    pub connected: bool,
}
