//! A game with the extension `quizhall.v1` and one player without it, who must receive nothing of the extension.

use super::kept;
use super::quiz::{answer, bare, message, overrule, release};
use super::recorder::Recorder;
use super::service::{Game, Service};
use crate::process::HOST_TOKEN;

/// The sockets with the extension; the constant below names all sockets.
const V1: [&str; 3] = ["host", "ann", "cleo"];
const ALL: [&str; 4] = ["host", "ann", "cleo", "ben"];

/// The players: ids and tokens.
struct Players {
    ann: (String, String),
    ben: (String, String),
    cleo: (String, String),
}

#[tokio::test]
async fn a_game_with_the_extension_is_as_recorded() {
    let service = Service::start();
    let mut recorder = Recorder::new(&service.server);
    recorder.step("a game");
    let game = Game::of_script(&mut recorder).await;
    let players = lobby(&mut recorder, &game).await;
    first_round(&mut recorder, &game, &players).await;
    marking(&mut recorder, &game, &players).await;
    held(&mut recorder, &game, &players).await;
    last_round(&mut recorder, &game).await;
    kept::compare("v1.txt", &recorder.text());
}

async fn lobby(recorder: &mut Recorder, game: &Game) -> Players {
    recorder.step("Ann waits for the host, Ben has a plain socket");
    let ann = game.join(recorder, "Ann").await;
    game.open_v1(recorder, ("ann", &ann.1)).await;
    pong(recorder, "ann").await;
    game.open_v1(recorder, ("host", HOST_TOKEN)).await;
    for name in ["host", "host", "ann"] {
        recorder.receive("host_status", &[name]).await;
    }
    pong(recorder, "host").await;
    let ben = game.join(recorder, "Ben").await;
    recorder.receive("lobby_update", &["ann"]).await;
    recorder.receive("room_update", &["host"]).await;
    game.open(recorder, ("ben", &ben.1)).await;
    let cleo = game.join(recorder, "Cleo").await;
    recorder.receive("lobby_update", &["ann", "ben"]).await;
    recorder.receive("room_update", &["host"]).await;
    game.open_v1(recorder, ("cleo", &cleo.1)).await;
    pong(recorder, "cleo").await;

    recorder.step("the host locks the game, twice, and unlocks it");
    for locked in [true, true, false] {
        recorder.say("host", &message("lock_game", &format!(r#"{{"locked":{locked}}}"#))).await;
        recorder.receive("room_update", &["host"]).await;
    }

    recorder.step("Dan joins and is removed, twice");
    let dan = game.join(recorder, "Dan").await;
    recorder.receive("lobby_update", &["ann", "cleo", "ben"]).await;
    recorder.receive("room_update", &["host"]).await;
    game.open_v1(recorder, ("dan", &dan.1)).await;
    pong(recorder, "dan").await;
    let remove = message("remove_player", &format!(r#"{{"playerId":"{}"}}"#, dan.0));
    recorder.say("host", &remove).await;
    recorder.closed(&["dan"]).await;
    recorder.receive("lobby_update", &["ann", "cleo", "ben"]).await;
    recorder.receive("room_update", &["host"]).await;
    recorder.say("host", &remove).await;
    recorder.receive("room_update", &["host"]).await;
    Players { ann, ben, cleo }
}

async fn first_round(recorder: &mut Recorder, game: &Game, players: &Players) {
    let [first, second, _] = game.questions[0].as_slice() else { panic!("three questions") };
    recorder.step("the game begins; who has answered is told to the host");
    recorder.say("host", &bare("start_game")).await;
    recorder.receive("round_started", &V1).await;
    recorder.receive("game_started", &["ben"]).await;
    for question in [first, second] {
        recorder.say("host", &release(question)).await;
        recorder.receive("question_released", &ALL).await;
    }
    for (player, question, text) in
        [("ann", first, "Tuba"), ("ben", first, "Tuba"), ("cleo", first, "Trombone"), ("ben", second, "True")]
    {
        recorder.say(player, &answer(question, text)).await;
        recorder.receive("answer_accepted", &[player]).await;
        recorder.receive("scoreboard_update", &["host"]).await;
    }

    recorder.step("Cleo says goodbye and comes back; the host's page is loaded again");
    recorder.leave("cleo").await;
    recorder.receive("room_update", &["host"]).await;
    game.open_v1(recorder, ("cleo", &players.cleo.1)).await;
    pong(recorder, "cleo").await;
    recorder.receive("room_update", &["host"]).await;
    again(recorder, game, ("host", HOST_TOKEN)).await;
}

async fn marking(recorder: &mut Recorder, game: &Game, players: &Players) {
    let [first, second, _] = game.questions[0].as_slice() else { panic!("three questions") };
    recorder.step("the round ends");
    recorder.say("host", &bare("end_round")).await;
    recorder.receive("round_ended", &["ann", "cleo", "ben"]).await;
    recorder.receive("round_review", &["host"]).await;

    recorder.step("single and group markings, one that touches nothing, and all of them taken back but the first");
    recorder.say("host", &overrule(&players.ann.0, second, true)).await;
    recorder.receive("marking_update", &["host"]).await;
    for texts in [r#"["Tuba","tuba"]"#, r#"["Nobody's"]"#] {
        let payload = format!(r#"{{"questionId":"{first}","answers":{texts},"correct":true}}"#);
        recorder.say("host", &message("mark_answers", &payload)).await;
        recorder.receive("marking_update", &["host"]).await;
    }
    recorder.say("host", &overrule(&players.cleo.0, first, false)).await;
    recorder.receive("marking_update", &["host"]).await;
    again(recorder, game, ("host", HOST_TOKEN)).await;
    for _ in 0..3 {
        recorder.say("host", &bare("undo_marking")).await;
        recorder.receive("marking_update", &["host"]).await;
    }
    let payload = format!(r#"{{"questionId":"{first}","answers":["Tuba"],"correct":true}}"#);
    recorder.say("host", &message("mark_answers", &payload)).await;
    recorder.receive("marking_update", &["host"]).await;
    again(recorder, game, ("ann", &players.ann.1)).await;
}

async fn held(recorder: &mut Recorder, game: &Game, players: &Players) {
    recorder.step("own scores are released, the standings held");
    recorder.say("host", &bare("release_own_scores")).await;
    recorder.receive("round_leaderboard", &["host"]).await;
    recorder.receive("round_scores", &["ann", "cleo"]).await;
    recorder.receive("scoreboard_update", &["ben"]).await;
    again(recorder, game, ("ann", &players.ann.1)).await;
    again(recorder, game, ("host", HOST_TOKEN)).await;
    recorder.lose("ben");
    game.open(recorder, ("ben", &players.ben.1)).await;

    recorder.step("the standings are shown, twice");
    recorder.say("host", &bare("show_standings")).await;
    recorder.receive("scoreboard_update", &["ann", "cleo"]).await;
    recorder.receive("standings_status", &["host"]).await;
    recorder.say("host", &bare("show_standings")).await;
    recorder.receive("standings_status", &["host"]).await;
    again(recorder, game, ("cleo", &players.cleo.1)).await;
}

async fn last_round(recorder: &mut Recorder, game: &Game) {
    let [text, _] = game.questions[1].as_slice() else { panic!("two questions") };
    recorder.step("the last round, with all scores released at once");
    recorder.say("host", &bare("start_next_round")).await;
    recorder.receive("round_started", &V1).await;
    recorder.say("host", &release(text)).await;
    recorder.receive("question_released", &ALL).await;
    recorder.say("ann", &answer(text, "Brontë")).await;
    recorder.receive("answer_accepted", &["ann"]).await;
    recorder.receive("scoreboard_update", &["host"]).await;
    recorder.say("host", &bare("end_round")).await;
    recorder.receive("round_ended", &["ann", "cleo", "ben"]).await;
    recorder.receive("round_review", &["host"]).await;
    recorder.say("host", &bare("release_scores")).await;
    recorder.receive("round_leaderboard", &["host"]).await;
    recorder.receive("scoreboard_update", &["ann", "cleo", "ben"]).await;

    recorder.step("the end, and the goodbye after it");
    recorder.say("host", &bare("end_game")).await;
    recorder.receive("game_ended", &ALL).await;
    recorder.closed(&ALL).await;
    game.open_v1(recorder, ("host", HOST_TOKEN)).await;
    recorder.closed(&["host"]).await;
}

/// Loses the connection and opens it again before the player counts as away.
async fn again(recorder: &mut Recorder, game: &Game, (name, token): (&str, &str)) {
    recorder.lose(name);
    game.open_v1(recorder, (name, token)).await;
    pong(recorder, name).await;
}

/// Asserts that every message of the state sync was received.
async fn pong(recorder: &mut Recorder, name: &str) {
    recorder.say(name, &bare("ping")).await;
    recorder.receive("pong", &[name]).await;
}
