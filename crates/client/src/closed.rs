//! How a connection ended, and what the server's words ask of us (the table is `quizhall_protocol::close`).

use std::time::Duration;

use quizhall_protocol::{Advice, CloseCode};

/// The end of a connection, as seen from the client.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Closed {
    /// The number of the close frame; `None` when the line was lost without one.
    pub code: Option<u16>,
    /// The reason of the close frame, or what happened to the line.
    pub reason: String,
}

impl Closed {
    /// A line that was lost without a close frame.
    pub fn lost(what: impl Into<String>) -> Self {
        Self { code: None, reason: what.into() }
    }

    /// The row of the table, when the number is in it.
    pub fn known(&self) -> Option<CloseCode> {
        self.code.and_then(CloseCode::from_number)
    }

    /// What to do next: by the table, else by the number's range; a lost line is trouble on the way.
    pub fn advice(&self) -> Advice {
        self.code.map_or(Advice::ReconnectAndResend, Advice::for_number)
    }

    /// The window `retry=a-b` of the reason, when there is one and it makes sense.
    pub fn retry_window(&self) -> Option<(Duration, Duration)> {
        let window = self.reason.split("; ").find_map(|part| part.strip_prefix("retry="))?;
        let (from, to) = window.split_once('-')?;
        let (from, to) = (from.parse::<u16>().ok()?, to.parse::<u16>().ok()?);
        (from <= to).then(|| (Duration::from_secs(from.into()), Duration::from_secs(to.into())))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use quizhall_protocol::Close;

    use super::*;

    fn closed(close: Close) -> Closed {
        Closed { code: Some(close.code.number()), reason: close.reason() }
    }

    #[test]
    fn the_window_is_read_from_the_reason() {
        let restart = closed(Close::with_retry(CloseCode::ServiceRestart, 2, 17));
        assert_eq!(restart.retry_window(), Some((Duration::from_secs(2), Duration::from_secs(17))));
        assert_eq!(restart.known(), Some(CloseCode::ServiceRestart));
        let detailed = Close { detail: Some("drain"), ..Close::with_retry(CloseCode::ServiceRestart, 0, 1) };
        assert_eq!(closed(detailed).retry_window(), Some((Duration::ZERO, Duration::from_secs(1))));
        let detailed = Close { detail: Some("reconnects"), ..Close::with_retry(CloseCode::RateLimited, 15, 30) };
        assert_eq!(closed(detailed).retry_window(), Some((Duration::from_secs(15), Duration::from_secs(30))));
    }

    #[test]
    fn nonsense_is_no_window() {
        for reason in ["service_restart", "x; retry=5", "x; retry=9-2", "x; retry=-1-2", "x; retry=a-b", "retry"] {
            let closed = Closed { code: None, reason: reason.to_owned() };
            assert_eq!(closed.retry_window(), None, "{reason}");
        }
    }

    #[test]
    fn every_code_of_the_table_gives_its_advice() {
        for code in CloseCode::ALL {
            assert_eq!(closed((*code).into()).advice(), code.advice(), "{code:?}");
        }
        assert_eq!(Closed::lost("reset").advice(), Advice::ReconnectAndResend);
    }
}
