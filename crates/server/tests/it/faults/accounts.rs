//! The data of an account from outside: exported into a file, and deleted for good together with the account.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use quizhall_rules::GameId;
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use super::company::{Company, say};
use super::deletion::{
    ANSWERS, NAMES, an_ended_game_of, delete_for, done, get_text, is_stored, quizhall, refused, status, status_for,
};
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::store_stage::RawSql;
use crate::ws_wire::Handshake;

const PASSWORD: &str = "canary-password-1";

/// A service with two accounts; Zoe's data is exported and deleted.
struct Stage {
    folder: TempDir,
    server: Server,
    /// Session tokens.
    zoe: String,
    max: String,
}

impl Stage {
    async fn begin() -> Self {
        let folder = TempDir::new().unwrap();
        let server = Server::start(&Launch::new(folder.path()));
        let (zoe, max) = (account(&server, "Zoe").await, account(&server, "Max").await);
        Self { folder, server, zoe, max }
    }

    fn url(&self) -> String {
        format!("sqlite://{}/quizhall.db", self.folder.path().display())
    }

    async fn id(&self, name: &str) -> String {
        let list: Value = serde_json::from_str(&get_text(&self.server, "/api/v1/hosts").await).unwrap();
        let mut hosts = list["hosts"].as_array().unwrap().iter();
        hosts.find(|host| host["name"] == name).unwrap()["id"].as_str().unwrap().to_owned()
    }
}

/// Creates an account and signs in; returns the token.
async fn account(server: &Server, name: &str) -> String {
    let body = json!({"name": name, "password": PASSWORD}).to_string();
    assert_eq!(post(server, "/api/v1/hosts", &body).await.0, 201);
    let (status, session) = post(server, "/api/v1/sessions", &body).await;
    assert_eq!(status, 201);
    session["token"].as_str().unwrap().to_owned()
}

async fn post(server: &Server, path: &str, body: &str) -> (u16, Value) {
    let request = reqwest::Client::new().post(format!("{}{path}", server.url())).bearer_auth(HOST_TOKEN);
    let response = request.header("content-type", "application/json").body(body.to_owned()).send().await.unwrap();
    (response.status().as_u16(), serde_json::from_str(&response.text().await.unwrap()).unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_holds_what_an_account_owns_and_no_secret() {
    let stage = Stage::begin().await;
    let ended = an_ended_game_of(&stage.server, &stage.zoe).await;
    let damaged = an_ended_game_of(&stage.server, &stage.zoe).await;
    let of_another = an_ended_game_of(&stage.server, &stage.max).await;
    let results = as_owner(&stage, &format!("/api/v1/games/{}/results", ended.game)).await;
    let mut raw_sql = RawSql::sqlite(&stage.folder.path().join("quizhall.db")).await;
    let spoil = "UPDATE game_log SET body = 'x' || body WHERE game_id = $1 AND seq > 0";
    assert!(raw_sql.execute(spoil, GameId::from(damaged.game)).await > 0);

    let shelf = TempDir::new().unwrap();
    let file = shelf.path().join("zoe.json");
    let words = |file: &std::path::Path| ["host", "export", "Zoe", file.to_str().unwrap()].map(str::to_owned);
    assert_eq!(done(&stage.url(), &words(&file)), "Wrote 3 quizzes and 2 games.\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    let export: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(export["account"]["name"], "Zoe");
    assert_eq!(export["account"]["id"], json!(stage.id("Zoe").await));
    let titles: Vec<_> = export["quizzes"].as_array().unwrap().iter().map(|quiz| &quiz["quiz"]["title"]).collect();
    assert_eq!(titles.iter().filter(|title| **title == "A quiz").count(), 2, "{titles:?}");
    let game = |id: Uuid| {
        let mut games = export["games"].as_array().unwrap().iter();
        games.find(|game| game["id"] == json!(id)).cloned()
    };
    let whole = game(ended.game).unwrap();
    assert_eq!((&whole["gameCode"], &whole["results"]), (&json!(ended.code), &results));
    assert!(whole["endedAt"].is_string() && text.contains(ANSWERS[0]) && text.contains(NAMES[1]));
    assert_eq!(
        game(damaged.game).unwrap()["results"],
        Value::Null,
        "the damaged game is named, and the rest is exported"
    );
    assert_eq!(game(of_another.game), None);
    for secret in [&stage.zoe, HOST_TOKEN, PASSWORD, "$argon2", &ended.players[0].token, "joinSecret", "tokenHash"] {
        assert!(!text.contains(secret), "{secret}");
    }

    refused(&stage.url(), &words(&file), "cannot be written");
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "an existing file is not overwritten");
    let nowhere = shelf.path().join("missing/zoe.json");
    refused(&stage.url(), &words(&nowhere), "cannot be written");
    let stranger =
        ["host", "export", "Unknown", shelf.path().join("unknown.json").to_str().unwrap()].map(str::to_owned);
    refused(&stage.url(), &stranger, "no account has this name");
    assert_eq!(fs::read_dir(shelf.path()).unwrap().count(), 1, "and nothing else was written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_is_removed_with_all_that_it_owns_by_itself_and_by_the_operator() {
    let mut stage = Stage::begin().await;
    let (kept, deleted) = a_game_each(&stage).await;
    let live = Company::of(&api(&stage), &[vec![super::company::question("Live", "x")]], &[]).await;
    let path = format!("/api/v1/hosts/{}?purgeGames=true", stage.id("Zoe").await);
    assert_eq!(delete_for(&stage.server, (&path, &stage.max)).await, 403, "a host cannot delete the games of another");
    assert_eq!(delete_for(&stage.server, (&path, &stage.zoe)).await, 409);
    end(&stage, &live).await;
    assert_eq!(delete_for(&stage.server, (&path, &stage.zoe)).await, 204);
    is_deleted(&stage, (&kept, &deleted)).await;

    stage.zoe = account(&stage.server, "Zoe").await;
    let (kept, deleted) = a_game_each(&stage).await;
    let live = Company::of(&api(&stage), &[vec![super::company::question("Live", "x")]], &["Canarylive"]).await;
    refused(&stage.url(), &["host", "remove", "Zoe"], "hand them over to another account, or purge them");
    refused(&stage.url(), &["host", "remove", "Zoe", "--purge-games"], "have not ended");
    assert_eq!(status_for(&stage.server, ("/api/v1/games", &stage.zoe)).await, 200, "and nothing was changed");
    end(&stage, &live).await;
    let said = done(&stage.url(), &["host", "remove", "Zoe", "--purge-games"]);
    assert!(said.starts_with("The account is removed. Purged 2 games: "), "{said}");
    is_deleted(&stage, (&kept, &deleted)).await;
    assert!(!is_stored(stage.folder.path(), "Canarylive"));
    refused(&stage.url(), &["host", "remove", "Zoe", "--purge-games"], "no account has this name");
    let both = ["host", "remove", "Max", "--purge-games", "--games-to", "Max"];
    assert_eq!(quizhall(&stage.url(), &both).status.code(), Some(2));
    refused(&stage.url(), &["host", "remove", "Max", "--purge-games"], "the last account");
    assert_eq!(status_for(&stage.server, ("/api/v1/games", &stage.max)).await, 200);
}

fn api(stage: &Stage) -> quizhall_client::Api {
    quizhall_client::Api::new(stage.server.endpoint()).with_token(quizhall_client::Token::new(&stage.zoe))
}

/// A game of Max's, which is kept, and one of Zoe's.
async fn a_game_each(stage: &Stage) -> (Company, Company) {
    let max = quizhall_client::Api::new(stage.server.endpoint()).with_token(quizhall_client::Token::new(&stage.max));
    let kept = Company::of(&max, &[vec![super::company::question("Kept", "x")]], &["Canarykept"]).await;
    let deleted = an_ended_game_of(&stage.server, &stage.zoe).await;
    assert!(is_stored(stage.folder.path(), NAMES[0]) && is_stored(stage.folder.path(), "Canary question"));
    (kept, deleted)
}

async fn end(stage: &Stage, game: &Company) {
    let mut host = game.open_socket(&stage.server, &Handshake::bearer(&stage.zoe)).await;
    for (word, received) in [
        ("start_game", "game_started"),
        ("end_round", "round_review"),
        ("release_scores", "round_leaderboard"),
        ("end_game", "game_ended"),
    ] {
        say(&mut host, word).await;
        host.until(received).await;
    }
}

/// No byte of Zoe's account remains, and Max's game can be played.
async fn is_deleted(stage: &Stage, (kept, deleted): (&Company, &Company)) {
    for text in NAMES.iter().chain(&ANSWERS).chain(&["Canary question", "Zoe"]) {
        assert!(!is_stored(stage.folder.path(), text), "{text}");
    }
    assert_eq!(status_for(&stage.server, ("/api/v1/games", &stage.zoe)).await, 401);
    assert_eq!(status(&stage.server, &format!("/api/v1/games/{}", deleted.game)).await, 404);
    assert!(is_stored(stage.folder.path(), "Canarykept"));
    let mut host = kept.open_socket(&stage.server, &Handshake::bearer(&stage.max)).await;
    say(&mut host, "start_game").await;
    host.until("game_started").await;
    done(&stage.url(), &["verify"]);
}

async fn as_owner(stage: &Stage, path: &str) -> Value {
    let request = reqwest::Client::new().get(format!("{}{path}", stage.server.url())).bearer_auth(&stage.zoe);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}
