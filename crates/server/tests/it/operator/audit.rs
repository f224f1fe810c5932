//! The audit log and the id of a request: who signed in or failed to, who changed an account, who deleted a game; and no secret.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

use super::{ROOT, are_there, printed, program};
use crate::cli::run;
use crate::faults::company::Company;
use crate::process::{HOST_TOKEN, Launch, Server};

/// How long a line may take until it is in the log.
const LINE: Duration = Duration::from_secs(10);

/// A service, and a client that acts as a host when it sends a token.
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

    /// A request from an address.
    fn request(&self, (method, path): (Method, &str), token: &str, body: &Value) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.server.url())).bearer_auth(token);
        let request = request.header("X-Forwarded-For", "203.0.113.9").header("X-Request-Id", "from-the-proxy.1");
        request.header("Content-Type", "application/json").body(body.to_string())
    }

    /// Sends it; returns the status.
    async fn ask(&self, what: (Method, &str), token: &str, body: &Value) -> u16 {
        let answer = self.request(what, token, body).send().await.unwrap();
        assert_eq!(answer.headers()["x-request-id"], "from-the-proxy.1");
        answer.status().as_u16()
    }

    /// The lines of the audit log since the last call; waits until there are this many.
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
async fn sign_ins_changes_of_accounts_and_deletions_of_games_are_logged_with_the_trace_of_the_request() {
    let stage = Stage::new();
    let game = Company::open(&stage.server, &[1], &["Ann"]).await.game;
    let account = json!({"name": "Carla", "password": "a-secret-password"});
    assert_eq!(stage.ask((Method::POST, "/api/v1/hosts"), HOST_TOKEN, &account).await, 201);
    let sessions = (Method::POST, "/api/v1/sessions");
    assert_eq!(stage.ask(sessions.clone(), "", &account).await, 201);
    let wrong = json!({"name": "Carla", "password": "another-secret"});
    assert_eq!(stage.ask(sessions.clone(), "", &wrong).await, 401);
    let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
    for flags in ["01", "xx"] {
        let request = stage.request(sessions.clone(), "", &wrong);
        let request = request.header("traceparent", format!("00-{trace}-{parent}-{flags}"));
        assert_eq!(request.send().await.unwrap().status(), 401);
    }
    let passwords = json!({"oldPassword": "another-secret", "newPassword": "a-later-secret"});
    assert_eq!(stage.ask((Method::POST, "/api/v1/me/password"), "qh_no-such-token", &passwords).await, 401);
    let path = format!("/api/v1/games/{game}");
    assert_eq!(stage.ask((Method::DELETE, &path), HOST_TOKEN, &Value::Null).await, 204);
    assert_eq!(stage.ask((Method::DELETE, &path), "qh_no-such-token", &Value::Null).await, 401);

    // The event, its status, whether the host that asked is named by its id, and whether the trace is that of the request.
    let expected = [
        ("create_account", 201, true, false),
        ("sign_in", 201, true, false),
        ("sign_in", 401, false, false),
        ("sign_in", 401, false, true),
        ("sign_in", 401, false, false),
        ("change_password", 401, false, false),
        ("delete_game", 204, true, false),
        ("delete_game", 401, false, false),
    ];
    let written = stage.audited(expected.len());
    let lines: Vec<Value> = written.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let event = |line: &Value| {
        let is_named = line["span"]["host"].as_str().is_some_and(|host| host.len() == 36);
        let is_traced = line["span"]["trace_id"] == trace && line["span"]["parent_id"] == parent;
        assert!(is_traced || line["span"].get("trace_id").or(line["span"].get("parent_id")).is_none(), "{line}");
        (line["audit"].as_str().unwrap().to_owned(), line["status"].as_u64().unwrap(), is_named, is_traced)
    };
    let expected = expected.map(|(name, status, named, traced)| (name.to_owned(), status, named, traced));
    assert_eq!(lines.iter().map(event).collect::<Vec<_>>(), expected, "{lines:?}");
    for line in &lines {
        assert_eq!((&line["level"], &line["address"]), (&"INFO".into(), &"203.0.113.9".into()), "{line}");
        assert_eq!(line["span"]["id"], "from-the-proxy.1", "{line}");
    }
    assert_eq!(lines[6]["path"], path);
    let text = written.join("\n");
    for secret in ["Carla", "secret", HOST_TOKEN, "no-such-token"] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
    an_id_is_made_where_none_fits_and_returned_to_clients_that_send_one(&stage).await;
    fail2ban_finds_the_addresses_that_fail_to_sign_in(&text);
}

#[test]
fn commands_write_down_what_they_change() {
    let folder = tempfile::tempdir().unwrap();
    let command = |words: &[&str], input: &str| {
        let output = run(folder.path(), (words, &[]), input);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        let lines: Vec<Value> = err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        (out, lines)
    };
    command(&["init"], "");
    let (_, lines) = command(&["host", "add", "Carla", "--role", "owner"], "a-secret-password\n");
    let id = lines[0]["subject"].as_str().unwrap().to_owned();
    let (listed, none) = command(&["host", "list"], "");
    assert!(listed.contains(&id) && listed.contains("owner") && none.is_empty(), "{listed}");
    let (token, made) = command(&["host", "token", "Carla"], "");
    command(&["host", "add", "Dora"], "a-secret-password\n");
    let mut all = lines;
    all.extend(made);
    for (words, input) in [
        (&["host", "rename", "Carla", "Carola"][..], ""),
        (&["host", "role", "Dora", "owner"], ""),
        (&["host", "role", "Carola", "host"], ""),
        (&["host", "reset-password", "Carola"], "another-secret\n"),
        (&["host", "disable", "Carola"], ""),
        (&["host", "remove", "Carola", "--games-to", "Dora"], ""),
    ] {
        all.extend(command(words, input).1);
    }
    let events: Vec<_> = all.iter().map(|line| line["audit"].as_str().unwrap()).collect();
    let expected = [
        "create_account",
        "make_token",
        "change_account",
        "change_account",
        "change_account",
        "change_password",
        "change_account",
        "remove_account",
    ];
    assert_eq!(events, expected);
    for line in &all {
        assert_eq!(
            (&line["message"], &line["by"], &line["level"]),
            (&"audit".into(), &"command".into(), &"INFO".into())
        );
    }
    assert!(all.iter().filter(|line| line["subject"] == id.as_str()).count() == 7, "{all:?}");
    let text = serde_json::to_string(&all).unwrap();
    for secret in ["Carla", "Carola", "secret", token.trim()] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
    let last = run(folder.path(), (&["host", "role", "Dora", "host"], &[]), "");
    assert!(!last.status.success(), "the last owner");
    let silent = run(folder.path(), (&["host", "rename", "Dora", "Dori"], &[("LOG_LEVEL", "warn")]), "");
    assert!(silent.status.success() && silent.stderr.is_empty());
}

async fn an_id_is_made_where_none_fits_and_returned_to_clients_that_send_one(stage: &Stage) {
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

fn fail2ban_finds_the_addresses_that_fail_to_sign_in(lines: &str) {
    if !are_there("the filter for fail2ban", &["fail2ban-regex"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    fs::write(&log, lines).unwrap();
    let filter = Path::new(ROOT).join("deploy/fail2ban/quizhall.conf");
    let said = printed(program("fail2ban-regex").args(["--out", "ip"]).arg(&log).arg(filter));
    assert_eq!(said.lines().collect::<Vec<_>>(), ["203.0.113.9"; 3]);
}
