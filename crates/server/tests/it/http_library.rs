//! Tags, the search among quizzes and questions, and the history of questions, over HTTP.

use quizhall_rules::Command;
use serde_json::{Value, json};

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
async fn tags_and_the_report_of_an_import_stay_until_they_are_replaced_and_reach_no_player() {
    let stage = Stage::new().await;
    let mut asked = question("Capital of Peru?", "Lima");
    asked["tags"] = json!(["South America", "Easy"]);
    let mut quiz = quiz("Geography", &json!(["School", "Été"]), &asked);
    quiz["importReport"] = json!(["Row 13: There is no accepted answer.", "Left out of 3 questions: feedback."]);
    let stored = created(&stage, &quiz).await;
    for field in ["tags", "importReport"] {
        assert_eq!(stored[field], quiz[field], "{field}");
    }
    assert_eq!(stored["rounds"][0]["questions"][0]["tags"], asked["tags"]);
    assert_eq!(get(&stage, &path_of(&stored)).await.json(), stored);
    let line = get(&stage, "/api/v1/quizzes").await.json()["quizzes"][0].clone();
    assert_eq!((&line["id"], &line["tags"]), (&stored["id"], &quiz["tags"]));
    assert_eq!((&line["roundCount"], &line["questionCount"]), (&json!(1), &json!(1)));
    let (id, code) = stage.game_of(stored["id"].as_str().unwrap()).await;
    assert!(!stage.join(&code, "Ann").await.text().contains("School"));
    assert!(!get(&stage, &format!("/api/v1/games/{id}/results")).await.text().contains("School"));
    assert!(!get(&stage, &format!("/api/v1/games/{id}")).await.text().contains("importReport"));

    let put = async |body: &Value, field: &str| {
        let replaced = stage.send(Ask::new("PUT", &path_of(&stored)).json(body).bearer(SCRIPT)).await.json();
        assert_eq!(get(&stage, &path_of(&stored)).await.json(), replaced);
        assert_eq!(replaced["createdAt"], stored["createdAt"]);
        replaced.get(field).cloned()
    };
    for field in ["tags", "importReport"] {
        let mut without = quiz.clone();
        without.as_object_mut().unwrap().remove(field);
        assert_eq!(put(&without, field).await, Some(quiz[field].clone()), "a client that does not know {field}");
        without[field] = json!(["Another one"]);
        assert_eq!(put(&without, field).await, Some(json!(["Another one"])), "{field}");
        without[field] = json!([]);
        assert_eq!(put(&without, field).await, None, "{field} is absent, not empty");
    }
}

/// The description has the greatest length and number, which `http_fields.rs` tries.
#[tokio::test]
async fn tags_and_reports_are_texts_of_one_line_and_a_quiz_is_no_larger_than_a_body() {
    let stage = Stage::new().await;
    for (tags, status, place) in [
        (json!(["ä".repeat(40)]), 201, ""),
        (json!(["a", " "]), 422, "[1]"),
        (json!(["a\nb"]), 422, "[0]"),
        (json!(["a,b"]), 422, "[0]"),
        (json!(["a", "A "]), 422, "[1]"),
    ] {
        let of_quiz = quiz("A quiz", &tags, &question("?", "!"));
        let mut tagged = question("?", "!");
        tagged["tags"] = tags.clone();
        let of_question = quiz("A quiz", &json!([]), &tagged);
        for (body, field) in [(of_quiz, "tags"), (of_question, "rounds[0].questions[0].tags")] {
            let reply = stage.send(Ask::post("/api/v1/quizzes", &body).bearer(SCRIPT)).await;
            let named = (status == 422).then(|| reply.field().1).flatten();
            assert_eq!((reply.status, named), (status, (status == 422).then(|| format!("{field}{place}"))), "{tags}");
        }
    }
    for (report, field) in
        [(json!([" "]), "importReport[0]"), (json!(["x", "a\nb"]), "importReport[1]"), (json!("x"), "importReport")]
    {
        let mut reported = quiz("A quiz", &json!([]), &question("?", "!"));
        reported["importReport"] = report;
        let reply = stage.send(Ask::post("/api/v1/quizzes", &reported).bearer(SCRIPT)).await;
        assert_eq!(reply.field(), (422, Some(field.to_owned())));
    }
    let huge = quiz(&"x".repeat(2 << 20), &json!([]), &question("?", "!"));
    let reply = stage.send(Ask::post("/api/v1/quizzes", &huge).bearer(SCRIPT)).await;
    assert_eq!(reply.kind(), (413, "too-large".to_owned()));
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
    let control = get(&stage, "/api/v1/questions?q=limanda%00%0Aperagua&tag=%00").await.json();
    assert_eq!(control["questions"].as_array().unwrap().len(), 1);
    for list in ["questions", "quizzes"] {
        let words = get(&stage, &format!("/api/v1/{list}?q={}", "a+".repeat(11))).await;
        assert_eq!(words.kind(), (400, "bad-request".to_owned()), "{list}: more than ten words");
    }
}

#[tokio::test]
async fn a_question_keeps_its_history_which_names_no_player_and_goes_with_its_games() {
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

    let path = format!("{}/history", path_of(&stored));
    let text = get(&stage, &path).await.text();
    assert!(!text.contains("Ann") && !text.contains("Quito"), "{text}");
    let players = get(&stage, &format!("/api/v1/games/{game}/players")).await.json();
    let player = players["players"][0]["id"].as_str().unwrap().to_owned();
    let erase = Ask::new("DELETE", &format!("/api/v1/games/{game}/players/{player}/data?answers=true"));
    assert_eq!(stage.send(erase.bearer(SCRIPT)).await.status, 204);
    assert_eq!(get(&stage, &path).await.json(), both, "the counts stay");
    let stranger = stage.host("Eve").await;
    assert_eq!(stage.send(Ask::get(&path).bearer(&stranger)).await.kind(), (404, "not-found".to_owned()));
    assert_eq!(stage.send(Ask::new("DELETE", &format!("/api/v1/games/{game}")).bearer(SCRIPT)).await.status, 204);
    let rest = get(&stage, &path).await.json();
    assert_eq!(rest["questions"][0]["games"].as_array().unwrap().len(), 1, "and go with their game");
}

/// Plays a game with the first question of a quiz and three players, who give these answers; returns the game's id.
async fn play(stage: &Stage, quiz: &Value, answers: &[&str]) -> String {
    let game = stage.evening(&json!({"quizId": quiz["id"]}), &["Ann", "Bob", "Cid"]).await;
    game.host(&[Command::StartGame, Command::ReleaseQuestion { question: game.questions[0] }]).await;
    game.answers(0, answers).await;
    game.host(&[Command::EndRound, Command::ReleaseScores, Command::EndGame]).await;
    game.id
}
