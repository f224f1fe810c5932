//! The progress of a long command, on standard error: one changing line on a terminal, otherwise one line per tenth.

use std::io::{self, IsTerminal as _, Write as _};

/// Percents between two lines when lines are kept.
const TENTH: u64 = 10;

pub(super) struct Progress {
    what: &'static str,
    is_terminal: bool,
    shown: Option<u64>,
}

impl Progress {
    /// For a command that does `what`.
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, is_terminal: io::stderr().is_terminal(), shown: None }
    }

    /// Shows that `done` of `all` is done.
    pub(super) fn show(&mut self, done: u64, all: u64) {
        let share = done.saturating_mul(100).checked_div(all).unwrap_or(100).min(100);
        let step = if self.is_terminal { share } else { share / TENTH * TENTH };
        if self.shown.replace(step) == Some(step) {
            return;
        }
        let (begin, end) = if self.is_terminal { ("\r", "") } else { ("", "\n") };
        // Only people read the progress, so an error is ignored.
        let _ = write!(io::stderr(), "{begin}{}: {step:>3} %{end}", self.what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal && self.shown.is_some() {
            let _ = writeln!(io::stderr());
        }
    }
}
