//! The model: what must follow each command, and ranks, scores and reviews worked out by hand.
#![allow(clippy::unwrap_used)]

use quizhall_conformance::stage::command::{Actor, Command};
use quizhall_conformance::stage::model::{Model, Phase};
use quizhall_protocol::FromHost;
use quizhall_protocol::http::games::Game;
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

fn types(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["type"].as_str().unwrap()).collect()
}

fn answer(model: &mut Model, seat: usize, number: usize, text: &str) -> (usize, usize) {
    let command = Command::answer(model.question(number).id, text);
    let effects = model.play(Actor::Player(seat), &command);
    (effects.players[seat].len(), effects.host.len())
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
    assert!(to_host.is_empty() && to_players[0].is_empty());
    assert_eq!((model.phase, model.round), (Phase::Question, 1));
}

#[test]
fn what_stands_follows_the_phase() {
    let mut model = model(&["A", "B"]);
    assert_eq!(types(&model.standing(None)), ["lobby_update"]);
    play(&mut model);
    answer(&mut model, 0, 1, "b");
    let (first, second) = (model.players[0].id, model.players[1].id);
    let released = ["question_released", "question_released"];
    assert_eq!(types(&model.standing(Some(first))), [&released[..], &["answer_accepted"]].concat());
    assert_eq!(types(&model.standing(Some(second))), released);
    assert_eq!(types(&model.standing(None)), [&released[..], &["scoreboard_update", "scoreboard_update"]].concat());
}

#[test]
fn what_a_row_writes_is_read_back_as_meant() {
    let question = Uuid::new_v4();
    let commands =
        [Command::release(question), Command::overrule(question, question, false), Command::answer(question, "é\"")];
    for command in commands {
        assert_eq!(Command::read(&command.text()).unwrap().text(), command.text());
    }
    assert!(Command::read(r#"{"type":"lobby_update"}"#).is_err());
    assert!(Command::read("nonsense").is_err());
}
