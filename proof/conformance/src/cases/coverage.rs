//! Asks the observer, after all other rows, whether it has seen everything that a whole run must show.

use anyhow::ensure;

use crate::observer::Observer;
use crate::tables::coverage::Coverage;

/// Answers a coverage row.
pub fn check(observer: &Observer, coverage: Coverage) -> anyhow::Result<()> {
    match coverage {
        Coverage::Message(kind, role) => ensure!(observer.messages(kind, role) > 0, "never seen"),
        Coverage::Close(code) => ensure!(observer.closes(code) > 0, "never seen"),
    }
    Ok(())
}
