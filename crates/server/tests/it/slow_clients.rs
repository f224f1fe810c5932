//! Clients that read an answer or send a body too slowly, and many clients at one address: what they hold is available to others again.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::http_media::{PATH, picture};
use crate::time_limits::promised;
use crate::ws_stage::{HOST, Stage, TIMEOUT};
use crate::ws_wire::{Handshake, Wire};

/// How long a body may stay silent, and a download may stall while others wait, plus some time for a busy machine.
const NOTICED: Duration = Duration::from_secs(6);

/// A connection with small buffers, over which this request was sent.
async fn sending(address: SocketAddr, request: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {HOST}\r\n\r\n")
}

/// The beginning of an upload of a megabyte.
fn upload(token: &str) -> String {
    let head = format!("POST {PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n");
    format!("{head}Content-Length: 1000000\r\n\r\n\u{1}")
}

/// All bytes up to the end of the connection, even if it ends with an error.
async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    let _ = timeout(TIMEOUT, stream.read_to_end(&mut all)).await.expect("the connection ends");
    all
}

impl Stage {
    async fn stored(&self, (token, file): (&str, Vec<u8>)) -> (u16, Value) {
        let request = reqwest::Client::new().post(self.url(PATH)).bearer_auth(token).body(file);
        let reply = request.send().await.unwrap();
        let status = reply.status().as_u16();
        (status, serde_json::from_str(&reply.text().await.unwrap()).unwrap())
    }

    async fn account(&self, name: &str) -> String {
        let body = json!({"name": name, "password": "long enough"});
        assert_eq!(self.post("/api/v1/hosts", (HOST, body.clone())).await.0, 201);
        self.post("/api/v1/sessions", ("", body)).await.1["token"].as_str().unwrap().to_owned()
    }
}

/// How many times the limit of this kind was reached in this process, in which other tests run as well.
async fn reached(stage: &Stage, kind: &str) -> u64 {
    let line = format!("quizhall_limits_reached_total{{kind=\"{kind}\"}} ");
    let (_, metrics) = stage.get("/metrics").await;
    metrics.lines().find_map(|text| text.strip_prefix(&line)).unwrap().parse().unwrap()
}

#[tokio::test]
async fn three_hundred_stalled_downloads_stop_no_picture() {
    let stage = Stage::with(&[("SEND_BUFFER", "4KiB")]).await;
    let mut sound = b"OggS\0\x02\0\0\0\0\0\0".to_vec();
    sound.resize(5 << 20, 3);
    let (_, large) = stage.stored((HOST, sound)).await;
    let shown = picture(600_000, 1);
    let (_, small) = stage.stored((HOST, shown.clone())).await;
    let request = get(&format!("{PATH}/{}", large["id"].as_str().unwrap()));
    let mut stalled = Vec::new();
    for _ in 0..300 {
        stalled.push(sending(stage.address(), &request).await);
    }
    // When the head of the last one that has a place has arrived, all downloads have begun or wait for a place.
    let mut head = [0; 12];
    stalled[0].read_exact(&mut head).await.unwrap();
    for _ in 0..5 {
        let begun = Instant::now();
        let read = reqwest::Client::new().get(stage.url(&format!("{PATH}/{}", small["id"].as_str().unwrap())));
        let reply = read.bearer_auth(HOST).send().await.unwrap();
        assert_eq!(reply.status(), 200);
        assert!(reply.bytes().await.unwrap() == shown);
        assert!(begun.elapsed() < promised(NOTICED), "{:?}", begun.elapsed());
    }
    assert!(reached(&stage, "downloads_ended").await > 0);
}

#[tokio::test]
async fn an_answer_that_is_not_read_ends_whatever_it_is() {
    let stage = Stage::with(&[("SEND_BUFFER", "4KiB"), ("ANSWER_TIMEOUT", "300ms")]).await;
    let (_, file) = stage.stored((HOST, picture(2 << 20, 1))).await;
    let question = json!({"text": "x".repeat(900), "type": "text", "correctAnswers": ["y".repeat(300)]});
    let questions: Vec<_> = std::iter::repeat_n(question, 100).collect();
    let quiz = json!({"title": "Long", "rounds": [{"questions": questions}]});
    let (status, quiz) = stage.post("/api/v1/quizzes", (HOST, quiz)).await;
    assert_eq!(status, 201, "{quiz}");
    let of = |what: &Value| what["id"].as_str().unwrap().to_owned();
    let paths = [format!("{PATH}/{}", of(&file)), format!("/api/v1/quizzes/{}", of(&quiz)), "/api/openapi.json".into()];
    for path in paths {
        let whole = reqwest::Client::new().get(stage.url(&path)).bearer_auth(HOST).send().await.unwrap();
        let whole = whole.bytes().await.unwrap().len();
        assert!(whole > 100_000, "{path}: {whole}");
        let before = reached(&stage, "slow_answers").await;
        let (mut stream, begun) = (sending(stage.address(), &get(&path)).await, Instant::now());
        while reached(&stage, "slow_answers").await == before {
            assert!(begun.elapsed() < TIMEOUT, "{path}: the stalled answer is not ended");
        }
        let read = rest(&mut stream).await.len();
        assert!(read < whole, "{path}: {read} of {whole}");
    }
    assert_eq!(stage.get("/healthz").await.0, 200);
}

#[tokio::test]
async fn a_slow_reader_who_keeps_reading_gets_all_of_it() {
    let stage = Stage::with(&[("SEND_BUFFER", "4KiB"), ("ANSWER_TIMEOUT", "1500ms")]).await;
    let (_, file) = stage.stored((HOST, picture(60_000, 1))).await;
    let mut stream = sending(stage.address(), &get(&format!("{PATH}/{}", file["id"].as_str().unwrap()))).await;
    let (begun, mut all) = (tokio::time::Instant::now(), 0);
    // 10 kB in a second.
    for step in 1.. {
        tokio::time::sleep_until(begun + Duration::from_millis(50) * step).await;
        let read = timeout(TIMEOUT, stream.read(&mut [0; 500])).await.unwrap().unwrap();
        assert!(read > 0, "it ends after {all} bytes");
        all += read;
        if all > 60_000 {
            break;
        }
    }
    assert!(begun.elapsed() > Duration::from_secs(3), "twice the time that a client may lag");
}

#[tokio::test]
async fn slow_uploads_of_one_account_leave_places_to_others_and_end_soon() {
    let stage = Stage::new().await;
    let bob = stage.account("Bob").await;
    let begun = Instant::now();
    let mut slow = Vec::new();
    for _ in 0..40 {
        slow.push(sending(stage.address(), &upload(HOST)).await);
    }
    for seed in 0..3 {
        assert_eq!(stage.stored((&bob, picture(100_000, seed))).await.0, 201);
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "while the slow ones are on their way: {:?}", begun.elapsed());
    let mut statuses = Vec::new();
    for stream in &mut slow {
        let mut head = [0; 12];
        timeout(TIMEOUT, stream.read_exact(&mut head)).await.unwrap().unwrap();
        statuses.push(String::from_utf8(head.to_vec()).unwrap());
    }
    assert!(begun.elapsed() < promised(NOTICED + Duration::from_secs(3)), "{:?}", begun.elapsed());
    let of = |status: &str| statuses.iter().filter(|head| head.ends_with(status)).count();
    assert_eq!((of("408"), of("503")), (8, 32), "eight at once, and the waiting time of the others runs out");
    assert_eq!(stage.stored((HOST, picture(1_000, 9))).await.0, 201, "the account has places again");
    assert!(reached(&stage, "slow_bodies").await >= 8 && reached(&stage, "uploads_at_once_per_host").await >= 32);
}

#[tokio::test]
async fn one_address_leaves_places_of_spectators_to_others() {
    let stage = Stage::with(&[("MAX_SPECTATORS", "8"), ("TRUSTED_PROXIES", "127.0.0.1")]).await;
    let game = stage.game().await;
    let allowed = stage.put(&format!("/api/v1/games/{}/spectators", game.id), (HOST, &json!({"allowed": true}))).await;
    assert_eq!(allowed.0, 204);
    let mut watching: Vec<Wire> = Vec::new();
    for address in [[1; 6].as_slice(), &[2]].concat() {
        watching.push(watch(&stage, &game.code, &format!("192.0.2.{address}")).await);
        assert_eq!(watching.last_mut().unwrap().text().await["type"], "screen_update");
    }
    let mut refused = watch(&stage, &game.code, "192.0.2.1").await;
    assert_eq!(refused.closed().await.0, 1_013);
    assert_eq!(watch(&stage, &game.code, "192.0.2.3").await.text().await["type"], "screen_update");
}

/// A new spectator's socket.
async fn watch(stage: &Stage, code: &str, address: &str) -> Wire {
    let (status, spectator) = stage.post("/api/v1/spectators", ("", json!({"gameCode": code}))).await;
    assert_eq!(status, 201, "{spectator}");
    let handshake = Handshake::bearer(spectator["token"].as_str().unwrap())
        .with("Sec-WebSocket-Protocol", "quizhall.v1")
        .with("X-Forwarded-For", address);
    stage.knock(&format!("/ws/{code}"), &handshake).await.unwrap()
}
