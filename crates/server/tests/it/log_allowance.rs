//! How much one participant may add to the log of a game: the socket of a greedy participant is closed, the others are not affected,
//! and an honest game of many players reaches no limit.

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::Wire;

/// Characters of the longest answer; each takes four bytes.
const LONGEST: usize = 1_000;

async fn game_with_questions(stage: &Stage, count: usize) -> (Game, Vec<String>, Wire) {
    let questions: Vec<Value> =
        (0..count).map(|_| json!({"text": "Which?", "type": "text", "correctAnswers": ["this"]})).collect();
    let game = stage.game_of((HOST, json!(questions))).await;
    let ids = stage.questions(&game).await;
    let host = stage.host(&game).await;
    (game, ids, host)
}

async fn open_all(host: &mut Wire, questions: &[String]) {
    host.send(&json!({"type": "start_game"})).await;
    for question in questions {
        host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
        host.until("question_released").await;
    }
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
    let (game, questions, mut host) = game_with_questions(&stage, 1).await;
    let token = stage.join(&game, "Greedy").await;
    let (mut greedy, mut ann) = (stage.socket(&game.code, &token).await, stage.player(&game, "Ann").await);
    open_all(&mut host, &questions).await;
    greedy.until("question_released").await;
    ann.until("question_released").await;
    for flip in 0..20 {
        greedy.send(&answer(&questions[0], &longest(if flip % 2 == 0 { '\u{1f600}' } else { '\u{1f601}' }))).await;
    }
    assert_eq!(greedy.closed().await, (4008, "rate_limited: log; retry=2-4".to_owned()));
    ann.send(&answer(&questions[0], &longest('\u{1f602}'))).await;
    ann.until("answer_accepted").await;
    // The refused player has lost nothing else, and the next answer is stored.
    let mut back = stage.socket(&game.code, &token).await;
    back.until("answer_accepted").await;
    back.send(&answer(&questions[0], "this")).await;
    back.until("answer_accepted").await;
    // The limit holds however often the player reconnects.
    for _ in 0..5 {
        for flip in 0..20 {
            back.send(&answer(&questions[0], &longest(if flip % 2 == 0 { '\u{1f600}' } else { '\u{1f601}' }))).await;
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

#[tokio::test]
async fn players_who_answer_at_length_correct_themselves_twice_and_say_it_all_again_meet_no_limit() {
    const PLAYERS: usize = 40;
    let stage = Stage::new().await;
    let (game, questions, mut host) = game_with_questions(&stage, 5).await;
    let names: Vec<String> = (0..PLAYERS).map(|number| format!("Guest {number}")).collect();
    let tokens = join_all(names.iter().map(|name| stage.join(&game, name))).await;
    let mut players = join_all(tokens.iter().map(|token| stage.socket(&game.code, token))).await;
    open_all(&mut host, &questions).await;
    join_all(players.iter_mut().map(|player| write_all(player, &questions))).await;
    drop(players);
    // They reconnect after an outage and send all answers once more.
    let mut players = join_all(tokens.iter().map(|token| stage.socket(&game.code, token))).await;
    join_all(players.iter_mut().map(|player| say_again(player, &questions))).await;
    drop((players, host));
    let written = log_bytes(stage).await;
    assert!(written > i64::try_from(PLAYERS * questions.len() * 3 * LONGEST * 4).unwrap(), "{written} bytes");
}

/// Answers each question three times, in one burst that the rate of messages allows.
async fn write_all(player: &mut Wire, questions: &[String]) {
    for question in questions {
        for letter in ['\u{1f600}', '\u{1f601}', '\u{1f602}'] {
            player.send(&answer(question, &longest(letter))).await;
        }
    }
    for _ in 0..questions.len() * 3 {
        player.until("answer_accepted").await;
    }
}

async fn say_again(player: &mut Wire, questions: &[String]) {
    for question in questions {
        player.send(&answer(question, &longest('\u{1f602}'))).await;
    }
    // The acknowledgements among the sync messages, and those of the repeated answers.
    for _ in 0..questions.len() * 2 {
        player.until("answer_accepted").await;
    }
}

#[tokio::test]
async fn an_answer_that_is_stored_already_adds_nothing() {
    let stage = Stage::new().await;
    let (game, questions, mut host) = game_with_questions(&stage, 1).await;
    let mut ann = stage.player(&game, "Ann").await;
    open_all(&mut host, &questions).await;
    for _ in 0..15 {
        ann.send(&answer(&questions[0], &longest('\u{1f600}'))).await;
        ann.until("answer_accepted").await;
    }
    drop((ann, host));
    let written = log_bytes(stage).await;
    assert!(written < 3 * 4 * 1_000, "{written} bytes");
}
