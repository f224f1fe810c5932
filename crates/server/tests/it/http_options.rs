//! The options of a game: when it is created, in its lobby, and in the answers about it.

use quizhall_rules::Command;
use serde_json::{Value, json};

use crate::http_join::host;
use crate::http_stage::{Ask, SCRIPT, Stage};

/// A quiz of two questions in one round.
async fn quiz(stage: &Stage) -> String {
    let question = |text: &str| json!({"text": text, "type": "text", "correctAnswers": ["!"]});
    stage.quiz(json!([question("One?"), question("Two?")])).await
}

/// What a request to create a game with these options is answered.
async fn create(stage: &Stage, quiz: &str, options: &Value) -> (u16, Value) {
    let mut body = options.clone();
    body["quizId"] = json!(quiz);
    let reply = stage.send(Ask::post("/api/v1/games", &body).bearer(SCRIPT)).await;
    (reply.status, reply.json())
}

async fn set(stage: &Stage, game: &Value, options: &Value) -> (u16, Value) {
    let path = format!("/api/v1/games/{}/options", game["id"].as_str().unwrap());
    let reply = stage.send(Ask::new("PUT", &path).json(options).bearer(SCRIPT)).await;
    (reply.status, reply.json())
}

fn all() -> Value {
    json!({
        "pace": "question",
        "boardAfter": "third",
        "answerSeconds": 20,
        "closeWhenAnswered": true,
        "markLater": true,
        "autopilot": {"answerFor": 20, "revealFor": 5, "breakFor": 5, "holdWithoutHost": false},
        "speedPoints": true,
        "streaks": true,
        "phonesAfterScreen": true,
        "cleanNames": true,
        "teams": {"devices": 3},
    })
}

#[tokio::test]
async fn a_game_shows_the_options_with_which_it_was_created() {
    let stage = Stage::new().await;
    let quiz = quiz(&stage).await;
    let (status, game) = create(&stage, &quiz, &all()).await;
    assert_eq!((status, &game["options"]), (201, &all()), "{game}");
    assert_eq!(game["rounds"].as_array().unwrap().len(), 2, "each question is a round");
    let round = &game["rounds"][0];
    assert_eq!((&round["streaks"], &round["speedPoints"]), (&json!(true), &json!(true)), "whatever the quiz says");
    assert_eq!(round["questions"][0]["timeLimit"], json!(20));
    assert_eq!((&game["phonesAfterScreen"], &game["cleanNames"]), (&json!(true), &json!(true)));
    let path = format!("/api/v1/games/{}", game["id"].as_str().unwrap());
    assert_eq!(stage.send(Ask::get(&path).bearer(SCRIPT)).await.json(), game);
    let (_, plain) = create(&stage, &quiz, &json!({})).await;
    assert_eq!((plain.get("options"), plain["rounds"].as_array().unwrap().len()), (None, 1));
    assert_eq!(
        (plain.get("phonesAfterScreen"), plain["rounds"][0].get("streaks")),
        (None, None),
        "the quiz is as before"
    );
}

#[tokio::test]
async fn each_option_that_cannot_be_is_named() {
    let stage = Stage::new().await;
    let quiz = quiz(&stage).await;
    let (_, game) = create(&stage, &quiz, &json!({})).await;
    let plan = |field: &str, value: Value| {
        let mut plan = json!({"answerFor": 20, "revealFor": 5, "breakFor": 5, "holdWithoutHost": false});
        plan[field] = value;
        json!({"autopilot": plan})
    };
    let cases = [
        (json!({"pace": "chapter"}), "pace"),
        (json!({"pace": 1}), "pace"),
        (json!({"pace": "question", "boardAfter": "never"}), "boardAfter"),
        (json!({"boardAfter": "third"}), "boardAfter"),
        (json!({"markLater": true}), "markLater"),
        (json!({"pace": "round", "markLater": true}), "markLater"),
        (json!({"pace": "question", "markLater": "yes"}), "markLater"),
        (json!({"answerSeconds": 4}), "answerSeconds"),
        (json!({"answerSeconds": 601}), "answerSeconds"),
        (json!({"answerSeconds": "20"}), "answerSeconds"),
        (json!({"closeWhenAnswered": 1}), "closeWhenAnswered"),
        (json!({"speedPoints": 1}), "speedPoints"),
        (json!({"streaks": 1}), "streaks"),
        (json!({"phonesAfterScreen": 1}), "phonesAfterScreen"),
        (json!({"cleanNames": 1}), "cleanNames"),
        (json!({"teams": {"devices": 13}}), "teams.devices"),
        (plan("answerFor", json!(4)), "autopilot.answerFor"),
        (plan("revealFor", json!(601)), "autopilot.revealFor"),
        (plan("breakFor", json!(0)), "autopilot.breakFor"),
        (plan("holdWithoutHost", json!("no")), "autopilot.holdWithoutHost"),
        (json!({"autopilot": {"answerFor": 20}}), "autopilot.revealFor"),
    ];
    for (options, field) in cases {
        for (status, problem) in [create(&stage, &quiz, &options).await, set(&stage, &game, &options).await] {
            assert_eq!((status, &problem["field"]), (422, &json!(field)), "{options}: {problem}");
        }
    }
    for word in ["chapter", "x`, expected `me", ""] {
        let (_, problem) = create(&stage, &quiz, &json!({"pace": word})).await;
        assert_eq!(problem["detail"], "The value must be one of: round, question.", "{word}");
    }
    let (_, problem) = create(&stage, &quiz, &json!({"pace": "question", "boardAfter": "never"})).await;
    assert_eq!(problem["detail"], "The value must be one of: question, third, section.");
}

#[tokio::test]
async fn options_change_as_a_whole_in_the_lobby_and_not_later() {
    let stage = Stage::new().await;
    let quiz = quiz(&stage).await;
    let (_, game) = create(&stage, &quiz, &json!({"streaks": true})).await;
    let (status, changed) = set(&stage, &game, &all()).await;
    assert_eq!((status, &changed["options"], &changed["id"]), (200, &all(), &game["id"]), "{changed}");
    assert_eq!(changed["rounds"].as_array().unwrap().len(), 2);
    let (status, changed) = set(&stage, &game, &json!({})).await;
    assert_eq!((status, changed.get("options")), (200, None), "what is left out is off");
    assert_eq!(changed["rounds"].as_array().unwrap().len(), 1);
    assert_eq!(set(&stage, &game, &json!({})).await.0, 200, "the same once more");

    stage.join(game["gameCode"].as_str().unwrap(), "Ann").await;
    let (status, problem) = set(&stage, &game, &json!({"teams": {"devices": 2}})).await;
    assert_eq!((status, &problem["type"]), (409, &json!("/problems/has-players")), "{problem}");
    assert_eq!(problem["field"], json!("teams"));
    assert_eq!(set(&stage, &game, &json!({"pace": "question"})).await.0, 200, "other options still change");

    host(&stage, game["id"].as_str().unwrap(), &[Command::StartGame]).await;
    let (status, problem) = set(&stage, &game, &json!({"streaks": true})).await;
    assert_eq!((status, &problem["type"]), (409, &json!("/problems/wrong-phase")), "{problem}");
}
