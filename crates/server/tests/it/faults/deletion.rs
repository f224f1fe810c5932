//! Deletion is complete: after a game with a canary name and a canary answer, neither is in any byte of the database.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use quizhall_client::{Api, Token};
use serde_json::json;
use uuid::Uuid;

use super::company::{Company, acknowledged, answer, question, release, say};
use super::probes::get;
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::services::postgres::{program, shared};
use crate::ws_wire::Handshake;

pub(super) const NAMES: [&str; 2] = ["Canaryann", "Canarybob"];
pub(super) const ANSWERS: [&str; 2] = ["canary-answer-of-ann", "canary-answer-of-bob"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_is_purged_beside_the_service_leaves_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    let company = an_ended_game(&server).await;
    let other = Company::open(&server, &[1], &["Canarykept"]).await;
    // The game has ended, and its sockets are still open.
    let mut host = company.host(&server).await;
    host.until("game_ended").await;
    let (game, other) = (company.game.to_string(), other.game.to_string());
    let url = format!("sqlite://{}/quizhall.db", folder.path().display());
    refused(&url, &["purge", "--game", &other], "has not ended");
    refused(&url, &["purge", "--game", &Uuid::nil().to_string()], "there is no such game");
    assert!(done(&url, &["purge", "--game", &game, "--dry-run"]).contains("Nothing was deleted"));
    assert!(done(&url, &["purge"]).starts_with("Purged 0 games"), "it is not due");
    assert!(is_stored(folder.path(), NAMES[0]));
    assert!(done(&url, &["purge", "--game", &game]).starts_with("Purged 1 games"));
    for text in NAMES.iter().chain(&ANSWERS) {
        assert!(!is_stored(folder.path(), text), "{text}");
    }
    assert!(is_stored(folder.path(), "Canarykept"));
    done(&url, &["verify"]);
    assert_eq!(status(&server, &format!("/api/v1/games/{game}")).await, 404);
    assert_eq!(status(&server, &format!("/api/v1/games/{other}")).await, 200);
    assert_eq!(get(&server, "/readyz").await.0, 200);

    // A game that was deleted by mistake stays in the database for a day.
    assert_eq!(delete(&server, &format!("/api/v1/games/{other}")).await, 204);
    assert!(done(&url, &["purge"]).starts_with("Purged 0 games"), "the grace period is not over");
    assert!(is_stored(folder.path(), "Canarykept"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_erased_player_is_in_no_byte_and_the_results_stay() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&Launch::new(folder.path()));
    let company = an_ended_game(&server).await;
    let other = Company::open(&server, &[1], &["Canarykept"]).await;
    let before = results(&server, company.game).await;
    // The game is in the service's memory, with open sockets.
    let mut host = company.host(&server).await;
    host.until("game_ended").await;
    let url = format!("sqlite://{}/quizhall.db", folder.path().display());
    let erase = |game: Uuid, player: Uuid, more: &[&'static str]| -> Vec<String> {
        let words =
            ["player", "erase", "--game", &game.to_string(), "--player", &player.to_string()].map(str::to_owned);
        words.into_iter().chain(more.iter().map(|word| (*word).to_owned())).collect()
    };
    let ann = erase(company.game, company.players[0].id, &[]);
    refused(&url, &erase(other.game, other.players[0].id, &[]), "has not ended");
    refused(&url, &erase(company.game, Uuid::nil(), &[]), "no such player");
    assert!(done(&url, &ann).starts_with("The player is erased"));
    assert!(!is_stored(folder.path(), NAMES[0]), "the name");
    assert!(is_stored(folder.path(), ANSWERS[0]), "answers stay unless they are asked for");
    assert!(done(&url, &ann).contains("before"));

    let api = format!("/api/v1/games/{}/players/{}/data?answers=true", company.game, company.players[1].id);
    assert_eq!(delete(&server, &api).await, 204);
    let of_other = format!("/api/v1/games/{}/players/{}/data", other.game, other.players[0].id);
    assert_eq!(delete(&server, &of_other).await, 409);
    assert_eq!(delete(&server, &format!("/api/v1/games/{}/players/{}/data", company.game, Uuid::nil())).await, 404);
    for text in [NAMES[0], NAMES[1], ANSWERS[1]] {
        assert!(!is_stored(folder.path(), text), "{text}");
    }
    assert!(is_stored(folder.path(), "Canarykept"));

    // The checksums and the chain of the rewritten log are right, and it replays.
    done(&url, &["verify"]);

    // The marks and ranks are the same, with neutral names, through every interface and after a restart.
    let expected = before.replace(NAMES[0], "Player 1").replace(NAMES[1], "Player 2").replace(ANSWERS[1], "(erased 2)");
    assert_eq!(results(&server, company.game).await, expected);
    let table = get_text(&server, &format!("/api/v1/games/{}/results.csv", company.game)).await;
    assert!(table.contains("Player 1") && table.contains("(erased 2)"), "{table}");
    assert!(NAMES.iter().all(|name| !table.contains(name)), "{table}");
    server.kill();
    let server = Server::start(&Launch::new(folder.path()));
    assert_eq!(results(&server, company.game).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_purged_or_erased_is_in_no_dump_of_postgres() {
    let folder = tempfile::tempdir().unwrap();
    let url = shared().fresh_database().await;
    let environment = &[("DATABASE_URL", url.as_str()), ("UNSAFE_DATABASE", "true")];
    let mut server = Server::start(&Launch { environment, ..Launch::new(folder.path()) });
    let (purged, erased) = (an_ended_game(&server).await, an_ended_game(&server).await);
    let dump = || {
        let output = Command::new(program("pg_dump")).arg(&url).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(dump().contains(NAMES[0]) && dump().contains(ANSWERS[1]), "the search finds what is there");
    assert!(done(&url, &["purge", "--game", &purged.game.to_string()]).starts_with("Purged 1 games"));
    for player in &erased.players {
        let path = format!("/api/v1/games/{}/players/{}/data?answers=true", erased.game, player.id);
        assert_eq!(delete(&server, &path).await, 204);
    }
    let dump = dump();
    for text in NAMES.iter().chain(&ANSWERS) {
        assert!(!dump.contains(text), "{text}");
    }
    assert!(results(&server, erased.game).await.contains("Player 2"));
    server.kill();
    shared().drop_database(&url).await;
}

/// A game of two players that has ended: Ann was right by the host's override, Bob wrong.
async fn an_ended_game(server: &Server) -> Company {
    an_ended_game_of(server, HOST_TOKEN).await
}

/// The same for the account with this token.
pub(super) async fn an_ended_game_of(server: &Server, token: &str) -> Company {
    let api = Api::new(server.endpoint()).with_token(Token::new(token));
    let company = Company::of(&api, &[vec![question("Canary question", "right")]], &NAMES).await;
    let mut wires = vec![company.open_socket(server, &Handshake::bearer(token)).await];
    for number in 0..NAMES.len() {
        wires.push(company.player(server, number).await);
    }
    let question = company.rounds[0][0];
    say(&mut wires[0], "start_game").await;
    release(&mut wires[0], question).await;
    for (number, text) in (1..).zip(ANSWERS) {
        wires[number].until("question_released").await;
        answer(&mut wires[number], question, text).await;
        acknowledged(&mut wires[number], question).await;
    }
    say(&mut wires[0], "end_round").await;
    wires[0].until("round_review").await;
    let payload = json!({"playerId": company.players[0].id, "questionId": question, "correct": true});
    wires[0].send(&json!({"type": "override_answer", "payload": payload})).await;
    for (word, received) in [("release_scores", "round_leaderboard"), ("end_game", "game_ended")] {
        say(&mut wires[0], word).await;
        wires[0].until(received).await;
    }
    company
}

async fn results(server: &Server, game: Uuid) -> String {
    get_text(server, &format!("/api/v1/games/{game}/results")).await
}

pub(super) async fn get_text(server: &Server, path: &str) -> String {
    let request = reqwest::Client::new().get(format!("{}{path}", server.url())).bearer_auth(HOST_TOKEN);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.text().await.unwrap()
}

pub(super) async fn status(server: &Server, path: &str) -> u16 {
    status_for(server, (path, HOST_TOKEN)).await
}

pub(super) async fn status_for(server: &Server, (path, token): (&str, &str)) -> u16 {
    let request = reqwest::Client::new().get(format!("{}{path}", server.url())).bearer_auth(token);
    request.send().await.unwrap().status().as_u16()
}

async fn delete(server: &Server, path: &str) -> u16 {
    delete_for(server, (path, HOST_TOKEN)).await
}

pub(super) async fn delete_for(server: &Server, (path, token): (&str, &str)) -> u16 {
    let request = reqwest::Client::new().delete(format!("{}{path}", server.url())).bearer_auth(token);
    request.send().await.unwrap().status().as_u16()
}

/// Runs the binary with this database.
pub(super) fn quizhall(url: &str, words: &[impl AsRef<std::ffi::OsStr>]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    command.args(words).env_clear().env("DATABASE_URL", url).env("UNSAFE_DATABASE", "true").output().unwrap()
}

/// Its output; it must succeed.
pub(super) fn done(url: &str, words: &[impl AsRef<std::ffi::OsStr>]) -> String {
    let output = quizhall(url, words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The command must do nothing and give the reason in one line.
pub(super) fn refused(url: &str, words: &[impl AsRef<std::ffi::OsStr>], reason: &str) {
    let output = quizhall(url, words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]));
    assert!(said.contains(reason) && said.lines().count() == 1, "{said}");
}

/// Whether the text is in some byte of the files in this folder.
pub(super) fn is_stored(folder: &Path, text: &str) -> bool {
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap_or_default());
    let holds = |bytes: Vec<u8>| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    files.into_iter().any(holds)
}
