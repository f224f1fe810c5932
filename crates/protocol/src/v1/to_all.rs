//! Server to all participants, extension messages: which game and which round this is, whether the host is here, and whether the
//! standings are held.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A message that everybody who speaks `quizhall.v1` receives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum ToAllV1 {
    /// What is going to be played. On connecting in the lobby, before the list of players.
    GameInfo(GameInfo),
    /// A round began: after `game_started`, and with `start_next_round`. On connecting, the round being played.
    RoundStarted(RoundStarted),
    /// The host came or went. On connecting, first of all.
    HostStatus(HostStatus),
    /// The standings are held, or shown now. On connecting, only while they are held.
    StandingsStatus(StandingsStatus),
}

/// Payload of `game_info`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GameInfo {
    /// The quiz's title.
    pub title: String,
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

/// Payload of `standings_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StandingsStatus {
    /// Whether players wait for the host to show the standings of the round just scored: until then they receive no board.
    pub held: bool,
}
