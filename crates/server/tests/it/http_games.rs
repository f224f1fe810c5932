//! Games: creating and reading, games of others, and their results as JSON and CSV.

use quizhall_rules::{Command, LOG_VERSION};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::http_join::host;
use crate::http_stage::{Ask, Evening, SCRIPT, Stage};

/// A name that a spreadsheet would run as a formula.
const HOSTILE: &str = "=HYPERLINK(\"http://x\")";

async fn get(stage: &Stage, path: &str) -> Value {
    stage.send(Ask::get(path).bearer(SCRIPT)).await.json()
}

#[tokio::test]
async fn a_game_says_where_to_join_when_it_was_played_and_who_came_late() {
    let stage = Stage::new().await;
    let quiz = stage.quiz(json!([{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}])).await;
    let last_played = async || {
        let list = get(&stage, "/api/v1/quizzes").await;
        let line = list["quizzes"].as_array().unwrap().iter().find(|line| line["id"] == json!(quiz)).cloned();
        line.unwrap().get("lastPlayedAt").cloned()
    };
    let (id, code) = stage.game_of(&quiz).await;
    let path = format!("/api/v1/games/{id}");
    let game = get(&stage, &path).await;
    assert_eq!(game["joinUrl"], json!(format!("https://quiz.example.org/?code={code}")));
    assert_eq!((&game["phase"], &game["currentRound"], &game["locked"]), (&json!("lobby"), &json!(1), &json!(false)));
    assert_eq!((&game["playerCount"], &game["released"]), (&json!(0), &json!([])));
    assert_eq!(last_played().await, None, "absent, not null");

    stage.join(&code, "Ann").await;
    host(&stage, &id, &[Command::StartGame]).await;
    assert_eq!(last_played().await, Some(game["createdAt"].clone()));
    stage.join(&code, "Ben").await;
    host(&stage, &id, &[Command::EndRound]).await;
    assert_eq!(get(&stage, &path).await.get("latecomers"), None, "absent, not empty");
    let late = stage.join(&code, "Lou").await.json()["playerId"].clone();
    assert_eq!(get(&stage, &path).await["latecomers"], json!([late]));

    stage.send(Ask::new("DELETE", &format!("/api/v1/quizzes/{quiz}")).bearer(SCRIPT)).await;
    assert_eq!(get(&stage, "/api/v1/games").await["games"][0]["quizId"], json!(quiz), "also when the quiz is deleted");
}

/// A node of an earlier version would play another game. The table of the rules has a row for each option.
#[tokio::test]
async fn a_game_with_an_option_waits_until_every_node_is_updated() {
    let stage = Stage::new().await;
    let question = json!({"text": "?", "type": "text", "correctAnswers": ["!"]});
    let body = json!({"title": "More points", "rounds": [{"questions": [question], "wrongPoints": -5}]});
    let of_quiz = stage.send(Ask::post("/api/v1/quizzes", &body).bearer(SCRIPT)).await.json()["id"].clone();
    let plain = json!(stage.quiz(json!([question])).await);
    let create = async |body: Value| stage.send(Ask::post("/api/v1/games", &body).bearer(SCRIPT)).await;
    stage.app.registry.set_oldest_log(0);
    let game = create(json!({"quizId": plain})).await;
    assert_eq!(game.status, 201, "a plain game needs nothing");
    let teams = create(json!({"quizId": plain, "teams": {}})).await;
    assert_eq!(teams.kind(), (409, "older-node".to_owned()));
    let detail = "A node of an earlier version does not know teams. Try again when all nodes run this version.";
    assert_eq!(teams.json()["detail"], detail);
    assert_eq!(create(json!({"quizId": plain, "streaks": true})).await.status, 409, "an option of the game");
    assert_eq!(create(json!({"quizId": of_quiz})).await.status, 409, "an option of its quiz");
    let options = format!("/api/v1/games/{}/options", game.json()["id"].as_str().unwrap());
    let later = Ask::new("PUT", &options).json(&json!({"pace": "question"})).bearer(SCRIPT);
    assert_eq!(stage.send(later.clone()).await.status, 409, "an option that is set later");
    stage.app.registry.set_oldest_log(LOG_VERSION);
    assert_eq!(create(json!({"quizId": of_quiz})).await.status, 201);
    assert_eq!(stage.send(later).await.status, 200);
}

#[tokio::test]
async fn requests_that_cannot_create_a_game_are_refused() {
    let stage = Stage::with(&[("GAMES_PER_HOST", "2")]).await;
    let create = |body: Value| Ask::post("/api/v1/games", &body).bearer(SCRIPT);
    let of_quiz = |status| (status, Some("quizId".to_owned()));
    assert_eq!(stage.send(create(json!({"quizId": Uuid::now_v7()}))).await.field(), of_quiz(404));
    assert_eq!(stage.send(create(json!({"quizId": "x"}))).await.field(), of_quiz(422));
    assert_eq!(stage.send(create(json!({}))).await.field(), of_quiz(422));
    let (id, _) = stage.game().await;
    stage.game().await;
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}])).await;
    assert_eq!(stage.send(create(json!({"quizId": quiz}))).await.kind(), (409, "too-many-games".to_owned()));
    assert_eq!(stage.send(Ask::new("DELETE", &format!("/api/v1/games/{id}")).bearer(SCRIPT)).await.status, 204);
    assert_eq!(stage.send(create(json!({"quizId": quiz}))).await.status, 201);
}

#[tokio::test]
async fn what_belongs_to_a_stranger_is_like_nothing() {
    let stage = Stage::new().await;
    let stranger = stage.host("Eve").await;
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}])).await;
    let (id, code) = stage.game_of(&quiz).await;
    let joined = stage.join(&code, "Ann").await.json();
    let player = joined["playerId"].as_str().unwrap();
    let random = Uuid::now_v7().to_string();
    let game = |tail: &str| format!("/api/v1/games/#{tail}");
    for (own, method, path) in [
        (&id, "GET", game("")),
        (&id, "PATCH", game("")),
        (&id, "DELETE", game("")),
        (&id, "GET", game("/players")),
        (&id, "DELETE", game(&format!("/players/{player}"))),
        (&id, "GET", game("/results")),
        (&id, "GET", game("/results.csv")),
        (&quiz, "GET", "/api/v1/quizzes/#".to_owned()),
        (&quiz, "PUT", "/api/v1/quizzes/#".to_owned()),
        (&quiz, "DELETE", "/api/v1/quizzes/#".to_owned()),
    ] {
        let ask = |id: &str| {
            let ask = Ask::new(method, &path.replace('#', id)).bearer(&stranger);
            match method {
                "PATCH" => ask.json(&json!({"locked": true})),
                "PUT" => ask.json(&json!({"title": "Mine", "rounds": [{"questions": [
                    {"text": "?", "type": "text", "correctAnswers": ["!"]}]}]})),
                _ => ask,
            }
        };
        let none = stage.send(ask(&random)).await.bytes();
        let theirs = stage.send(ask(own)).await;
        assert_eq!((theirs.status, theirs.bytes()), (404, none), "promise 18: {method} {path}");
        assert_eq!(stage.send(ask("x")).await.status, 404, "{method} {path}");
    }
    let of_theirs = Ask::post("/api/v1/games", &json!({"quizId": quiz})).bearer(&stranger);
    assert_eq!(stage.send(of_theirs).await.status, 404);
    let own =
        json!({"title": "Mine", "rounds": [{"questions": [{"text": "?", "type": "text", "correctAnswers": ["!"]}]}]});
    let own = stage.send(Ask::post("/api/v1/quizzes", &own).bearer(&stranger)).await.json()["id"].clone();
    let follows = Ask::post("/api/v1/games", &json!({"quizId": own, "follows": id})).bearer(&stranger);
    assert_eq!(stage.send(follows).await.field(), (404, Some("follows".to_owned())), "a game of another host");
    let game = get(&stage, &format!("/api/v1/games/{id}")).await;
    assert_eq!((&game["locked"], &game["playerCount"]), (&json!(false), &json!(1)), "nothing happened");
    let unknown = Ask::new("DELETE", &format!("/api/v1/games/{id}/players/{random}")).bearer(SCRIPT);
    assert_eq!(stage.send(unknown).await.status, 404, "a player that the own game does not have");
}

#[tokio::test]
async fn results_of_a_whole_game() {
    let stage = Stage::new().await;
    let game = played(&stage).await;
    let reply = game.get("/results").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "application/json"));
    let results = reply.json();
    let board = results["leaderboard"].as_array().unwrap();
    let line = |entry: &Value| (entry["displayName"].clone(), entry["score"].clone(), entry["rank"].clone());
    assert_eq!(line(&board[0]), (json!(HOSTILE), json!(2_000), json!(1)));
    assert_eq!(line(&board[1]), (json!("Bob"), json!(0), json!(2)));
    assert_eq!(results["rounds"][0]["questions"].as_array().unwrap().len(), 1, "one of two was released");
    assert_eq!(results["rounds"][0]["jokers"], json!([game.players[0]]));

    let csv = stage.send(Ask::get(&game.path("/results")).header("accept", "text/csv").bearer(SCRIPT)).await;
    assert_eq!((csv.status, csv.header("content-type")), (200, "text/csv; charset=utf-8"));
    assert!(csv.header("content-disposition").starts_with("attachment; filename=\"quizhall-"));
    assert_eq!(game.get("/results.csv").await.body, csv.body);
    let mut reader = csv::Reader::from_reader(csv.body.as_slice());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let safe = format!("'{HOSTILE}");
    assert_eq!(rows.len(), 4);
    let standing = |row: &csv::StringRecord| [0, 1, 3, 9, 13, 14].map(|column| row[column].to_owned());
    assert_eq!(standing(&rows[0]), ["1", &safe, "2000", "", "standing", "2000"]);
    assert_eq!(standing(&rows[1]), ["2", "Bob", "0", "", "standing", "0"]);
    assert_eq!((&rows[2][0], &rows[2][1], &rows[2][9]), ("1", safe.as_str(), "paris"));
    assert_eq!((&rows[3][1], &rows[3][9], &rows[3][10]), ("Bob", "'=1+1", "false"), "promise 36");

    accept_decides_between_json_and_csv(&game).await;
    let lock = Ask::new("PATCH", &game.path("")).json(&json!({"locked": true})).bearer(SCRIPT);
    assert_eq!(stage.send(lock).await.kind(), (409, "wrong-phase".to_owned()));
    assert_eq!(stage.join(&game.code, "Late").await.kind(), (410, "ended".to_owned()));
}

async fn accept_decides_between_json_and_csv(game: &Evening<'_>) {
    for (accept, is_csv) in [
        ("text/html, Text/CSV;q=0.9, */*;q=0.1", true),
        ("text/csv, application/json", true),
        ("application/json, text/csv", false),
        ("text/csv;q=0", false),
        ("text/csv;q=0.5, application/json", false),
        ("*/*", false),
    ] {
        let ask = Ask::get(&game.path("/results")).header("accept", accept).bearer(SCRIPT);
        let kind = if is_csv { "text/csv; charset=utf-8" } else { "application/json" };
        assert_eq!(game.stage.send(ask).await.header("content-type"), kind, "{accept}");
    }
}

/// One round, one of its two questions released, and two players, the first of whom plays a joker.
async fn played(stage: &Stage) -> Evening<'_> {
    let questions = json!([
        {"text": "Capital of France?", "type": "text", "correctAnswers": ["Paris"]},
        {"text": "Not asked", "type": "text", "correctAnswers": ["x"]},
    ]);
    let body = json!({"title": "Jokers", "rounds": [{"questions": questions, "joker": true}]});
    let quiz = stage.send(Ask::post("/api/v1/quizzes", &body).bearer(SCRIPT)).await.json();
    let game = stage.evening(&json!({"quizId": quiz["id"]}), &[HOSTILE, "Bob"]).await;
    game.player(game.players[0], Command::PlayJoker).await;
    game.host(&[Command::StartGame, Command::ReleaseQuestion { question: game.questions[0] }]).await;
    game.answers(0, &["paris", "=1+1"]).await;
    game.host(&[Command::EndRound, Command::ReleaseScores, Command::EndGame]).await;
    game
}
