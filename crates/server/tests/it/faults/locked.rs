//! Promises 3 and 21: the database is held by another process for longer than a command may wait.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::{ConnectOptions as _, Executor as _, SqliteConnection};

use super::company::{
    Company, acknowledged, answer, closed_unacknowledged, next_is, quiet, release, say, sync_messages, types,
};
use super::probes::{Liveness, becomes, metric, waiting};
use crate::process::{Launch, Server};

/// The promise for noticing the fault, and for noticing its end.
const NOTICED: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database_is_reported_to_the_sender_and_the_game_goes_on_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch { environment: &[("COMMAND_TIMEOUT", "3s")], ..Launch::new(folder.path()) });
    let company = Company::open(&server, &[2], &["Ann", "Bob"]).await;
    let (mut host, mut ann, mut bob) =
        (company.host(&server).await, company.player(&server, 0).await, company.player(&server, 1).await);
    let questions = &company.rounds[0];
    say(&mut host, "start_game").await;
    release(&mut host, questions[0]).await;
    bob.until("question_released").await;
    answer(&mut bob, questions[0], "right").await;
    acknowledged(&mut bob, questions[0]).await;
    host.until("scoreboard_update").await;

    let alive = Liveness::watch(&server);
    let mut intruder = open(folder.path()).await;
    intruder.execute("BEGIN EXCLUSIVE").await.unwrap();
    ann.until("question_released").await;
    answer(&mut ann, questions[0], "Ann's").await;
    assert_eq!(closed_unacknowledged(&mut ann).await, (4102, "storage_unavailable".to_owned()));
    for path in ["/healthz", "/readyz"] {
        let body = becomes(&server, (path, 503), NOTICED).await;
        assert!(body.contains(r#""status":"unavailable""#) && body.contains(r#""reason":"database: "#), "{body}");
    }
    // A player who has sent nothing has lost nothing, and is still sent what is known.
    quiet(&mut bob).await;
    quiet(&mut host).await;
    let mut ann = company.player(&server, 0).await;
    assert_eq!(types(&sync_messages(&mut ann).await), ["question_released"], "the answer was neither stored nor shown");
    assert_eq!(join(&server, &company.code).await, 503);
    becomes(&server, ("/healthz", 503), Duration::ZERO).await;

    intruder.execute("ROLLBACK").await.unwrap();
    for path in ["/healthz", "/readyz"] {
        becomes(&server, (path, 200), NOTICED).await;
    }
    assert!(alive.end().await > 10, "/livez was probed all the time");
    answer(&mut ann, questions[0], "Ann's").await;
    acknowledged(&mut ann, questions[0]).await;
    release(&mut host, questions[1]).await;
    answer(&mut bob, questions[1], "Bob's").await;
    acknowledged(&mut bob, questions[1]).await;
    say(&mut host, "end_round").await;
    let review = host.until("round_review").await;
    let answers = review["payload"]["answers"].as_array().unwrap();
    let answers: Vec<_> = answers.iter().map(|entry| entry["answer"].as_str().unwrap()).collect();
    assert_eq!(answers, ["right", "Ann's", "Bob's"], "each answer once");
    // A delayed effect of the time without a database would arrive before this message.
    say(&mut host, "release_scores").await;
    next_is(&mut host, "round_leaderboard").await;
}

/// Promise 21: the requests that wait for the database are bounded; new clients are refused and asked to return later, and
/// connected clients are not affected.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_waiting_room_turns_newcomers_away() {
    let folder = tempfile::tempdir().unwrap();
    let environment = [("COMMAND_TIMEOUT", "20s"), ("WAITING_ROOM", "2")];
    let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let company = Company::open(&server, &[1], &["Ann", "Bob", "Cy"]).await;
    let question = company.rounds[0][0];
    // A socket waits as well, until the owner has recorded it.
    let mut host = company.host(&server).await;
    host.until("lobby_update").await;
    waiting(&server, NOTICED, |count| count == 0).await;
    let mut ann = company.player(&server, 0).await;
    ann.until("lobby_update").await;
    waiting(&server, NOTICED, |count| count == 0).await;
    let mut bob = company.player(&server, 1).await;
    say(&mut host, "start_game").await;
    release(&mut host, question).await;
    for player in [&mut ann, &mut bob] {
        player.until("question_released").await;
    }
    let mut intruder = open(folder.path()).await;
    intruder.execute("BEGIN EXCLUSIVE").await.unwrap();
    answer(&mut ann, question, "Ann's").await;
    answer(&mut bob, question, "Bob's").await;
    waiting(&server, NOTICED, |count| count >= 2).await;
    let mut cy = company.player(&server, 2).await;
    assert_eq!(cy.closed().await, (1013, "try_again_later".to_owned()));
    intruder.execute("ROLLBACK").await.unwrap();
    acknowledged(&mut ann, question).await;
    acknowledged(&mut bob, question).await;
    waiting(&server, NOTICED, |count| count == 0).await;
    let mut cy = company.player(&server, 2).await;
    assert_eq!(types(&sync_messages(&mut cy).await), ["question_released"]);
}

/// Promise 3: an append whose outcome is unknown is looked up and repeated, and no answer counts twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_append_within_the_timeout_of_a_command_affects_no_client() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch { environment: &[("COMMAND_TIMEOUT", "20s")], ..Launch::new(folder.path()) });
    let company = Company::open(&server, &[1], &["Ann", "Bob", "Cy", "Dan"]).await;
    let mut wires = company.connect_all(&server).await;
    let question = company.rounds[0][0];
    say(&mut wires[0], "start_game").await;
    release(&mut wires[0], question).await;
    for player in &mut wires[1..] {
        player.until("question_released").await;
    }
    let mut intruder = open(folder.path()).await;
    intruder.execute("BEGIN IMMEDIATE").await.unwrap();
    for (number, player) in wires[1..].iter_mut().enumerate() {
        answer(player, question, &format!("answer {number}")).await;
    }
    let begun = Instant::now();
    while metric(&server, "quizhall_commit_failures_total").await == 0 {
        assert!(begun.elapsed() < Duration::from_secs(10), "the append still waits");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for wire in &mut wires {
        quiet(wire).await;
    }
    intruder.execute("ROLLBACK").await.unwrap();
    for player in &mut wires[1..] {
        next_is(player, "answer_accepted").await;
        quiet(player).await;
    }
    say(&mut wires[0], "end_round").await;
    let review = wires[0].until("round_review").await;
    let mut answers: Vec<_> = review["payload"]["answers"].as_array().unwrap().iter().collect();
    answers.sort_by_key(|entry| entry["answer"].as_str());
    let answers: Vec<_> = answers.iter().map(|entry| entry["answer"].as_str().unwrap()).collect();
    assert_eq!(answers, ["answer 0", "answer 1", "answer 2", "answer 3"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_was_not_in_memory_waits_for_the_database_and_then_opens() {
    let folder = tempfile::tempdir().unwrap();
    let launch = Launch { environment: &[("COMMAND_TIMEOUT", "3s")], ..Launch::new(folder.path()) };
    let mut server = Server::start(&launch);
    let company = Company::open(&server, &[1], &["Ann"]).await;
    server.kill();
    let server = Server::start(&launch);
    let mut intruder = open(folder.path()).await;
    intruder.execute("BEGIN IMMEDIATE").await.unwrap();
    assert_eq!(join(&server, &company.code).await, 503);
    intruder.execute("ROLLBACK").await.unwrap();
    becomes(&server, ("/healthz", 200), NOTICED).await;
    let mut ann = company.player(&server, 0).await;
    assert_eq!(types(&sync_messages(&mut ann).await), ["lobby_update"]);
}

async fn open(folder: &Path) -> SqliteConnection {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("quizhall.db"));
    options.connect().await.unwrap()
}

async fn join(server: &Server, code: &str) -> u16 {
    let body = format!(r#"{{"gameCode":"{code}","displayName":"Late"}}"#);
    let request = reqwest::Client::new().post(format!("{}/join", server.url())).body(body);
    request.header("content-type", "application/json").send().await.unwrap().status().as_u16()
}
