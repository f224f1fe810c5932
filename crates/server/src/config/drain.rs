//! How the service stops (promise 11).

use std::time::Duration;

use clap::Args;

use super::Problems;

/// Most of `DRAIN_SPREAD`: with the defaults of the other two parts a stop then ends within 25 s.
const LONGEST_SPREAD: Duration = Duration::from_secs(15);

/// The three parts of a stop, in this order; together at most 25 s by default.
#[derive(Debug, Clone)]
pub struct Drain {
    /// How long everything still works while `/readyz` already answers 503.
    pub lame_duck: Duration,
    /// The longest time over which the sockets are closed.
    pub spread: Duration,
    /// How long the last commits may take.
    pub flush: Duration,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Stopping")]
pub(super) struct DrainArgs {
    /// How long everything still works after SIGTERM, while /readyz answers 503; skipped by a single node without
    /// sockets.
    #[arg(
        long = "drain-lame-duck",
        env = "DRAIN_LAME_DUCK",
        default_value = "5s",
        value_name = "DURATION",
        global = true
    )]
    lame_duck: String,
    /// The longest time over which the sockets are closed; no more than 15s.
    #[arg(long = "drain-spread", env = "DRAIN_SPREAD", default_value = "15s", value_name = "DURATION", global = true)]
    spread: String,
    /// How long the last commits may take.
    #[arg(long = "drain-flush", env = "DRAIN_FLUSH", default_value = "5s", value_name = "DURATION", global = true)]
    flush: String,
}

impl DrainArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> Drain {
        let range = Duration::ZERO..=Duration::from_secs(600);
        Drain {
            lame_duck: problems.duration("DRAIN_LAME_DUCK", &self.lame_duck, range.clone()),
            spread: problems.duration("DRAIN_SPREAD", &self.spread, Duration::ZERO..=LONGEST_SPREAD),
            flush: problems.duration("DRAIN_FLUSH", &self.flush, range),
        }
    }
}

impl Drain {
    /// The time from the signal to the end of the process.
    pub fn whole(&self) -> Duration {
        self.lame_duck + self.spread + self.flush
    }
}
