//! How far a long command is, on standard error: one line that changes on a terminal, a line per tenth elsewhere.

use std::io::{self, IsTerminal as _, Write as _};

/// Shares between two lines where they stay on the screen.
const TENTH: u64 = 10;

/// The display of one command.
pub(super) struct Progress {
    what: &'static str,
    is_terminal: bool,
    shown: Option<u64>,
}

impl Progress {
    /// For a command that says `what` it does.
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, is_terminal: io::stderr().is_terminal(), shown: None }
    }

    /// So much of all is done.
    pub(super) fn show(&mut self, done: u64, all: u64) {
        let share = done.saturating_mul(100).checked_div(all).unwrap_or(100).min(100);
        let step = if self.is_terminal { share } else { share / TENTH * TENTH };
        if self.shown.replace(step) == Some(step) {
            return;
        }
        let (begin, end) = if self.is_terminal { ("\r", "") } else { ("", "\n") };
        // The progress is for terminals only.
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
