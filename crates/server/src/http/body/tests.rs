//! Unit tests of `http::body`.

#![allow(clippy::unwrap_used)]
use super::*;
use axum::body::to_bytes;
use axum::response::IntoResponse as _;
use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::http::problem::Problem;
use quizhall_protocol::http::quizzes::QuizBody;
use quizhall_protocol::http::screens::ShowOnScreens;

async fn problem<T: DeserializeOwned>(text: &str) -> (u16, Option<String>) {
    let Err(refused) = parse::<T>(text.as_bytes()) else { panic!("it fits") };
    let response = refused.into_response();
    let body = to_bytes(response.into_body(), 10_000).await.unwrap();
    let problem: Problem = serde_json::from_slice(&body).unwrap();
    assert!(!problem.detail.contains("canary"), "{problem:?}");
    (problem.status, problem.field)
}

#[tokio::test]
async fn what_does_not_fit_is_named() {
    let field = |name: &str| (422, Some(name.to_owned()));
    assert_eq!(problem::<JoinRequest>(r#"{"gameCode":"A"}"#).await, field("displayName"));
    assert_eq!(problem::<JoinRequest>(r#"{"gameCode":"canary","displayName":7}"#).await, field("displayName"));
    assert_eq!(problem::<JoinRequest>(r#"{"gameCode":"A","code":"A","displayName":""}"#).await, field("gameCode"));
    let quiz = r#"{"title":"t","rounds":[{"questions":[{"text":"t","type":"text","correctAnswers":["canary",1]}]}]}"#;
    assert_eq!(problem::<QuizBody>(quiz).await, field("rounds[0].questions[0].correctAnswers[1]"));
    let quiz = r#"{"title":"t","rounds":[{"questions":[{"text":"t","correctAnswers":[]}]}]}"#;
    assert_eq!(problem::<QuizBody>(quiz).await, field("rounds[0].questions[0].type"));
}

/// Serde's own visitors take an array for a struct whose fields all have defaults, or with a value for each field.
#[tokio::test]
async fn an_array_is_no_object() {
    let field = |name: &str| (422, Some(name.to_owned()));
    assert_eq!(problem::<GameOptions>(r#"{"teams":[]}"#).await, field("teams"));
    assert_eq!(problem::<GameOptions>(r#"{"teams":[3,true]}"#).await, field("teams"));
    assert_eq!(problem::<GameOptions>(r#"{"autopilot":[20,5,5,false,null,null]}"#).await, field("autopilot"));
    assert_eq!(problem::<ShowOnScreens>(r#"{"slide":["podium",1]}"#).await, field("slide"));
    let question = r#"["t","text",null,["a"]]"#;
    let quiz = format!(r#"{{"title":"t","rounds":[{{"questions":[{question}]}}]}}"#);
    assert_eq!(problem::<QuizBody>(&quiz).await, field("rounds[0].questions[0]"));
    assert_eq!(problem::<QuizBody>(r#"{"title":"t","rounds":[["r",[]]]}"#).await, field("rounds[0]"));
    let fits = r#"{"answerSeconds":20,"boardAfter":"third","teams":{"devices":4},"autopilot":null,"unknown":[{}]}"#;
    let options = parse::<GameOptions>(fits.as_bytes()).unwrap_or_default();
    assert_eq!(options.teams.map(|teams| teams.devices), Some(4));
    assert_eq!((options.answer_seconds, options.autopilot), (Some(20), None));
}

#[tokio::test]
async fn a_body_that_never_ends_is_given_up_and_a_long_one_too() {
    let silent = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    let refused = read_in_time(silent, 10, Duration::from_millis(10)).await.unwrap_err();
    assert_eq!(refused.status(), 408);
    let endless = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 7]));
    let refused = read_in_time(Body::from_stream(endless), 10, Duration::from_mins(1)).await.unwrap_err();
    assert_eq!(refused.status(), 413);
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
    assert_eq!(problem::<JoinRequest>(&deep).await, (422, Some("gameCode".to_owned())), "ignored, without recursion");
}
