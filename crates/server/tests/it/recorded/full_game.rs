//! A full game with only the interface: accounts, a quiz, and a game with plain sockets from its lobby to its deletion.

use serde_json::Value;

use super::kept;
use super::quiz::{QUIZ, answer, bare, overrule, release, string};
use super::recorder::Recorder;
use super::service::{Game, Service};
use crate::process::HOST_TOKEN;
use crate::ws_stage::TIMEOUT;
use crate::ws_wire::Handshake;

const ACCOUNT: &str = r#"{"name":"Ann","password":"long enough"}"#;

/// The players: ids and tokens.
struct Players {
    ann: (String, String),
    ben: (String, String),
}

#[tokio::test]
async fn a_full_game_of_plain_sockets_is_as_recorded() {
    let mut service = Service::start();
    let mut recorder = Recorder::new(&service.server);
    recorder.step("the headers of every answer");
    recorder.common_headers("/livez").await;
    probes(&mut recorder).await;
    let token = accounts(&mut recorder, &service.setup_token).await;
    let quiz = quizzes(&mut recorder, &token).await;
    let game = games(&mut recorder, (&token, &quiz)).await;
    let players = lobby(&mut recorder, &game).await;
    first_round(&mut recorder, &game, &players).await;
    review(&mut recorder, &game, &players).await;
    last_round(&mut recorder, &game).await;
    results(&mut recorder, &game, &players).await;
    stop(&mut recorder, &game, &mut service).await;
    kept::compare("evening.txt", &recorder.text());
}

async fn probes(recorder: &mut Recorder) {
    recorder.step("probes, and what is not there");
    for request in ["GET /livez", "GET /healthz", "GET /readyz", "GET /nowhere", "PUT /join", "GET /api/v1/nowhere"] {
        recorder.http((request, "", "")).await;
    }
}

async fn accounts(recorder: &mut Recorder, setup_token: &str) -> String {
    recorder.step("the first account, by the link of the start");
    let first = |name: &str, password: &str, token: &str| {
        format!(r#"{{"name":"{name}","password":"{password}","setupToken":"{token}"}}"#)
    };
    let wrong = format!("qs_{}", "A".repeat(43));
    for body in [
        first("Ann", "long enough", &wrong),
        first("Ann", "short", setup_token),
        first("", "long enough", setup_token),
        first("Ann", "long enough", setup_token),
        first("Eve", "long enough", setup_token),
    ] {
        recorder.http(("POST /api/v1/hosts", "", &body)).await;
    }
    recorder.step("signing in");
    recorder.http(("POST /api/v1/sessions", "", r#"{"name":"Ann","password":"not the right one"}"#)).await;
    recorder.http(("POST /api/v1/sessions", "", r#"{"name":"Ann"}"#)).await;
    recorder.http(("POST /api/v1/sessions", "", "{")).await;
    let token = string(&recorder.http(("POST /api/v1/sessions", "", ACCOUNT)).await, "/token");
    recorder.http(("GET /api/v1/sessions/current", &token, "")).await;
    recorder.http(("GET /api/v1/sessions/current", HOST_TOKEN, "")).await;
    recorder.http(("GET /api/v1/sessions/current", "", "")).await;

    recorder.step("a second account, renamed, disabled and removed");
    let second = recorder.http(("POST /api/v1/hosts", &token, &ACCOUNT.replace("Ann", "Bert"))).await;
    recorder.http(("POST /api/v1/hosts", &token, ACCOUNT)).await;
    let path = format!("/api/v1/hosts/{}", string(&second, "/id"));
    for change in [r#"{"name":"Berta"}"#, r#"{"name":"ann"}"#, r#"{"disabled":true}"#, r#"{"disabled":"yes"}"#] {
        recorder.http((&format!("PATCH {path}"), &token, change)).await;
    }
    recorder.http(("GET /api/v1/hosts", &token, "")).await;
    for _ in 0..2 {
        recorder.http((&format!("DELETE {path}"), &token, "")).await;
    }
    token
}

/// The id of the recorded quiz.
async fn quizzes(recorder: &mut Recorder, token: &str) -> String {
    recorder.step("quizzes: the sample, and one with everything");
    let sample = recorder.http(("GET /api/v1/quizzes", token, "")).await;
    let quiz = string(&recorder.http(("POST /api/v1/quizzes", token, QUIZ)).await, "/id");
    let path = format!("/api/v1/quizzes/{quiz}");
    recorder.http((&format!("GET {path}"), token, "")).await;
    recorder.http((&format!("PUT {path}"), token, &QUIZ.replace("An evening", "One evening"))).await;
    recorder.http((&format!("DELETE /api/v1/quizzes/{}", string(&sample, "/quizzes/0/id")), token, "")).await;
    recorder.http(("GET /api/v1/quizzes", token, "")).await;
    recorder.http((&format!("GET {path}"), HOST_TOKEN, "")).await;

    recorder.step("quizzes that are refused");
    for (field, wrong) in [
        (r#""type":"text""#, r#""type":"essay""#),
        (r#","tolerance":1.5"#, r#","tolerance":-1"#),
        (r#""correctAnswers":["True"]"#, r#""correctAnswers":[]"#),
        (r#""correctAnswers":["Trombone"]"#, r#""correctAnswers":["Flute"]"#),
        (r#""points":500"#, r#""points":1000001"#),
        (r#""text":"Who wrote Jane Eyre?""#, r#""text":"""#),
        (r#""title":"An evening of Brass & Beyond","#, ""),
    ] {
        assert!(QUIZ.contains(field), "{field}");
        recorder.http(("POST /api/v1/quizzes", token, &QUIZ.replace(field, wrong))).await;
    }
    quiz
}

async fn games(recorder: &mut Recorder, (token, quiz): (&str, &str)) -> Game {
    recorder.step("a game");
    let nothing = r#"{"quizId":"00000000-0000-0000-0000-000000000000"}"#;
    recorder.http(("POST /api/v1/games", token, nothing)).await;
    let game = Game::new(recorder, (token, quiz)).await;
    recorder.http(("GET /api/v1/games", token, "")).await;
    recorder.http((&format!("GET {}", game.path), HOST_TOKEN, "")).await;
    game
}

async fn lobby(recorder: &mut Recorder, game: &Game) -> Players {
    recorder.step("the host and Ann in the lobby");
    game.open(recorder, ("host", &game.token)).await;
    let ann = game.join(recorder, "  Ann   Lee ").await;
    recorder.receive("lobby_update", &["host"]).await;
    game.open(recorder, ("ann", &ann.1)).await;

    recorder.step("names and codes that are refused");
    for (code, name) in [(game.code.as_str(), "ANN lee"), (&game.code, ""), (&game.code, "host"), ("2", "Ben")] {
        let body = format!(r#"{{"gameCode":"{code}","displayName":"{name}"}}"#);
        recorder.http(("POST /join", "", &body)).await;
    }
    recorder.http(("POST /join", "", r#"{"displayName":"Ben"}"#)).await;

    recorder.step("locked and unlocked over HTTP");
    let change = format!("PATCH {}", game.path);
    recorder.http((&change, &game.token, r#"{"locked":true}"#)).await;
    recorder.http(("POST /join", "", &format!(r#"{{"code":"{}","displayName":"Ben"}}"#, game.code))).await;
    recorder.http((&change, &game.token, r#"{"locked":false}"#)).await;

    recorder.step("Ben and Cleo; Cleo goes and comes back");
    let ben = game.join(recorder, "Ben").await;
    recorder.receive("lobby_update", &["host", "ann"]).await;
    game.open(recorder, ("ben", &ben.1)).await;
    let cleo = game.join(recorder, "Cleo").await;
    recorder.receive("lobby_update", &["host", "ann", "ben"]).await;
    game.open(recorder, ("cleo", &cleo.1)).await;
    recorder.leave("cleo").await;
    recorder.receive("lobby_update", &["host", "ann", "ben"]).await;
    game.open(recorder, ("cleo", &cleo.1)).await;
    recorder.receive("lobby_update", &["host", "ann", "ben", "cleo"]).await;

    recorder.step("Cleo is removed");
    let player = format!("DELETE {}/players/{}", game.path, cleo.0);
    recorder.http((&player, &game.token, "")).await;
    recorder.closed(&["cleo"]).await;
    recorder.receive("lobby_update", &["host", "ann", "ben"]).await;
    recorder.http((&player, &game.token, "")).await;
    recorder.http((&format!("GET {}/players", game.path), &game.token, "")).await;
    game.open_v1(recorder, ("cleo", &cleo.1)).await;
    Players { ann, ben }
}

async fn first_round(recorder: &mut Recorder, game: &Game, players: &Players) {
    let all = ["host", "ann", "ben"];
    let [first, second, third] = game.questions[0].as_slice() else { panic!("three questions") };
    recorder.step("the game begins, and a question is opened twice");
    recorder.say("host", &bare("start_game")).await;
    recorder.receive("game_started", &all).await;
    recorder.say("host", &release(first)).await;
    recorder.receive("question_released", &all).await;
    recorder.say("host", &release(first)).await;
    recorder.receive("question_released", &["host"]).await;

    recorder.step("Ann answers, changes her answer, and says it again");
    recorder.say("ann", &answer(first, "Tuba")).await;
    recorder.receive("answer_accepted", &["ann"]).await;
    recorder.receive("scoreboard_update", &["host"]).await;
    for _ in 0..2 {
        recorder.say("ann", &answer(first, "Trombone")).await;
        recorder.receive("answer_accepted", &["ann"]).await;
    }

    recorder.step("two more questions are open at once; Ben answers wrong");
    for question in [second, third] {
        recorder.say("host", &release(question)).await;
        recorder.receive("question_released", &all).await;
    }
    for (question, text) in [(first, "Tuba"), (third, "Non"), (second, "False")] {
        recorder.say("ben", &answer(question, text)).await;
        recorder.receive("answer_accepted", &["ben"]).await;
        recorder.receive("scoreboard_update", &["host"]).await;
    }

    recorder.step("Dan comes late, answers and is removed");
    let dan = game.join(recorder, "Dan").await;
    recorder.receive("lobby_update", &all).await;
    game.open(recorder, ("dan", &dan.1)).await;
    recorder.say("dan", &answer(second, "True")).await;
    recorder.receive("answer_accepted", &["dan"]).await;
    recorder.receive("scoreboard_update", &["host"]).await;
    recorder.http((&format!("DELETE {}/players/{}", game.path, dan.0), &game.token, "")).await;
    recorder.closed(&["dan"]).await;
    recorder.receive("lobby_update", &all).await;
    // One count for each open question, each delayed from the count before by a pause of its own.
    recorder.receive_in_any_order("host", 3).await;

    recorder.step("Ben loses the connection, the host opens a second page");
    recorder.lose("ben");
    game.open(recorder, ("ben", &players.ben.1)).await;
    game.open(recorder, ("host again", &game.token)).await;
    recorder.closed(&["host"]).await;
    recorder.leave("host again").await;
    game.open(recorder, ("host", &game.token)).await;
    recorder.http((&format!("GET {}", game.path), &game.token, "")).await;
}

async fn review(recorder: &mut Recorder, game: &Game, players: &Players) {
    let all = ["host", "ann", "ben"];
    let [first, second, third] = game.questions[0].as_slice() else { panic!("three questions") };
    recorder.step("the round ends");
    recorder.say("host", &bare("end_round")).await;
    recorder.receive("round_ended", &["ann", "ben"]).await;
    recorder.receive("round_review", &["host"]).await;

    recorder.step("markings are overruled: for, against, and of an answer that was not given");
    for (player, question, correct) in [
        (&players.ben, first, true),
        (&players.ann, first, false),
        (&players.ann, second, true),
        (&players.ben, third, true),
    ] {
        recorder.say("host", &overrule(&player.0, question, correct)).await;
        recorder.receive("override_applied", &["host"]).await;
    }
    for (name, player) in [("host", &game.token), ("ann", &players.ann.1)] {
        recorder.leave(name).await;
        game.open(recorder, (name, player)).await;
    }
    recorder.http((&format!("GET {}/results", game.path), &game.token, "")).await;

    recorder.step("the scores are released");
    recorder.say("host", &bare("release_scores")).await;
    recorder.receive("round_leaderboard", &["host"]).await;
    recorder.receive("scoreboard_update", &["ann", "ben"]).await;
    for (name, player) in [("host", &game.token), ("ben", &players.ben.1)] {
        recorder.leave(name).await;
        game.open(recorder, (name, player)).await;
    }
    let late = game.join(recorder, "Emil").await;
    recorder.receive("lobby_update", &all).await;
    game.open(recorder, ("emil", &late.1)).await;
}

async fn last_round(recorder: &mut Recorder, game: &Game) {
    let all = ["host", "ann", "ben", "emil"];
    let [text, number] = game.questions[1].as_slice() else { panic!("two questions") };
    recorder.step("the last round: near misses and tolerated numbers");
    recorder.say("host", &bare("start_next_round")).await;
    for question in [text, number] {
        recorder.say("host", &release(question)).await;
        recorder.receive("question_released", &all).await;
    }
    for (player, question, given) in [
        ("ann", text, "charlotte bronte"),
        ("ben", text, "Bronta"),
        ("emil", text, "  Austen "),
        ("ann", number, "1,610"),
        ("ben", number, "1611 m"),
        ("emil", number, "a lot"),
    ] {
        recorder.say(player, &answer(question, given)).await;
        recorder.receive("answer_accepted", &[player]).await;
        recorder.receive("scoreboard_update", &["host"]).await;
    }
    recorder.say("host", &bare("end_round")).await;
    recorder.receive("round_ended", &["ann", "ben", "emil"]).await;
    recorder.receive("round_review", &["host"]).await;
    recorder.say("host", &bare("release_scores")).await;
    recorder.receive("round_leaderboard", &["host"]).await;
    recorder.receive("scoreboard_update", &["ann", "ben", "emil"]).await;

    recorder.step("the end, and the goodbye after it");
    recorder.say("host", &bare("end_game")).await;
    recorder.receive("game_ended", &all).await;
    recorder.closed(&all).await;
}

async fn results(recorder: &mut Recorder, game: &Game, players: &Players) {
    recorder.step("after the end: sockets, joining, results");
    // No settling here: the close comes without a request.
    recorder.open("ann", (&game.socket(), &Handshake::bearer(&players.ann.1))).await;
    recorder.closed(&["ann"]).await;
    recorder.http(("POST /join", "", &format!(r#"{{"gameCode":"{}","displayName":"Fay"}}"#, game.code))).await;
    recorder.http((&format!("PATCH {}", game.path), &game.token, r#"{"locked":true}"#)).await;
    recorder.http((&format!("GET {}/results", game.path), &game.token, "")).await;
    recorder.http((&format!("GET {}/results.csv", game.path), &game.token, "")).await;
    recorder.http(("GET /api/v1/games", &game.token, "")).await;

    // These are the last requests about this game: after an erasure it is read again, and may be busy until then.
    recorder.step("Ben's data are erased, his answers too");
    let data = format!("DELETE {}/players/{}/data", game.path, players.ben.0);
    recorder.http((&format!("{data}?answers=maybe"), &game.token, "")).await;
    recorder.http((&format!("{data}?answers=true"), &game.token, "")).await;
}

async fn stop(recorder: &mut Recorder, game: &Game, service: &mut Service) {
    recorder.step("a game is deleted while it is open");
    let quiz = recorder.http(("GET /api/v1/quizzes", &game.token, "")).await;
    let open = Game::new(recorder, (&game.token, &string(&quiz, "/quizzes/0/id"))).await;
    open.open(recorder, ("host", &game.token)).await;
    for _ in 0..2 {
        recorder.http((&format!("DELETE {}", open.path), &game.token, "")).await;
    }
    recorder.closed(&["host"]).await;
    recorder.http((&format!("GET {}/results", open.path), &game.token, "")).await;
    open.open_v1(recorder, ("host", &game.token)).await;

    recorder.step("the service stops while a socket is open, and a host signs out before it");
    let last = Game::of_script(recorder).await;
    last.open(recorder, ("host", HOST_TOKEN)).await;
    recorder.http(("DELETE /api/v1/sessions/current", &game.token, "")).await;
    let deleted: Value = recorder.http(("GET /api/v1/games", &game.token, "")).await;
    assert_eq!(deleted["status"], 401);
    crate::process::signal(service.server.id(), "TERM");
    recorder.closed(&["host"]).await;
    let status = service.server.wait(TIMEOUT);
    recorder.step(&format!("its exit code is {}", status.code().unwrap()));
}
