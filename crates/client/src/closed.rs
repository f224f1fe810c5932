//! How a connection ended, and what its close code asks of the client (the table is `quizhall_protocol::close`).

use std::time::Duration;

use quizhall_protocol::{Advice, CloseCode};

/// The end of a connection, as seen from the client.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Closed {
    /// The number of the close frame; `None` when the connection was lost without one.
    pub code: Option<u16>,
    /// The reason of the close frame, or what happened to the connection.
    pub reason: String,
}

impl Closed {
    /// A connection that was lost without a close frame.
    pub fn lost(what: impl Into<String>) -> Self {
        Self { code: None, reason: what.into() }
    }

    /// The row of the table, when the number is in it.
    pub fn known(&self) -> Option<CloseCode> {
        self.code.and_then(CloseCode::from_number)
    }

    /// What to do next: by the table, otherwise by the number's range; a lost connection counts as a network failure.
    pub fn advice(&self) -> Advice {
        self.code.map_or(Advice::ReconnectAndResend, Advice::for_number)
    }

    /// The window `retry=a-b` of the reason, when there is a valid one.
    pub fn retry_window(&self) -> Option<(Duration, Duration)> {
        let window = self.reason.split("; ").find_map(|part| part.strip_prefix("retry="))?;
        let (from, to) = window.split_once('-')?;
        let (from, to) = (from.parse::<u16>().ok()?, to.parse::<u16>().ok()?);
        (from <= to).then(|| (Duration::from_secs(from.into()), Duration::from_secs(to.into())))
    }
}
