//! When the tokens of a game end: with the code of the game, and those of co-hosts with the sessions of the account that invited them.

use quizhall_rules::{Command, QuestionId};
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, Executor as _};

use crate::http_join::host;
use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

const CURRENT: &str = "/api/v1/co-hosts/current";

fn text(body: &Value, field: &str) -> String {
    body[field].as_str().unwrap().to_owned()
}

/// The token of a link.
fn secret_of(link: &Value, before: char) -> String {
    link["url"].as_str().unwrap().rsplit_once(before).unwrap().1.to_owned()
}

async fn post(stage: &Stage, path: &str, (token, body): (&str, Value)) -> Reply {
    stage.send(Ask::post(path, &body).bearer(token)).await
}

async fn get(stage: &Stage, path: &str, token: &str) -> Reply {
    stage.send(Ask::get(path).bearer(token)).await
}

/// A game of this host with a question: id and code.
async fn game_of(stage: &Stage, owner: &str) -> (String, String) {
    let question = json!({"text": "?", "type": "text", "correctAnswers": ["x"]});
    let quiz = json!({"title": "A quiz", "rounds": [{"title": "One", "questions": [question]}]});
    let quiz = post(stage, "/api/v1/quizzes", (owner, quiz)).await.json();
    let game = post(stage, "/api/v1/games", (owner, json!({"quizId": quiz["id"]}))).await.json();
    (text(&game, "id"), text(&game, "gameCode"))
}

/// Invites a co-host: the token and the id.
async fn invited(stage: &Stage, game: &str, owner: &str) -> (String, String) {
    let path = format!("/api/v1/games/{game}/co-hosts");
    let invited = post(stage, &path, (owner, json!({"role": "host", "label": "Ruth"}))).await.json();
    let token = secret_of(&invited, '#');
    assert_eq!(get(stage, CURRENT, &token).await.status, 200);
    (token, text(&invited, "coHostId"))
}

/// Plays the game to its end.
async fn play(stage: &Stage, game: &str) {
    let read = get(stage, &format!("/api/v1/games/{game}"), SCRIPT).await.json();
    let question: QuestionId = serde_json::from_value(read["rounds"][0]["questions"][0]["id"].clone()).unwrap();
    let begun = [Command::StartGame, Command::ReleaseQuestion { question }, Command::EndRound];
    host(stage, game, &begun).await;
    host(stage, game, &[Command::ReleaseScores, Command::EndGame]).await;
}

/// The same service 48 hours later: the rows of its games are changed.
async fn two_days_later(stage: Stage) -> Stage {
    stage.app.registry.shutdown().await;
    stage.app.store.close().await;
    let file = stage.folder.path().join("q.db");
    let mut other = sqlx::sqlite::SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    other.execute("UPDATE game SET ended_at_ms = ended_at_ms - 172800000").await.unwrap();
    let Stage { folder, .. } = stage;
    Stage::on(folder, &[]).await
}

#[tokio::test]
async fn tokens_of_a_game_end_with_its_code_and_can_be_removed_later() {
    let stage = Stage::new().await;
    let (game, code) = game_of(&stage, SCRIPT).await;
    let of = |what: &str| format!("/api/v1/games/{game}/{what}");
    let ann = text(&stage.join(&code, "Ann").await.json(), "sessionToken");
    let (co_host, id) = invited(&stage, &game, SCRIPT).await;
    let screen = post(&stage, &of("screens"), (SCRIPT, json!({}))).await.json();
    let wall = secret_of(&screen, '/');
    let link = secret_of(&post(&stage, &of("results-link"), (SCRIPT, json!({}))).await.json(), '#');
    play(&stage, &game).await;
    let answers = async |stage: &Stage| {
        let seat = post(stage, "/api/v1/seats/next", (&ann, json!({}))).await.status;
        let screen = post(stage, "/api/v1/screens/next", (&wall, json!({}))).await.status;
        let code = post(stage, "/api/v1/seat-code", (&ann, json!({}))).await.status;
        let own = get(stage, CURRENT, &co_host).await.status;
        [seat, screen, code, own, get(stage, &of("results"), &co_host).await.status]
    };
    assert_eq!(answers(&stage).await, [204, 204, 201, 200, 200], "the game has just ended");
    let results = format!("/api/v1/results/{link}");
    assert_eq!(get(&stage, &results, &ann).await.json()["you"], "Ann");
    let before = get(&stage, &of("results"), SCRIPT).await.json();

    let stage = two_days_later(stage).await;
    assert_eq!(get(&stage, &of("results"), SCRIPT).await.json(), before, "the host's results stay");
    assert_eq!(stage.join(&code, "Late").await.kind(), (404, "no-such-game".to_owned()));
    assert_eq!(answers(&stage).await, [401; 5]);
    assert_eq!(get(&stage, &results, &ann).await.json().get("you"), None);
    assert_eq!(get(&stage, &of("co-hosts"), SCRIPT).await.json()["coHosts"], json!([]));
    assert_eq!(get(&stage, &of("screens"), SCRIPT).await.json()["screens"], json!([]));
    let screen = text(&screen, "screenId");
    for path in [of(&format!("co-hosts/{id}")), of(&format!("screens/{screen}"))] {
        assert_eq!(stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await.status, 204, "{path}");
    }
}

#[tokio::test]
async fn ending_the_sessions_of_an_account_ends_its_invitations() {
    let stage = Stage::new().await;
    let (own, password) = ("/api/v1/me/sessions", "/api/v1/me/password");
    let new = json!({"oldPassword": "long enough", "newPassword": "longer than before"});
    for (name, ends) in [("Ann", "sign out"), ("Bob", "password"), ("Cleo", "disable"), ("Dora", "give away")] {
        let owner = stage.host(name).await;
        let (game, _) = game_of(&stage, &owner).await;
        let (co_host, _) = invited(&stage, &game, &owner).await;
        let hosts = get(&stage, "/api/v1/hosts", SCRIPT).await.json();
        let account = hosts["hosts"].as_array().unwrap().iter().find(|host| host["name"] == name).unwrap();
        let account = format!("/api/v1/hosts/{}", account["id"].as_str().unwrap());
        let heir = get(&stage, "/api/v1/sessions/current", SCRIPT).await.json()["host"]["id"].clone();
        let ask = match ends {
            "sign out" => Ask::new("DELETE", own).bearer(&owner),
            "password" => Ask::post(password, &new).bearer(&owner),
            "disable" => Ask::new("PATCH", &account).json(&json!({"disabled": true})).bearer(SCRIPT),
            _ => Ask::new("DELETE", &format!("{account}?gamesTo={}", heir.as_str().unwrap())).bearer(SCRIPT),
        };
        let reply = stage.send(ask).await;
        assert!(reply.status < 300, "{ends}: {}", reply.text());
        assert_eq!(get(&stage, CURRENT, &co_host).await.status, 401, "{ends}");
        assert_eq!(get(&stage, &format!("/api/v1/games/{game}/results"), &co_host).await.status, 401, "{ends}");
        if ends == "disable" {
            let enable = Ask::new("PATCH", &account).json(&json!({"disabled": false})).bearer(SCRIPT);
            assert_eq!(stage.send(enable).await.status, 200);
            assert_eq!(get(&stage, CURRENT, &co_host).await.status, 401, "the invitation has ended");
        }
    }
}

#[tokio::test]
async fn a_seat_has_six_codes_a_minute() {
    let stage = Stage::new().await;
    let (game, code) = game_of(&stage, SCRIPT).await;
    let [ann, bob] = [stage.join(&code, "Ann").await.json(), stage.join(&code, "Bob").await.json()];
    let own = text(&ann, "sessionToken");
    let by_host = format!("/api/v1/games/{game}/players/{}/seat-code", text(&ann, "playerId"));
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(post(&stage, "/api/v1/seat-code", (&own, json!({}))).await.status);
        statuses.push(post(&stage, &by_host, (SCRIPT, json!({}))).await.status);
    }
    assert_eq!(statuses, [201; 6]);
    let refused = post(&stage, "/api/v1/seat-code", (&own, json!({}))).await;
    assert_eq!((refused.kind(), refused.header("retry-after").is_empty()), ((429, "too-often".to_owned()), false));
    let other = post(&stage, "/api/v1/seat-code", (&text(&bob, "sessionToken"), json!({}))).await;
    assert_eq!(other.status, 201, "another seat has its own");
}
