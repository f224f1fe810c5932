//! Promise 11: the server is asked to stop during a game. Everything works until the load balancer knows; no player loses anything.

use std::time::{Duration, Instant};

use super::company::{Company, acknowledged, all_sync_messages, answer, release, say, sync_messages, types};
use super::probes::{becomes, get};
use crate::process::{Launch, Server, signal};
use crate::time_limits::promised;

/// Everything that is done meanwhile must fit in this time on a busy machine.
const LAME_DUCK: Duration = Duration::from_secs(5);
const WHOLE: Duration = Duration::from_secs(5 + 3 + 2);
const TIMES: &[(&str, &str)] =
    &[("DRAIN_LAME_DUCK", "5s"), ("DRAIN_SPREAD", "3s"), ("DRAIN_FLUSH", "2s"), ("CLOSE_TIMEOUT", "1s")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_in_the_middle_of_a_round_loses_no_answer_and_no_player() {
    let folder = tempfile::tempdir().unwrap();
    let launch = Launch { environment: TIMES, ..Launch::new(folder.path()) };
    let mut server = Server::start(&launch);
    let company = Company::open(&server, &[2], &["Ann", "Bob"]).await;
    let mut wires = company.connect_all(&server).await;
    let question = company.rounds[0][0];
    say(&mut wires[0], "start_game").await;
    release(&mut wires[0], question).await;
    wires[1].until("question_released").await;

    let asked = Instant::now();
    signal(server.id(), "TERM");
    let body = becomes(&server, ("/readyz", 503), Duration::from_secs(1)).await;
    assert!(body.contains("draining"), "{body}");
    assert_eq!(get(&server, "/healthz").await.0, 200, "a stop is not a fault");
    answer(&mut wires[1], question, "during the stop").await;
    acknowledged(&mut wires[1], question).await;
    let mut late = company.player(&server, 1).await;
    sync_messages(&mut late).await;
    assert!(asked.elapsed() < LAME_DUCK, "all of that happened while it was still open");
    wires.truncate(2);
    wires.push(late);
    for wire in &mut wires {
        let (code, reason) = wire.closed().await;
        assert_eq!(code, 1012);
        assert!(reason.starts_with("service_restart; retry=0-"), "{reason}");
    }
    assert!(asked.elapsed() >= LAME_DUCK, "no socket is closed before the balancer knows");
    let status = server.wait(promised(WHOLE).saturating_sub(asked.elapsed()));
    assert_eq!(status.code(), Some(0));

    let server = Server::start(&launch);
    let mut wires = company.connect_all(&server).await;
    let all = all_sync_messages(&mut wires).await;
    let types: Vec<_> = all.iter().map(|messages| types(messages)).collect();
    let expected = [
        &["question_released", "scoreboard_update"][..],
        &["question_released", "answer_accepted"],
        &["question_released"],
    ];
    assert_eq!(types, expected);
    assert_eq!(all[0][1]["payload"]["answerCount"], 1);
}
