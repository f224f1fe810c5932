//! `HEALTH_ADDR`: an address for the operator's health checks, apart from the one that players use.

use std::net::TcpStream;
use std::process::Command;
use std::time::Instant;

use crate::operation::ask;
use crate::ws_stage::{Stage, TIMEOUT};

/// More idle connections than this address has places for.
const IDLE: usize = 100;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_answers_health_and_metrics_and_nothing_else_until_the_stop_is_nearly_over() {
    let stage = Stage::with(&[("HEALTH_ADDR", "127.0.0.1:0"), ("DRAIN_LAME_DUCK", "1s")]).await;
    let health = stage.running.app().config.listen.health_addr.unwrap();
    let game = stage.game().await;
    for path in ["/livez", "/healthz", "/readyz", "/metrics"] {
        for address in [health, stage.address()] {
            let answer = ask(address, path);
            assert!(answer.starts_with("HTTP/1.1 200 "), "{path} at {address}: {answer}");
        }
    }
    for path in ["/", "/host", "/api/v1/games", &format!("/ws/{}", game.code)] {
        let answer = ask(health, path);
        assert!(answer.starts_with("HTTP/1.1 404 ") && answer.contains("application/problem+json"), "{path}: {answer}");
        assert!(!ask(stage.address(), path).starts_with("HTTP/1.1 404 "), "{path} is at the other address");
    }
    let mut probe = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    // Nothing listens on port 1.
    probe.arg("probe").env_clear().env("BIND_ADDR", "127.0.0.1:1").env("HEALTH_ADDR", health.to_string());
    assert!(probe.status().unwrap().success(), "the probe of the image uses this address");

    let idle: Vec<_> = (0..IDLE).map(|_| TcpStream::connect(health).unwrap()).collect();
    assert!(ask(health, "/readyz").starts_with("HTTP/1.1 200 "), "despite idle connections");
    drop(idle);
    // Without a socket, a node that is the only one stops at once.
    let _ann = stage.player(&game, "Ann").await;
    stage.running.stop();
    let begun = Instant::now();
    while !ask(health, "/readyz").starts_with("HTTP/1.1 503 ") {
        assert!(begun.elapsed() < TIMEOUT, "it does not report that it stops");
    }
    assert!(ask(health, "/livez").starts_with("HTTP/1.1 200 "));
    stage.running.finished().await;
    assert!(TcpStream::connect(health).is_err(), "the port is closed");
}
