//! Promises 17 and 19: secrets with names that can be searched for are used in a whole game at `LOG_LEVEL=debug`. Then every
//! frame, log line, metric and byte of the database is searched for them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::company::{Company, address, answer, question, release, say};
use super::probes::get;
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::ws_wire::{Frame, Handshake, Wire, frame};

const PASSWORD: &str = "canary-password-1";
const IDEMPOTENCY: &str = "canary-idempotency-key-1";
const JUNK_TOKEN: &str = "qp_canary-junk-token";
const NAMES: [&str; 2] = ["Canaryann", "Canarybob"];
const KEYS: [&str; 2] = ["canary-key-one", "canary-key-two"];
/// The key and the text of a question that is never released: no player ever receives them.
const NEVER: [&str; 2] = ["canary-key-never", "canary-text-never"];
/// Part of the text of the second round's question: not sent before that question is released.
const LATER: &str = "canary-text-later";
const ANSWERS: [&str; 2] = ["canary-answer-wrong", "canary-answer-refused"];
const MALFORMED: &str = "canary-malformed";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_leaves_by_frame_log_metric_or_file() {
    let folder = tempfile::tempdir().unwrap();
    let environment =
        &[("LOG_LEVEL", "debug"), ("DRAIN_LAME_DUCK", "0s"), ("CLOSE_TIMEOUT", "1s"), ("DRAIN_SPREAD", "1s")];
    let mut server = Server::start(&Launch { environment, ..Launch::new(folder.path()) });
    let session = sign_in(&server).await;
    let mut company = open(&server).await;
    let keyed = join_with_key(&server, &company.code).await;
    let mut players = Vec::new();
    for number in 0..2 {
        players.push(Ears { wire: knock(&server, &company, number).await, received: Vec::new() });
    }
    let (screen, shown) = open_screen(&server, &company).await;
    play(&server, &company, (&mut players, shown)).await;
    make_mistakes(&server, &company).await;
    let metrics = get(&server, "/metrics").await.1;
    server.terminate(Duration::from_secs(20));
    let log = whole_log(&server);
    // The audit log has the start and the end of a game once, by its id.
    for message in ["a game was started", "a game has ended"] {
        let said: Vec<&String> =
            log.iter().filter(|line| line.contains(&format!(r#""message":"{message}""#))).collect();
        assert!(said.len() == 1 && said[0].contains(&format!(r#""game":"{}""#, company.game)), "{message}: {said:?}");
    }

    company.players.push(super::company::Player { id: uuid::Uuid::nil(), token: keyed });
    let mut secrets = vec![session, HOST_TOKEN.to_owned(), PASSWORD.to_owned(), IDEMPOTENCY.to_owned(), screen];
    secrets.extend(company.players.iter().map(|player| player.token.clone()));
    let words = secrets.iter().map(String::as_str).chain(NAMES).chain(KEYS).chain(NEVER).chain(ANSWERS);
    let words: Vec<&str> = words.chain([LATER, MALFORMED, JUNK_TOKEN, "canary", "Canary"]).collect();
    for line in &log {
        absent(line, &words, "a log line");
    }
    absent(&metrics, &words, "/metrics");
    absent(&metrics, &[&company.code, &company.game.to_string()], "/metrics");
    absent_in_files(folder.path(), &secrets);
}

/// A socket and all frames that it received, byte for byte.
struct Ears {
    wire: Wire,
    received: Vec<String>,
}

impl Ears {
    async fn until(&mut self, kind: &str) {
        self.until_such(kind, |message| message["type"] == kind).await;
    }

    /// For a screen: waits for a picture of this phase.
    async fn until_phase(&mut self, phase: &str) {
        self.until_such(phase, |message| message["payload"]["phase"] == phase).await;
    }

    async fn until_such(&mut self, wanted: &str, is_such: impl Fn(&Value) -> bool) {
        loop {
            match self.wire.next().await {
                Frame::Text(text) => {
                    let found = is_such(&serde_json::from_str::<Value>(&text).unwrap());
                    self.received.push(text);
                    if found {
                        return;
                    }
                }
                other => panic!("waiting for {wanted}: {other:?}"),
            }
        }
    }

    /// None of these words is in any frame received so far.
    fn never_received(&self, words: &[&str]) {
        self.received.iter().for_each(|text| absent(text, words, "a frame"));
    }
}

/// Never sent to a screen: a key that is not released or shown, the text of a later question, and the players' texts.
const NOT_SHOWN: [&str; 7] = [KEYS[0], KEYS[1], NEVER[0], NEVER[1], LATER, ANSWERS[0], "canary-also"];

async fn play(server: &Server, company: &Company, (players, mut screen): (&mut [Ears], Ears)) {
    let mut host = company.host(server).await;
    let (first, second) = (company.rounds[0][0], company.rounds[1][0]);
    say(&mut host, "start_game").await;
    release(&mut host, first).await;
    for (player, text) in players.iter_mut().zip([KEYS[0], ANSWERS[0]]) {
        player.until("question_released").await;
        answer(&mut player.wire, first, text).await;
        player.until("answer_accepted").await;
    }
    say(&mut host, "end_round").await;
    host.until("round_review").await;
    let payload = json!({"playerId": company.players[1].id, "questionId": first, "correct": true});
    host.send(&json!({"type": "override_answer", "payload": payload})).await;
    host.until("override_applied").await;
    for player in players.iter_mut() {
        player.until("round_ended").await;
        player.never_received(&[KEYS[0], KEYS[1], NEVER[0], NEVER[1], LATER, ANSWERS[0], "canary-also"]);
    }
    screen.until_phase("round_review").await;
    screen.never_received(&NOT_SHOWN);
    say(&mut host, "release_scores").await;
    screen.until_phase("leaderboard").await;
    screen.never_received(&NOT_SHOWN[1..]);
    for player in players.iter_mut() {
        player.until("scoreboard_update").await;
        player.never_received(&[KEYS[1], NEVER[0], NEVER[1], LATER, "canary-also"]);
        assert!(
            player.received.iter().any(|text| text.contains(KEYS[0])),
            "now the key is sent: the search can find it"
        );
    }
    // Bob is sent his own words; Ann is sent none of them.
    players[0].never_received(&[ANSWERS[0]]);
    say(&mut host, "start_next_round").await;
    for player in players.iter() {
        player.never_received(&[LATER]);
    }
    release(&mut host, second).await;
    for player in players.iter_mut() {
        player.until("question_released").await;
    }
    say(&mut host, "end_round").await;
    say(&mut host, "release_scores").await;
    say(&mut host, "end_game").await;
    for player in players.iter_mut() {
        player.until("game_ended").await;
        player.never_received(&[NEVER[0], NEVER[1], "canary-also"]);
    }
    screen.until_phase("ended").await;
    screen.never_received(&[NEVER[0], NEVER[1], ANSWERS[0], "canary-also"]);
}

/// Makes mistakes: each is logged, but not the secrets in it.
async fn make_mistakes(server: &Server, company: &Company) {
    let (token, path) = (&company.players[0].token, format!("/ws/{}", company.code));
    let refused = async |path: String, handshake: Handshake| {
        let answer = Wire::open(address(server), &path, &handshake).await;
        absent(&answer.err().expect("refused"), &["canary", JUNK_TOKEN, token], "a refusal");
    };
    refused(format!("{path}?token={JUNK_TOKEN}"), Handshake::new()).await;
    refused(path.clone(), Handshake::bearer(JUNK_TOKEN)).await;
    refused(format!("{path}?token={token}"), Handshake::bearer(JUNK_TOKEN)).await;
    refused(format!("/ws/{MALFORMED}?token={token}"), Handshake::new()).await;
    for text in [
        format!(r#"{{"type":"{MALFORMED}"}}"#),
        format!("{MALFORMED} is not JSON"),
        json!({"type": "submit_answer", "payload": {"questionId": MALFORMED, "answer": ANSWERS[1]}}).to_string(),
        json!({"type": "submit_answer", "payload": {"questionId": company.rounds[0][0], "answer": ANSWERS[1]}})
            .to_string(),
    ] {
        let mut wire = knock(server, company, 0).await;
        wire.raw(&frame(0x81, text.as_bytes())).await;
        let (code, reason) = wire.closed().await;
        assert!((4000..4100).contains(&code), "{code} {reason}");
        absent(&reason, &["canary"], "a close");
    }
    let bodies = [
        ("/join", format!(r#"{{"gameCode":"{MALFORMED}","displayName":"{}"}}"#, NAMES[0])),
        ("/join", format!(r#"{{"displayName": {MALFORMED}"#)),
        ("/api/v1/sessions", json!({"name": NAMES[0], "password": format!("{PASSWORD}-wrong")}).to_string()),
        ("/api/v1/quizzes", json!({"title": 7, "rounds": MALFORMED}).to_string()),
        ("/canary-path?token=canary-query", String::new()),
    ];
    for (path, body) in bodies {
        let (status, text) =
            call(server, (Method::POST, path), &[("authorization", "Bearer canary-bearer")], body).await;
        assert!((400..500).contains(&status), "{path}: {status}");
        absent(&text, &["canary", "Canary"], path);
    }
}

async fn open(server: &Server) -> Company {
    let mut first = question("The first question", KEYS[0]);
    first["correctAnswers"] = json!([KEYS[0], "canary-also"]);
    let rounds = [vec![first, question(NEVER[1], NEVER[0])], vec![question(LATER, KEYS[1])]];
    Company::of(&server.api(), &rounds, &NAMES).await
}

/// Opens a screen; returns its token and its socket.
async fn open_screen(server: &Server, company: &Company) -> (String, Ears) {
    let screen = server.api().add_screen(company.game).await.unwrap();
    let token = screen.url.rsplit_once('/').unwrap().1.to_owned();
    let handshake = Handshake::bearer(&token).with("Sec-WebSocket-Protocol", "quizhall.v1");
    (token, Ears { wire: company.open_socket(server, &handshake).await, received: Vec::new() })
}

/// The first player sends the token in a header, the second as browsers must.
async fn knock(server: &Server, company: &Company, number: usize) -> Wire {
    let token = &company.players[number].token;
    if number == 0 {
        return company.open_socket(server, &Handshake::bearer(token)).await;
    }
    let path = format!("/ws/{}?token={token}", company.code);
    Wire::open(address(server), &path, &Handshake::new()).await.unwrap()
}

/// Creates an account, signs in and uses the session once; returns the session's token.
async fn sign_in(server: &Server) -> String {
    let account = json!({"name": NAMES[0], "password": PASSWORD}).to_string();
    let bearer = format!("Bearer {HOST_TOKEN}");
    let (status, _) =
        call(server, (Method::POST, "/api/v1/hosts"), &[("authorization", &bearer)], account.clone()).await;
    assert_eq!(status, 201);
    let (status, session) = call(server, (Method::POST, "/api/v1/sessions"), &[], account).await;
    assert_eq!(status, 201);
    let token = serde_json::from_str::<Value>(&session).unwrap()["token"].as_str().unwrap().to_owned();
    let bearer = format!("Bearer {token}");
    let (status, _) = call(server, (Method::GET, "/api/v1/games"), &[("authorization", &bearer)], String::new()).await;
    assert_eq!(status, 200);
    token
}

/// Joins with an idempotency key, which returns the token again and is therefore a secret too; returns the player's token.
async fn join_with_key(server: &Server, code: &str) -> String {
    let body = json!({"gameCode": code, "displayName": "Canarycy"}).to_string();
    let (status, joined) = call(server, (Method::POST, "/join"), &[("idempotency-key", IDEMPOTENCY)], body).await;
    assert_eq!(status, 201);
    serde_json::from_str::<Value>(&joined).unwrap()["sessionToken"].as_str().unwrap().to_owned()
}

async fn call(
    server: &Server,
    (method, path): (Method, &str),
    headers: &[(&str, &str)],
    body: String,
) -> (u16, String) {
    let request = Client::new().request(method, format!("{}{path}", server.url())).body(body);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = request.header("content-type", "application/json").send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

/// Every line of the log, up to the last line of an orderly stop.
fn whole_log(server: &Server) -> Vec<String> {
    let end = std::time::Instant::now() + Duration::from_secs(10);
    let mut log = Vec::new();
    while !log.iter().any(|line: &String| line.contains(r#""message":"stopped""#)) {
        assert!(
            std::time::Instant::now() < end,
            "the log ends with {:#?}",
            log.iter().rev().take(4).collect::<Vec<_>>()
        );
        log.extend(server.log());
        std::thread::yield_now();
    }
    for event in ["\"answered\"", "\"socket opened\"", "\"submit_answer\"", "\"socket closed by us\""] {
        assert!(log.iter().any(|line| line.contains(event)), "the level is debug: {event}");
    }
    log
}

fn absent(text: &str, words: &[&str], place: &str) {
    for word in words {
        assert!(!text.contains(word), "{word} in {place}: {text}");
    }
}

/// Neither the words nor, for players' tokens, their bytes are in the files.
fn absent_in_files(folder: &Path, secrets: &[String]) {
    let mut bytes = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        bytes.extend(fs::read(entry.unwrap().path()).unwrap());
    }
    let holds = |wanted: &[u8]| bytes.windows(wanted.len()).any(|window| window == wanted);
    assert!(holds(ANSWERS[0].as_bytes()) && holds(KEYS[0].as_bytes()), "the search finds what is there");
    for secret in secrets {
        assert!(!holds(secret.as_bytes()), "{secret} is stored");
        let Some(encoded) = secret.strip_prefix("qp_").or(secret.strip_prefix("qh_")) else { continue };
        let decoded = URL_SAFE_NO_PAD.decode(encoded).unwrap();
        let (_, random) = decoded.split_at(decoded.len() - 32);
        assert!(!holds(random), "the bytes of a token are stored");
    }
}
