//! Tags, the search among quizzes and questions, and the history of questions, over HTTP.

use quizhall_rules::{Actor, AnswerText, Command, GameId, PlayerId, QuestionId};
use serde_json::{Value, json};

use crate::http_join::host;
use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

fn quiz(title: &str, tags: &Value, question: &Value) -> Value {
    json!({"title": title, "tags": tags, "rounds": [{"title": "Capitals", "questions": [question]}]})
}

fn question(text: &str, answer: &str) -> Value {
    json!({"text": text, "type": "text", "correctAnswers": [answer]})
}

async fn created(stage: &Stage, quiz: &Value) -> Value {
    let reply = stage.send(Ask::post("/api/v1/quizzes", quiz).bearer(SCRIPT)).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}

async fn get(stage: &Stage, path: &str) -> Reply {
    stage.send(Ask::get(path).bearer(SCRIPT)).await
}

fn path_of(quiz: &Value) -> String {
    format!("/api/v1/quizzes/{}", quiz["id"].as_str().unwrap())
}

#[tokio::test]
async fn tags_stay_until_they_are_replaced() {
    let stage = Stage::new().await;
    let mut asked = question("Capital of Peru?", "Lima");
    asked["tags"] = json!(["South America", "Easy"]);
    let quiz = quiz("Geography", &json!(["School", "Été"]), &asked);
    let stored = created(&stage, &quiz).await;
    assert_eq!(stored["tags"], quiz["tags"]);
    assert_eq!(stored["rounds"][0]["questions"][0]["tags"], asked["tags"]);
    assert_eq!(get(&stage, &path_of(&stored)).await.json(), stored);
    let line = get(&stage, "/api/v1/quizzes").await.json()["quizzes"][0].clone();
    assert_eq!((&line["id"], &line["tags"]), (&stored["id"], &quiz["tags"]));

    let put = async |body: &Value| {
        let replaced = stage.send(Ask::new("PUT", &path_of(&stored)).json(body).bearer(SCRIPT)).await.json();
        assert_eq!(get(&stage, &path_of(&stored)).await.json(), replaced);
        replaced.get("tags").cloned()
    };
    let mut untagged = quiz.clone();
    untagged.as_object_mut().unwrap().remove("tags");
    assert_eq!(put(&untagged).await, Some(json!(["School", "Été"])), "a client that does not know tags keeps them");
    untagged["tags"] = json!([]);
    assert_eq!(put(&untagged).await, None, "absent, not empty");
}

#[tokio::test]
async fn tags_have_limits() {
    let stage = Stage::new().await;
    let most: Vec<String> = (0..20).map(|at| format!("{at}{}", "ä".repeat(38))).collect();
    let many: Vec<String> = (0..21).map(|at| at.to_string()).collect();
    for (tags, status, field) in [
        (json!(most), 201, None),
        (json!(many), 422, Some("")),
        (json!(["x".repeat(41)]), 422, Some("[0]")),
        (json!(["a", " "]), 422, Some("[1]")),
        (json!(["a\nb"]), 422, Some("[0]")),
        (json!(["a,b"]), 422, Some("[0]")),
        (json!(["a", "A "]), 422, Some("[1]")),
    ] {
        let of_quiz = quiz("A quiz", &tags, &question("?", "!"));
        let mut tagged = question("?", "!");
        tagged["tags"] = tags.clone();
        let of_question = quiz("A quiz", &json!([]), &tagged);
        for (body, place) in [(of_quiz, "tags"), (of_question, "rounds[0].questions[0].tags")] {
            let reply = stage.send(Ask::post("/api/v1/quizzes", &body).bearer(SCRIPT)).await;
            let named = (status == 422).then(|| reply.field().1).flatten();
            assert_eq!((reply.status, named), (status, field.map(|end| format!("{place}{end}"))), "{tags}");
        }
    }
}

#[tokio::test]
async fn a_player_is_sent_no_tag() {
    let stage = Stage::new().await;
    let mut asked = question("?", "!");
    asked["tags"] = json!(["Secret"]);
    let stored = created(&stage, &quiz("A quiz", &json!(["Secret"]), &asked)).await;
    let (id, code) = stage.game_of(stored["id"].as_str().unwrap()).await;
    assert!(!stage.join(&code, "Ann").await.text().contains("Secret"));
    assert!(!get(&stage, &format!("/api/v1/games/{id}/results")).await.text().contains("Secret"));
}

#[tokio::test]
async fn quizzes_and_questions_are_found_as_answers_are_compared() {
    let stage = Stage::new().await;
    let mut peru = question("Which city is the capital of Perágua?", "Limanda");
    peru["tags"] = json!(["América"]);
    let first = created(&stage, &quiz("Géographie", &json!(["School"]), &peru)).await;
    let second = created(&stage, &quiz("Straßen", &json!([]), &question("Wo liegt die Reeperbahn?", "Hamburg"))).await;
    let ids = async |path: &str, list: &str, id: &str| {
        let reply = get(&stage, path).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()[list].as_array().unwrap().iter().map(|line| line[id].clone()).collect::<Vec<_>>()
    };
    for (query, expected) in [
        ("q=geographie", &first),
        ("q=STRASSEN", &second),
        ("q=limanda%20capital", &first),
        ("q=paraguabahn", &Value::Null),
        ("q=%20reeper%20%20hamburg%20", &second),
        ("tag=school", &first),
        ("tag=SCHOOL&q=peragua", &first),
        ("tag=america", &Value::Null),
    ] {
        let found = ids(&format!("/api/v1/quizzes?{query}"), "quizzes", "id").await;
        let expected: Vec<Value> = expected.get("id").into_iter().cloned().collect();
        assert_eq!(found, expected, "{query}");
    }
    for (query, expected) in [
        ("q=PERAGUA", &first),
        ("q=hamburg", &second),
        ("q=geographie", &Value::Null),
        ("tag=america", &first),
        ("tag=school&q=limanda", &first),
    ] {
        let found = ids(&format!("/api/v1/questions?{query}"), "questions", "quizId").await;
        let expected: Vec<Value> = expected.get("id").into_iter().cloned().collect();
        assert_eq!(found, expected, "{query}");
    }
    let found = get(&stage, "/api/v1/questions?q=limanda").await.json()["questions"][0].clone();
    assert_eq!((&found["quizTitle"], &found["question"]), (&first["title"], &first["rounds"][0]["questions"][0]));
    let stranger = stage.host("Eve").await;
    let theirs = stage.send(Ask::get("/api/v1/questions?q=limanda").bearer(&stranger)).await.json();
    assert_eq!(theirs, json!({"questions": []}));
    assert_eq!(stage.send(Ask::get("/api/v1/questions")).await.status, 401);
}

#[tokio::test]
async fn a_search_has_pages_and_limits() {
    let stage = Stage::new().await;
    let questions: Vec<Value> = (0..5).map(|at| question(&format!("Needle {at}?"), "x")).collect();
    stage.quiz(json!(questions)).await;
    let mut texts = Vec::new();
    let mut next = String::new();
    loop {
        let page = get(&stage, &format!("/api/v1/questions?q=needle&limit=2{next}")).await.json();
        let found = page["questions"].as_array().unwrap();
        texts.extend(found.iter().map(|found| found["question"]["text"].as_str().unwrap().to_owned()));
        let Some(cursor) = page.get("next") else { break };
        next = format!("&cursor={}", cursor.as_str().unwrap());
    }
    assert_eq!(texts, (0..5).map(|at| format!("Needle {at}?")).collect::<Vec<_>>());
    for query in ["a+".repeat(11), "x".repeat(201)] {
        for list in ["questions", "quizzes"] {
            let reply = get(&stage, &format!("/api/v1/{list}?q={query}")).await;
            assert_eq!(reply.kind(), (400, "bad-request".to_owned()));
        }
    }
    let control = get(&stage, "/api/v1/questions?q=needle%00%0A4&tag=%00").await.json();
    assert_eq!(control["questions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_question_keeps_its_history_when_it_is_edited_and_copied() {
    let stage = Stage::new().await;
    let stored = created(&stage, &quiz("Geography", &json!([]), &question("Capitol of Peru?", "Lima"))).await;
    let history = async |quiz: &Value| get(&stage, &format!("{}/history", path_of(quiz))).await.json();
    assert_eq!(history(&stored).await, json!({"questions": []}));
    let game = play(&stage, &stored, &["lima", "Quito"]).await;
    let shown = history(&stored).await;
    let id = &stored["rounds"][0]["questions"][0]["id"];
    let asked = &shown["questions"][0]["games"][0];
    assert_eq!((&shown["questions"][0]["questionId"], &asked["gameId"]), (id, &json!(game)));
    assert_eq!((&asked["title"], &asked["players"]), (&json!("Geography"), &json!(3)));
    assert_eq!((&asked["answered"], &asked["right"], shown.get("pending")), (&json!(2), &json!(1), None));

    let mut edited = json!({"title": "Geography", "rounds": stored["rounds"]});
    edited["rounds"][0]["questions"][0]["text"] = json!("Capital of Peru?");
    edited["rounds"][0]["questions"].as_array_mut().unwrap().push(question("New?", "x"));
    let reply = stage.send(Ask::new("PUT", &path_of(&stored)).json(&edited).bearer(SCRIPT)).await;
    assert_eq!(&reply.json()["rounds"][0]["questions"][0]["id"], id);
    assert_eq!(history(&stored).await, shown);
    edited["rounds"][0]["questions"][1] = edited["rounds"][0]["questions"][0].clone();
    let copy = created(&stage, &edited).await;
    assert_eq!(history(&copy).await, shown);
    let questions = &copy["rounds"][0]["questions"];
    assert_eq!(&questions[0]["id"], id);
    assert_ne!(questions[0]["id"], questions[1]["id"], "the second question with the same id gets another one");

    play(&stage, &copy, &["Lima"]).await;
    let both = history(&stored).await;
    let games = both["questions"][0]["games"].as_array().unwrap();
    assert_eq!(games.iter().map(|game| game["right"].clone()).collect::<Vec<_>>(), [json!(1), json!(1)]);
    assert_eq!(history(&copy).await["questions"].as_array().unwrap().len(), 1, "the duplicate was not released");
}

#[tokio::test]
async fn a_history_names_no_player_and_goes_with_its_game() {
    let stage = Stage::new().await;
    let stored = created(&stage, &quiz("Geography", &json!([]), &question("Capital of Peru?", "Lima"))).await;
    let path = format!("{}/history", path_of(&stored));
    let game = play(&stage, &stored, &["Quito by Ann"]).await;
    let shown = get(&stage, &path).await;
    assert!(!shown.text().contains("Ann") && !shown.text().contains("Quito"));
    let players = get(&stage, &format!("/api/v1/games/{game}/players")).await.json();
    let player = players["players"][0]["id"].as_str().unwrap().to_owned();
    let erase = Ask::new("DELETE", &format!("/api/v1/games/{game}/players/{player}/data?answers=true"));
    assert_eq!(stage.send(erase.bearer(SCRIPT)).await.status, 204);
    assert_eq!(get(&stage, &path).await.json(), shown.json(), "the counts stay");

    let stranger = stage.host("Eve").await;
    assert_eq!(stage.send(Ask::get(&path).bearer(&stranger)).await.kind(), (404, "not-found".to_owned()));
    assert_eq!(stage.send(Ask::new("DELETE", &format!("/api/v1/games/{game}")).bearer(SCRIPT)).await.status, 204);
    assert_eq!(get(&stage, &path).await.json(), json!({"questions": []}));
}

/// Plays a game with the first question of a quiz and three players, who give these answers; returns the game's id.
async fn play(stage: &Stage, quiz: &Value, answers: &[&str]) -> String {
    let (id, code) = stage.game_of(quiz["id"].as_str().unwrap()).await;
    let question: QuestionId = serde_json::from_value(quiz["rounds"][0]["questions"][0]["id"].clone()).unwrap();
    let mut players = Vec::new();
    for name in ["Ann", "Bob", "Cid"] {
        let joined = stage.join(&code, name).await.json();
        players.push(serde_json::from_value::<PlayerId>(joined["playerId"].clone()).unwrap());
    }
    host(stage, &id, &[Command::StartGame, Command::ReleaseQuestion { question }]).await;
    let game: GameId = serde_json::from_value(json!(id)).unwrap();
    let handle = stage.app.registry.by_id(game).await.unwrap().unwrap();
    for (player, answer) in players.iter().zip(answers) {
        let answer = AnswerText::parse(answer).unwrap();
        handle
            .command(Actor::Player(*player), Command::SubmitAnswer { question, answer, elapsed: None })
            .await
            .unwrap();
    }
    host(stage, &id, &[Command::EndRound, Command::ReleaseScores, Command::EndGame]).await;
    id
}
