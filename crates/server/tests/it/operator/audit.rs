//! The audit log and the id of a request: who signed in or failed to, who changed an account, who deleted a game; and nothing
//! that is secret.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::{ROOT, are_there, play, printed, program};
use crate::faults::company::Company;
use crate::process::{HOST_TOKEN, Launch, Server};

/// How long a line may take to the log.
const LINE: Duration = Duration::from_secs(10);

/// A service, and a client that is a host where it says so.
struct Stage {
    server: Server,
    client: Client,
    _folder: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let environment = [("TRUSTED_PROXIES", "127.0.0.1")];
        let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
        Self { server, client: Client::new(), _folder: folder }
    }

    /// Sends a request from an address; the status and the id that came back.
    async fn ask(&self, (method, path): (Method, &str), token: &str, body: Value) -> (u16, String) {
        let request = self.client.request(method, format!("{}{path}", self.server.url())).bearer_auth(token);
        let request = request.header("X-Forwarded-For", "203.0.113.9").header("X-Request-Id", "from-the-proxy.1");
        let request = request.header("Content-Type", "application/json").body(body.to_string());
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.headers()["x-request-id"].to_str().unwrap().to_owned())
    }

    /// The lines of the audit log since the last call, when there are so many.
    fn audited(&self, count: usize) -> Vec<String> {
        let (mut lines, end) = (Vec::new(), Instant::now() + LINE);
        while lines.len() < count {
            assert!(Instant::now() < end, "only {lines:?}");
            lines.extend(self.server.log().into_iter().filter(|line| line.contains(r#""message":"audit""#)));
        }
        lines
    }
}

#[tokio::test]
async fn who_signs_in_changes_accounts_and_deletes_games_is_written_down() {
    let stage = Stage::new();
    let game = Company::open(&stage.server, &[1], &["Ann"]).await.game;
    let account = json!({"name": "Carla", "password": "a-secret-password"});
    let (status, id) = stage.ask((Method::POST, "/api/v1/hosts"), HOST_TOKEN, account.clone()).await;
    assert_eq!((status, id.as_str()), (201, "from-the-proxy.1"));
    let sessions = (Method::POST, "/api/v1/sessions");
    assert_eq!(stage.ask(sessions.clone(), "", account).await.0, 201);
    let wrong = json!({"name": "Carla", "password": "another-secret"});
    assert_eq!(stage.ask(sessions, "", wrong).await.0, 401);
    let path = format!("/api/v1/games/{game}");
    assert_eq!(stage.ask((Method::DELETE, &path), HOST_TOKEN, Value::Null).await.0, 204);
    assert_eq!(stage.ask((Method::DELETE, &path), "qh_no-such-token", Value::Null).await.0, 401);

    let lines: Vec<Value> = stage.audited(5).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<_> =
        lines.iter().map(|line| (line["audit"].as_str().unwrap(), line["status"].as_u64().unwrap())).collect();
    let expected =
        [("create_account", 201), ("sign_in", 201), ("sign_in", 401), ("delete_game", 204), ("delete_game", 401)];
    assert_eq!(events, expected);
    for line in &lines {
        assert_eq!((&line["level"], &line["address"]), (&"INFO".into(), &"203.0.113.9".into()), "{line}");
        assert_eq!(line["span"]["id"], "from-the-proxy.1", "{line}");
    }
    assert_eq!(lines[3]["path"], path);
    let is_named = |line: &Value| line["span"]["host"].as_str().is_some_and(|host| host.len() == 36);
    let named: Vec<bool> = lines.iter().map(is_named).collect();
    assert_eq!(named, [true, true, false, true, false], "the host that asked is named by its id: {lines:?}");
    let text = serde_json::to_string(&lines).unwrap();
    for secret in ["Carla", "secret", HOST_TOKEN, "no-such-token"] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
}

#[test]
fn the_start_and_the_end_of_a_game_are_logged_once_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let environment = [("DRAIN_LAME_DUCK", "0s")];
    let mut server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    play(&server.url(), None);
    assert!(server.terminate(Duration::from_secs(40)).success());
    let lines: Vec<Value> = server.log().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for message in ["a game was started", "a game has ended"] {
        let said: Vec<&Value> = lines.iter().filter(|line| line["message"] == message).collect();
        assert!(
            said.len() == 1 && said[0]["game"].as_str().is_some_and(|game| game.len() == 36),
            "{message}: {said:?}"
        );
    }
}

#[tokio::test]
async fn an_id_is_made_where_none_fits_and_returned_to_clients_that_send_one() {
    let stage = Stage::new();
    let url = stage.server.url();
    let id_of = async |given: &str| {
        let request = stage.client.get(format!("{url}/livez")).header("X-Request-Id", given);
        request.send().await.unwrap().headers()["x-request-id"].to_str().unwrap().to_owned()
    };
    assert_eq!(id_of("abc-1_2.3").await, "abc-1_2.3");
    for given in ["with a space", "quote\"d", &"x".repeat(65), ""] {
        let id = id_of(given).await;
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{given:?}: {id}");
    }
    assert_ne!(id_of("").await, id_of("").await);
    for path in ["livez", "api/v1/games", "ws/AAAAAA"] {
        let plain = stage.client.get(format!("{url}/{path}")).send().await.unwrap();
        assert!(!plain.headers().contains_key("x-request-id"), "{path}");
    }
    let socket = stage.client.get(format!("{url}/ws/AAAAAA")).header("X-Request-Id", "mine");
    assert_eq!(socket.send().await.unwrap().headers()["x-request-id"], "mine");
}

#[tokio::test]
async fn fail2ban_finds_the_addresses_that_fail_to_sign_in() {
    if !are_there("the filter for fail2ban", &["fail2ban-regex"]) {
        return;
    }
    let stage = Stage::new();
    let wrong = json!({"name": "Carla", "password": "another-secret"});
    for _ in 0..3 {
        assert_eq!(stage.ask((Method::POST, "/api/v1/sessions"), "", wrong.clone()).await.0, 401);
    }
    assert_eq!(stage.ask((Method::POST, "/api/v1/hosts"), "", wrong).await.0, 401);
    let lines = stage.audited(4);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    fs::write(&log, lines.join("\n")).unwrap();
    let filter = Path::new(ROOT).join("deploy/fail2ban/quizhall.conf");
    let said = printed(program("fail2ban-regex").args(["--out", "ip"]).arg(&log).arg(filter));
    assert_eq!(said.lines().collect::<Vec<_>>(), ["203.0.113.9"; 3]);
}
