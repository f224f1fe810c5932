//! `POST /join`: every status, names, idempotency, limits.

use std::collections::HashSet;

use futures_util::future::join_all;
use quizhall_rules::{Actor, Command, GameId};
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, Executor as _};

use crate::http_stage::{Ask, SCRIPT, Stage};

#[tokio::test]
async fn a_player_joins() {
    let stage = Stage::new().await;
    let (_, code) = stage.game().await;
    let reply = stage.join(&code, "  Ann\t Lee ").await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let joined = reply.json();
    assert_eq!((&joined["gameCode"], &joined["displayName"]), (&json!(code), &json!("Ann Lee")));
    assert!(joined["sessionToken"].as_str().unwrap().starts_with("qp_"));
    assert_eq!(joined["playerId"].as_str().unwrap().len(), 36);
    assert_eq!(joined.as_object().unwrap().len(), 4);
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
    assert_eq!(reply.header("cache-control"), "no-store");
    assert_eq!(reply.header("referrer-policy"), "no-referrer");

    let alias = json!({"code": format!(" {} {}", &code[..3].to_lowercase(), &code[3..]), "displayName": "Bob"});
    assert_eq!(stage.send(Ask::post("/join", &alias)).await.status, 201);
}

#[tokio::test]
async fn late_in_locked_in_ended() {
    let stage = Stage::new().await;
    let (id, code) = stage.game().await;
    let path = format!("/api/v1/games/{id}");
    let lock = |locked| Ask::new("PATCH", &path).json(&json!({"locked": locked})).bearer(SCRIPT);
    assert_eq!(stage.send(lock(true)).await.json()["locked"], json!(true));
    assert_eq!(stage.join(&code, "Ann").await.kind(), (423, "locked".to_owned()));
    assert_eq!(stage.send(lock(false)).await.status, 200);
    host(&stage, &id, &[Command::StartGame, Command::EndRound]).await;
    assert_eq!(stage.join(&code, "Ann").await.status, 201, "late, in review");
    host(&stage, &id, &[Command::ReleaseScores, Command::EndGame]).await;
    assert_eq!(stage.join(&code, "Bob").await.kind(), (410, "ended".to_owned()));
    assert_eq!(stage.send(lock(true)).await.kind(), (409, "wrong-phase".to_owned()));
}

#[tokio::test]
async fn a_full_game_says_so() {
    let stage = Stage::with(&[("MAX_PLAYERS", "2")]).await;
    let (_, code) = stage.game().await;
    assert_eq!(stage.join(&code, "Ann").await.status, 201);
    assert_eq!(stage.join(&code, "Bob").await.status, 201);
    assert_eq!(stage.join(&code, "Cid").await.kind(), (409, "game-full".to_owned()));
}

#[tokio::test]
async fn names_are_stored_verbatim_or_refused() {
    let stage = Stage::new().await;
    let (id, code) = stage.game().await;
    // Text that has a meaning in other programs; here it is only a name.
    let verbatim = ["'); DROP TABLE game;--", "%00%0a", "${jndi:ldap://x}", "<b onclick=alert(1)>", "Zoë 🎉", "李雷"];
    for name in verbatim {
        let reply = stage.join(&code, name).await;
        assert_eq!((reply.status, &reply.json()["displayName"]), (201, &json!(name)), "{}", reply.text());
    }
    // Names that imitate others (promise 38).
    let zalgo = format!("a{}", "\u{301}".repeat(500));
    let long = "a".repeat(3_000);
    let refused = [
        "",
        "   ",
        "a\u{202e}b",
        "\u{200b}",
        "\u{3164}",
        zalgo.as_str(),
        long.as_str(),
        "аdmin",
        "host",
        "a\u{0}b",
        "a\u{e0041}b",
    ];
    for name in refused {
        let reply = stage.join(&code, name).await;
        assert_eq!(reply.field(), (422, Some("displayName".to_owned())), "{:?}", &name[..name.len().min(20)]);
    }
    let players = stage.send(Ask::get(&format!("/api/v1/games/{id}/players")).bearer(SCRIPT)).await.json();
    let names: Vec<_> = players["players"].as_array().unwrap().iter().map(|player| &player["displayName"]).collect();
    assert_eq!(names, verbatim);
}

#[tokio::test]
async fn one_of_a_thousand_gets_the_name() {
    let stage = Stage::new().await;
    let (_, code) = stage.game().await;
    // Different spellings with the same skeleton.
    let names = ["Anna", "ANNA", "anna", "Аnna"];
    let replies = join_all((0..1_000).map(|number| stage.join(&code, names[number % names.len()]))).await;
    let seated = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(seated, 1);
    let others = replies.iter().filter(|reply| reply.status != 201);
    assert!(others.into_iter().all(|reply| reply.kind() == (409, "name-taken".to_owned())));
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
    assert_eq!(stage.send(ask("Ann", "key-2")).await.kind(), (409, "name-taken".to_owned()));
    let bob = stage.send(ask("Bob", "key-2")).await.json();
    assert_ne!(bob["sessionToken"], joined["sessionToken"]);

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
async fn guessing_codes_ends_after_ten() {
    let stage = Stage::new().await;
    let (_, code) = stage.game().await;
    let unknown = if code == "AAAAAA" { "BBBBBB" } else { "AAAAAA" };
    let guess = |address: &str| stage.send(Ask::join(unknown, "Ann").from(address));
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(guess("198.51.100.7").await.kind().0);
    }
    assert_eq!(statuses, [vec![404; 10], vec![429; 2]].concat());
    let limited = guess("198.51.100.7").await;
    assert!((1..=60).contains(&limited.header("retry-after").parse::<u64>().unwrap()));
    let right = stage.send(Ask::join(&code, "Ann").from("198.51.100.7")).await;
    assert_eq!(right.kind().0, 429, "a guess of the right code is not confirmed either");
    assert_eq!(guess("198.51.100.8").await.kind().0, 404, "another address");
    for number in 0..10 {
        guess(&format!("2001:db8::{number}")).await;
    }
    assert_eq!(guess("2001:db8::aaaa").await.kind().0, 429, "one /64 is one address");
    assert_eq!(guess("2001:db8:0:1::1").await.kind().0, 404);
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
    let guesses = (0..300).map(|number| {
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

#[tokio::test]
async fn a_repeated_join_is_the_same_also_when_the_host_has_renamed_the_player() {
    let stage = Stage::new().await;
    let (id, code) = stage.game().await;
    let join = || Ask::join(&code, "Ann").header("Idempotency-Key", "a key of Ann");
    let first = stage.send(join()).await;
    let player = serde_json::from_value(first.json()["playerId"].clone()).unwrap();
    host(&stage, &id, &[Command::RenamePlayer { player, name: "Anna".to_owned() }]).await;
    let again = stage.send(join()).await;
    assert_eq!(again.status, 201, "{}", again.text());
    for field in ["playerId", "sessionToken"] {
        assert_eq!(again.json()[field], first.json()[field], "{field}");
    }
}

/// Neither joins in a game without the option nor names that the host sets are checked.
#[tokio::test]
async fn a_game_with_clean_names_refuses_rude_ones() {
    let stage = Stage::new().await;
    let (_, any) = stage.game().await;
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["!"]}])).await;
    let create = async || {
        stage.send(Ask::post("/api/v1/games", &json!({"quizId": quiz, "cleanNames": true})).bearer(SCRIPT)).await
    };
    let game = create().await.json();
    assert_eq!(game["cleanNames"], json!(true));
    let code = game["gameCode"].as_str().unwrap();
    for name in ["fuck you", "F.u.c.k", "sh1thead"] {
        let refused = stage.join(code, name).await;
        assert_eq!((refused.status, &refused.json()["field"]), (422, &json!("displayName")), "{name}");
        assert_eq!(stage.join(&any, name).await.status, 201, "{name}");
    }
    for name in ["Ann", "The Assassins", "Scunthorpe United", "Jürgen Müller"] {
        assert_eq!(stage.join(code, name).await.status, 201, "{name}");
    }
    let player = serde_json::from_value(stage.join(code, "Bob").await.json()["playerId"].clone()).unwrap();
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
