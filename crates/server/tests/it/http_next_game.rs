//! From a game to the next one in the same room: the participants who are taken along, under which name, and the refusals.

use serde_json::{Value, json};

use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

async fn follow(stage: &Stage, path: &str, token: &str) -> Reply {
    stage.send(Ask::new("POST", path).bearer(token)).await
}

async fn next_seat(stage: &Stage, token: &str) -> Reply {
    follow(stage, "/api/v1/seats/next", token).await
}

/// Creates a game that follows another one: its id and its code.
async fn following(stage: &Stage, before: &str) -> (String, String) {
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["x"]}])).await;
    let body = json!({"quizId": quiz, "follows": before});
    let reply = stage.send(Ask::post("/api/v1/games", &body).bearer(SCRIPT)).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let text = |field: &str| reply.json()[field].as_str().unwrap().to_owned();
    (text("id"), text("gameCode"))
}

async fn players(stage: &Stage, game: &str) -> Value {
    stage.send(Ask::get(&format!("/api/v1/games/{game}/players")).bearer(SCRIPT)).await.json()["players"].clone()
}

fn token_of(reply: &Reply) -> String {
    reply.json()["sessionToken"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn players_go_on_under_their_names_each_once() {
    let stage = Stage::new().await;
    let (before, code) = stage.game().await;
    let (ann, bob) = (token_of(&stage.join(&code, "Ann").await), token_of(&stage.join(&code, "Bob").await));
    assert_eq!(next_seat(&stage, &ann).await.status, 204, "no game follows");
    let (next, next_code) = following(&stage, &before).await;
    let taken = next_seat(&stage, &ann).await;
    assert_eq!(taken.status, 201, "{}", taken.text());
    assert_eq!((&taken.json()["gameCode"], &taken.json()["displayName"]), (&json!(next_code), &json!("Ann")));
    assert_eq!(next_seat(&stage, &ann).await.json(), taken.json(), "the same player, if the answer was lost");
    assert_ne!(token_of(&taken), ann);
    assert_eq!(players(&stage, &next).await.as_array().unwrap().len(), 1);
    // Bob has not joined yet, and another guest has his name.
    assert_eq!(stage.join(&next_code, "Bob").await.status, 201);
    assert_eq!(next_seat(&stage, &bob).await.kind(), (409, "name-taken".to_owned()));
    // A token leads to the game that follows its own: a series is followed one game at a time.
    let (third, _) = following(&stage, &next).await;
    assert_eq!(next_seat(&stage, &token_of(&taken)).await.status, 201);
    assert_eq!(players(&stage, &third).await[0]["displayName"], "Ann");
    assert_eq!(next_seat(&stage, &ann).await.json(), taken.json());
}

#[tokio::test]
async fn no_other_token_and_no_key_of_a_client_opens_a_seat() {
    let stage = Stage::new().await;
    let (before, code) = stage.game().await;
    let joined = stage.join(&code, "Ann").await;
    let (next, next_code) = following(&stage, &before).await;
    let mine = token_of(&next_seat(&stage, &token_of(&joined)).await);
    for token in ["", "qp_none", SCRIPT, &mine.replace("qp_", "qw_")] {
        assert_eq!(next_seat(&stage, token).await.status, 401, "{token}");
    }
    let player = joined.json()["playerId"].as_str().unwrap().to_owned();
    let guessed = Ask::join(&next_code, "Ann").header("Idempotency-Key", &format!("next {player} 0"));
    assert_eq!(stage.send(guessed).await.kind(), (409, "name-taken".to_owned()), "it is not one of her keys");
    let path = format!("/api/v1/games/{before}/players/{player}");
    assert_eq!(stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await.status, 204);
    assert_eq!(next_seat(&stage, &token_of(&joined)).await.status, 401, "the host has removed the player");
    assert_eq!(players(&stage, &next).await.as_array().unwrap().len(), 1, "only from the game before");
}

#[tokio::test]
async fn screens_go_along() {
    let stage = Stage::new().await;
    let (before, _) = stage.game().await;
    let added =
        stage.send(Ask::post(&format!("/api/v1/games/{before}/screens"), &json!({})).bearer(SCRIPT)).await.json();
    let token = added["url"].as_str().unwrap().rsplit_once('/').unwrap().1.to_owned();
    assert_eq!(follow(&stage, "/api/v1/screens/next", &token).await.status, 204);
    let (next, next_code) = following(&stage, &before).await;
    let reply = follow(&stage, "/api/v1/screens/next", &token).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert!(reply.json()["url"].as_str().unwrap().contains(&format!("/screen#{next_code}/qw_")), "{}", reply.text());
    assert_eq!(follow(&stage, "/api/v1/screens/next", &token).await.json(), reply.json());
    let list = stage.send(Ask::get(&format!("/api/v1/games/{next}/screens")).bearer(SCRIPT)).await.json();
    assert_eq!(list["screens"].as_array().unwrap().len(), 1);
    // A screen that the host of that game removes is not added again by asking again.
    let path = format!("/api/v1/games/{next}/screens/{}", list["screens"][0]["screenId"].as_str().unwrap());
    assert_eq!(stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await.status, 204);
    assert_eq!(follow(&stage, "/api/v1/screens/next", &token).await.kind(), (409, "seat-removed".to_owned()));
    let list = stage.send(Ask::get(&format!("/api/v1/games/{next}/screens")).bearer(SCRIPT)).await.json();
    assert_eq!(list["screens"], json!([]));
    assert_eq!(follow(&stage, "/api/v1/screens/next", "qw_none").await.status, 401);
}

#[tokio::test]
async fn spectators_go_along_once_they_may_watch() {
    let stage = Stage::new().await;
    let (before, code) = stage.game().await;
    let allow = async |game: &str, allowed: bool| {
        let path = format!("/api/v1/games/{game}/spectators");
        let set = Ask::new("PUT", &path).json(&json!({"allowed": allowed})).bearer(SCRIPT);
        assert_eq!(stage.send(set).await.status, 204);
    };
    allow(&before, true).await;
    let watching = stage.send(Ask::post("/api/v1/spectators", &json!({"gameCode": code}))).await.json();
    let token = watching["token"].as_str().unwrap();
    assert_eq!(follow(&stage, "/api/v1/screens/next", token).await.status, 204, "no game follows");
    let (next, next_code) = following(&stage, &before).await;
    assert_eq!(
        follow(&stage, "/api/v1/screens/next", token).await.status,
        204,
        "its host does not let spectators watch"
    );
    allow(&next, true).await;
    let reply = follow(&stage, "/api/v1/screens/next", token).await;
    let link = json!(format!("https://quiz.example.org/watch/{next_code}"));
    assert_eq!((reply.status, &reply.json()["url"]), (201, &link), "{}", reply.text());
    assert_eq!(follow(&stage, "/api/v1/screens/next", token).await.json(), reply.json());
    let list = stage.send(Ask::get(&format!("/api/v1/games/{next}/screens")).bearer(SCRIPT)).await.json();
    assert_eq!(list["screens"], json!([]), "a spectator is on no list");
    allow(&before, false).await;
    assert_eq!(follow(&stage, "/api/v1/screens/next", token).await.status, 401);
}

#[tokio::test]
async fn the_phones_of_a_team_find_each_other_again() {
    let stage = Stage::new().await;
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["x"]}])).await;
    let open = async |follows: Option<&str>| {
        let body = json!({"quizId": quiz, "teams": {"devices": 3}, "follows": follows});
        let reply = stage.send(Ask::post("/api/v1/games", &body).bearer(SCRIPT)).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        let text = |field: &str| reply.json()[field].as_str().unwrap().to_owned();
        (text("id"), text("gameCode"))
    };
    let (before, code) = open(None).await;
    let larks = stage.send(Ask::post("/join", &json!({"gameCode": code, "displayName": "Larks", "team": true}))).await;
    let team = larks.json()["teamCode"].clone();
    let ben = stage.send(Ask::post("/join", &json!({"gameCode": code, "displayName": "Ben", "teamCode": team}))).await;
    assert_eq!((larks.status, ben.status), (201, 201), "{} {}", larks.text(), ben.text());
    let (next, next_code) = open(Some(&before)).await;
    let first = next_seat(&stage, &token_of(&ben)).await;
    assert_eq!((&first.json()["gameCode"], &first.json()["displayName"]), (&json!(next_code), &json!("Larks")));
    let second = next_seat(&stage, &token_of(&larks)).await;
    assert_eq!(second.status, 201, "{}", second.text());
    let both = [&first, &second].map(|reply| (reply.json()["playerId"].clone(), reply.json()["teamCode"].clone()));
    assert_eq!(both[0], both[1], "one team");
    assert_ne!(first.json()["deviceId"], second.json()["deviceId"]);
    for (token, reply) in [(&ben, &first), (&larks, &second)] {
        assert_eq!(
            next_seat(&stage, &token_of(token)).await.json(),
            reply.json(),
            "the same phone, if the answer was lost"
        );
    }
    assert_eq!(players(&stage, &next).await.as_array().unwrap().len(), 1);
}
