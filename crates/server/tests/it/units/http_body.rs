//! JSON bodies: a body that does not fit is refused by the name of its field, and one that never ends is given up.

use std::io::Error;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::response::IntoResponse as _;
use futures_util::stream::{pending, repeat_with};
use quizhall::http::body::{parse, read_in_time};
use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::http::problem::Problem;
use quizhall_protocol::http::quizzes::QuizBody;
use quizhall_protocol::http::screens::ShowOnScreens;
use serde::de::DeserializeOwned;

async fn problem<T: DeserializeOwned>(text: &str) -> (u16, Option<String>) {
    let Err(refused) = parse::<T>(text.as_bytes()) else { panic!("it fits") };
    let body = to_bytes(refused.into_response().into_body(), 10_000).await.unwrap();
    let problem: Problem = serde_json::from_slice(&body).unwrap();
    assert!(!problem.detail.contains("canary"), "{problem:?}");
    (problem.status, problem.field)
}

async fn misfit<T: DeserializeOwned>(text: &str, field: &str) {
    assert_eq!(problem::<T>(text).await, (422, Some(field.to_owned())), "{text}");
}

#[tokio::test]
async fn what_does_not_fit_is_named() {
    let quiz = |question: &str| format!(r#"{{"title":"t","rounds":[{{"questions":[{question}]}}]}}"#);
    misfit::<JoinRequest>(r#"{"gameCode":"A"}"#, "displayName").await;
    misfit::<JoinRequest>(r#"{"gameCode":"canary","displayName":7}"#, "displayName").await;
    misfit::<JoinRequest>(r#"{"gameCode":"A","code":"A","displayName":""}"#, "gameCode").await;
    let answers = quiz(r#"{"text":"t","type":"text","correctAnswers":["canary",1]}"#);
    misfit::<QuizBody>(&answers, "rounds[0].questions[0].correctAnswers[1]").await;
    misfit::<QuizBody>(&quiz(r#"{"text":"t","correctAnswers":[]}"#), "rounds[0].questions[0].type").await;
    // Serde's own visitors take an array for a struct whose fields all have defaults, or with a value for each field.
    misfit::<GameOptions>(r#"{"teams":[]}"#, "teams").await;
    misfit::<GameOptions>(r#"{"teams":[3,true]}"#, "teams").await;
    misfit::<GameOptions>(r#"{"autopilot":[20,5,5,false,null,null]}"#, "autopilot").await;
    misfit::<ShowOnScreens>(r#"{"slide":["podium",1]}"#, "slide").await;
    misfit::<QuizBody>(&quiz(r#"["t","text",null,["a"]]"#), "rounds[0].questions[0]").await;
    misfit::<QuizBody>(r#"{"title":"t","rounds":[["r",[]]]}"#, "rounds[0]").await;
    let fits = r#"{"answerSeconds":20,"boardAfter":"third","teams":{"devices":4},"autopilot":null,"unknown":[{}]}"#;
    let options = parse::<GameOptions>(fits.as_bytes()).unwrap_or_default();
    assert_eq!(options.teams.map(|teams| teams.devices), Some(4));
    assert_eq!((options.answer_seconds, options.autopilot), (Some(20), None));
}

#[tokio::test]
async fn what_is_not_a_json_object() {
    for text in ["", "{", "nope", "\u{feff}{}", "{} {}", "{\"gameCode\":1e999}", "[[[[", "{\"gameCode\":\"\\ud800\"}"] {
        assert_eq!(problem::<JoinRequest>(text).await, (400, None), "{text}");
    }
    for text in ["[\"A\",\"B\"]", "null", "7", "\"canary\""] {
        assert_eq!(problem::<JoinRequest>(text).await, (422, None), "{text}");
    }
    assert_eq!(problem::<JoinRequest>(&"[".repeat(100_000)).await, (400, None));
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(200), "]".repeat(200));
    // It is ignored, without recursion.
    misfit::<JoinRequest>(&deep, "gameCode").await;
}

#[tokio::test]
async fn a_body_that_never_ends_is_given_up_and_a_long_one_too() {
    let silent = Body::from_stream(pending::<Result<Vec<u8>, Error>>());
    assert_eq!(read_in_time(silent, 10, Duration::from_millis(10)).await.unwrap_err().status(), 408);
    let endless = Body::from_stream(repeat_with(|| Ok::<_, Error>(vec![b' '; 7])));
    assert_eq!(read_in_time(endless, 10, Duration::from_mins(1)).await.unwrap_err().status(), 413);
}
