//! The trace to which a request belongs.

use axum::http::{HeaderMap, HeaderValue};
use quizhall::serve::trace_context::{TraceContext, given};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

fn headers(values: &[&str]) -> HeaderMap {
    values
        .iter()
        .map(|value| ("traceparent".parse().unwrap(), HeaderValue::from_bytes(value.as_bytes()).unwrap()))
        .collect()
}

#[test]
fn the_form_of_the_standard_and_nothing_else_is_read() {
    let whole = format!("00-{TRACE}-{PARENT}-01");
    for text in [&whole, &format!("cc-{TRACE}-{PARENT}-01-later-part")] {
        assert_eq!(given(&headers(&[text])), Some(TraceContext { trace: TRACE, parent: PARENT }), "{text}");
    }
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
        assert_eq!(given(&headers(&[&wrong])), None, "{wrong}");
    }
    assert_eq!(given(&headers(&[&whole, &whole])), None, "two headers");
}
