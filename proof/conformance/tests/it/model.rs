//! The model: what must follow each command, and ranks, scores and reviews worked out by hand.
#![allow(clippy::unwrap_used)]

use quizhall_conformance::shape::is_extension;
use quizhall_conformance::stage::command::{Actor, Command};
use quizhall_conformance::stage::effects::Effects;
use quizhall_conformance::stage::model::{Model, Phase};
use quizhall_protocol::http::games::Game;
use quizhall_protocol::{Dialect, FromHost};
use serde_json::{Value, json};
use uuid::Uuid;

fn model(players: &[&str]) -> Model {
    let question = |key: &str, points: u32| json!({ "id": Uuid::new_v4(), "text": format!("{key}?"), "type": "text", "correctAnswers": [key], "points": points });
    let game: Game = serde_json::from_value(json!({
        "id": Uuid::new_v4(), "gameCode": "ABC234", "joinUrl": "", "title": "", "phase": "lobby", "currentRound": 1,
        "locked": false, "playerCount": 0, "released": [], "createdAt": "",
        "rounds": [{ "questions": [question("a", 500), question("b", 1_000)] }, { "questions": [question("c", 70)] }],
    }))
    .unwrap();
    let mut model = Model::new(&game).unwrap();
    for name in players {
        model.joined(Uuid::new_v4(), name);
    }
    model
}

fn host(model: &mut Model, message: FromHost) -> (Vec<Value>, Vec<Vec<Value>>) {
    let effects = model.play(Actor::Host, &Command::Host(message));
    (effects.host, effects.players)
}

/// The interface's messages by type.
fn types(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter(|message| !is_extension(message)).map(|message| message["type"].as_str().unwrap()).collect()
}

/// The extension by type.
fn added(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter(|message| is_extension(message)).map(|message| message["type"].as_str().unwrap()).collect()
}

fn answer(model: &mut Model, seat: usize, number: usize, text: &str) -> (usize, usize) {
    let command = Command::answer(model.question(number).id, text);
    let effects = model.play(Actor::Player(seat), &command);
    (types(&effects.players[seat]).len(), types(&effects.host).len())
}

fn play(model: &mut Model) {
    host(model, FromHost::StartGame);
    for number in 0..2 {
        let release = Command::release(model.question(number).id);
        model.play(Actor::Host, &release);
    }
}

#[test]
fn an_answer_is_acknowledged_each_time_and_counted_once() {
    let mut model = model(&["A", "B"]);
    play(&mut model);
    assert_eq!(answer(&mut model, 0, 0, "x"), (1, 1));
    assert_eq!(answer(&mut model, 0, 0, "x"), (1, 0));
    assert_eq!(answer(&mut model, 0, 0, "a"), (1, 0), "a changed answer may be told to the host, it need not");
    assert_eq!(answer(&mut model, 1, 0, "y"), (1, 1));
    let count = model.answer_count(model.question(0).id);
    assert_eq!(count["payload"]["answerCount"], 2);
    assert!(model.answers[0].correct && !model.answers[1].correct);
}

#[test]
fn ranks_are_shared_and_skipped_and_ties_go_by_name() {
    let mut model = model(&["Dora", "Cora", "Bela", "Ada"]);
    play(&mut model);
    for (seat, number, text) in [(0, 1, "b"), (1, 0, "a"), (2, 0, "a"), (3, 0, "wrong")] {
        answer(&mut model, seat, number, text);
    }
    host(&mut model, FromHost::EndRound);
    host(&mut model, FromHost::ReleaseScores);
    let board = model.leaderboard("round_leaderboard");
    let rows: Vec<_> = board["payload"]["leaderboard"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (entry["displayName"].as_str().unwrap(), entry["score"].as_u64().unwrap(), entry["rank"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(rows, [("Dora", 1_000, 1), ("Bela", 500, 2), ("Cora", 500, 2), ("Ada", 0, 4)]);
}

#[test]
fn audiences_and_order_are_those_of_the_interface() {
    let mut model = model(&["A", "B"]);
    let (to_host, to_players) = host(&mut model, FromHost::StartGame);
    assert_eq!((types(&to_host), types(&to_players[1])), (vec!["game_started"], vec!["game_started"]));
    let question = model.question(0).id;
    for expected in [1, 0] {
        let effects = model.play(Actor::Host, &Command::release(question));
        assert_eq!((effects.host.len(), effects.players[0].len()), (1, expected), "the second release is for the host");
    }
    let (to_host, to_players) = host(&mut model, FromHost::EndRound);
    assert_eq!((types(&to_host), types(&to_players[0])), (vec!["round_ended", "round_review"], vec!["round_ended"]));
    let player = model.players[0].id;
    let effects = model.play(Actor::Host, &Command::overrule(player, question, true));
    assert_eq!((types(&effects.host), effects.players[0].len()), (vec!["override_applied"], 0));
    let (to_host, to_players) = host(&mut model, FromHost::ReleaseScores);
    assert_eq!(types(&to_host), ["round_leaderboard"]);
    assert_eq!(types(&to_players[0]), ["round_leaderboard", "round_scores", "scoreboard_update"]);
    assert_eq!(to_players[0][1]["payload"]["roundTotal"], 500, "an override without an answer counts");
    let (to_host, to_players) = host(&mut model, FromHost::StartNextRound);
    assert!(types(&to_host).is_empty() && types(&to_players[0]).is_empty());
    assert_eq!((model.phase, model.round), (Phase::Question, 1));
}

#[test]
fn what_stands_follows_the_phase() {
    let mut model = model(&["A", "B"]);
    assert_eq!(types(&model.sync(None)), ["lobby_update"]);
    play(&mut model);
    answer(&mut model, 0, 1, "b");
    let (first, second) = (model.players[0].id, model.players[1].id);
    let released = ["question_released", "question_released"];
    assert_eq!(types(&model.sync(Some(first))), [&released[..], &["answer_accepted"]].concat());
    assert_eq!(types(&model.sync(Some(second))), released);
    assert_eq!(types(&model.sync(None)), [&released[..], &["scoreboard_update", "scoreboard_update"]].concat());
}

#[test]
fn what_a_row_writes_is_read_back_as_meant() {
    let question = Uuid::new_v4();
    let commands = [
        Command::release(question),
        Command::overrule(question, question, false),
        Command::answer(question, "é\""),
        Command::mark(question, &["é\"", ""], true),
        Command::Host(FromHost::UndoMarking),
        Command::lock(true),
        Command::remove(question),
        Command::Host(FromHost::ReleaseOwnScores),
        Command::Host(FromHost::ShowStandings),
        Command::PING,
    ];
    for command in commands {
        assert_eq!(Command::read(&command.text()).unwrap().text(), command.text());
    }
    assert!(Command::read(r#"{"type":"lobby_update"}"#).is_err());
    assert!(Command::read("nonsense").is_err());
}

#[test]
fn those_who_asked_hear_the_extension_in_their_places() {
    let mut model = model(&["A", "B"]);
    let (to_host, to_players) = host(&mut model, FromHost::StartGame);
    assert_eq!((added(&to_host), added(&to_players[1])), (vec!["round_started"], vec!["round_started"]));
    assert_eq!(Effects::heard(&to_host, Dialect::Interface).len(), 1);
    assert_eq!(Effects::heard(&to_host, Dialect::QuizhallV1), to_host);
    host(&mut model, FromHost::EndRound);
    host(&mut model, FromHost::ReleaseScores);
    let (to_host, _) = host(&mut model, FromHost::StartNextRound);
    let started = json!({ "round": 2, "rounds": 2, "title": "", "questionCount": 1 });
    assert_eq!(to_host[0]["payload"], started);
    let kinds = |player| -> Vec<String> {
        let sync = model.sync_in(Dialect::QuizhallV1, player);
        sync.iter().map(|message| message["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(None), ["host_status", "room_update", "round_started"]);
    assert_eq!(kinds(Some(model.players[0].id)), ["host_status", "round_started"]);
}

fn correct(model: &Model) -> Vec<(&str, bool, bool)> {
    model.answers.iter().map(|answer| (answer.text.as_str(), answer.correct, answer.overridden)).collect()
}

#[test]
fn markings_are_taken_back_one_by_one() {
    let mut model = model(&["A", "B", "C"]);
    play(&mut model);
    for (seat, text) in [(0, "x"), (1, "a"), (2, "x")] {
        answer(&mut model, seat, 0, text);
    }
    host(&mut model, FromHost::EndRound);
    let (question, second) = (model.question(0).id, model.question(1).id);
    let (first, third) = (model.players[0].id, model.players[2].id);
    let undo = Command::Host(FromHost::UndoMarking);
    model.play(Actor::Host, &Command::overrule(first, question, true));
    let marked = model.play(Actor::Host, &Command::mark(question, &["x", "a", "z"], true)).host;
    assert_eq!(marked[0]["payload"]["marks"], json!([{ "playerId": third, "correct": true }]));
    assert_eq!(marked[1]["payload"]["undoable"], 2);
    let nothing = model.play(Actor::Host, &Command::mark(question, &["z"], false)).host;
    assert_eq!((&nothing[0]["payload"]["marks"], &nothing[1]["payload"]["undoable"]), (&json!([]), &json!(2)));
    model.play(Actor::Host, &Command::overrule(third, second, false));
    assert_eq!(correct(&model).len(), 4, "an override without an answer makes one");
    for expected in [
        [("x", true, true), ("a", true, false), ("x", true, true)],
        [("x", true, true), ("a", true, false), ("x", false, false)],
        [("x", false, false), ("a", true, false), ("x", false, false)],
    ] {
        model.play(Actor::Host, &undo);
        assert_eq!(correct(&model), expected);
    }
    assert_eq!(types(&model.play(Actor::Host, &undo).host), Vec::<&str>::new());
    assert_eq!(added(&model.play(Actor::Host, &undo).host), ["marking_update"]);
}

#[test]
fn nothing_of_a_removed_player_stays() {
    let mut model = model(&["A", "B"]);
    play(&mut model);
    answer(&mut model, 0, 0, "x");
    host(&mut model, FromHost::EndRound);
    let (player, question) = (model.players[0].id, model.question(0).id);
    model.play(Actor::Host, &Command::overrule(player, question, true));
    let effects = model.play(Actor::Host, &Command::remove(player));
    assert_eq!(effects.host[0]["payload"]["players"][0]["status"], "gone");
    assert_eq!(effects.host[0]["payload"]["total"], 1);
    assert_eq!((effects.players.len(), model.answers.len(), model.markings.len()), (1, 0, 0));
}

#[test]
fn held_standings_are_sent_to_plain_players_and_shown_to_the_others_later() {
    let mut model = model(&["A", "B"]);
    play(&mut model);
    answer(&mut model, 1, 0, "a");
    host(&mut model, FromHost::EndRound);
    let kinds = |effects: &Effects, dialect| -> Vec<String> {
        effects.to_player(0, dialect).iter().map(|message| message["type"].as_str().unwrap().to_owned()).collect()
    };
    let released = model.play(Actor::Host, &Command::Host(FromHost::ReleaseOwnScores));
    assert_eq!(kinds(&released, Dialect::Interface), ["round_leaderboard", "round_scores", "scoreboard_update"]);
    assert_eq!(kinds(&released, Dialect::QuizhallV1), ["standings_status", "round_scores"]);
    assert_eq!(types(&released.host), ["round_leaderboard"]);
    let sync = model.sync_in(Dialect::QuizhallV1, Some(model.players[0].id));
    assert!(sync.iter().all(|message| !message.to_string().contains("leaderboard")), "{sync:?}");
    let shown = model.play(Actor::Host, &Command::Host(FromHost::ShowStandings));
    assert_eq!(kinds(&shown, Dialect::QuizhallV1), ["standings_status", "round_leaderboard", "scoreboard_update"]);
    assert!(kinds(&shown, Dialect::Interface).is_empty());
    let again = model.play(Actor::Host, &Command::Host(FromHost::ShowStandings));
    assert!(kinds(&again, Dialect::QuizhallV1).is_empty());
    assert_eq!(added(&again.host), ["standings_status"]);
}
