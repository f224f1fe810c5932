//! `POST /join`: every status, names, idempotency, limits.

use std::collections::HashSet;

use futures_util::future::join_all;
use quizhall_rules::{Actor, Command, GameId};
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, Executor as _};

use crate::http_stage::{Ask, SCRIPT, Stage};

#[tokio::test]
async fn a_full_game_says_so() {
    let stage = Stage::with(&[("MAX_PLAYERS", "2")]).await;
    let (_, code) = stage.game().await;
    assert_eq!(stage.join(&code, "Ann").await.status, 201);
    assert_eq!(stage.join(&code, "Bob").await.status, 201);
    assert_eq!(stage.join(&code, "Cid").await.kind(), (409, "game-full".to_owned()));
}

#[tokio::test]
async fn the_same_key_gives_the_same_player() {
    let stage = Stage::new().await;
    let (id, code) = stage.game().await;
    let ask = |name: &str, key: &str| Ask::join(&code, name).header("idempotency-key", key);
    // All at once: each reply names the same player.
    let replies = join_all((0..20).map(|_| stage.send(ask("Ann", "key-1")))).await;
    assert!(replies.iter().all(|reply| reply.status == 201));
    let bodies: HashSet<Vec<u8>> = replies.iter().map(|reply| reply.body.clone()).collect();
    assert_eq!(bodies.len(), 1);
    let joined = replies[0].json();
    assert_eq!(stage.send(ask("Ann", "key-1")).await.json(), joined);
    assert_eq!(stage.send(ask("Bob", "key-1")).await.kind(), (422, "idempotency-key-reused".to_owned()));
    assert_eq!(stage.send(ask(" ANN", "key-2")).await.kind(), (409, "name-taken".to_owned()));
    let bob = stage.send(ask("Bob", "key-2")).await.json();
    assert_ne!(bob["sessionToken"], joined["sessionToken"]);
    let player = serde_json::from_value(joined["playerId"].clone()).unwrap();
    host(&stage, &id, &[Command::RenamePlayer { player, name: "Anna".to_owned() }]).await;
    let renamed = stage.send(ask("Ann", "key-1")).await.json();
    for field in ["playerId", "sessionToken"] {
        assert_eq!(renamed[field], joined[field], "also when the host has renamed the player");
    }

    let player = format!("/api/v1/games/{id}/players/{}", joined["playerId"].as_str().unwrap());
    assert_eq!(stage.send(Ask::new("DELETE", &player).bearer(SCRIPT)).await.status, 204);
    assert_eq!(stage.send(ask("Ann", "key-1")).await.kind(), (409, "seat-removed".to_owned()));
    for bad in ["", " \u{e9}"] {
        assert_eq!(stage.send(ask("Dan", bad)).await.kind(), (400, "bad-idempotency-key".to_owned()));
    }
    let long = "k".repeat(256);
    assert_eq!(stage.send(ask("Dan", &long)).await.status, 400);
}

/// The token and the key of the banned phone are refused; a request without either counts as another guest's. A page can
/// therefore ask before it offers to join again.
#[tokio::test]
async fn a_banned_phone_does_not_come_back_by_its_token_or_key() {
    let stage = Stage::new().await;
    let (id, code) = stage.game().await;
    let ask = |name: &str, key: &str| Ask::join(&code, name).header("idempotency-key", key);
    let joined = stage.send(ask("Ann", "key-1")).await.json();
    let token = joined["sessionToken"].as_str().unwrap().to_owned();
    assert_eq!(stage.send(ask("Bob", "key-2").bearer(&token)).await.status, 201, "a valid token is not refused");
    let player = format!("/api/v1/games/{id}/players/{}", joined["playerId"].as_str().unwrap());
    assert_eq!(stage.send(Ask::new("DELETE", &player).bearer(SCRIPT)).await.status, 204);
    let options = format!("/api/v1/join/{code}");
    let plain = stage.send(Ask::get(&options)).await;
    let removed = stage.send(Ask::get(&options).bearer(&token)).await;
    assert_eq!((removed.status, &removed.body), (200, &plain.body), "removed, but not banned");
    assert_eq!(stage.send(ask("Cleo", "key-3").bearer(&token)).await.status, 201, "removed, but not banned");
    assert_eq!(stage.send(Ask::new("DELETE", &format!("{player}?ban=maybe")).bearer(SCRIPT)).await.status, 400);
    assert_eq!(stage.send(Ask::new("DELETE", &format!("{player}?ban=true")).bearer(SCRIPT)).await.status, 204);
    for again in [ask("Ann", "key-1"), ask("Dan", "key-4").bearer(&token), Ask::get(&options).bearer(&token)] {
        assert_eq!(stage.send(again).await.kind(), (403, "banned".to_owned()));
    }
    assert_eq!(
        stage.send(Ask::get(&options)).await.body,
        plain.body,
        "without the token the reply is the same as before"
    );
    let (_, other) = stage.game().await;
    let elsewhere = Ask::join(&other, "Ann").header("idempotency-key", "key-5").bearer(&token);
    assert_eq!(stage.send(elsewhere).await.status, 201, "another game");
    assert_eq!(stage.send(ask("Eve", "key-6").bearer("qp_nonsense")).await.status, 201);
}

#[tokio::test]
async fn forwarded_addresses_count_behind_trusted_proxies_only() {
    let stage = Stage::with(&[("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "2"), ("TRUSTED_PROXIES", "10.0.0.0/8")]).await;
    let guess = |peer: &str, forwarded: u8| {
        let ask = Ask::join("AAAAAA", "Ann").from(peer).header("x-forwarded-for", &format!("1.2.3.{forwarded}"));
        stage.send(ask)
    };
    let mut statuses = Vec::new();
    for peer in ["198.51.100.7", "10.0.0.1"] {
        for forwarded in 0..3 {
            statuses.push(guess(peer, forwarded).await.status);
        }
    }
    assert_eq!(statuses, [404, 404, 429, 404, 404, 404]);
}

#[tokio::test]
async fn guesses_at_once_are_no_more_than_guesses_in_turn() {
    let stage = Stage::new().await;
    let guesses = (0..40).map(|number| {
        let code: String = crate::phones::guess(number);
        stage.send(Ask::join(&code, "Ann").from("198.51.100.7"))
    });
    let replies = join_all(guesses).await;
    let found_nothing = replies.iter().filter(|reply| reply.status == 404).count();
    assert_eq!(found_nothing, 10);
    assert!(replies.iter().all(|reply| matches!(reply.status, 404 | 429)));
    // The refused codes were not looked up, and therefore do not count either.
    let later = stage.send(Ask::join("AAAAAA", "Ann").from("198.51.100.7")).await;
    assert!(later.header("retry-after").parse::<u64>().unwrap() <= 60, "{}", later.header("retry-after"));
    assert_eq!(later.header("ratelimit"), "", "the interface's own answers do not change");
}

#[tokio::test]
async fn joins_beyond_the_rate_of_a_game_wait_their_turn() {
    let stage = Stage::with(&[("JOINS_PER_SECOND_PER_GAME", "10")]).await;
    let (_, code) = stage.game().await;
    let begun = std::time::Instant::now();
    let replies = join_all((0..25).map(|number| stage.send(Ask::join(&code, &format!("Guest {number}"))))).await;
    assert!(replies.iter().all(|reply| reply.status == 201));
    // Ten at once, then ten a second.
    assert!(begun.elapsed() >= std::time::Duration::from_millis(1_400), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_database_that_does_not_answer_is_503_and_then_all_is_well() {
    let stage = Stage::with(&[("COMMAND_TIMEOUT", "3s")]).await;
    let (_, code) = stage.game().await;
    assert_eq!(stage.join(&code, "Ann").await.status, 201);
    let path = stage.folder.path().join("q.db");
    let mut other = sqlx::sqlite::SqliteConnectOptions::new().filename(path).connect().await.unwrap();
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    let refused = stage.join(&code, "Bob").await;
    assert_eq!(refused.kind(), (503, "storage-unavailable".to_owned()));
    assert_eq!(refused.header("retry-after"), "2");
    other.execute("ROLLBACK").await.unwrap();
    // The wait is bounded: the store stops waiting for the lock after two seconds at most.
    let mut statuses = Vec::new();
    for number in 0..50 {
        let status = stage.join(&code, &format!("Guest {number}")).await.status;
        statuses.push(status);
        if status == 201 {
            break;
        }
    }
    assert_eq!(statuses.last(), Some(&201), "{statuses:?}");
}

/// Neither joins in a game without the option nor names that the host sets are checked.
#[tokio::test]
async fn a_game_with_clean_names_refuses_rude_ones() {
    let stage = Stage::new().await;
    let (_, any) = stage.game().await;
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}])).await;
    let create = Ask::post("/api/v1/games", &json!({"quizId": quiz, "cleanNames": true})).bearer(SCRIPT);
    let game = stage.send(create).await.json();
    let code = game["gameCode"].as_str().unwrap();
    for name in ["F.u.c.k", "sh1thead"] {
        assert_eq!(stage.join(code, name).await.field(), (422, Some("displayName".to_owned())), "{name}");
        assert_eq!(stage.join(&any, name).await.status, 201, "{name}");
    }
    assert_eq!(stage.join(code, "The Assassins").await.status, 201);
    let player =
        serde_json::from_value(stage.join(code, "Scunthorpe United").await.json()["playerId"].clone()).unwrap();
    let rude = Command::RenamePlayer { player, name: "Shithead".to_owned() };
    host(&stage, game["id"].as_str().unwrap(), &[rude]).await;
}

/// Sends the host's commands.
pub async fn host(stage: &Stage, id: &str, commands: &[Command]) {
    let id: Value = json!(id);
    let id: GameId = serde_json::from_value(id).unwrap();
    let game = stage.app.registry.by_id(id).await.unwrap().unwrap();
    for command in commands {
        game.command(Actor::Host, command.clone()).await.unwrap();
    }
}
