//! Promises 1, 2, 4, 6, 7 and 10 with a real process and a real disk: kill -9 under load, a restart, and a comparison of the
//! ledger of acknowledged answers with the result of the game.
//!
//! Five cycles per run, because the cuts of `powercut` play the same game; `make crash CYCLES=1000` for the long one. A failing
//! cycle prints its seed; `QUIZHALL_CRASH_SEED` plays only that cycle.

pub mod full_game;
pub mod ledger;
mod timers;

use std::env;

use crate::process::{Launch, Server};
use crate::small_bundles;
use full_game::FullGame;

/// Number of cycles when the environment sets none.
const CYCLES: u64 = 5;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_nine_loses_no_acknowledged_answer_and_no_player() {
    let folder = tempfile::tempdir().unwrap();
    let (mut acknowledged, mut slowest) = (0, std::time::Duration::ZERO);
    let seeds = seeds();
    for &seed in &seeds {
        println!("crash cycle with seed {seed} (replay: QUIZHALL_CRASH_SEED={seed})");
        let settings = small_bundles::settings_of(seed);
        let launch = Launch { environment: &settings, ..Launch::new(folder.path()) };
        let mut server = Server::start(&launch);
        let mut game = FullGame::open(&server, seed).await;
        game.answer_until_killed(&mut server).await;
        server = Server::start(&launch);
        slowest = slowest.max(server.started_in);
        game.return_and_send_again(&server).await;
        game.end_round_and_check_review(&server).await;
        game.release_scores_and_kill(&mut server).await;
        server = Server::start(&launch);
        slowest = slowest.max(server.started_in);
        acknowledged += game.finish_and_check_results(&server).await;
    }
    small_bundles::check(&seeds, small_bundles::rows_in(folder.path()).await);
    let cycles = seeds.len();
    println!("{cycles} cycles, {acknowledged} answers acknowledged, 0 lost; slowest start {slowest:?}");
    assert!(slowest.as_secs() < 5, "promise 10: serving again within 5 s, took {slowest:?}");
}

fn seeds() -> Vec<u64> {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse().expect("a number"));
    if let Some(seed) = number("QUIZHALL_CRASH_SEED") {
        return vec![seed];
    }
    let first: u64 = rand::random_range(0..1 << 40);
    (first..first + number("QUIZHALL_CRASH_CYCLES").unwrap_or(CYCLES)).collect()
}
