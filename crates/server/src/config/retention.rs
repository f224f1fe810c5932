//! How long games and sessions are kept.

use std::time::Duration;

use clap::Args;

use super::Problems;

/// What is deleted automatically, and when.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    /// How long the operator can still bring back a deleted game; after that its data are purged.
    pub purge_grace: Duration,
    /// How long after its end a game is kept; `None`: for ever.
    pub retain_games: Option<Duration>,
    /// How long a session may last, whatever its own lifetime; expired sessions are deleted in any case.
    pub retain_sessions: Option<Duration>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Retention")]
pub(super) struct RetentionArgs {
    /// How long after its deletion the data of a game are purged.
    #[arg(long, env = "PURGE_GRACE", default_value = "24h", value_name = "DURATION", global = true)]
    purge_grace: String,
    /// After how many days since its end a game is deleted and purged; not set: never.
    #[arg(long, env = "RETAIN_GAMES", value_name = "DAYS", global = true)]
    retain_games: Option<String>,
    /// After how many days a session ends whatever its lifetime; not set: only by its lifetime.
    #[arg(long, env = "RETAIN_SESSIONS", value_name = "DAYS", global = true)]
    retain_sessions: Option<String>,
}

impl RetentionArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> Retention {
        let grace = Duration::ZERO..=Duration::from_secs(365 * 86_400);
        let mut days = |variable, text: Option<&String>| {
            let days = text.map(|text| problems.number(variable, text, 1..=36_500));
            days.map(|days: u32| Duration::from_secs(u64::from(days) * 86_400))
        };
        Retention {
            retain_games: days("RETAIN_GAMES", self.retain_games.as_ref()),
            retain_sessions: days("RETAIN_SESSIONS", self.retain_sessions.as_ref()),
            purge_grace: problems.duration("PURGE_GRACE", &self.purge_grace, grace),
        }
    }
}
