//! Quizzes: create, read, replace, delete; ownership; and the errors for an invalid quiz.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::http_stage::{Ask, SCRIPT, Stage};

fn quiz() -> Value {
    json!({
        "title": "A quiz",
        "rounds": [{"title": "One", "questions": [
            {"text": "Capital of France?", "type": "text", "correctAnswers": ["Paris"]},
            {"text": "Is it?", "type": "true_false", "correctAnswers": ["True"], "points": 500},
            {"text": "Which?", "type": "multiple_choice", "choices": ["a", "b"], "correctAnswers": ["b"]},
            {"text": "How many?", "type": "numeric", "correctAnswers": ["4.5"], "tolerance": 0.5}
        ]}]
    })
}

#[tokio::test]
async fn a_quiz_lives_and_dies() {
    let stage = Stage::new().await;
    let created = stage.send(Ask::post("/api/v1/quizzes", &quiz()).bearer(SCRIPT)).await;
    assert_eq!(created.status, 201, "{}", created.text());
    let created = created.json();
    let path = format!("/api/v1/quizzes/{}", created["id"].as_str().unwrap());
    let questions = created["rounds"][0]["questions"].as_array().unwrap();
    assert!(questions.iter().all(|question| question["id"].as_str().is_some()));
    assert_eq!(questions[0]["points"], json!(1_000));
    assert!(questions[0].get("choices").is_none() && questions[0].get("tolerance").is_none());
    assert_eq!(questions[1]["choices"], json!(["True", "False"]));
    assert_eq!(questions[3]["tolerance"], json!(0.5));
    assert_eq!(stage.send(Ask::get(&path).bearer(SCRIPT)).await.json(), created);

    let shorter = json!({"title": "Shorter", "rounds": [{"questions": [
        {"text": "?", "type": "text", "correctAnswers": ["!"]}]}]});
    let replaced = stage.send(Ask::new("PUT", &path).json(&shorter).bearer(SCRIPT)).await.json();
    assert_eq!((&replaced["title"], &replaced["createdAt"]), (&json!("Shorter"), &created["createdAt"]));
    assert_eq!(stage.send(Ask::get(&path).bearer(SCRIPT)).await.json(), replaced);
    let list = stage.send(Ask::get("/api/v1/quizzes").bearer(SCRIPT)).await.json();
    let line = list["quizzes"].as_array().unwrap().iter().find(|line| line["id"] == created["id"]).unwrap();
    assert_eq!((&line["roundCount"], &line["questionCount"]), (&json!(1), &json!(1)));

    assert_eq!(stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await.status, 204);
    assert_eq!(stage.send(Ask::get(&path).bearer(SCRIPT)).await.kind(), (404, "not-found".to_owned()));
    assert_eq!(stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await.status, 404);
}

#[tokio::test]
async fn a_strangers_quiz_is_like_none() {
    let stage = Stage::new().await;
    let stranger = stage.host("Eve").await;
    let id = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}])).await;
    for method in ["GET", "PUT", "DELETE"] {
        let ask = |id: &str| {
            let ask = Ask::new(method, &format!("/api/v1/quizzes/{id}")).bearer(&stranger);
            if method == "PUT" { ask.json(&quiz()) } else { ask }
        };
        let theirs = stage.send(ask(&id)).await;
        let none = stage.send(ask(&Uuid::now_v7().to_string())).await;
        assert_eq!((theirs.status, theirs.bytes()), (404, none.bytes()), "promise 18: {method}");
        assert_eq!(stage.send(ask("not-an-id")).await.bytes(), none.bytes());
    }
    let game = Ask::post("/api/v1/games", &json!({"quizId": id})).bearer(&stranger);
    assert_eq!(stage.send(game).await.status, 404);
    let list = stage.send(Ask::get("/api/v1/quizzes").bearer(&stranger)).await.json();
    assert!(list["quizzes"].as_array().unwrap().iter().all(|line| line["id"] != json!(id)));
}

#[tokio::test]
async fn the_report_of_an_import_stays_until_it_is_dismissed() {
    let stage = Stage::new().await;
    let report = json!(["Row 13: There is no accepted answer.", "Left out of 3 questions: feedback."]);
    let with = |report: &Value| {
        let mut quiz = quiz();
        quiz["importReport"] = report.clone();
        quiz
    };
    let created = stage.send(Ask::post("/api/v1/quizzes", &with(&report)).bearer(SCRIPT)).await.json();
    assert_eq!(created["importReport"], report);
    let path = format!("/api/v1/quizzes/{}", created["id"].as_str().unwrap());
    let kept = async |body: &Value| {
        let replaced = stage.send(Ask::new("PUT", &path).json(body).bearer(SCRIPT)).await.json();
        assert_eq!(stage.send(Ask::get(&path).bearer(SCRIPT)).await.json(), replaced);
        replaced.get("importReport").cloned()
    };
    assert_eq!(kept(&quiz()).await, Some(report), "a client that does not know reports keeps it");
    assert_eq!(kept(&with(&json!(["Another one."]))).await, Some(json!(["Another one."])));
    assert_eq!(kept(&with(&json!([]))).await, None, "absent, not empty");
    let (id, _) = stage.game_of(created["id"].as_str().unwrap()).await;
    let game = stage.send(Ask::get(&format!("/api/v1/games/{id}")).bearer(SCRIPT)).await;
    assert!(!game.text().contains("importReport"));
}

#[tokio::test]
async fn the_report_of_an_import_has_limits() {
    let stage = Stage::new().await;
    let most = json!(vec!["ä".repeat(200); 200]);
    for (report, status, field) in [
        (most, 201, None),
        (json!(vec!["x"; 201]), 422, Some("importReport")),
        (json!(["x", "x".repeat(201)]), 422, Some("importReport[1]")),
        (json!([" "]), 422, Some("importReport[0]")),
        (json!(["a\nb"]), 422, Some("importReport[0]")),
        (json!("x"), 422, Some("importReport")),
    ] {
        let mut quiz = quiz();
        quiz["importReport"] = report;
        let reply = stage.send(Ask::post("/api/v1/quizzes", &quiz).bearer(SCRIPT)).await;
        assert_eq!((reply.status, (status == 422).then(|| reply.field().1).flatten().as_deref()), (status, field));
    }
}

#[tokio::test]
async fn the_field_at_fault_is_named() {
    let stage = Stage::new().await;
    let question = "rounds[0].questions[0]";
    let with = |pointer: &str, value: Value| {
        let mut quiz = quiz();
        *quiz.pointer_mut(pointer).unwrap() = value;
        quiz
    };
    let costing = |points: i64| {
        let mut quiz = quiz();
        quiz["rounds"][0]["wrongPoints"] = json!(points);
        quiz
    };
    let rows = [
        (with("/title", json!("")), "title".to_owned()),
        (with("/title", json!(7)), "title".to_owned()),
        (with("/title", json!("a\u{0}b")), "title".to_owned()),
        (with("/rounds", json!([])), "rounds".to_owned()),
        (with("/rounds/0/questions/0/type", json!("essay")), format!("{question}.type")),
        (with("/rounds/0/questions/0/correctAnswers", json!([])), format!("{question}.correctAnswers")),
        (with("/rounds/0/questions/0/text", json!("x".repeat(2_001))), format!("{question}.text")),
        (with("/rounds/0/questions/1/points", json!(-1)), "rounds[0].questions[1].points".to_owned()),
        (with("/rounds/0/questions/1/points", json!(1_000_001)), "rounds[0].questions[1].points".to_owned()),
        (costing(1), "rounds[0].wrongPoints".to_owned()),
        (costing(-1_000_001), "rounds[0].wrongPoints".to_owned()),
        (with("/rounds/0/questions/2/choices", json!(["a"])), "rounds[0].questions[2].choices".to_owned()),
        (with("/rounds/0/questions/2/choices", json!(["b", "b"])), "rounds[0].questions[2].choices[1]".to_owned()),
        (with("/rounds/0/questions/3/tolerance", json!(-0.5)), "rounds[0].questions[3].tolerance".to_owned()),
    ];
    for (quiz, field) in rows {
        let reply = stage.send(Ask::post("/api/v1/quizzes", &quiz).bearer(SCRIPT)).await;
        assert_eq!(reply.field(), (422, Some(field)), "{}", reply.text());
    }
    let huge = format!("{{\"title\":\"{}\"}}", "x".repeat(2 << 20));
    let ask = Ask::new("POST", "/api/v1/quizzes").header("content-type", "application/json").body(huge);
    assert_eq!(stage.send(ask.bearer(SCRIPT)).await.kind(), (413, "too-large".to_owned()));
    let list = stage.send(Ask::get("/api/v1/quizzes").bearer(SCRIPT)).await.json();
    assert_eq!(list["quizzes"].as_array().unwrap().len(), 1, "only the sample: nothing was stored");
}

#[tokio::test]
async fn without_a_token_nothing_is_read_or_written() {
    let stage = Stage::new().await;
    let id = Uuid::now_v7();
    let asks = [
        Ask::get("/api/v1/quizzes"),
        Ask::post("/api/v1/quizzes", &quiz()),
        Ask::get(&format!("/api/v1/quizzes/{id}")),
        Ask::new("PUT", &format!("/api/v1/quizzes/{id}")).json(&quiz()),
        Ask::new("DELETE", &format!("/api/v1/quizzes/{id}")),
        Ask::get("/api/v1/games"),
        Ask::post("/api/v1/games", &json!({"quizId": id})),
        Ask::get(&format!("/api/v1/games/{id}")),
        Ask::new("PATCH", &format!("/api/v1/games/{id}")).json(&json!({"locked": true})),
        Ask::new("DELETE", &format!("/api/v1/games/{id}")),
        Ask::get(&format!("/api/v1/games/{id}/players")),
        Ask::new("DELETE", &format!("/api/v1/games/{id}/players/{id}")),
        Ask::get(&format!("/api/v1/games/{id}/results")),
        Ask::get(&format!("/api/v1/games/{id}/results.csv")),
        Ask::new("DELETE", "/api/v1/sessions/current"),
    ];
    for ask in asks {
        assert_eq!(stage.send(ask).await.kind(), (401, "unauthorized".to_owned()));
    }
}
