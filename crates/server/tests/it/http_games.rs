//! Games: creating, reading, locking, deleting; their players; their results as JSON and CSV.

use quizhall_rules::{Actor, AnswerText, Command, GameId, LOG_VERSION, PlayerId, QuestionId};
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, Executor as _};
use uuid::Uuid;

use crate::http_join::host;
use crate::http_stage::{Ask, SCRIPT, Stage};

#[tokio::test]
async fn a_game_opens_in_its_lobby() {
    let stage = Stage::new().await;
    let quiz = stage.quiz(json!([{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}])).await;
    let reply = stage.send(Ask::post("/api/v1/games", &json!({"quizId": quiz})).bearer(SCRIPT)).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let game = reply.json();
    let code = game["gameCode"].as_str().unwrap();
    assert!(code.len() == 6 && code.bytes().all(|symbol| b"ABCDEFGHJKMNPQRSTUVWXYZ23456789".contains(&symbol)));
    assert_eq!(game["joinUrl"], json!(format!("https://quiz.example.org/?code={code}")));
    assert_eq!((&game["phase"], &game["currentRound"], &game["locked"]), (&json!("lobby"), &json!(1), &json!(false)));
    assert_eq!((&game["playerCount"], &game["released"]), (&json!(0), &json!([])));
    assert_eq!(game["quizId"], json!(quiz));
    assert_eq!(game["rounds"][0]["questions"][0]["correctAnswers"], json!(["4"]));

    let path = format!("/api/v1/games/{}", game["id"].as_str().unwrap());
    assert_eq!(stage.send(Ask::get(&path).bearer(SCRIPT)).await.json(), game);
    // The game has a copy of the quiz, which later changes to the quiz do not affect.
    stage.send(Ask::new("DELETE", &format!("/api/v1/quizzes/{quiz}")).bearer(SCRIPT)).await;
    assert_eq!(stage.send(Ask::get(&path).bearer(SCRIPT)).await.json(), game);
    let list = stage.send(Ask::get("/api/v1/games").bearer(SCRIPT)).await.json();
    assert_eq!((&list["games"][0]["id"], &list["games"][0]["phase"]), (&game["id"], &json!("lobby")));
    assert_eq!(list["games"][0]["quizId"], json!(quiz), "also when the quiz is deleted");
}

/// A node of an earlier version would play another game. The table of the rules has a row for each option.
#[tokio::test]
async fn a_game_with_an_option_waits_until_every_node_is_updated() {
    let stage = Stage::new().await;
    let switched = ["streaks", "speedPoints", "joker", "halfPoints"].map(|option| (option, json!(true)));
    for (option, value) in switched.into_iter().chain([("wrongPoints", json!(-5))]) {
        let questions = json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}]);
        let body = json!({"title": "More points", "rounds": [{"questions": questions, option: value}]});
        let stored = stage.send(Ask::post("/api/v1/quizzes", &body).bearer(SCRIPT)).await.json();
        assert_eq!(stored["rounds"][0][option], value);
        let create = async || {
            stage.send(Ask::post("/api/v1/games", &json!({"quizId": stored["id"]})).bearer(SCRIPT)).await.status
        };
        stage.app.registry.set_oldest_log(0);
        assert_eq!(create().await, 409, "{option}");
        stage.app.registry.set_oldest_log(LOG_VERSION);
        assert_eq!(create().await, 201, "{option}");
    }
    stage.app.registry.set_oldest_log(0);
    let plain = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}])).await;
    let create = async |option: Value| {
        let mut body = json!({"quizId": plain});
        body.as_object_mut().unwrap().extend(option.as_object().unwrap().clone());
        stage.send(Ask::post("/api/v1/games", &body).bearer(SCRIPT)).await
    };
    let teams = create(json!({"teams": {}})).await;
    assert_eq!((teams.status, &teams.json()["type"]), (409, &json!("/problems/older-node")));
    let detail = "A node of an earlier version does not know teams. Try again when all nodes run this version.";
    assert_eq!(teams.json()["detail"], detail);
    assert_eq!(create(json!({"phonesAfterScreen": true})).await.status, 409);
    assert_eq!(create(json!({"streaks": true})).await.status, 409, "also when the quiz has none");
    assert_eq!(create(json!({})).await.status, 201, "a plain game needs nothing");
}

/// The options of a game apply to all of its rounds; the quiz is not changed.
#[tokio::test]
async fn a_game_can_count_streaks_and_speed_whatever_its_quiz_says() {
    let stage = Stage::new().await;
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}])).await;
    for (option, other) in [("streaks", "speedPoints"), ("speedPoints", "streaks")] {
        let create = async |value: Value| {
            stage.send(Ask::post("/api/v1/games", &json!({"quizId": quiz, option: value})).bearer(SCRIPT)).await
        };
        let game = create(json!(true)).await;
        assert_eq!(game.status, 201);
        let round = game.json()["rounds"][0].clone();
        assert_eq!((round.get(option), round.get(other)), (Some(&json!(true)), None));
        assert_eq!(create(json!("yes")).await.status, 422, "{option}");
    }
    let stored = stage.send(Ask::get(&format!("/api/v1/quizzes/{quiz}")).bearer(SCRIPT)).await.json();
    assert_eq!((stored["rounds"][0].get("streaks"), stored["rounds"][0].get("speedPoints")), (None, None));
}

/// The results name the players who doubled a round, and the points they gained by it.
#[tokio::test]
async fn a_joker_is_in_the_results() {
    let stage = Stage::new().await;
    let questions = json!([{"text": "?", "type": "text", "correctAnswers": ["!"], "points": 10}]);
    let body = json!({"title": "Jokers", "rounds": [{"questions": questions, "joker": true}]});
    let quiz = stage.send(Ask::post("/api/v1/quizzes", &body).bearer(SCRIPT)).await.json();
    let (id, code) = stage.game_of(quiz["id"].as_str().unwrap()).await;
    let mut players: Vec<PlayerId> = Vec::new();
    for name in ["Ann", "Bob"] {
        players.push(serde_json::from_value(stage.join(&code, name).await.json()["playerId"].clone()).unwrap());
    }
    let game = stage.send(Ask::get(&format!("/api/v1/games/{id}")).bearer(SCRIPT)).await.json();
    let question: QuestionId = serde_json::from_value(game["rounds"][0]["questions"][0]["id"].clone()).unwrap();
    let handle = stage.app.registry.by_id(serde_json::from_value::<GameId>(json!(id)).unwrap()).await.unwrap().unwrap();
    handle.command(Actor::Player(players[0]), Command::PlayJoker).await.unwrap();
    host(&stage, &id, &[Command::StartGame, Command::ReleaseQuestion { question }]).await;
    for player in &players {
        let answer = AnswerText::parse("!").unwrap();
        let submit = Command::SubmitAnswer { question, answer, elapsed: None };
        handle.command(Actor::Player(*player), submit).await.unwrap();
    }
    let results = stage.send(Ask::get(&format!("/api/v1/games/{id}/results")).bearer(SCRIPT)).await.json();
    let round = &results["rounds"][0];
    assert_eq!(round["jokers"], json!([players[0]]));
    let of = |player: usize| {
        let answer = &round["questions"][0]["answers"][player];
        (answer["points"].clone(), answer.get("jokerPoints").cloned())
    };
    assert_eq!((of(0), of(1)), ((json!(20), Some(json!(10))), (json!(10), None)));
}

#[tokio::test]
async fn a_game_whose_phones_wait_says_so() {
    let stage = Stage::new().await;
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}])).await;
    let create = async |waits: Value| {
        let body = json!({"quizId": quiz, "phonesAfterScreen": waits});
        stage.send(Ask::post("/api/v1/games", &body).bearer(SCRIPT)).await
    };
    let (waiting, plain) = (create(json!(true)).await, create(json!(false)).await);
    assert_eq!((waiting.status, plain.status), (201, 201));
    assert_eq!(waiting.json()["phonesAfterScreen"], json!(true));
    assert_eq!(plain.json().get("phonesAfterScreen"), None);
    let path = format!("/api/v1/games/{}", waiting.json()["id"].as_str().unwrap());
    assert_eq!(stage.send(Ask::get(&path).bearer(SCRIPT)).await.json()["phonesAfterScreen"], json!(true));
    for wrong in [json!("yes"), json!(1), json!([])] {
        assert_eq!(create(wrong).await.status, 422);
    }
}

/// An explanation and a note belong to the author, and the explanation is in the results.
#[tokio::test]
async fn an_explanation_and_a_note_for_the_host_are_stored_and_shown_to_their_host() {
    let stage = Stage::new().await;
    let question =
        json!({"text": "?", "type": "text", "correctAnswers": ["!"], "explanation": "Because.", "hostNote": "Slowly."});
    let quiz = stage.quiz(json!([question])).await;
    let stored = stage.send(Ask::get(&format!("/api/v1/quizzes/{quiz}")).bearer(SCRIPT)).await.json();
    let game = stage.send(Ask::post("/api/v1/games", &json!({"quizId": quiz})).bearer(SCRIPT)).await.json();
    for rounds in [&stored["rounds"], &game["rounds"]] {
        let asked = &rounds[0]["questions"][0];
        assert_eq!((&asked["explanation"], &asked["hostNote"]), (&json!("Because."), &json!("Slowly.")));
    }
    for field in ["explanation", "hostNote"] {
        let mut long = question.clone();
        long[field] = json!("x".repeat(2_001));
        let body = json!({"title": "T", "rounds": [{"questions": [long]}]});
        let refused = stage.send(Ask::post("/api/v1/quizzes", &body).bearer(SCRIPT)).await;
        assert_eq!(refused.status, 422);
        assert!(refused.json().to_string().contains(&format!("rounds[0].questions[0].{field}")), "{}", refused.json());
    }
}

#[tokio::test]
async fn a_quiz_says_when_it_was_last_played() {
    let stage = Stage::new().await;
    let quiz = stage.quiz(json!([{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}])).await;
    let last_played = async || {
        let list = stage.send(Ask::get("/api/v1/quizzes").bearer(SCRIPT)).await.json();
        let line = list["quizzes"].as_array().unwrap().iter().find(|line| line["id"] == json!(quiz)).cloned();
        line.unwrap().get("lastPlayedAt").cloned()
    };
    let (id, _) = stage.game_of(&quiz).await;
    assert_eq!(last_played().await, None, "absent, not null");
    host(&stage, &id, &[Command::StartGame]).await;
    let game = stage.send(Ask::get(&format!("/api/v1/games/{id}")).bearer(SCRIPT)).await.json();
    assert_eq!(last_played().await, Some(game["createdAt"].clone()));
}

#[tokio::test]
async fn players_who_joined_after_the_round_are_named() {
    let stage = Stage::new().await;
    let (id, code) = stage.game().await;
    let latecomers = async || {
        let game = stage.send(Ask::get(&format!("/api/v1/games/{id}")).bearer(SCRIPT)).await.json();
        game.get("latecomers").cloned()
    };
    stage.join(&code, "Ann").await;
    host(&stage, &id, &[Command::StartGame]).await;
    stage.join(&code, "Ben").await;
    host(&stage, &id, &[Command::EndRound]).await;
    assert_eq!(latecomers().await, None, "absent, not empty");
    let late = stage.join(&code, "Lou").await.json()["playerId"].clone();
    assert_eq!(latecomers().await, Some(json!([late])));
}

#[tokio::test]
async fn requests_that_cannot_create_a_game_are_refused() {
    let stage = Stage::with(&[("GAMES_PER_HOST", "2")]).await;
    let create = |body: Value| Ask::post("/api/v1/games", &body).bearer(SCRIPT);
    assert_eq!(stage.send(create(json!({"quizId": Uuid::now_v7()}))).await.field(), (404, Some("quizId".to_owned())));
    assert_eq!(stage.send(create(json!({"quizId": "x"}))).await.field(), (422, Some("quizId".to_owned())));
    assert_eq!(stage.send(create(json!({}))).await.field(), (422, Some("quizId".to_owned())));
    let (id, _) = stage.game().await;
    stage.game().await;
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}])).await;
    assert_eq!(stage.send(create(json!({"quizId": quiz}))).await.kind(), (409, "too-many-games".to_owned()));
    assert_eq!(stage.send(Ask::new("DELETE", &format!("/api/v1/games/{id}")).bearer(SCRIPT)).await.status, 204);
    assert_eq!(stage.send(create(json!({"quizId": quiz}))).await.status, 201);
}

#[tokio::test]
async fn a_strangers_game_is_like_none() {
    let stage = Stage::new().await;
    let stranger = stage.host("Eve").await;
    let (id, code) = stage.game().await;
    let joined = stage.join(&code, "Ann").await.json();
    let player = joined["playerId"].as_str().unwrap();
    let (random, lock) = (Uuid::now_v7().to_string(), json!({"locked": true}));
    for (method, tail) in [
        ("GET", String::new()),
        ("PATCH", String::new()),
        ("DELETE", String::new()),
        ("GET", "/players".to_owned()),
        ("DELETE", format!("/players/{player}")),
        ("GET", "/results".to_owned()),
        ("GET", "/results.csv".to_owned()),
    ] {
        let ask = |id: &str| {
            let ask = Ask::new(method, &format!("/api/v1/games/{id}{tail}")).bearer(&stranger);
            if method == "PATCH" { ask.json(&lock) } else { ask }
        };
        let theirs = stage.send(ask(&id)).await;
        assert_eq!((theirs.status, theirs.bytes()), (404, stage.send(ask(&random)).await.bytes()), "{method} {tail}");
        assert_eq!(stage.send(ask("x")).await.status, 404);
    }
    let game = stage.send(Ask::get(&format!("/api/v1/games/{id}")).bearer(SCRIPT)).await.json();
    assert_eq!((&game["locked"], &game["playerCount"]), (&json!(false), &json!(1)), "nothing happened");
}

#[tokio::test]
async fn a_removed_player_is_not_found() {
    let stage = Stage::new().await;
    let (id, code) = stage.game().await;
    let ann = stage.join(&code, "Ann").await.json();
    stage.join(&code, "Bob").await;
    let path = format!("/api/v1/games/{id}/players");
    let remove = |player: &str| Ask::new("DELETE", &format!("{path}/{player}")).bearer(SCRIPT);
    for _ in 0..2 {
        assert_eq!(stage.send(remove(ann["playerId"].as_str().unwrap())).await.status, 204, "repeating it is no error");
    }
    assert_eq!(stage.send(remove(&Uuid::now_v7().to_string())).await.status, 404);
    let players = stage.send(Ask::get(&path).bearer(SCRIPT)).await.json();
    assert_eq!(players["players"].as_array().unwrap().len(), 1);
    assert_eq!(players["players"][0]["displayName"], json!("Bob"));
    assert_eq!(stage.join(&code, "Ann").await.status, 201, "the name is free again");
}

#[tokio::test]
async fn a_deleted_game_is_not_found() {
    let stage = Stage::new().await;
    let (id, code) = stage.game().await;
    let path = format!("/api/v1/games/{id}");
    assert_eq!(stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await.status, 204);
    for ask in [Ask::get(&path), Ask::new("DELETE", &path), Ask::get(&format!("{path}/results"))] {
        assert_eq!(stage.send(ask.bearer(SCRIPT)).await.status, 404);
    }
    assert_eq!(stage.join(&code, "Ann").await.kind(), (404, "no-such-game".to_owned()));
    assert_eq!(stage.send(Ask::get("/api/v1/games").bearer(SCRIPT)).await.json(), json!({"games": []}));
}

#[tokio::test]
async fn results_of_a_whole_game() {
    let stage = Stage::new().await;
    let (id, hostile) = played(&stage).await;
    let path = format!("/api/v1/games/{id}/results");
    let reply = stage.send(Ask::get(&path).bearer(SCRIPT)).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "application/json"));
    let results = reply.json();
    assert_eq!(results["phase"], json!("ended"));
    let board = results["leaderboard"].as_array().unwrap();
    let line = |entry: &Value| (entry["displayName"].clone(), entry["score"].clone(), entry["rank"].clone());
    assert_eq!(line(&board[0]), (json!(hostile), json!(1_000), json!(1)));
    assert_eq!(line(&board[1]), (json!("Bob"), json!(0), json!(2)));
    let questions = results["rounds"][0]["questions"].as_array().unwrap();
    assert_eq!(questions.len(), 1, "one of two was released");
    assert_eq!(questions[0]["correctAnswer"], json!("Paris"));
    let answers: Vec<_> = questions[0]["answers"].as_array().unwrap().iter().map(|one| one["answer"].clone()).collect();
    assert_eq!(answers, [json!("paris"), json!("=1+1")]);

    let csv = stage.send(Ask::get(&path).header("accept", "text/csv").bearer(SCRIPT)).await;
    assert_eq!((csv.status, csv.header("content-type")), (200, "text/csv; charset=utf-8"));
    assert!(csv.header("content-disposition").starts_with("attachment; filename=\"quizhall-"));
    assert_eq!(stage.send(Ask::get(&format!("{path}.csv")).bearer(SCRIPT)).await.body, csv.body);
    let mut reader = csv::Reader::from_reader(csv.body.as_slice());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let safe = format!("'{hostile}");
    assert_eq!(rows.len(), 4);
    let standing = |row: &csv::StringRecord| [0, 1, 3, 9, 13, 14].map(|column| row[column].to_owned());
    assert_eq!(standing(&rows[0]), ["1", &safe, "1000", "", "standing", "1000"]);
    assert_eq!(standing(&rows[1]), ["2", "Bob", "0", "", "standing", "0"]);
    assert_eq!((&rows[2][0], &rows[2][1], &rows[2][9]), ("1", safe.as_str(), "paris"));
    assert_eq!((&rows[3][1], &rows[3][9], &rows[3][10]), ("Bob", "'=1+1", "false"), "promise 36");
}

#[tokio::test]
async fn results_stay_when_the_code_has_expired() {
    let stage = Stage::new().await;
    let (id, _) = played(&stage).await;
    let path = format!("/api/v1/games/{id}/results");
    let before = stage.send(Ask::get(&path).bearer(SCRIPT)).await.json();
    stage.app.registry.shutdown().await;
    stage.app.store.close().await;
    let file = stage.folder.path().join("q.db");
    let mut other = sqlx::sqlite::SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    other.execute("UPDATE game SET ended_at_ms = ended_at_ms - 172800000").await.unwrap();
    let Stage { folder, .. } = stage;
    let stage = Stage::on(folder, &[]).await;
    assert_eq!(stage.send(Ask::get(&path).bearer(SCRIPT)).await.json(), before);
    let code = before["gameCode"].as_str().unwrap();
    assert_eq!(stage.join(code, "Late").await.kind(), (404, "no-such-game".to_owned()));
}

/// One round, one of its two questions released, and two players, one with a name that a spreadsheet would run as a formula.
async fn played(stage: &Stage) -> (String, &'static str) {
    let name = "=HYPERLINK(\"http://x\")";
    let questions = json!([
        {"text": "Capital of France?", "type": "text", "correctAnswers": ["Paris"]},
        {"text": "Not asked", "type": "text", "correctAnswers": ["x"]},
    ]);
    let (id, code) = stage.game_of(&stage.quiz(questions).await).await;
    let game = stage.send(Ask::get(&format!("/api/v1/games/{id}")).bearer(SCRIPT)).await.json();
    let question = game["rounds"][0]["questions"][0]["id"].clone();
    let question: QuestionId = serde_json::from_value(question).unwrap();
    let mut players: Vec<PlayerId> = Vec::new();
    for name in [name, "Bob"] {
        let joined = stage.join(&code, name).await.json();
        players.push(serde_json::from_value(joined["playerId"].clone()).unwrap());
    }
    host(stage, &id, &[Command::StartGame, Command::ReleaseQuestion { question }]).await;
    let handle = stage.app.registry.by_id(serde_json::from_value::<GameId>(json!(id)).unwrap()).await.unwrap().unwrap();
    for (player, answer) in players.into_iter().zip(["paris", "=1+1"]) {
        let answer = AnswerText::parse(answer).unwrap();
        handle.command(Actor::Player(player), Command::SubmitAnswer { question, answer, elapsed: None }).await.unwrap();
    }
    host(stage, &id, &[Command::EndRound, Command::ReleaseScores, Command::EndGame]).await;
    (id, name)
}
