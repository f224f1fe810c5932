//! Promises 1 and 24: a sync that fails is a commit that did not happen, whatever the page cache contains afterwards.

use std::time::Duration;

use quizhall_protocol::http::join::JoinRequest;

use rand::SeedableRng as _;
use rand::rngs::StdRng;

use super::company::{Company, acknowledged, answer, closed_unacknowledged, quiet, sync_messages, types};
use super::probes::becomes;
use crate::powercut::disk::{Control, Disk};
use crate::powercut::record::Fate;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_acknowledged_when_a_sync_fails() {
    let environment = &[("COMMAND_TIMEOUT", "3s")];
    let mut disk = Disk::new();
    let mut server = disk.start(environment);
    let (company, mut host, mut ann) = Company::with_an_answer(&server, 2).await;
    let questions = &company.rounds[0];
    disk.set(Control::FailPerMille, 1_000);
    answer(&mut ann, questions[1], "during").await;
    assert_eq!(closed_unacknowledged(&mut ann).await, (4102, "storage_unavailable".to_owned()));
    quiet(&mut host).await;
    becomes(&server, ("/healthz", 503), Duration::from_secs(3)).await;
    let mut ann = company.player(&server, 0).await;
    let expected = ["question_released", "question_released", "answer_accepted"];
    assert_eq!(types(&sync_messages(&mut ann).await), expected, "no answer whose sync failed is shown");

    disk.set(Control::FailPerMille, 0);
    becomes(&server, ("/healthz", 200), Duration::from_secs(3)).await;
    answer(&mut ann, questions[1], "after").await;
    acknowledged(&mut ann, questions[1]).await;

    let toll = disk.cut(&mut server, Fate { kept: 0.0, torn: None }, &mut StdRng::seed_from_u64(1));
    assert!(toll.failed_syncs > 0);
    assert_eq!(disk.integrity().await, "ok");
    let server = disk.start(environment);
    assert_eq!(company.stored(&server).await, ["before", "after"]);
}

/// A failed sync may lose pages of an earlier round of a checkpoint, and `SQLite` considers them written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_sync_of_the_database_file_ends_the_process_and_loses_nothing() {
    let environment = &[("CHECKPOINT_AFTER", "64KiB")];
    let mut disk = Disk::new();
    let mut server = disk.start(environment);
    let company = Company::open(&server, &[1], &[]).await;
    disk.set(Control::DatabaseOnly, 1);
    disk.set(Control::FailPerMille, 1_000);
    let (api, mut joined) = (server.api(), 0);
    // A checkpoint becomes due after eight rows.
    for number in 0..200 {
        let request = JoinRequest::new(company.code.clone(), format!("Player {number}"));
        if api.join(&request, None).await.is_err() {
            break;
        }
        joined += 1;
    }
    assert_eq!(server.wait(Duration::from_secs(5)).code(), Some(1));
    assert!(server.log().iter().any(|line| line.contains("a sync of the database failed")), "the log says why");

    disk.set(Control::FailPerMille, 0);
    disk.cut(&mut server, Fate { kept: 0.0, torn: None }, &mut StdRng::seed_from_u64(2));
    assert_eq!(disk.integrity().await, "ok");
    let server = disk.start(environment);
    let stored = server.api().players(company.game).await.unwrap().players.len();
    assert!(stored >= joined, "{stored} of {joined} players are left");
}
