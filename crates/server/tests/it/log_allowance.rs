//! How much one participant may add to the log of a game: the socket of a greedy participant is closed, and the others are not affected.

use serde_json::{Value, json};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use crate::ws_stage::{HOST, Stage};

/// Characters of the longest answer; each takes four bytes.
const LONGEST: usize = 1_000;

/// Longest answers to a question, by turns two different ones.
fn flips(question: &str) -> impl Iterator<Item = Value> {
    (0..20).map(move |flip| answer(question, &longest(if flip % 2 == 0 { '\u{1f600}' } else { '\u{1f601}' })))
}

fn answer(question: &str, text: &str) -> Value {
    json!({"type": "submit_answer", "payload": {"questionId": question, "answer": text}})
}

fn longest(letter: char) -> String {
    letter.to_string().repeat(LONGEST)
}

/// The size of the log in the stage's database file, after the service has stopped.
async fn log_bytes(stage: Stage) -> i64 {
    let Stage { running, folder, .. } = stage;
    running.stop();
    running.finished().await;
    let mut database = SqliteConnectOptions::new().filename(folder.path().join("q.db")).connect().await.unwrap();
    sqlx::query_scalar("SELECT sum(octet_length(body)) FROM game_log").fetch_one(&mut database).await.unwrap()
}

#[tokio::test]
async fn a_phone_that_flips_its_answer_is_closed_and_the_others_notice_nothing() {
    let stage = Stage::with(&[("LOG_BYTES_PER_SEAT", "64KiB"), ("RECONNECTS_PER_SEAT", "1000")]).await;
    let game = stage.game_of((HOST, json!([{"text": "Which?", "type": "text", "correctAnswers": ["this"]}]))).await;
    let question = stage.questions(&game).await.remove(0);
    let mut host = stage.host(&game).await;
    let token = stage.join(&game, "Greedy").await;
    let (mut greedy, mut ann) = (stage.socket(&game.code, &token).await, stage.player(&game, "Ann").await);
    host.send(&json!({"type": "start_game"})).await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    greedy.until("question_released").await;
    ann.until("question_released").await;
    for flip in flips(&question) {
        greedy.send(&flip).await;
    }
    assert_eq!(greedy.closed().await, (4008, "rate_limited: log; retry=2-4".to_owned()));
    ann.send(&answer(&question, &longest('\u{1f602}'))).await;
    ann.until("answer_accepted").await;
    // The refused player has lost nothing else, and the next answer is stored.
    let mut back = stage.socket(&game.code, &token).await;
    back.until("answer_accepted").await;
    back.send(&answer(&question, "this")).await;
    back.until("answer_accepted").await;
    // The limit holds however often the player reconnects.
    for _ in 0..2 {
        for flip in flips(&question) {
            back.send(&flip).await;
        }
        assert_eq!(back.closed().await.0, 4008);
        back = stage.socket(&game.code, &token).await;
    }
    host.send(&json!({"type": "end_round"})).await;
    let review = host.until("round_review").await.to_string();
    assert!(review.contains("\u{1f602}"), "the other player's answer is there");
    drop((greedy, ann, back, host));
    let written = log_bytes(stage).await;
    assert!(written < 128 << 10, "{written} bytes, of which 64 KiB are a minute's");
}
