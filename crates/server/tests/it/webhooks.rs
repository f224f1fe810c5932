//! Webhooks of a running service: what arrives, how often, and to which addresses the service does not connect.

use std::collections::VecDeque;
use std::net::TcpListener as StdListener;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::docs::{ROOT, shown_by};
use crate::faults::company::{Company, answer, release, say};
use crate::process::{HOST_TOKEN, Launch, Server};

/// How long a delivery may take: a check of the outbox each second, a wait of 5 s and a fifth, a claim of 30 s.
pub const SOON: Duration = Duration::from_secs(60);
/// Long enough to see a delivery that must not come: the first wait is 5 s.
const QUIET: Duration = Duration::from_secs(9);

pub const ALLOWED: [(&str, &str); 2] =
    [("WEBHOOK_HOSTS", "127.0.0.1,localhost"), ("WEBHOOK_PRIVATE_NETWORKS", "127.0.0.0/8")];

/// A request as it arrived.
#[derive(Clone)]
pub struct Arrived {
    headers: HeaderMap,
    body: Bytes,
}

impl Arrived {
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    /// Whether the signature is that of this key; computed here independently.
    fn is_signed_by(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(format!("{}.{}.", self.header("webhook-id"), self.header("webhook-timestamp")).as_bytes());
        mac.update(&self.body);
        let signature = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        self.header("webhook-signature").split(' ').any(|one| one == signature)
    }
}

#[derive(Default)]
struct Inbox {
    arrived: Mutex<Vec<Arrived>>,
    /// The answers to the next requests; after them, 204.
    answers: Mutex<VecDeque<Response>>,
}

/// A receiver on loopback; it ends with the test.
pub struct Receiver {
    inbox: Arc<Inbox>,
    pub url: String,
    task: JoinHandle<()>,
}

impl Receiver {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let inbox = Arc::new(Inbox::default());
        let routes = Router::new().fallback(receive).with_state(Arc::clone(&inbox));
        let task = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { inbox, url, task }
    }

    pub fn answers_first(&self, answer: Response) {
        self.inbox.answers.lock().unwrap().push_back(answer);
    }

    pub fn arrived(&self) -> Vec<Arrived> {
        self.inbox.arrived.lock().unwrap().clone()
    }

    /// Waits for this many requests.
    pub async fn wait_for(&self, count: usize) -> Vec<Arrived> {
        let end = Instant::now() + SOON;
        while self.arrived().len() < count {
            assert!(Instant::now() < end, "{} of {count} requests", self.arrived().len());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.arrived()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn receive(State(inbox): State<Arc<Inbox>>, headers: HeaderMap, body: Bytes) -> Response {
    inbox.arrived.lock().unwrap().push(Arrived { headers, body });
    let answer = inbox.answers.lock().unwrap().pop_front();
    answer.unwrap_or_else(|| StatusCode::NO_CONTENT.into_response())
}

/// A request as the host of the fixed token; returns its status and its body.
async fn ask(server: &Server, (method, path): (&str, &str), body: Value) -> (u16, Value) {
    let client = reqwest::Client::new();
    let request = client.request(method.parse().unwrap(), format!("{}{path}", server.url())).bearer_auth(HOST_TOKEN);
    let answer = request.json(&body).send().await.unwrap();
    let status = answer.status().as_u16();
    (status, serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap_or(Value::Null))
}

/// Creates a webhook for both events; returns its key.
async fn hook(server: &Server, url: &str) -> String {
    let body = json!({"url": url, "events": ["round.released", "game.ended"]});
    let (status, created) = ask(server, ("POST", "/api/v1/webhooks"), body).await;
    assert_eq!(status, 201, "{created}");
    created["secret"].as_str().unwrap().to_owned()
}

async fn hooks(server: &Server) -> Value {
    ask(server, ("GET", "/api/v1/webhooks"), Value::Null).await.1["webhooks"].clone()
}

/// Plays the first round of a game of two, with one answer, and ends the game; returns its id.
async fn play(server: &Server) -> String {
    let company = Company::open(server, &[1, 1], &["Ann", "Ben"]).await;
    let (mut host, mut ann) = (company.host(server).await, company.player(server, 0).await);
    say(&mut host, "start_game").await;
    release(&mut host, company.rounds[0][0]).await;
    ann.until("question_released").await;
    answer(&mut ann, company.rounds[0][0], "right").await;
    ann.until("answer_accepted").await;
    say(&mut host, "end_round").await;
    host.until("round_review").await;
    say(&mut host, "release_scores").await;
    host.until("round_leaderboard").await;
    say(&mut host, "end_game").await;
    host.until("game_ended").await;
    company.game.to_string()
}

fn launch<'a>(folder: &'a tempfile::TempDir, environment: &'a [(&'a str, &'a str)]) -> Launch<'a> {
    Launch { environment, ..Launch::new(folder.path()) }
}

#[tokio::test]
async fn each_event_arrives_once_signed_and_without_names() {
    let (folder, receiver) = (tempfile::tempdir().unwrap(), Receiver::start().await);
    let server = Server::start(&launch(&folder, &ALLOWED));
    let secret = hook(&server, &receiver.url).await;
    let game = play(&server).await;
    let mut arrived = receiver.wait_for(2).await;
    arrived.sort_by_key(|one| std::cmp::Reverse(one.kind()));
    let [released, ended] = &arrived[..] else { panic!("{} requests", arrived.len()) };
    let data = json!({"gameId": game, "round": 1, "rounds": 2, "players": 2, "answers": 1});
    assert_eq!((released.kind().as_str(), &released.json()["data"]), ("round.released", &data));
    let data = json!({"gameId": game, "rounds": 2, "roundsReleased": 1, "players": 2, "answers": 1});
    assert_eq!((ended.kind().as_str(), &ended.json()["data"]), ("game.ended", &data));
    for one in &arrived {
        assert!(one.is_signed_by(&secret) && !one.is_signed_by("whsec_AAAA"));
        assert_eq!(one.header("content-type"), "application/json");
        let seconds: i64 = one.header("webhook-timestamp").parse().unwrap();
        assert!((quizhall::clock::unix_ms() / 1_000 - seconds).abs() < 300);
        let text = String::from_utf8(one.body.to_vec()).unwrap();
        assert!(!text.contains("Ann") && !text.contains("right"), "{text}");
    }
    assert_ne!(released.header("webhook-id"), ended.header("webhook-id"));
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.arrived().len(), 2, "nothing arrives again");
    assert_eq!(hooks(&server).await[0]["waiting"], 0);
    let metrics = reqwest::get(format!("{}/metrics", server.url())).await.unwrap().text().await.unwrap();
    assert!(metrics.contains(r#"quizhall_webhook_deliveries_total{outcome="delivered"} 2"#), "{metrics}");
    let log = server.log().join("\n");
    assert!(!log.contains(&secret) && !log.contains(&receiver.url), "{log}");
}

#[tokio::test]
async fn a_delivery_is_attempted_again_after_500_and_after_a_kill() {
    let (folder, receiver) = (tempfile::tempdir().unwrap(), Receiver::start().await);
    let mut server = Server::start(&launch(&folder, &ALLOWED));
    let secret = hook(&server, &receiver.url).await;
    receiver.answers_first(StatusCode::INTERNAL_SERVER_ERROR.into_response());
    play(&server).await;
    let first = receiver.wait_for(1).await.remove(0);
    server.kill();
    let server = Server::start(&launch(&folder, &ALLOWED));
    let end = Instant::now() + SOON;
    // Both deliveries arrive, one of them at least twice; the kill may have come between the answer and its record.
    while hooks(&server).await[0]["waiting"] != 0 {
        assert!(Instant::now() < end, "{}", hooks(&server).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let arrived = receiver.arrived();
    let again: Vec<_> = arrived.iter().filter(|one| one.header("webhook-id") == first.header("webhook-id")).collect();
    assert!(again.len() >= 2, "the refused one came again");
    assert!(again.iter().all(|one| one.body == first.body), "the repeated delivery has the same bytes");
    assert_ne!(again[0].header("webhook-timestamp"), again[1].header("webhook-timestamp"));
    assert!(arrived.iter().all(|one| one.is_signed_by(&secret)));
    let mut kinds: Vec<_> = arrived.iter().map(Arrived::kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, ["game.ended", "round.released"]);

    // A delivery that has arrived is not sent again after a restart.
    let count = arrived.len();
    drop(server);
    let server = Server::start(&launch(&folder, &ALLOWED));
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.arrived().len(), count);
    assert_eq!(hooks(&server).await[0]["failingSince"], Value::Null);
}

#[tokio::test]
async fn a_test_event_is_sent_listed_and_sent_again_and_a_new_key_signs_beside_the_old_one() {
    let (folder, receiver) = (tempfile::tempdir().unwrap(), Receiver::start().await);
    let server = Server::start(&launch(&folder, &ALLOWED));
    let old = hook(&server, &receiver.url).await;
    let id = hooks(&server).await[0]["id"].as_str().unwrap().to_owned();
    let path = |rest: &str| format!("/api/v1/webhooks/{id}{rest}");
    let (status, test) = ask(&server, ("POST", &path("/test")), Value::Null).await;
    assert_eq!(status, 202, "{test}");
    let first = receiver.wait_for(1).await.remove(0);
    assert_eq!((first.kind().as_str(), &first.json()["data"]), ("webhook.test", &json!({"webhookId": id})));
    let delivery = over(&server, &path("/deliveries"), "delivered").await;
    assert_eq!(
        (&delivery["id"], &delivery["event"], &delivery["status"]),
        (&test["id"], &json!("webhook.test"), &json!(204))
    );
    assert!(delivery.get("gameId").is_none() && delivery["attempts"] == 1, "{delivery}");

    // A refused test event is not attempted again, and the list shows the answer.
    receiver.answers_first(StatusCode::INTERNAL_SERVER_ERROR.into_response());
    assert_eq!(ask(&server, ("POST", &path("/test")), Value::Null).await.0, 202);
    let refused = over(&server, &path("/deliveries"), "given_up").await;
    assert_eq!((&refused["status"], &refused["attempts"]), (&json!(500), &json!(1)), "{refused}");
    assert_eq!(hooks(&server).await[0]["failingSince"], Value::Null);

    let (status, rotated) = ask(&server, ("POST", &path("/secret")), Value::Null).await;
    let new = rotated["secret"].as_str().unwrap().to_owned();
    assert!(status == 200 && rotated["previousUntil"].is_string() && new != old, "{rotated}");
    let again = path(&format!("/deliveries/{}/redelivery", test["id"].as_str().unwrap()));
    assert_eq!(ask(&server, ("POST", &again), Value::Null).await.0, 202);
    let second = receiver.wait_for(3).await.remove(2);
    assert_eq!((second.header("webhook-id"), &second.body), (first.header("webhook-id"), &first.body));
    assert!(first.is_signed_by(&old) && !first.is_signed_by(&new));
    assert!(second.is_signed_by(&new) && second.is_signed_by(&old), "whichever key the receiver has");
    assert_eq!(second.header("webhook-signature").split(' ').count(), 2);
    let log = server.log().join("\n");
    assert!(!log.contains(&new) && !log.contains(&old), "{log}");
    for event in ["test_webhook", "redeliver_webhook", "rotate_webhook_secret"] {
        assert!(log.contains(&format!(r#""audit":"{event}""#)), "{event}: {log}");
    }
}

/// The first delivery of the list, once it is in this state.
async fn over(server: &Server, path: &str, state: &str) -> Value {
    let end = Instant::now() + SOON;
    loop {
        let list = ask(server, ("GET", path), Value::Null).await.1;
        if list["deliveries"][0]["state"] == state {
            return list["deliveries"][0].clone();
        }
        assert!(Instant::now() < end, "{list}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Which addresses are allowed, the unit tests of `webhooks::address` try.
#[tokio::test]
async fn redirections_are_not_followed_and_what_the_operator_does_not_allow_any_more_is_not_called() {
    let folder = tempfile::tempdir().unwrap();
    let (receiver, other) = (Receiver::start().await, Receiver::start().await);
    let server = Server::start(&launch(&folder, &ALLOWED));
    for (url, events) in [
        ("https://example.org/", json!(["game.ended"])),
        (receiver.url.as_str(), json!([])),
        (receiver.url.as_str(), json!(["game.started"])),
    ] {
        let body = json!({"url": url, "events": events});
        let (status, problem) = ask(&server, ("POST", "/api/v1/webhooks"), body).await;
        assert_eq!(status, 422, "{problem}");
    }
    hook(&server, &receiver.url).await;
    receiver.answers_first(Redirect::temporary(&other.url).into_response());
    play(&server).await;
    receiver.wait_for(3).await;
    assert!(other.arrived().is_empty());
    // A name is allowed; its address is checked at each attempt.
    hook(&server, "https://localhost:1/").await;
    drop(server);

    // The operator changes the setting: neither what was allowed before nor a name that leads to this machine is called.
    let server = Server::start(&launch(&folder, &[("WEBHOOK_HOSTS", "*")]));
    play(&server).await;
    let end = Instant::now() + SOON;
    while !hooks(&server).await.as_array().unwrap().iter().all(|hook| hook["failingSince"].is_string()) {
        assert!(Instant::now() < end, "{}", hooks(&server).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let metrics = reqwest::get(format!("{}/metrics", server.url())).await.unwrap().text().await.unwrap();
    assert!(metrics.contains(r#"quizhall_webhook_deliveries_total{outcome="failed"} 0"#), "{metrics}");
    assert_eq!(receiver.arrived().len(), 3);

    let id = hooks(&server).await[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/webhooks/{id}");
    assert_eq!(ask(&server, ("PATCH", &path), json!({"disabled": true})).await.0, 422);
    assert_eq!(ask(&server, ("PATCH", &path), json!({"disabled": false})).await.0, 204);
    assert_eq!(ask(&server, ("DELETE", &path), Value::Null).await.0, 204);
    assert_eq!(ask(&server, ("DELETE", &path), Value::Null).await.0, 404);
}

#[tokio::test]
async fn the_example_receives_what_a_game_sends_and_refuses_old_and_forged_requests() {
    let port = StdListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let Some(shown) = shown_by("docs/build/webhooks.md", &ALLOWED, &[("WEBHOOK_PORT", &port)]) else { return };
    let bodies: Vec<Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut kinds: Vec<_> = bodies.iter().map(|body| body["type"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["game.ended", "round.released", "webhook.test"], "{shown}");

    let (page, program) = ("docs/build/webhooks.md", "docs/examples/webhook_receiver.py");
    let [page, program] = [page, program].map(|path| std::fs::read_to_string(format!("{ROOT}/{path}")).unwrap());
    let check = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(check.lines().all(|line| program.contains(line)), "the page shows the program's behaviour: {check}");

    let key = [9; 32];
    let secret = format!("whsec_{}", STANDARD.encode(key));
    let script = format!("{ROOT}/docs/examples/webhook_receiver.py");
    let mut receiver = Command::new("timeout")
        .args(["60", "python3", &script, &port, "1"])
        .env("WEBHOOK_SECRET", &secret)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let now = quizhall::clock::unix_ms() / 1_000;
    assert_eq!(post_signed(&port, (&key, now - 600), "{}").await, 401, "recorded ten minutes ago");
    assert_eq!(post_signed(&port, (&[8; 32], now), "{}").await, 401, "another key");
    assert_eq!(post_signed(&port, (&key, now), "{}").await, 204);
    assert!(receiver.wait().unwrap().success());
}

/// Sends a request as the service would, signed with this key at this time; returns the status. Waits until the receiver listens.
async fn post_signed(port: &str, (key, seconds): (&[u8], i64), body: &'static str) -> u16 {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(format!("msg_1.{seconds}.{body}").as_bytes());
    let signature = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    let end = Instant::now() + SOON;
    loop {
        let request = reqwest::Client::new().post(format!("http://127.0.0.1:{port}/")).header("webhook-id", "msg_1");
        let request = request.header("webhook-timestamp", seconds).header("webhook-signature", &signature);
        if let Ok(answer) = request.body(body).send().await {
            return answer.status().as_u16();
        }
        assert!(Instant::now() < end, "the receiver does not listen");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
