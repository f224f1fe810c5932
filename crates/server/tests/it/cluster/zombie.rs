//! Promise 23: an owner that was stopped, and lost its game to another node, wakes up: it shows nothing of its old state, refuses
//! no client because of it, and drops the game.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep_until, timeout};

use super::harness::Cluster;
use super::party::{HOST, OWNER, owner};
use super::trouble::OTHER;
use super::troubles::chaos_rounds;
use crate::faults::company::{Company, acknowledged, answer, next_is, release, say, sync_messages, types};
use crate::process::{signal, stop};
use crate::ws_wire::{Frame, Wire, frame};

/// Longer than a lease.
const ASLEEP: Duration = Duration::from_secs(5);
/// The same in `make chaos`.
const LONG_ASLEEP: Duration = Duration::from_secs(30);
/// How long the other clients may wait for another owner.
const ANOTHER_OWNER: Duration = Duration::from_secs(8);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_woken_owner_shows_nothing_and_refuses_no_client() {
    let cluster = Cluster::start(&[]).await;
    let [at_owner, at_host, at_other] = [OWNER, HOST, OTHER].map(|node| &cluster.nodes[node].server);
    let company = Company::open(at_owner, &[2], &["Ann", "Bob", "Cy"]).await;
    let (first, second) = (company.rounds[0][0], company.rounds[0][1]);
    let (mut ann, mut bob) = (company.player(at_owner, 0).await, company.player(at_owner, 1).await);
    let (mut host, mut cy) = (company.host(at_host).await, company.player(at_other, 2).await);
    say(&mut host, "start_game").await;
    release(&mut host, first).await;
    for player in [&mut ann, &mut bob, &mut cy] {
        player.until("question_released").await;
        answer(player, first, "before").await;
        acknowledged(player, first).await;
    }
    assert_eq!(owner(&cluster, company.game).await, Some(OWNER));

    stop(at_owner.id());
    let awake = Instant::now() + if chaos_rounds() > 0 { LONG_ASLEEP } else { ASLEEP };
    // The sleeper will find an answer that it can no longer store, and one to a question that it does not know.
    answer(&mut ann, first, "asleep").await;
    answer(&mut bob, second, "asleep").await;
    answer(&mut cy, first, "elsewhere").await;
    timeout(ANOTHER_OWNER, acknowledged(&mut cy, first)).await.expect("another owner");
    release(&mut host, second).await;
    next_is(&mut cy, "question_released").await;
    assert_ne!(owner(&cluster, company.game).await, Some(OWNER));
    sleep_until(awake).await;
    signal(at_owner.id(), "CONT");

    let mut stored = vec![("Ann", first, "before"), ("Bob", first, "before"), ("Cy", first, "elsewhere")];
    if sent_away(&mut ann, "Ann").await {
        stored[0].2 = "asleep";
    }
    if sent_away(&mut bob, "Bob").await {
        stored.push(("Bob", second, "asleep"));
    }
    let mut ann = company.player(at_owner, 0).await;
    let expected = ["question_released", "question_released", "answer_accepted"];
    assert_eq!(types(&sync_messages(&mut ann).await), expected, "the sleeper follows the game again");
    answer(&mut ann, second, "after").await;
    acknowledged(&mut ann, second).await;
    stored.push(("Ann", second, "after"));

    say(&mut host, "end_round").await;
    let review = host.until("round_review").await;
    let mut reviewed: Vec<_> = review["payload"]["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| json!([entry["displayName"], entry["questionId"], entry["answer"]]).to_string())
        .collect();
    let mut stored: Vec<_> = stored.into_iter().map(|entry| json!([entry.0, entry.1, entry.2]).to_string()).collect();
    reviewed.sort();
    stored.sort();
    assert_eq!(reviewed, stored, "exactly the acknowledged answers are stored");
}

/// Reads up to the close that asks a socket of the sleeper to reconnect; returns whether its answer was acknowledged before that,
/// which the new owner may do. Any other message would come from the old state of the sleeper.
async fn sent_away(wire: &mut Wire, who: &str) -> bool {
    let mut stored = false;
    loop {
        match wire.next().await {
            Frame::Text(text) if text.contains(r#""answer_accepted""#) => stored = true,
            Frame::Text(text) => assert!(text.contains(r#""question_released""#), "{who} is shown {text}"),
            Frame::Ping(data) => wire.raw(&frame(0x8a, &data)).await,
            Frame::Pong(_) => {}
            Frame::Close(code, reason) => {
                assert_eq!((code, reason.as_str()), (4200, "resync_required"), "{who}");
                return stored;
            }
            Frame::End => panic!("{who} was not asked to reconnect"),
        }
    }
}
