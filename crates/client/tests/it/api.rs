//! The HTTP side with scripted answers: time limit, one key per join, errors with their problem document.

use std::time::Duration;

use quizhall_client::api::RetryPolicy;
use quizhall_client::{Api, ApiError, Schedule, Token};
use quizhall_protocol::http::join::JoinRequest;
use rand::SeedableRng as _;
use rand::rngs::SmallRng;

use crate::fake::{CODE, Fake};

fn ann() -> JoinRequest {
    JoinRequest::new(CODE.to_owned(), "Ann".to_owned())
}

fn policy() -> RetryPolicy {
    let ms = Duration::from_millis;
    let schedule = Schedule { first: ms(2), base: ms(2), cap: ms(4), ..Schedule::default() };
    RetryPolicy { give_up_after: Duration::from_secs(5), schedule }
}

fn key(request: &str) -> String {
    request.lines().find_map(|line| line.strip_prefix("idempotency-key: ")).expect("a key").to_owned()
}

#[tokio::test]
async fn a_join_is_repeated_with_one_key_until_there_is_room() {
    let fake = Fake::start().await;
    let api = Api::new(fake.endpoint());
    let joined = r#"{"sessionToken":"qp_x","gameCode":"ABC234","playerId":"00000000-0000-0000-0000-000000000007","displayName":"Ann"}"#;
    let server = async {
        let requests = [
            fake.answer_http("503 Service Unavailable", "retry-after: 0\r\n", "").await,
            fake.hang_up().await,
            fake.answer_http("429 Too Many Requests", "retry-after: 0\r\n", "").await,
            fake.answer_http("201 Created", "content-type: application/json\r\n", joined).await,
        ];
        assert!(requests[0].starts_with("POST /join "), "{}", requests[0]);
        assert!(requests[0].ends_with(r#"{"gameCode":"ABC234","displayName":"Ann"}"#), "{}", requests[0]);
        requests.map(|request| key(&request))
    };
    let mut chance = SmallRng::seed_from_u64(1);
    let request = ann();
    let (joined, keys) = tokio::join!(api.join_with_retries(&request, policy(), &mut chance), server);
    assert_eq!(joined.unwrap().player_id.as_u128(), 7);
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
}

#[tokio::test]
async fn a_final_no_is_not_asked_again() {
    let fake = Fake::start().await;
    let api = Api::new(fake.endpoint());
    let problem =
        r#"{"type":"/problems/name-taken","title":"Name taken","status":409,"detail":"Choose another name."}"#;
    let mut chance = SmallRng::seed_from_u64(1);
    let request = ann();
    let (refused, _) = tokio::join!(
        api.join_with_retries(&request, policy(), &mut chance),
        fake.answer_http("409 Conflict", "content-type: application/problem+json\r\n", problem)
    );
    let Err(ApiError::Refused(refused)) = refused else { panic!("409 is final") };
    assert_eq!(refused.status, 409);
    assert_eq!(refused.to_string(), "HTTP 409: Choose another name.");
}

#[tokio::test]
async fn retries_end() {
    let fake = Fake::start().await;
    let api = Api::new(fake.endpoint());
    let mut chance = SmallRng::seed_from_u64(1);
    let request = ann();
    let hasty = RetryPolicy { give_up_after: Duration::from_millis(500), ..policy() };
    let (refused, _) = tokio::join!(
        api.join_with_retries(&request, hasty, &mut chance),
        fake.answer_http("503 Service Unavailable", "retry-after: 60\r\n", "")
    );
    assert_eq!(refused.err().and_then(|error| error.status()), Some(503));
}

#[tokio::test]
async fn a_hosts_token_is_sent_and_not_printed() {
    let fake = Fake::start().await;
    let api = Api::new(fake.endpoint()).with_token(Token::new("qh_secret"));
    let (games, request) =
        tokio::join!(api.games(), fake.answer_http("200 OK", "content-type: application/json\r\n", r#"{"games":[]}"#));
    assert_eq!(games.unwrap().games, []);
    assert!(request.contains("authorization: Bearer qh_secret"), "{request}");
    assert!(!format!("{api:?}").contains("qh_secret"));
}

#[tokio::test]
async fn health_has_a_body_either_way() {
    let fake = Fake::start().await;
    let api = Api::new(fake.endpoint());
    let down =
        r#"{"status":"unavailable","reason":"database: timeout after 1s","checks":{"database":"down","cache":"ok"}}"#;
    let (health, _) = tokio::join!(api.health(), fake.answer_http("503 Service Unavailable", "", down));
    let (status, health) = health.unwrap();
    assert_eq!((status, health.reason.as_deref()), (503, Some("database: timeout after 1s")));
}
