//! The extension `quizhall.v1` over real sockets: negotiated in the handshake, and only for clients that asked.

use std::time::Duration;

use quizhall_client::{Carrier, Endpoint, Incoming, Seat, Socket, Token, View};
use quizhall_protocol::from_host::{LockGame, MarkAnswers, RemovePlayer};
use quizhall_protocol::to_host::PlayerStatus;
use quizhall_protocol::{
    CloseCode, Dialect, FromHost, FromPlayer, Role, ServerMessage, ToAll, ToHost, from_host, from_player,
};
use serde_json::{Value, json};
use tokio::time::timeout;
use uuid::Uuid;

use crate::ws_stage::{Game, HOST, Stage, TIMEOUT};
use crate::ws_wire::{Frame, Handshake, Wire, frame};

/// Messages that only sockets with the extension may receive.
const EXTENSION: [&str; 10] = [
    "game_info",
    "round_started",
    "host_status",
    "standings_status",
    "media_preload",
    "room_update",
    "players_answered",
    "answers_marked",
    "marking_update",
    "pong",
];

fn asking(token: &str) -> Handshake {
    Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1")
}

async fn open(stage: &Stage, game: &Game, handshake: &Handshake) -> Wire {
    stage.knock(&format!("/ws/{}", game.code), handshake).await.unwrap()
}

async fn close_after(wire: &mut Wire, message: &Value) -> u16 {
    wire.send(message).await;
    wire.closed().await.0
}

#[tokio::test]
async fn an_extension_exists_only_on_a_socket_that_asked_and_for_its_role() {
    // Each mistake closes a socket.
    let stage = Stage::with(&[("RECONNECTS_PER_SEAT", "100")]).await;
    let game = stage.game().await;
    let player = stage.join(&game, "Ann").await;
    let extension = [
        json!({"type": "mark_answers", "payload": {"questionId": Uuid::nil(), "answers": ["x"], "correct": true}}),
        json!({"type": "undo_marking"}),
        json!({"type": "lock_game", "payload": {"locked": true}}),
        json!({"type": "remove_player", "payload": {"playerId": Uuid::nil()}}),
        json!({"type": "release_own_scores"}),
        json!({"type": "show_standings"}),
    ];
    for extension_message in &extension {
        for token in [HOST, player.as_str()] {
            let mut plain = open(&stage, &game, &Handshake::bearer(token)).await;
            assert_eq!(plain.header("sec-websocket-protocol"), None);
            assert_eq!(
                close_after(&mut plain, extension_message).await,
                CloseCode::UnknownType.number(),
                "{extension_message}"
            );
        }
        let mut asked = open(&stage, &game, &asking(&player)).await;
        assert_eq!(asked.header("sec-websocket-protocol"), Some("quizhall.v1"));
        assert_eq!(
            close_after(&mut asked, extension_message).await,
            CloseCode::WrongRole.number(),
            "{extension_message}"
        );
    }
    let refused = [
        (0, CloseCode::WrongPhase),
        (1, CloseCode::WrongPhase),
        (3, CloseCode::UnknownPlayer),
        (4, CloseCode::WrongPhase),
        (5, CloseCode::WrongPhase),
    ];
    for (number, code) in refused {
        let mut host = open(&stage, &game, &asking(HOST)).await;
        assert_eq!(close_after(&mut host, &extension[number]).await, code.number(), "{}", extension[number]);
    }
}

/// A host or player with the client library, who asked for the extension.
struct Guest {
    socket: Socket,
    view: View,
}

impl Guest {
    async fn new(stage: &Stage, game: &Game, (token, role): (&str, Role)) -> Self {
        let endpoint = Endpoint::parse(&stage.url("")).unwrap();
        let credentials = Seat { code: game.code.clone(), token: Token::new(token), role };
        let opening = Socket::connect_speaking(&endpoint, &credentials, Carrier::Bearer, Dialect::QuizhallV1);
        let mut view = View::new();
        view.connected();
        Self { socket: opening.await.unwrap(), view }
    }

    /// Reads until the view satisfies the condition.
    async fn until(&mut self, what: &str, so: impl Fn(&View) -> bool) {
        while !so(&self.view) {
            self.receive(what).await;
        }
    }

    async fn receive(&mut self, what: &str) -> ServerMessage {
        let received = timeout(TIMEOUT, self.socket.next()).await;
        match received.unwrap_or_else(|_| panic!("never: {what}: {:?}", self.view)).unwrap() {
            Incoming::Message(message) => {
                self.view.apply(&message);
                message
            }
            Incoming::Closed(closed) => panic!("closed instead of {what}: {closed:?}"),
        }
    }

    async fn say(&mut self, message: FromHost) {
        self.socket.send_host(&message).await.unwrap();
    }

    fn id(&self, name: &str) -> Uuid {
        self.view.room.players.iter().find(|player| player.display_name == name).unwrap().id
    }
}

fn counting(view: &View) -> Vec<bool> {
    view.review.iter().map(|entry| entry.correct).collect()
}

/// Question 1 is open; Ann, who has the extension, and Plain, who has not, have given the same answer to it.
async fn both_answer(stage: &Stage, game: &Game, (host, plain): (&mut Guest, &mut Wire)) -> (Guest, Uuid) {
    let question_id: Uuid = stage.questions(game).await[0].parse().unwrap();
    let ann = stage.join(game, "Ann").await;
    let mut ann = Guest::new(stage, game, (&ann, Role::Player)).await;
    host.until("Ann in the room", |view| view.room.players.len() == 2 && view.room.connected == 2).await;
    ann.until("the host's presence", |view| view.host_connected == Some(true)).await;
    host.say(FromHost::StartGame).await;
    host.until("the round", |view| view.round.as_ref().is_some_and(|round| round.question_count == 1)).await;
    host.say(FromHost::ReleaseQuestion(from_host::ReleaseQuestion { question_id })).await;
    ann.until("the question", |view| view.questions.len() == 1).await;
    let answer = FromPlayer::SubmitAnswer(from_player::SubmitAnswer { question_id, answer: "four".to_owned() });
    ann.socket.send_player(&answer).await.unwrap();
    plain.send(&serde_json::to_value(&answer).unwrap()).await;
    let both = |view: &View| view.answered.get(&question_id).is_some_and(|players| players.len() == 2);
    host.until("both answered", both).await;
    (ann, question_id)
}

#[tokio::test]
async fn a_host_with_the_extension_plays_a_full_game_and_a_plain_player_receives_no_extension() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let mut plain = stage.player(&game, "Plain").await;
    let mut host = Guest::new(&stage, &game, (HOST, Role::Host)).await;
    host.until("the room", |view| view.room.players.len() == 1 && view.host_connected == Some(true)).await;
    let (ann, question_id) = both_answer(&stage, &game, (&mut host, &mut plain)).await;

    host.say(FromHost::EndRound).await;
    host.until("the review", |view| counting(view) == [false, false]).await;
    let answers = vec!["four".to_owned()];
    host.say(FromHost::MarkAnswers(MarkAnswers { question_id, answers, correct: true, half: None })).await;
    host.until("the marks", |view| counting(view) == [true, true] && view.undoable == 1).await;
    host.say(FromHost::UndoMarking).await;
    host.until("the marks of before", |view| counting(view) == [false, false] && view.undoable == 0).await;

    host.say(FromHost::LockGame(LockGame { locked: true })).await;
    host.until("the lock", |view| view.room.locked).await;
    let late = json!({"gameCode": game.code, "displayName": "Late"});
    assert_eq!(stage.post("/join", ("", late)).await.0, 423);
    let (id_of_ann, player_id) = (host.id("Ann"), host.id("Plain"));
    ann.socket.close().await;
    let away = |view: &View| view.room.players.iter().any(|player| player.status == PlayerStatus::Disconnected);
    host.until("Ann's absence", away).await;
    host.say(FromHost::RemovePlayer(RemovePlayer { player_id, ban: None })).await;
    host.until("Plain's removal", |view| view.room.players.iter().all(|player| player.id == id_of_ann)).await;

    let mut received = Vec::new();
    let code = loop {
        match plain.next().await {
            Frame::Text(text) => received.push(text),
            Frame::Close(code, _) => break code,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(code, CloseCode::Removed.number());
    assert!(received.iter().any(|text| text.contains("round_ended")), "{received:?}");
    for text in &received {
        assert!(!EXTENSION.iter().any(|kind| text.contains(kind)), "{text}");
    }
}

#[tokio::test]
async fn held_standings_reach_a_player_with_the_extension_when_the_host_shows_them() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let mut plain = stage.player(&game, "Plain").await;
    let mut host = Guest::new(&stage, &game, (HOST, Role::Host)).await;
    host.until("the room", |view| view.room.players.len() == 1 && view.host_connected == Some(true)).await;
    let (mut ann, _) = both_answer(&stage, &game, (&mut host, &mut plain)).await;
    host.say(FromHost::EndRound).await;
    host.until("the review", |view| view.review.len() == 2).await;
    host.say(FromHost::ReleaseOwnScores).await;
    host.until("the board", |view| view.standings_held && view.board.len() == 2).await;
    ann.until("the own results", |view| view.standings_held && view.results.is_some()).await;
    assert!(ann.view.board.is_empty() && ann.view.running.is_empty(), "{:?}", ann.view);
    let mut whole = Vec::new();
    while whole.last().is_none_or(|kind| kind != "scoreboard_update") {
        whole.push(plain.text().await["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(whole[whole.len() - 3..], ["round_leaderboard", "round_scores", "scoreboard_update"]);

    // A player who joins now receives the same in the sync messages.
    let late = stage.join(&game, "Late").await;
    let mut late = Guest::new(&stage, &game, (&late, Role::Player)).await;
    late.until("the results without players", |view| view.standings_held && view.results.is_some()).await;
    assert!(late.view.board.is_empty() && late.view.running.is_empty(), "{:?}", late.view);

    host.say(FromHost::ShowStandings).await;
    host.until("that they are shown", |view| !view.standings_held).await;
    for player in [&mut ann, &mut late] {
        player.until("the standings", |view| view.board.len() == 2 && view.running.len() == 2).await;
        assert!(!player.view.standings_held);
    }
}

#[tokio::test]
async fn players_receive_host_status_when_the_host_has_been_away_for_five_seconds() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let ann = stage.join(&game, "Ann").await;
    let host = Guest::new(&stage, &game, (HOST, Role::Host)).await;
    let mut ann = Guest::new(&stage, &game, (&ann, Role::Player)).await;
    ann.until("the host", |view| view.host_connected == Some(true)).await;
    let since = tokio::time::Instant::now();
    host.socket.close().await;
    ann.until("the host's absence", |view| view.host_connected == Some(false)).await;
    assert!(since.elapsed() >= Duration::from_secs(5), "{:?}", since.elapsed());
    let mut host = Guest::new(&stage, &game, (HOST, Role::Host)).await;
    ann.until("the host again", |view| view.host_connected == Some(true)).await;
    // The first messages of the host, in order.
    let first = host.receive("the first sync message").await;
    assert!(matches!(first, ServerMessage::All(ToAll::HostStatus(_))), "{first:?}");
    let second = host.receive("the room").await;
    assert!(matches!(second, ServerMessage::Host(ToHost::RoomUpdate(_))), "{second:?}");
    let third = host.receive("what is going to be played").await;
    assert!(matches!(third, ServerMessage::All(ToAll::GameInfo(_))), "{third:?}");
    let fourth = host.receive("the lobby").await;
    assert!(matches!(fourth, ServerMessage::All(ToAll::LobbyUpdate(_))), "{fourth:?}");
}

fn ping() -> Vec<u8> {
    frame(0x81, br#"{"type":"ping"}"#)
}

/// The types of all messages up to the first `pong`, included.
async fn received_until_pong(wire: &mut Wire) -> Vec<String> {
    let mut received = Vec::new();
    while received.last().is_none_or(|kind| kind != "pong") {
        let message = wire.text().await;
        if message["type"] == "pong" {
            assert_eq!(message, json!({"type": "pong"}));
        }
        received.push(message["type"].as_str().unwrap().to_owned());
    }
    received
}

/// All messages that arrive before the pong of a protocol ping.
async fn received_meanwhile(wire: &mut Wire) -> Vec<String> {
    wire.raw(&frame(0x89, b"now")).await;
    let mut received = Vec::new();
    loop {
        match wire.next().await {
            Frame::Text(text) => received.push(text),
            Frame::Pong(data) if data == b"now" => return received,
            Frame::Ping(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_first_ping_in_one_piece_with_the_handshake_is_answered_after_the_sync() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let token = stage.join(&game, "Ann").await;
    let mut plain = stage.player(&game, "Plain").await;
    let mut host = stage.host(&game).await;
    host.send(&json!({"type": "start_game"})).await;
    let question = stage.questions(&game).await[0].clone();
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    plain.until("question_released").await;
    plain.send(&json!({"type": "submit_answer", "payload": {"questionId": question, "answer": "x"}})).await;
    host.until("scoreboard_update").await;
    let of_host = ["host_status", "room_update", "round_started", "question_released", "scoreboard_update"];
    let of_host = [&of_host[..], &["players_answered"]].concat();
    let of_player = vec!["host_status", "round_started", "question_released"];
    for (token, expected) in [(HOST, of_host), (&token, of_player)] {
        let mut handshake = asking(token);
        handshake.early = ping().repeat(2);
        let mut asked = open(&stage, &game, &handshake).await;
        let received = received_until_pong(&mut asked).await;
        assert_eq!(received, [&expected[..], &["pong"]].concat());
        assert_eq!(received_until_pong(&mut asked).await, ["pong"]);
    }
    for text in received_meanwhile(&mut plain).await {
        assert!(!text.contains("pong"), "{text}");
    }
}

#[tokio::test]
async fn a_ping_takes_the_forms_of_a_message_without_payload_and_exists_only_where_it_was_agreed_on() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let token = stage.join(&game, "Ann").await;
    for token in [HOST, &token] {
        let mut asked = open(&stage, &game, &asking(token)).await;
        for form in [json!({"type": "ping"}), json!({"type": "ping", "payload": null})] {
            asked.send(&form).await;
            received_until_pong(&mut asked).await;
        }
        for payload in [json!({}), json!({"questionId": 7})] {
            asked.send(&json!({"type": "ping", "payload": payload})).await;
            received_until_pong(&mut asked).await;
        }
        let listed = json!({"type": "ping", "payload": []});
        assert_eq!(close_after(&mut asked, &listed).await, CloseCode::InvalidPayload.number());
        let mut plain = open(&stage, &game, &Handshake::bearer(token)).await;
        assert_eq!(close_after(&mut plain, &json!({"type": "ping"})).await, CloseCode::UnknownType.number());
    }
}

#[tokio::test]
async fn pings_are_answered_one_by_one_and_count_as_messages() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let token = stage.join(&game, "Ann").await;
    let mut asked = open(&stage, &game, &asking(&token)).await;
    asked.raw(&ping().repeat(15)).await;
    received_until_pong(&mut asked).await;
    for _ in 1..15 {
        assert_eq!(received_until_pong(&mut asked).await, ["pong"]);
    }
    // More than a burst, plus what is refilled during a slow test.
    asked.raw(&ping().repeat(200)).await;
    let (mut pongs, code) = (0, CloseCode::RateLimited.number());
    loop {
        match asked.next().await {
            Frame::Text(text) if text == r#"{"type":"pong"}"# => pongs += 1,
            Frame::Close(closed, _) => break assert_eq!(closed, code),
            Frame::Text(_) | Frame::Ping(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!((5..200).contains(&pongs), "{pongs}");
}
