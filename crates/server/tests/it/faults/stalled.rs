//! Promise 13: a quarter of the phones stop reading in the middle of a game. The other phones are not affected; the stalled ones
//! are closed in time and are sent everything when they reconnect.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::company::{Company, POINTS, acknowledged, address, answer, say, sync_messages, types};
use super::probes::metric;
use crate::process::{Launch, Server};
use crate::time_limits::promised;
use crate::ws_wire::{Handshake, Wire};

const PLAYERS: usize = 16;
const STALLED: usize = 4;
/// Questions of 8 KB each: together more than the kernel buffers for a stalled phone, and less than its queue.
const QUESTIONS: usize = 12;
/// The whole game must fit in this time on a busy machine.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
const ENVIRONMENT: &[(&str, &str)] = &[("WRITE_TIMEOUT", "10s"), ("CLOSE_TIMEOUT", "20s"), ("SEND_BUFFER", "4KiB")];
const CLOSES: &str = r#"quizhall_socket_closes_total{code="4101",reason="slow_consumer"}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_phones_delay_no_other_client_are_closed_in_time_and_miss_nothing_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch { environment: ENVIRONMENT, ..Launch::new(folder.path()) });
    let company = long_company(&server).await;
    let mut host = company.host(&server).await;
    let mut stalled = Vec::new();
    for number in 0..STALLED {
        let mut handshake = Handshake::bearer(&company.players[number].token);
        handshake.receive_buffer = Some(4_096);
        stalled.push(Wire::open(address(&server), &format!("/ws/{}", company.code), &handshake).await.unwrap());
    }
    let mut lively = Vec::new();
    for number in STALLED..PLAYERS {
        let mut wire = company.player(&server, number).await;
        sync_messages(&mut wire).await;
        lively.push(wire);
    }
    say(&mut host, "start_game").await;
    let begun = Instant::now();
    let lively = play(&company, &mut host, lively).await;
    let took = begun.elapsed();
    // The whole game was played while the stalled sockets were open.
    assert_eq!(metric(&server, CLOSES).await, 0, "after {took:?}");

    while metric(&server, CLOSES).await < STALLED as u64 {
        assert!(begun.elapsed() < WRITE_TIMEOUT + took + promised(Duration::from_secs(3)), "not closed in time");
        sleep(Duration::from_millis(200)).await;
    }
    assert!(begun.elapsed() > WRITE_TIMEOUT, "closed too early");
    for (number, mut wire) in stalled.into_iter().enumerate() {
        assert_eq!(wire.closed().await, (4101, "slow_consumer".to_owned()));
        let mut back = company.player(&server, number).await;
        let everything = sync_messages(&mut back).await;
        assert_eq!(types(&everything), ["question_released"; QUESTIONS]);
    }
    assert_eq!(metric(&server, CLOSES).await, STALLED as u64, "no other socket was closed");
    drop(lively);
}

/// Every question reaches every player that reads, and is answered, before the next is released: a delay of one player would
/// delay all.
async fn play(company: &Company, host: &mut Wire, mut lively: Vec<Wire>) -> Vec<Wire> {
    let mut slowest = Duration::ZERO;
    for (number, question) in company.rounds[0].iter().enumerate() {
        let begun = Instant::now();
        host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
        for wire in &mut lively {
            let released = wire.until("question_released").await;
            assert_eq!(released["payload"]["question"]["id"], json!(question), "in order, none missing");
        }
        slowest = slowest.max(begun.elapsed());
        let wire = &mut lively[number];
        answer(wire, *question, "x").await;
        timeout(WRITE_TIMEOUT, acknowledged(wire, *question)).await.expect("an acknowledgement at once");
    }
    assert!(slowest < promised(Duration::from_secs(1)), "a broadcast took {slowest:?}");
    lively
}

async fn long_company(server: &Server) -> Company {
    let question = |number: usize| {
        let text = format!("{number:04}{}", "\u{1f4da}".repeat(1_990));
        json!({"text": text, "type": "text", "correctAnswers": ["x"], "points": POINTS})
    };
    let questions: Vec<Value> = (0..QUESTIONS).map(question).collect();
    let names: Vec<String> = (0..PLAYERS).map(|number| format!("Player {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Company::of(&server.api(), &[questions], &names).await
}
