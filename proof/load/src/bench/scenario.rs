//! What can be measured, and how big.

use std::time::Duration;

use clap::{Args, ValueEnum};

/// A scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scenario {
    /// All players join at once; memory per player.
    Lobby,
    /// A question goes out to all.
    Question,
    /// All answer at once.
    Burst,
    /// Results and boards for all.
    Release,
    /// All connections break, all players come back.
    Reconnect,
    /// The node that owns the game, which has no players, is killed while all players answer. Over several nodes, and without other rounds.
    Takeover,
    /// A tenth of the phones stops reading.
    Stalled,
    /// A whole game at a human pace.
    Evening,
    /// Many small games, all busy.
    ManyGames,
    /// The service is killed and comes back with many live games.
    Restart,
    /// Bytes to a phone over `quizhall.v1`: before the first question, and of a released round.
    Phones,
    /// All players load pictures ahead, and their questions are released.
    Preload,
    /// Full game after full game.
    Soak,
}

impl Scenario {
    /// Whether it is a round of the one big game.
    pub(super) fn is_round(self) -> bool {
        matches!(self, Self::Question | Self::Burst | Self::Release | Self::Reconnect | Self::Takeover)
    }
}

/// How big the scenarios are.
#[derive(Debug, Clone, Args)]
pub struct Sizes {
    /// Players of a big game.
    #[arg(long, default_value_t = 10_000)]
    pub players: usize,
    /// Questions of a round that is measured.
    #[arg(long, default_value_t = 10)]
    pub questions: usize,
    /// Games of many-games and restart.
    #[arg(long, default_value_t = 1_000)]
    pub games: usize,
    /// Players of each of them in many-games.
    #[arg(long, default_value_t = 18)]
    pub players_per_game: usize,
    /// Players of each of them in restart.
    #[arg(long, default_value_t = 30)]
    pub players_per_live_game: usize,
    /// Seconds between two questions in many-games.
    #[arg(long, default_value_t = 5.0)]
    pub pace: f64,
    /// Long questions that fill what the kernel holds for a phone that stopped reading.
    #[arg(long, default_value_t = 70)]
    pub fillers: usize,
    /// Seconds over which the answers of a full game come in.
    #[arg(long, default_value_t = 1.0)]
    pub think: f64,
    /// Seconds over which the players of preload begin to load.
    #[arg(long, default_value_t = 20.0)]
    pub spread: f64,
    /// Give every question of the scenarios question, burst and release a time limit of 300 s.
    #[arg(long)]
    pub timers: bool,
    /// Seconds of a soak.
    #[arg(long, default_value_t = 600.0)]
    pub soak: f64,
}

impl Sizes {
    pub(super) fn pace(&self) -> Duration {
        Duration::from_secs_f64(self.pace.max(0.05))
    }

    pub(super) fn think(&self) -> Duration {
        Duration::from_secs_f64(self.think.max(0.0))
    }

    pub(super) fn spread(&self) -> Duration {
        Duration::from_secs_f64(self.spread.max(0.0))
    }

    pub(super) fn soak(&self) -> Duration {
        Duration::from_secs_f64(self.soak.max(0.0))
    }
}
