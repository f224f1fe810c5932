//! What corrections would do, over HTTP: the answer is the board that follows, the question leaves no trace, and what is refused.

use std::path::Path;
use std::str::FromStr as _;

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, SqliteConnection};

use crate::http_stage::{Ask, Reply, SCRIPT, Stage as Http};
use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

/// An evening with a socket of each kind: a host and a player with the extension, a plain player, and a screen.
struct Evening {
    stage: Stage,
    game: Game,
    questions: Vec<String>,
    host: Wire,
    ann: Wire,
    plain: Wire,
    screen: Wire,
}

impl Evening {
    /// A round of two questions is under review: Ann wrote the accepted answers, Ben "Colour" and "no".
    async fn in_review() -> Self {
        let stage = Stage::new().await;
        let asked = json!([
            {"text": "1?", "type": "text", "correctAnswers": ["color"], "points": 2},
            {"text": "2?", "type": "text", "correctAnswers": ["yes"], "points": 5},
        ]);
        let game = stage.game_of((HOST, asked)).await;
        let questions = stage.questions(&game).await;
        let (ann, ben) = (stage.join(&game, "Ann").await, stage.join(&game, "Ben").await);
        let mut host = extended(&stage, &game, HOST).await;
        let (mut ann, mut plain) = (extended(&stage, &game, &ann).await, stage.socket(&game.code, &ben).await);
        let (status, screen) = stage.post(&format!("/api/v1/games/{}/screens", game.id), (HOST, json!({}))).await;
        assert_eq!(status, 201, "{screen}");
        let token = screen["url"].as_str().unwrap().rsplit_once('/').unwrap().1.to_owned();
        let screen = extended(&stage, &game, &token).await;
        host.send(&json!({"type": "start_game"})).await;
        for (question, [of_ann, of_ben]) in questions.iter().zip([["color", "Colour"], ["yes", "no"]]) {
            host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
            for (wire, answer) in [(&mut ann, of_ann), (&mut plain, of_ben)] {
                wire.until("question_released").await;
                let answer = json!({"questionId": question, "answer": answer});
                wire.send(&json!({"type": "submit_answer", "payload": answer})).await;
                wire.until("answer_accepted").await;
            }
        }
        host.send(&json!({"type": "end_round"})).await;
        plain.until("round_ended").await;
        Self { stage, game, questions, host, ann, plain, screen }
    }

    async fn says(&mut self, kind: &str, payload: Value) {
        self.host.send(&json!({"type": kind, "payload": payload})).await;
    }

    async fn asks(&self, body: Value) -> Value {
        let (status, outcome) = self.stage.post(&what_if(&self.game.id), (HOST, body)).await;
        assert_eq!(status, 200, "{outcome}");
        outcome
    }

    /// The board in the results.
    async fn board(&self) -> Value {
        self.stage.read(&format!("/api/v1/games/{}/results", self.game.id), HOST).await["leaderboard"].take()
    }

    /// Every socket has received what was sent to it so far; the screen shows this phase.
    async fn settles(&mut self, phase: &str) {
        for wire in [&mut self.host, &mut self.ann] {
            received(wire).await;
        }
        while self.screen.until("screen_update").await["payload"]["phase"] != phase {}
    }
}

async fn extended(stage: &Stage, game: &Game, token: &str) -> Wire {
    let asking = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
    stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap()
}

/// What a socket received before the answer to a ping.
async fn received(wire: &mut Wire) -> Vec<Value> {
    wire.send(&json!({"type": "ping"})).await;
    let mut received = Vec::new();
    loop {
        let message = wire.text().await;
        if message["type"] == "pong" {
            return received;
        }
        received.push(message);
    }
}

fn what_if(game: &str) -> String {
    format!("/api/v1/games/{game}/what-if")
}

/// Each line of a board as name, score, rank and score of the round.
fn lines(board: &Value) -> Vec<(&str, i64, i64, i64)> {
    let number = |line: &Value, field: &str| line[field].as_i64().unwrap();
    let line = |line| (number(line, "score"), number(line, "rank"), number(line, "roundScore"));
    let named = board.as_array().unwrap().iter().map(|one| (one["displayName"].as_str().unwrap(), line(one)));
    named.map(|(name, (score, rank, round))| (name, score, rank, round)).collect()
}

/// Counts the commits of other connections to the database.
async fn commits(database: &mut SqliteConnection) -> i64 {
    sqlx::query_scalar("PRAGMA data_version").fetch_one(database).await.unwrap()
}

async fn database(folder: &Path) -> SqliteConnection {
    let url = format!("sqlite://{}", folder.join("q.db").display());
    SqliteConnectOptions::from_str(&url).unwrap().read_only(true).connect().await.unwrap()
}

#[tokio::test]
async fn what_is_shown_before_follows_and_asking_leaves_no_trace() {
    let mut evening = Evening::in_review().await;
    let (first, second) = (evening.questions[0].clone(), evening.questions[1].clone());
    let mut database = database(evening.stage.folder.path()).await;

    let in_review = evening.asks(json!({"corrections": [accepting(&first)]})).await;
    assert_eq!(lines(&in_review["before"]), [("Ann", 7, 1, 7), ("Ben", 0, 2, 0)], "as if the scores came out now");
    let change = &in_review["changes"][0];
    assert_eq!(
        (&change["displayName"], &change["scoreBefore"], &change["scoreAfter"]),
        (&json!("Ben"), &json!(0), &json!(2))
    );
    assert_eq!((change["rankBefore"].as_i64(), change["rankAfter"].as_i64()), (Some(2), Some(2)));
    assert_eq!(in_review["changes"].as_array().unwrap().len(), 1, "Ann stays where she is");
    evening.says("mark_answers", json!({"questionId": first, "answers": ["Colour"], "correct": true})).await;
    evening.says("release_scores", json!({})).await;
    evening.plain.until("round_leaderboard").await;
    evening.plain.until("scoreboard_update").await;
    evening.settles("leaderboard").await;
    assert_eq!(lines(&evening.board().await), lines(&in_review["after"]));

    let stored = commits(&mut database).await;
    let supposed =
        json!({"corrections": [{"questionId": second, "answers": ["no"], "half": true}], "withdraw": [first]});
    let outcome = evening.asks(supposed).await;
    assert_eq!(lines(&outcome["before"]), [("Ann", 7, 1, 7), ("Ben", 2, 2, 2)]);
    assert_eq!(lines(&outcome["after"]), [("Ann", 5, 1, 5), ("Ben", 2, 2, 2)]);
    assert_eq!(lines(&evening.board().await), lines(&outcome["before"]), "nothing has changed");
    assert_eq!(commits(&mut database).await, stored, "nothing was written");
    for wire in [&mut evening.host, &mut evening.ann, &mut evening.screen] {
        assert_eq!(received(wire).await, Vec::<Value>::new());
    }

    evening
        .says("correct_marks", json!({"questionId": second, "answers": ["no"], "correct": false, "half": true}))
        .await;
    evening.says("withdraw_question", json!({"questionId": first})).await;
    evening.host.until("question_withdrawn").await;
    assert_eq!(lines(&evening.board().await), lines(&outcome["after"]));
    assert!(commits(&mut database).await > stored, "a correction is written");
    evening.says("end_game", json!({})).await;
    assert_eq!(
        evening.plain.text().await["type"],
        "game_ended",
        "a plain player has received nothing since the scores"
    );
    let ben = &change["playerId"];
    let given = json!([{"playerId": ben, "points": 9}, {"playerId": ben, "points": -2}]);
    let over = evening.asks(json!({"withdraw": [second], "adjustments": given})).await;
    assert_eq!(lines(&over["after"]), [("Ben", 7, 1, 7), ("Ann", 0, 2, 0)], "also after the end");
}

/// Accepts "Colour".
fn accepting(question: &str) -> Value {
    json!({"questionId": question, "answers": ["Colour"], "correct": true})
}

async fn ask(stage: &Http, game: &str, (token, body): (&str, &Value)) -> Reply {
    stage.send(Ask::post(&what_if(game), body).bearer(token)).await
}

#[tokio::test]
async fn a_question_or_player_that_does_not_fit_is_named() {
    let stage = Http::new().await;
    let (game, _) = stage.game().await;
    let described = stage.send(Ask::get(&format!("/api/v1/games/{game}")).bearer(SCRIPT)).await.json();
    let question = described["rounds"][0]["questions"][0]["id"].as_str().unwrap().to_owned();
    let marks = |fields: Value| {
        let mut mark = json!({"questionId": question, "correct": true});
        mark.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({"corrections": [mark]})
    };
    let many = |count: usize| vec![question.clone(); count];
    for (body, field) in [
        (marks(json!({"answers": ["4"]})), "corrections[0].questionId"),
        (json!({"withdraw": [question]}), "withdraw[0]"),
        (marks(json!({})), "corrections[0].answers"),
        (marks(json!({"answers": ["4"], "playerIds": many(1)})), "corrections[0].answers"),
        (marks(json!({"answers": []})), "corrections[0].answers"),
        (marks(json!({"playerIds": many(1_001)})), "corrections[0].playerIds"),
        (marks(json!({"playerIds": ["no id"]})), "corrections[0].playerIds[0]"),
        (json!({"corrections": [{"answers": ["4"]}]}), "corrections[0].questionId"),
        (json!({"withdraw": many(21)}), "withdraw"),
        (json!({"adjustments": [{"playerId": question, "points": 0}]}), "adjustments[0].points"),
        (json!({"adjustments": [{"playerId": question, "points": 1_000_001}]}), "adjustments[0].points"),
        (json!({"adjustments": [{"playerId": question, "points": 2.5}]}), "adjustments[0].points"),
        (json!({"adjustments": [{"points": 1}]}), "adjustments[0].playerId"),
        (json!({"adjustments": vec![json!({"playerId": question, "points": 1}); 21]}), "adjustments"),
        (json!({"corrections": vec![json!({"questionId": question, "answers": ["4"]}); 21]}), "corrections"),
    ] {
        let other = stage.game().await.0;
        let reply = ask(&stage, if body["withdraw"].is_array() { &other } else { &game }, (SCRIPT, &body)).await;
        assert_eq!(reply.field(), (422, Some(field.to_owned())), "{}", reply.text());
    }
}

#[tokio::test]
async fn markers_may_ask_and_others_may_not() {
    let stage = Http::new().await;
    let (game, _) = stage.game().await;
    let body = json!({});
    for (role, status) in [("host", 200), ("marker", 200), ("moderator", 403)] {
        let invite = json!({"role": role, "label": "Ruth"});
        let invited = stage.send(Ask::post(&format!("/api/v1/games/{game}/co-hosts"), &invite).bearer(SCRIPT)).await;
        let url = invited.json()["url"].as_str().unwrap().to_owned();
        let token = url.split_once('#').unwrap().1;
        assert_eq!(ask(&stage, &game, (token, &body)).await.status, status, "{role}");
        // In the lobby no points are given by hand.
        let given = json!({"adjustments": [{"playerId": game, "points": 1}]});
        let status = if role == "host" { 409 } else { 403 };
        assert_eq!(ask(&stage, &game, (token, &given)).await.status, status, "{role}");
    }
    let stranger = stage.host("Stranger").await;
    assert_eq!(ask(&stage, &game, (&stranger, &body)).await.status, 404);
    assert_eq!(stage.send(Ask::post(&what_if(&game), &body)).await.status, 401);
    let board = ask(&stage, &game, (SCRIPT, &body)).await.json();
    assert_eq!(board, json!({"before": [], "after": [], "changes": []}));
}

#[tokio::test]
async fn a_game_is_asked_ten_times_a_second() {
    let stage = Http::new().await;
    let (game, other) = (stage.game().await.0, stage.game().await.0);
    let body = json!({});
    for _ in 0..10 {
        assert_eq!(ask(&stage, &game, (SCRIPT, &body)).await.status, 200);
    }
    let mut asked = 0;
    let refused = loop {
        let reply = ask(&stage, &game, (SCRIPT, &body)).await;
        if reply.status != 200 {
            break reply;
        }
        asked += 1;
        assert!(asked < 1_000, "a game can be asked without a limit");
    };
    assert_eq!((refused.kind(), refused.header("retry-after")), ((429, "too-often".to_owned()), "1"));
    assert_eq!(refused.header("ratelimit"), "\"what-if\";r=0;t=1");
    assert_eq!(ask(&stage, &other, (SCRIPT, &body)).await.status, 200, "another game has its own");
}
