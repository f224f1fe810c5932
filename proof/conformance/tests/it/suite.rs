//! The suite as a whole: it must fail on a server that is none, and say why in one line.

use quizhall_conformance::{Options, run};

use crate::fake;

#[tokio::test]
async fn a_server_that_answers_nonsense_fails_with_one_line() {
    let target = fake::answering(b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n").await;
    let report = run(Options::new(&format!("http://{}", target.authority()), "a-token-of-the-host")).await;
    assert!(!report.is_green());
    let text = report.to_string();
    assert!(text.starts_with("FAIL set_up: create a quiz: HTTP 500"), "{text}");
    assert!(text.ends_with("0 passed, 1 failed"), "{text}");
    assert!(!text.contains("a-token-of-the-host"));
}

#[tokio::test]
async fn an_address_without_a_server_fails() {
    let report = run(Options::new("http://127.0.0.1:1", "a-token-of-the-host")).await;
    assert_eq!((report.passed(), report.failed()), (0, 1));
}

#[test]
fn nothing_run_is_not_green() {
    assert!(!quizhall_conformance::Report::default().is_green());
}
