//! The service as its operator sees it: health, drain, and the log (promises 11 and 21).

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;

use crate::process::{HOST_TOKEN, Launch, Server, signal};
use crate::time_limits::promised;
use crate::ws_stage::{HOST, Stage, TIMEOUT};
use crate::ws_wire::{Frame, Handshake, Wire, frame};

/// How long everything still works during a stop; all that is done meanwhile must fit in on a busy machine.
const LAME_DUCK: Duration = Duration::from_secs(4);

/// Asks until the status is the expected one; how long that took, and the body.
async fn until(stage: &Stage, (path, expected): (&str, u16)) -> (Duration, String) {
    let begun = Instant::now();
    loop {
        let (status, body) = stage.get(path).await;
        if status == expected {
            return (begun.elapsed(), body);
        }
        assert!(begun.elapsed() < TIMEOUT, "{path} stays {status}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_locked_database_is_503_within_3_s_and_200_within_3_s_after() {
    let stage = Stage::new().await;
    assert_eq!(stage.get("/healthz").await, (200, r#"{"status":"ok"}"#.to_owned()));
    let options = SqliteConnectOptions::new().filename(stage.folder.path().join("q.db"));
    let mut other = options.connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let (took, body) = until(&stage, ("/healthz", 503)).await;
    assert!(took < promised(Duration::from_secs(3)), "{took:?}");
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&body["status"], &body["checks"]["database"]), (&json!("unavailable"), &json!("down")));
    assert!(body["reason"].as_str().unwrap().starts_with("database: "), "{body}");
    assert_eq!(stage.get("/readyz").await.0, 503);
    assert_eq!(stage.get("/livez").await.0, 200);
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    let (took, _) = until(&stage, ("/readyz", 200)).await;
    assert!(took < promised(Duration::from_secs(3)), "{took:?}");
    other.close().await.unwrap();
}

#[tokio::test]
async fn a_stop_lets_everything_work_for_a_while_and_then_closes_all_sockets() {
    let stage = Stage::with(&[("DRAIN_LAME_DUCK", "4s")]).await;
    let game = stage.game().await;
    let (mut host, mut player) = (stage.host(&game).await, stage.player(&game, "Ann").await);
    let begun = Instant::now();
    stage.running.stop();
    let (took, body) = until(&stage, ("/readyz", 503)).await;
    assert!(took < LAME_DUCK && body.contains("draining"), "{took:?}: {body}");
    assert_eq!(stage.get("/healthz").await.0, 200);
    host.send(&json!({"type": "start_game"})).await;
    player.until("game_started").await;
    for wire in [&mut host, &mut player] {
        assert_eq!(wire.closed().await, (1_012, "service_restart; retry=0-1".to_owned()));
    }
    assert!(begun.elapsed() >= LAME_DUCK, "not before the lame duck is over");
    let address = stage.address();
    stage.running.finished().await;
    assert!(begun.elapsed() < LAME_DUCK + promised(Duration::from_secs(3)));
    assert!(!knows(address, &game.id), "the port is closed, or another test's server has it");
}

/// Whether the server at this address has this game.
fn knows(address: SocketAddr, game: &str) -> bool {
    let Ok(mut stream) = TcpStream::connect(address) else { return false };
    let head = format!("GET /api/v1/games/{game} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {HOST}\r\n");
    let mut answer = String::new();
    let asked = stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes());
    asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
}

#[tokio::test]
async fn a_socket_that_does_not_answer_does_not_hold_up_the_stop() {
    let stage = Stage::with(&[("DRAIN_SPREAD", "500ms"), ("CLOSE_TIMEOUT", "10s")]).await;
    let game = stage.game().await;
    let mut player = stage.player(&game, "Ann").await;
    let begun = Instant::now();
    stage.running.stop();
    let Frame::Close(code, _) = player.next().await else { panic!("expected a close") };
    assert_eq!(code, 1_012);
    stage.running.finished().await;
    assert!(begun.elapsed() < promised(Duration::from_secs(4)), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn sigterm_ends_the_process_with_0_and_its_log_is_whole() {
    let folder = TempDir::new().unwrap();
    let environment =
        [("LOG_LEVEL", "debug"), ("DRAIN_LAME_DUCK", "0s"), ("DRAIN_SPREAD", "2s"), ("CLOSE_TIMEOUT", "1s")];
    let mut server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let (mut host, mut player) = play(&server).await;
    let status = server.terminate(Duration::from_secs(25));
    assert_eq!(status.code(), Some(0));
    assert_eq!(host.closed().await.0, 1_012);
    assert_eq!(player.closed().await.0, 1_012);
    let mut log = server.log();
    // The last lines may still be on their way through the pipe.
    let begun = Instant::now();
    while !log.iter().any(|line| line.contains(r#""message":"stopped""#)) {
        assert!(begun.elapsed() < TIMEOUT, "the log does not end: {log:#?}");
        log.extend(server.log());
    }
    assert!(log.iter().all(|line| serde_json::from_str::<Value>(line).is_ok_and(|line| line.is_object())));
    let log = log.join("\n");
    assert!(!log.contains(r#""level":"ERROR""#), "{log}");
    for event in ["listening", "answered", "socket opened", r#""type":"submit_answer""#, "stopping", "stopped"] {
        assert!(log.contains(event), "{event} is missing in\n{log}");
    }
}

#[tokio::test]
async fn a_terminal_that_closes_drains_and_does_not_cut_the_stop_short() {
    let folder = TempDir::new().unwrap();
    // The test process may have been started with HUP ignored, which its children inherit.
    let wrapper = ["env", "--default-signal=HUP"];
    let environment = [("DRAIN_LAME_DUCK", "1s"), ("CLOSE_TIMEOUT", "1s")];
    let mut server =
        Server::start(&Launch { environment: &environment, wrapper: &wrapper, ..Launch::new(folder.path()) });
    let _open = play(&server).await;
    let begun = Instant::now();
    signal(server.id(), "HUP");
    signal(server.id(), "HUP");
    assert_eq!(server.wait(TIMEOUT).code(), Some(0));
    assert!(begun.elapsed() >= Duration::from_secs(1), "the lame duck is over");
}

#[test]
fn without_sockets_a_stop_has_nothing_to_wait_for() {
    let folder = TempDir::new().unwrap();
    let mut server = Server::start(&Launch { environment: &[("DRAIN_LAME_DUCK", "5m")], ..Launch::new(folder.path()) });
    assert_eq!(server.terminate(promised(Duration::from_secs(1))).code(), Some(0));
}

#[tokio::test]
async fn a_service_started_to_ignore_hang_up_continues_and_a_second_signal_ends_the_stop_at_once() {
    let folder = TempDir::new().unwrap();
    let ignoring = ["sh", "-c", r#"trap "" HUP; exec "$0" "$@""#];
    let environment = [("DRAIN_LAME_DUCK", "5m")];
    let mut server =
        Server::start(&Launch { environment: &environment, wrapper: &ignoring, ..Launch::new(folder.path()) });
    signal(server.id(), "HUP");
    assert!(
        ask(server.url().strip_prefix("http://").unwrap().parse().unwrap(), "/healthz").starts_with("HTTP/1.1 200")
    );
    let _open = play(&server).await;
    signal(server.id(), "INT");
    assert_eq!(server.terminate(TIMEOUT).code(), Some(3), "the second signal that counts cuts the stop short");
    let log = server.log().join("\n");
    assert!(log.contains(r#""message":"stopping""#) && !log.contains("SIGHUP"), "{log}");
}

/// Uses HTTP and sockets; returns the sockets.
async fn play(server: &Server) -> (Wire, Wire) {
    let http = reqwest::Client::new();
    let post = async |path: &str, body: Value| -> Value {
        let request = http.post(server.url() + path).bearer_auth(HOST_TOKEN).body(body.to_string());
        let response = request.header("content-type", "application/json").send().await.unwrap();
        serde_json::from_str(&response.text().await.unwrap()).unwrap()
    };
    let question = json!({"text": "?", "type": "text", "correctAnswers": ["!"]});
    let quiz = post("/api/v1/quizzes", json!({"title": "Q", "rounds": [{"questions": [question]}]})).await;
    let game = post("/api/v1/games", json!({"quizId": quiz["id"]})).await;
    let code = game["gameCode"].as_str().unwrap();
    let joined = post("/join", json!({"gameCode": code, "displayName": "Ann"})).await;
    let token = joined["sessionToken"].as_str().unwrap().to_owned();
    let address: SocketAddr = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    let open = async |token: &str| {
        let path = format!("/ws/{code}?token={token}");
        Wire::open(address, &path, &Handshake::new()).await.unwrap()
    };
    let (mut host, mut player) = (open(HOST_TOKEN).await, open(&token).await);
    host.send(&json!({"type": "start_game"})).await;
    let id = &quiz["rounds"][0]["questions"][0]["id"];
    host.send(&json!({"type": "release_question", "payload": {"questionId": id}})).await;
    player.until("question_released").await;
    let answer = json!({"questionId": id, "answer": "a guess"});
    player.send(&json!({"type": "submit_answer", "payload": answer})).await;
    player.until("answer_accepted").await;
    player.raw(&frame(0x89, b"ping data")).await;
    (host, player)
}

/// Status line, headers and body of a plain request; empty when the connection was closed instead.
pub fn ask(address: SocketAddr, path: &str) -> String {
    let Ok(mut stream) = TcpStream::connect(address) else { return String::new() };
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let mut answer = Vec::new();
    let _ = stream.write_all(request.as_bytes());
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn a_head_must_arrive_in_time() {
    let stage = Stage::with(&[("HEADER_TIMEOUT", "100ms")]).await;
    let address = stage.address();
    let talk = move |head: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // The connection ends with a reset when the server left something unread.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    };
    let heads = [
        ("half a head", "GET / HTTP/1.1\r\nHost: loc"),
        ("nothing at all", ""),
        ("HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ];
    for (what, head) in heads {
        let answer = tokio::task::spawn_blocking(move || talk(head)).await.unwrap();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{what}: {answer}");
    }
    assert_eq!(stage.get("/healthz").await.0, 200);
}
