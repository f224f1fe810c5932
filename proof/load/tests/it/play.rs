//! `play`: bots see a game through to its end, and one wrong code is asked for once.

use std::sync::atomic::Ordering;

use quizhall_load::play::{self, Options};

use crate::fake;

fn options(endpoint: quizhall_client::Endpoint, code: &str, players: usize) -> Options {
    Options { endpoint, code: code.to_owned(), players, think: "1ms..20ms".parse().unwrap(), seed: 4 }
}

#[tokio::test]
async fn bots_play_to_the_end() {
    let (endpoint, seen) = fake::serve(3).await;
    let summary = play::run(options(endpoint, fake::CODE, 3)).await.unwrap();
    assert_eq!((summary.joined, summary.turned_away.0), (3, 0));
    assert!(summary.ended);
    let answers = seen.answers.load(Ordering::SeqCst);
    assert!(answers > 0, "the bots answer");
    assert_eq!(summary.acknowledged, answers as u64);
    assert_eq!(summary.board[0].display_name, "Ann");
    assert!(summary.to_string().contains("the game ended"), "{summary}");
}

#[tokio::test]
async fn a_wrong_code_is_asked_for_once_and_said_clearly() {
    let (endpoint, seen) = fake::serve(3).await;
    let error = play::run(options(endpoint, "ZZZZZZ", 50)).await.unwrap_err();
    assert!(error.to_string().ends_with("HTTP 404: No game has this code."), "{error}");
    assert_eq!(seen.joins.load(Ordering::SeqCst), 0);
}
