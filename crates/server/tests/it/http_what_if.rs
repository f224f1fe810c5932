//! What corrections would do, over HTTP: the answer is the board that follows, the question leaves no trace, and bad questions are refused.

use quizhall_rules::{Command, GameId};
use serde_json::{Value, json};

use crate::http_stage::{Ask, Evening, Reply, SCRIPT, Stage};

/// A round of two questions under review: Ann wrote the accepted answers, Ben "Colour" and "no".
async fn in_review(stage: &Stage) -> Evening<'_> {
    let asked = json!([
        {"text": "1?", "type": "text", "correctAnswers": ["color"], "points": 2},
        {"text": "2?", "type": "text", "correctAnswers": ["yes"], "points": 5},
    ]);
    let evening = stage.evening(&json!({"quizId": stage.quiz(asked).await}), &["Ann", "Ben"]).await;
    evening.host(&[Command::StartGame]).await;
    for (number, answers) in [["color", "Colour"], ["yes", "no"]].iter().enumerate() {
        evening.host(&[Command::ReleaseQuestion { question: evening.questions[number] }]).await;
        evening.answers(number, answers).await;
    }
    evening.host(&[Command::EndRound]).await;
    evening
}

impl Evening<'_> {
    async fn asks(&self, body: Value) -> Value {
        let reply = ask(self.stage, &self.id, (SCRIPT, &body)).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()
    }

    /// The board in the results.
    async fn board(&self) -> Value {
        self.get("/results").await.json()["leaderboard"].take()
    }

    /// The end of the stored log: whatever a socket receives was stored before.
    async fn stored(&self) -> u64 {
        let game: GameId = serde_json::from_value(json!(self.id)).unwrap();
        self.stage.app.store.head(game).await.unwrap().unwrap().seq
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

#[tokio::test]
async fn what_is_shown_before_follows_and_asking_leaves_no_trace() {
    let stage = Stage::new().await;
    let evening = in_review(&stage).await;
    let [first, second] = evening.questions[..] else { panic!("two questions") };
    let texts = |text: &str| [text.to_owned()].into_iter().collect();
    let accepting = json!({"questionId": first, "answers": ["Colour"], "correct": true});
    let in_review = evening.asks(json!({"corrections": [accepting]})).await;
    assert_eq!(lines(&in_review["before"]), [("Ann", 7, 1, 7), ("Ben", 0, 2, 0)], "as if the scores came out now");
    let change = &in_review["changes"][0];
    let numbers = ["scoreBefore", "scoreAfter", "rankBefore", "rankAfter"].map(|field| change[field].as_i64());
    assert_eq!((&change["displayName"], numbers), (&json!("Ben"), [Some(0), Some(2), Some(2), Some(2)]));
    assert_eq!(in_review["changes"].as_array().unwrap().len(), 1, "Ann stays where she is");
    let accept =
        Command::MarkAnswers { question: first, texts: texts("Colour"), correct: true, half: false, alike: false };
    evening.host(&[accept, Command::ReleaseScores]).await;
    assert_eq!(lines(&evening.board().await), lines(&in_review["after"]));

    let stored = evening.stored().await;
    let half = json!({"questionId": second, "answers": ["no"], "half": true});
    let outcome = evening.asks(json!({"corrections": [half], "withdraw": [first]})).await;
    assert_eq!(lines(&outcome["before"]), [("Ann", 7, 1, 7), ("Ben", 2, 2, 2)]);
    assert_eq!(lines(&outcome["after"]), [("Ann", 5, 1, 5), ("Ben", 2, 2, 2)]);
    assert_eq!(lines(&evening.board().await), lines(&outcome["before"]), "nothing has changed");
    assert_eq!(evening.stored().await, stored, "nothing was written");

    let halve = Command::CorrectMarks { question: second, texts: texts("no"), correct: false, half: true };
    evening.host(&[halve, Command::WithdrawQuestion { question: first }]).await;
    assert_eq!(lines(&evening.board().await), lines(&outcome["after"]));
    assert!(evening.stored().await > stored, "a correction is written");
    evening.host(&[Command::EndGame]).await;
    let ben = &change["playerId"];
    let given = json!([{"playerId": ben, "points": 9}, {"playerId": ben, "points": -2}]);
    let over = evening.asks(json!({"withdraw": [second], "adjustments": given})).await;
    assert_eq!(lines(&over["after"]), [("Ben", 7, 1, 7), ("Ann", 0, 2, 0)], "also after the end");
}

async fn ask(stage: &Stage, game: &str, (token, body): (&str, &Value)) -> Reply {
    stage.send(Ask::post(&what_if(game), body).bearer(token)).await
}

#[tokio::test]
async fn a_question_or_player_that_does_not_fit_is_named() {
    let stage = Stage::new().await;
    // A game is asked ten times a second.
    let (game, other) = (stage.game().await.0, stage.game().await.0);
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
        let asked = if body["corrections"].is_array() { &game } else { &other };
        let reply = ask(&stage, asked, (SCRIPT, &body)).await;
        assert_eq!(reply.field(), (422, Some(field.to_owned())), "{}", reply.text());
    }
}

#[tokio::test]
async fn markers_may_ask_and_others_may_not() {
    let stage = Stage::new().await;
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
    let board = ask(&stage, &game, (SCRIPT, &body)).await.json();
    assert_eq!(board, json!({"before": [], "after": [], "changes": []}));
}

#[tokio::test]
async fn a_game_is_asked_ten_times_a_second() {
    let stage = Stage::new().await;
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
