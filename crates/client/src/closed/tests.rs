//! Unit tests of `closed`.

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
