//! The released results by a link: what it shows, when it shows nothing, and that it cannot be guessed.

use quizhall_rules::Command;
use serde_json::{Value, json};

use crate::http_stage::{Ask, Evening, Reply, SCRIPT, Stage};

#[tokio::test]
async fn the_link_shows_what_players_have_been_shown() {
    let stage = Stage::new().await;
    let game = begin(&stage, json!({})).await;
    let token = game.share().await;
    let before = game.read(&token).await;
    assert_eq!(
        (before.status, before.header("x-robots-tag"), before.header("cache-control")),
        (200, "noindex", "no-store")
    );
    let before = before.json();
    assert_eq!((&before["rounds"], &before["ended"]), (&json!([]), &json!(false)), "nothing is released yet");
    assert!(!before.to_string().contains("Paris"));

    game.host(&[Command::EndRound, Command::ReleaseScores]).await;
    let shown = game.read(&token).await.json();
    let standing = |rank: u32, name: &str, score: u32| json!({"rank": rank, "displayName": name, "score": score});
    assert_eq!(shown["standings"], json!([standing(1, "Ann", 1_000), standing(2, "=Bob", 0)]));
    let question = json!({
        "text": "Capital of France?", "type": "text", "correctAnswer": "Paris", "points": 1_000, "players": 2, "right": 1,
    });
    assert_eq!(shown["rounds"], json!([{"number": 1, "title": "One", "questions": [question]}]));
    assert_eq!(shown.get("you"), None);
    let text = shown.to_string();
    assert!(
        !text.contains("Lyon") && !text.contains("Not asked"),
        "no answer of a player, no question that was not asked"
    );

    game.host(&[Command::EndGame]).await;
    assert_eq!(game.read(&token).await.json()["ended"], json!(true));
    let csv = stage.send(Ask::get(&format!("/api/v1/results/{token}")).header("accept", "text/csv")).await;
    assert_eq!((csv.status, csv.header("content-type")), (200, "text/csv; charset=utf-8"));
    let mut reader = csv::Reader::from_reader(csv.body.as_slice());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let cells =
        |row: usize, columns: &[usize]| columns.iter().map(|column| rows[row][*column].to_owned()).collect::<Vec<_>>();
    assert_eq!(rows.len(), 3);
    assert_eq!(cells(0, &[0, 1, 2, 10]), ["1", "Ann", "1000", "standing"]);
    assert_eq!(cells(1, &[1, 10]), ["'=Bob", "standing"]);
    assert_eq!(cells(2, &[3, 5, 7, 8, 9, 10]), ["1", "Capital of France?", "Paris", "1", "2", "question"]);
    a_player_also_sees_their_own_answers(&game, &token).await;
    an_erased_name_and_a_deleted_game_are_not_shown(&game, &token).await;
}

async fn a_player_also_sees_their_own_answers(game: &Evening<'_>, token: &str) {
    let ask = |session: &str| Ask::get(&format!("/api/v1/results/{token}")).bearer(session);
    let shown = game.stage.send(ask(&game.sessions[1])).await.json();
    assert_eq!(shown["you"], json!("=Bob"));
    let own = json!({"answer": "Lyon", "correct": false, "points": 0});
    assert_eq!(shown["rounds"][0]["questions"][0]["yours"], own);
    let (_, other_code) = game.stage.game().await;
    let stranger = game.stage.join(&other_code, "Eve").await.json()["sessionToken"].as_str().unwrap().to_owned();
    for session in [stranger.as_str(), SCRIPT, "junk"] {
        assert_eq!(game.stage.send(ask(session)).await.json(), game.read(token).await.json(), "as without a token");
    }
}

async fn an_erased_name_and_a_deleted_game_are_not_shown(game: &Evening<'_>, token: &str) {
    assert_eq!(game.delete(&format!("/players/{}/data", game.players[0].uuid())).await, 204);
    let shown = game.read(token).await.text();
    assert!(!shown.contains("Ann") && shown.contains("Player 1"), "{shown}");
    assert_eq!(game.delete("").await, 204);
    assert_eq!(game.read(token).await.status, 404);
}

/// The reason is between the host and the player's phone: a link can be public.
#[tokio::test]
async fn points_by_hand_are_shown_as_a_sum_to_their_player_and_whole_to_the_host() {
    let stage = Stage::new().await;
    let game = begin(&stage, json!({})).await;
    let token = game.share().await;
    let player = game.players[1];
    let bob = player.uuid();
    let adjust = |points, reason: &str| Command::AdjustPoints { player, points, reason: Some(reason.into()) };
    game.host(&[adjust(7, "Best name"), Command::EndRound, Command::ReleaseScores, adjust(-2, "Late")]).await;
    let of_host = game.get("/results").await.json();
    let given = &of_host["rounds"][0]["adjustments"];
    let line = |one: &Value| (one["playerId"].clone(), one["points"].clone(), one["reason"].clone());
    assert_eq!(line(&given[0]), (json!(bob), json!(7), json!("Best name")));
    assert_eq!(line(&given[1]), (json!(bob), json!(-2), json!("Late")));
    assert_eq!(given[0].get("givenBy"), None, "the host gave them");
    assert_eq!(of_host["leaderboard"][1]["score"], json!(5));
    let public = game.read(&token).await.json();
    assert_eq!(public["standings"][1]["score"], json!(5));
    assert!(!public.to_string().contains("Best name") && public["rounds"][0].get("yourAdjustments").is_none());
    let own = stage.send(Ask::get(&format!("/api/v1/results/{token}")).bearer(&game.sessions[1])).await.json();
    assert_eq!(own["rounds"][0]["yourAdjustments"], json!(5));
    assert!(!own.to_string().contains("Late"));
}

#[tokio::test]
async fn standings_that_are_held_are_not_shown() {
    let stage = Stage::new().await;
    let game = begin(&stage, json!({})).await;
    let token = game.share().await;
    game.host(&[Command::EndRound, Command::ReleaseOwnScores]).await;
    let shown = game.read(&token).await.json();
    assert_eq!((&shown["standings"], &shown["standingsHeld"]), (&json!([]), &json!(true)));
    assert_eq!(shown["rounds"].as_array().unwrap().len(), 1);
    game.host(&[Command::ShowStandings]).await;
    let shown = game.read(&token).await.json();
    assert_eq!((shown["standings"].as_array().unwrap().len(), shown.get("standingsHeld")), (2, None));
}

#[tokio::test]
async fn a_link_is_the_same_until_its_host_revokes_it() {
    let stage = Stage::new().await;
    let game = begin(&stage, json!({})).await;
    assert_eq!(game.get("/results").await.json().get("shared"), None);
    let first = game.share().await;
    assert!(first.starts_with("qr_") && first.len() == 46, "{}", first.len());
    assert_eq!(game.share().await, first);
    assert_eq!(game.get("/results").await.json()["shared"], json!(true));
    assert_eq!((game.delete(LINK).await, game.delete(LINK).await), (204, 204));
    assert_eq!(game.read(&first).await.kind(), (404, "not-found".to_owned()));
    let stranger = stage.host("Eve").await;
    for method in ["POST", "DELETE"] {
        assert_eq!(stage.send(Ask::new(method, &game.path(LINK)).bearer(&game.sessions[0])).await.status, 401);
        assert_eq!(stage.send(Ask::new(method, &game.path(LINK)).bearer(&stranger)).await.status, 404);
    }
    let second = game.share().await;
    assert_ne!(first, second);
    assert_eq!((game.read(&first).await.status, game.read(&second).await.status), (404, 200));
}

#[tokio::test]
async fn a_link_is_read_whatever_was_guessed_from_the_same_address() {
    let stage =
        Stage::with(&[("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "3"), ("REFUSED_UPGRADES_PER_SECOND", "1")]).await;
    let game = begin(&stage, json!({})).await;
    let token = game.share().await;
    for guess in ["%ff", "qr_x", &token.replace("qr_", "qp_"), &token.replace("qr_", "qr_A")[..46], "x"] {
        assert_eq!(game.read(guess).await.kind(), (404, "not-found".to_owned()));
    }
    let mut limited = 0;
    for _ in 0..4 {
        limited += usize::from(game.read("qr_y").await.kind() == (429, "too-often".to_owned()));
    }
    assert!(limited > 0, "links that open nothing are limited");
    assert_eq!(game.read(&token).await.status, 200);
    for code in ["ABC234", "ABC235", "ABC236"] {
        assert_eq!(stage.join(code, "Ann").await.status, 404, "codes have an allowance of their own");
    }
    assert_eq!(stage.join("ABC237", "Ann").await.status, 429);
    assert_eq!(game.read(&token).await.status, 200);
}

/// The page must not be ahead of the phones, which wait for the screen.
#[tokio::test]
async fn scores_that_phones_wait_for_are_not_shown() {
    let stage = Stage::new().await;
    let game = begin(&stage, json!({"phonesAfterScreen": true})).await;
    let token = game.share().await;
    game.host(&[Command::EndRound, Command::ReleaseScores]).await;
    let own = Ask::get(&format!("/api/v1/results/{token}")).bearer(&game.sessions[1]);
    for ask in [own.clone(), Ask::get(&format!("/api/v1/results/{token}"))] {
        for accept in ["application/json", "text/csv"] {
            let shown = stage.send(ask.clone().header("accept", accept)).await;
            assert!(!shown.text().contains("Paris") && !shown.text().contains("Lyon"), "{}", shown.text());
        }
    }
    let shown = stage.send(own.clone()).await.json();
    assert_eq!(
        (&shown["rounds"], &shown["standings"], &shown["standingsHeld"]),
        (&json!([]), &json!([]), &json!(true))
    );
    game.host(&[Command::ShowStandings]).await;
    let shown = stage.send(own).await.json();
    assert_eq!(shown["rounds"][0]["questions"][0]["yours"]["answer"], "Lyon");
    assert_eq!(shown["standings"].as_array().unwrap().len(), 2);
}

/// A game with one of two questions released and answered by two players.
async fn begin(stage: &Stage, mut options: Value) -> Evening<'_> {
    let questions = json!([
        {"text": "Capital of France?", "type": "text", "correctAnswers": ["Paris"]},
        {"text": "Not asked", "type": "text", "correctAnswers": ["x"]},
    ]);
    options["quizId"] = json!(stage.quiz(questions).await);
    let game = stage.evening(&options, &["Ann", "=Bob"]).await;
    game.host(&[Command::StartGame, Command::ReleaseQuestion { question: game.questions[0] }]).await;
    game.answers(0, &["paris", "Lyon"]).await;
    game
}

const LINK: &str = "/results-link";

impl Evening<'_> {
    /// Creates the link; returns its token.
    async fn share(&self) -> String {
        let reply = self.stage.send(Ask::new("POST", &self.path(LINK)).bearer(SCRIPT)).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let link: Value = reply.json();
        let token = link["url"].as_str().unwrap().strip_prefix("https://quiz.example.org/results#");
        token.unwrap().to_owned()
    }

    async fn read(&self, token: &str) -> Reply {
        self.stage.send(Ask::get(&format!("/api/v1/results/{token}"))).await
    }
}
