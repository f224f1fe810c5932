//! Runs every scenario of `quizhall-load bench` on a small scale: the service must keep its promises in each. How fast it is,
//! `make bench` measures.

use std::path::PathBuf;

use quizhall_load::bench::{Document, Keeping, Options, Scenario, Sizes, run};

/// More users than the task of a game writes to itself: a message to all of them is written by several threads.
const USERS: usize = 300;

fn options(scenarios: &[Scenario], players: usize) -> Options {
    let small = Sizes {
        players,
        questions: 2,
        games: 4,
        players_per_game: 5,
        players_per_live_game: 3,
        pace: 0.3,
        fillers: 5,
        spread: 1.0,
        timers: true,
        think: 0.1,
        soak: 0.0,
    };
    Options {
        scenarios: scenarios.to_vec(),
        sizes: small,
        passes: 1,
        baseline: false,
        endpoints: Vec::new(),
        token: None,
        processes: Vec::new(),
        beside: Vec::new(),
        workers: 0,
        server: Some(PathBuf::from(env!("CARGO_BIN_EXE_quizhall"))),
        keeping: Keeping::Disk,
        quiet: true,
    }
}

async fn measured(scenarios: &[Scenario], players: usize) -> Document {
    let document = run(&options(scenarios, players)).await.unwrap();
    assert!(document.holds(), "{document}");
    let seen: Vec<&str> = document.outcomes().map(|outcome| outcome.scenario.as_str()).collect();
    assert!(!seen.is_empty() && document.outcomes().all(|outcome| outcome.checks.len() >= 2), "{seen:?}");
    document
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rounds_of_a_big_game_hold() {
    use Scenario::{Burst, Lobby, Question, Reconnect, Release};
    let document = measured(&[Lobby, Question, Burst, Release, Reconnect], USERS).await;
    assert_eq!(document.outcomes().count(), 5);
    let figures: Vec<&str> = document.table.iter().map(|row| row.figure.as_str()).collect();
    for figure in ["user memory per idle player", "the last has the question", "join storm", "release of scores"] {
        assert!(figures.contains(&figure), "{figures:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_phones_and_full_games_hold() {
    let document = measured(&[Scenario::Stalled, Scenario::Evening, Scenario::Soak], 12).await;
    assert_eq!(document.outcomes().count(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_games_and_a_restart_hold() {
    let document = measured(&[Scenario::ManyGames, Scenario::Restart], 40).await;
    assert_eq!(document.outcomes().count(), 2);
}
