//! Refusals on a socket and in its handshake: each wrong message with the close that answers it.

use super::kept;
use super::quiz::{answer, bare, message, overrule, release};
use super::recorder::Recorder;
use super::service::{Game, Service};
use crate::process::HOST_TOKEN;
use crate::ws_wire::{Handshake, frame};

const UNKNOWN_ID: &str = "00000000-0000-0000-0000-000000000000";

/// A socket: its name, its token, and whether it uses the extension.
type Sender<'a> = (&'a str, &'a str, bool);

#[tokio::test]
async fn every_refusal_is_as_recorded() {
    let service = Service::start();
    let mut recorder = Recorder::new(&service.server);
    recorder.step("a game");
    let game = Game::of_script(&mut recorder).await;
    let (ann, token) = game.join(&mut recorder, "Ann").await;
    handshakes(&mut recorder, &game, &token).await;
    bytes(&mut recorder, &game, &token).await;
    envelopes(&mut recorder, &game, &token).await;
    in_lobby(&mut recorder, &game, (&ann, &token)).await;
    in_question(&mut recorder, &game, (&ann, &token)).await;
    in_review(&mut recorder, &game, (&ann, &token)).await;
    kept::compare("breaches.txt", &recorder.text());
}

async fn handshakes(recorder: &mut Recorder, game: &Game, token: &str) {
    recorder.step("sockets that are refused");
    let socket = game.socket();
    let other = Game::of_script(recorder).await;
    let wrong = format!("qh_{}", "A".repeat(43));
    let bearer = Handshake::bearer(token);
    for (path, handshake) in [
        (&socket, Handshake::new()),
        (&socket, Handshake::bearer(&wrong)),
        (&other.socket(), bearer.clone()),
        (&"/ws/222222".to_owned(), bearer.clone()),
        (&socket, bearer.clone().with("Upgrade", "")),
        (&socket, bearer.clone().with("Sec-WebSocket-Key", "")),
        (&socket, bearer.clone().with("Sec-WebSocket-Version", "8")),
        (&socket, bearer.clone().with("Origin", "https://elsewhere.example")),
        (&format!("{socket}?token={wrong}"), bearer.clone()),
    ] {
        recorder.open("refused", (path, &handshake)).await;
    }
    recorder.step("the same for a page, which cannot read a status");
    for (path, token) in [(&socket, wrong.as_str()), (&other.socket(), token), (&"/ws/222222".to_owned(), token)] {
        let handshake = Handshake::bearer(token).with("Origin", "http://localhost");
        recorder.open("page", (path, &handshake)).await;
        recorder.closed(&["page"]).await;
    }
    recorder.step("the token as a parameter, and protocols that are not known");
    let unknown = Handshake::new().with("Sec-WebSocket-Protocol", "chat");
    recorder.open("ann", (&format!("{}?token={token}", socket.to_lowercase()), &unknown)).await;
    recorder.settle("ann").await;
    recorder.step("the same participant again");
    recorder.open("ann again", (&socket, &bearer.with("Sec-WebSocket-Protocol", "chat, quizhall.v1"))).await;
    recorder.closed(&["ann"]).await;
    recorder.receive("lobby_update", &["ann again"]).await;
    recorder.lose("ann again");
}

async fn bytes(recorder: &mut Recorder, game: &Game, token: &str) {
    for (what, bytes) in [
        ("a binary frame", frame(0x82, b"{}")),
        ("a text that is not UTF-8", frame(0x81, b"\xc3\x28")),
        ("a frame without a mask", vec![0x81, 0x02, b'{', b'}']),
        ("a message of 16 KiB and a byte", frame(0x81, &vec![b' '; 16_385])),
        ("a hundred ping frames", (0..100).flat_map(|_| frame(0x89, b"")).collect()),
    ] {
        recorder.step(what);
        game.open(recorder, ("ann", token)).await;
        recorder.raw("ann", &bytes).await;
        recorder.closed(&["ann"]).await;
    }
}

async fn envelopes(recorder: &mut Recorder, game: &Game, token: &str) {
    recorder.step("envelopes, types and payloads");
    let ann = ("ann", token, false);
    for text in ["hello", "[]", r#"{"payload":{}}"#, r#"{"type":1}"#] {
        refused(recorder, game, (ann, text)).await;
    }
    for text in [bare("dance"), bare("round_ended"), bare("ping"), bare("lock_game"), bare("start_game")] {
        refused(recorder, game, (ann, &text)).await;
    }
    for payload in [
        "null".to_owned(),
        r#"{"answer":"x"}"#.to_owned(),
        r#"{"questionId":"1","answer":"x"}"#.to_owned(),
        format!(r#"{{"questionId":"{UNKNOWN_ID}"}}"#),
        format!(r#"{{"questionId":"{UNKNOWN_ID}","answer":""}}"#),
        format!(r#"{{"questionId":"{UNKNOWN_ID}","answer":1}}"#),
        format!(r#"{{"questionId":"{UNKNOWN_ID}","answer":"{}"}}"#, "x".repeat(1_001)),
    ] {
        refused(recorder, game, (ann, &message("submit_answer", &payload))).await;
    }
    recorder.step("the host's first socket, of which everybody who asked is told");
    game.open_v1(recorder, ("host", HOST_TOKEN)).await;
    recorder.receive("host_status", &["host"]).await;
    recorder.receive("host_status", &["host"]).await;
    recorder.leave("host").await;
    for payload in [r#"{"locked":"yes"}"#, "{}"] {
        refused(recorder, game, (("host", HOST_TOKEN, true), &message("lock_game", payload))).await;
    }
}

async fn in_lobby(recorder: &mut Recorder, game: &Game, (ann, token): (&str, &str)) {
    recorder.step("what does not belong into the lobby");
    let question = &game.questions[0][0];
    let marking = message("mark_answers", &format!(r#"{{"questionId":"{question}","answers":["x"],"correct":true}}"#));
    let host = ("host", HOST_TOKEN, true);
    for text in [
        release(question),
        bare("end_round"),
        overrule(ann, question, true),
        bare("release_scores"),
        bare("start_next_round"),
        bare("end_game"),
        marking,
        bare("undo_marking"),
        bare("release_own_scores"),
        bare("show_standings"),
        answer(question, "x"),
        message("remove_player", &format!(r#"{{"playerId":"{UNKNOWN_ID}"}}"#)),
    ] {
        refused(recorder, game, (host, &text)).await;
    }
    refused(recorder, game, (("ann", token, true), &bare("lock_game"))).await;
    refused(recorder, game, (("ann", token, true), &answer(question, "x"))).await;
}

async fn in_question(recorder: &mut Recorder, game: &Game, (_, token): (&str, &str)) {
    recorder.step("what does not belong into a round");
    game.open(recorder, ("host", HOST_TOKEN)).await;
    recorder.say("host", &bare("start_game")).await;
    recorder.receive("game_started", &["host"]).await;
    recorder.leave("host").await;
    let later = &game.questions[1][0];
    for text in [bare("start_game"), release(UNKNOWN_ID), release(later)] {
        refused(recorder, game, (("host", HOST_TOKEN, false), &text)).await;
    }
    for question in [UNKNOWN_ID, &game.questions[0][0]] {
        refused(recorder, game, (("ann", token, false), &answer(question, "x"))).await;
    }
}

async fn in_review(recorder: &mut Recorder, game: &Game, (ann, token): (&str, &str)) {
    recorder.step("what does not belong into a review, and behind the last round");
    let question = &game.questions[0][0];
    game.open(recorder, ("host", HOST_TOKEN)).await;
    recorder.say("host", &release(question)).await;
    recorder.say("host", &bare("end_round")).await;
    recorder.receive("round_review", &["host"]).await;
    recorder.leave("host").await;
    let host = ("host", HOST_TOKEN, false);
    for text in [overrule(UNKNOWN_ID, question, true), overrule(ann, &game.questions[0][1], true), bare("end_round")] {
        refused(recorder, game, (host, &text)).await;
    }
    refused(recorder, game, (("ann", token, false), &answer(question, "x"))).await;
    game.open(recorder, ("host", HOST_TOKEN)).await;
    for turn in ["release_scores", "start_next_round", "end_round", "release_scores"] {
        recorder.say("host", &bare(turn)).await;
    }
    recorder.receive("round_leaderboard", &["host"]).await;
    recorder.receive("round_leaderboard", &["host"]).await;
    recorder.say("host", &bare("start_next_round")).await;
    recorder.closed(&["host"]).await;
}

/// Opens a socket, sends this text and reads up to the close.
async fn refused(recorder: &mut Recorder, game: &Game, ((name, token, v1), text): (Sender<'_>, &str)) {
    if v1 {
        game.open_v1(recorder, (name, token)).await;
        recorder.say(name, &bare("ping")).await;
        recorder.receive("pong", &[name]).await;
    } else {
        game.open(recorder, (name, token)).await;
    }
    recorder.say(name, text).await;
    recorder.closed(&[name]).await;
}
