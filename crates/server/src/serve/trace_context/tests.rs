//! Unit tests of `serve::trace_context`.

#![allow(clippy::unwrap_used)]
use super::*;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

#[test]
fn the_form_of_the_standard_and_nothing_else_is_read() {
    let whole = format!("00-{TRACE}-{PARENT}-01");
    assert_eq!(read(&whole), Some(TraceContext { trace: TRACE, parent: PARENT }));
    assert_eq!(read(&format!("cc-{TRACE}-{PARENT}-01-later-part")).map(|context| context.trace), Some(TRACE));
    for wrong in [
        String::new(),
        format!("{whole}-more"),
        format!("{whole}x"),
        format!("cc-{TRACE}-{PARENT}-01x"),
        format!("ff-{TRACE}-{PARENT}-01"),
        format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
        format!("00-{}-{PARENT}-01", "0".repeat(32)),
        format!("00-{TRACE}-{}-01", "0".repeat(16)),
        format!("00-{TRACE}-{PARENT}-0"),
        format!("00-{TRACE}-{PARENT}-0g"),
        format!("00-{TRACE}{PARENT}--01"),
        format!("00-{}-{PARENT}-01", "ä".repeat(16)),
        " ".repeat(60),
    ] {
        assert_eq!(read(&wrong), None, "{wrong}");
    }
}

#[test]
fn two_headers_are_none() {
    let mut headers = HeaderMap::new();
    for _ in 0..2 {
        headers.append(HEADER, format!("00-{TRACE}-{PARENT}-01").parse().unwrap());
    }
    assert_eq!(given(&headers), None);
}
