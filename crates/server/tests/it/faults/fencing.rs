//! Promise 23: two processes on one PostgreSQL database that cannot reach each other. The process that claims a game owns it;
//! the other can neither write, nor acknowledge, nor show anything of it.

use serde_json::json;

use super::company::{
    Company, acknowledged, all_sync_messages, answer, closed_unacknowledged, next_is, quiet, release, say,
    sync_messages, types,
};
use crate::process::{Launch, Server};
use crate::services::postgres;
use crate::ws_wire::Frame;

const MOVED: &str = "resync_required";

/// Two processes that share a database and know nothing of each other: without a cache store, neither has peers.
async fn rivals() -> [Server; 2] {
    let url = postgres::shared().fresh_database().await;
    let folder = tempfile::tempdir().unwrap();
    let environment = [("DATABASE_URL", url.as_str()), ("UNSAFE_DATABASE", "true")];
    let launch = Launch { environment: &environment, ..Launch::new(folder.path()) };
    [Server::start(&launch), Server::start(&launch)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_lost_its_game_to_a_claim_acknowledges_and_shows_nothing_more() {
    let [a, b] = rivals().await;
    let company = Company::open(&a, &[2], &["Ann", "Bob", "Cy"]).await;
    let questions = &company.rounds[0];
    let (mut host, mut ann) = (company.host(&a).await, company.player(&a, 0).await);
    say(&mut host, "start_game").await;
    release(&mut host, questions[0]).await;
    answer(&mut ann, questions[0], "on A").await;
    acknowledged(&mut ann, questions[0]).await;
    host.until("scoreboard_update").await;

    // Cy connects to B, which makes B the owner; A does not know.
    let mut cy = company.player(&b, 2).await;
    assert_eq!(types(&sync_messages(&mut cy).await), ["question_released"]);
    let mut there = company.host(&b).await;
    assert_eq!(types(&sync_messages(&mut there).await), ["question_released", "scoreboard_update"]);
    release(&mut there, questions[1]).await;
    next_is(&mut cy, "question_released").await;
    answer(&mut cy, questions[0], "on B").await;
    acknowledged(&mut cy, questions[0]).await;
    quiet(&mut host).await;
    quiet(&mut ann).await;

    // The next message on A ends the game there, for all sockets.
    answer(&mut ann, questions[0], "too late on A").await;
    assert_eq!(closed_unacknowledged(&mut ann).await, (4200, MOVED.to_owned()));
    let Frame::Close(code, reason) = host.next().await else { panic!("A showed something") };
    assert_eq!((code, reason.as_str()), (4200, MOVED));

    let mut ann = company.player(&b, 0).await;
    let expected = ["question_released", "question_released", "answer_accepted"];
    assert_eq!(types(&sync_messages(&mut ann).await), expected);
    answer(&mut ann, questions[1], "on B").await;
    acknowledged(&mut ann, questions[1]).await;
    say(&mut there, "end_round").await;
    let review = there.until("round_review").await;
    let answers: Vec<_> =
        review["payload"]["answers"].as_array().unwrap().iter().map(|entry| entry["answer"].clone()).collect();
    assert_eq!(answers, [json!("on A"), json!("on B"), json!("on B")], "the refused answer was not stored");
}

/// A host's command is fenced like an answer, and reconnecting to A moves the game back there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_of_a_fenced_host_has_no_effect_and_the_game_can_move_back() {
    let [a, b] = rivals().await;
    let company = Company::open(&a, &[1], &["Ann", "Bob"]).await;
    let mut host = company.host(&a).await;
    say(&mut host, "start_game").await;
    release(&mut host, company.rounds[0][0]).await;
    let mut bob = company.player(&b, 1).await;
    assert_eq!(types(&sync_messages(&mut bob).await), ["question_released"]);
    // B owns the game once it has acknowledged an answer.
    answer(&mut bob, company.rounds[0][0], "on B").await;
    acknowledged(&mut bob, company.rounds[0][0]).await;
    say(&mut host, "end_round").await;
    let Frame::Close(code, _) = host.next().await else { panic!("A showed something") };
    assert_eq!(code, 4200);
    answer(&mut bob, company.rounds[0][0], "the round goes on").await;
    acknowledged(&mut bob, company.rounds[0][0]).await;

    let mut wires = company.connect_all(&a).await;
    let back = all_sync_messages(&mut wires).await;
    let back: Vec<_> = back.iter().map(|messages| types(messages)).collect();
    let host = &["question_released", "scoreboard_update"][..];
    assert_eq!(back, [host, &["question_released"], &["question_released", "answer_accepted"]]);
    // Only an owner answers this command, which changes nothing: now B is the one that does not know.
    release(&mut wires[0], company.rounds[0][0]).await;
    answer(&mut bob, company.rounds[0][0], "changed on B").await;
    assert_eq!(closed_unacknowledged(&mut bob).await, (4200, MOVED.to_owned()));
    say(&mut wires[0], "end_round").await;
    let review = wires[0].until("round_review").await;
    assert_eq!(review["payload"]["answers"][0]["answer"], "the round goes on");
}
