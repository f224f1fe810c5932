//! Limits and pauses of a game.

use std::time::Duration;

use clap::Args;

use super::Problems;

/// How big games may be and how long everything may wait.
#[derive(Debug, Clone)]
pub struct Game {
    /// Players per game.
    pub max_players: u32,
    /// Spectators of a game on this node.
    pub max_spectators: usize,
    /// Bytes that one phone may add to the log of its game per minute (4008).
    pub log_bytes_per_seat: u32,
    /// Live games per host.
    pub games_per_host: u32,
    /// Commands of one game that may wait for the database at once.
    pub waiting_room: u32,
    /// How long a command may wait for the database before its socket is closed with 4102.
    pub command_timeout: Duration,
    /// How long a player whose socket is lost stays in the lobby.
    pub lobby_grace: Duration,
    /// How long sockets stay open after `game_ended`.
    pub game_over_linger: Duration,
    /// A game without its host is closed after this time.
    pub abandoned_after: Duration,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Games")]
pub(super) struct GameArgs {
    /// Players per game.
    #[arg(long, env = "MAX_PLAYERS", default_value = "20000", value_name = "N", global = true)]
    max_players: String,
    /// Spectators of a game on this node; further ones are refused for half a minute.
    #[arg(long, env = "MAX_SPECTATORS", default_value = "1000", value_name = "N", global = true)]
    max_spectators: String,
    /// Bytes that one phone may add to the log of its game per minute (4008 beyond it); an eighth is its own, the rest
    /// comes from 16 times as much for all phones.
    #[arg(long, env = "LOG_BYTES_PER_SEAT", default_value = "512KiB", value_name = "SIZE", global = true)]
    log_bytes_per_seat: String,
    /// Live games per host.
    #[arg(long, env = "GAMES_PER_HOST", default_value = "20", value_name = "N", global = true)]
    games_per_host: String,
    /// Commands of one game that may wait for the database; beyond it, joins and new sockets have to try again later.
    #[arg(long, env = "WAITING_ROOM", default_value = "16384", value_name = "N", global = true)]
    waiting_room: String,
    /// How long a command may wait for the database.
    #[arg(long, env = "COMMAND_TIMEOUT", default_value = "5s", value_name = "DURATION", global = true)]
    command_timeout: String,
    /// How long a player whose socket is lost stays in the lobby.
    #[arg(long, env = "LOBBY_GRACE", default_value = "10s", value_name = "DURATION", global = true)]
    lobby_grace: String,
    /// How long sockets stay open after the end of a game.
    #[arg(long, env = "GAME_OVER_LINGER", default_value = "60s", value_name = "DURATION", global = true)]
    game_over_linger: String,
    /// How long a game stays open without its host.
    #[arg(long, env = "ABANDONED_AFTER", default_value = "24h", value_name = "DURATION", global = true)]
    abandoned_after: String,
}

impl GameArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> Game {
        let pause = Duration::ZERO..=Duration::from_secs(3_600);
        let timeout = Duration::from_millis(50)..=Duration::from_secs(60);
        let days = Duration::from_secs(60)..=Duration::from_secs(30 * 86_400);
        Game {
            max_players: problems.number("MAX_PLAYERS", &self.max_players, 1..=100_000),
            max_spectators: usize::try_from(problems.number("MAX_SPECTATORS", &self.max_spectators, 0..=100_000))
                .unwrap_or(usize::MAX),
            log_bytes_per_seat: u32::try_from(problems.bytes(
                "LOG_BYTES_PER_SEAT",
                &self.log_bytes_per_seat,
                64 << 10..=1 << 30,
            ))
            .unwrap_or(u32::MAX),
            games_per_host: problems.number("GAMES_PER_HOST", &self.games_per_host, 1..=100_000),
            waiting_room: problems.number("WAITING_ROOM", &self.waiting_room, 1..=1_000_000),
            command_timeout: problems.duration("COMMAND_TIMEOUT", &self.command_timeout, timeout),
            lobby_grace: problems.duration("LOBBY_GRACE", &self.lobby_grace, pause.clone()),
            game_over_linger: problems.duration("GAME_OVER_LINGER", &self.game_over_linger, pause),
            abandoned_after: problems.duration("ABANDONED_AFTER", &self.abandoned_after, days),
        }
    }
}
