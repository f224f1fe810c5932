//! How the live games of a node behave. Made by `serve` from the settings; tests shorten the times.

use std::time::Duration;

use quizhall_engine::{LOG_PER_SEAT, Liveness};

/// How the live games of a node behave.
#[derive(Debug, Clone, Copy)]
pub struct GameOptions {
    /// Commands of one game that may wait at once; further joins and new sockets are refused.
    pub waiting_room: usize,
    /// How long a command may wait for the store.
    pub command_timeout: Duration,
    /// How long a lost socket's player stays in the lobby list.
    pub lobby_grace: Duration,
    /// How long sockets stay open after `game_ended`.
    pub linger: Duration,
    /// How many players a game may hold.
    pub player_limit: u32,
    /// Most spectators of a game on this node.
    pub most_spectators: usize,
    /// Bytes that one phone may add to the log per minute.
    pub log_per_seat: u32,
    /// A game without sockets and commands leaves memory after this time.
    pub idle_after: Duration,
    /// How often owners send a heartbeat, and the silence after which a game is read from its log.
    pub liveness: Liveness,
    /// Whether a game without an owner may go to a less busy node than the one that is asked for it.
    pub place_by_load: bool,
}

impl Default for GameOptions {
    fn default() -> Self {
        Self {
            waiting_room: 16_384,
            command_timeout: Duration::from_secs(5),
            lobby_grace: Duration::from_secs(10),
            linger: Duration::from_secs(60),
            player_limit: 10_000,
            most_spectators: 1_000,
            log_per_seat: LOG_PER_SEAT,
            idle_after: Duration::from_secs(600),
            liveness: Liveness::ALONE,
            place_by_load: true,
        }
    }
}
