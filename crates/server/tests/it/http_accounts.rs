//! Managing accounts over HTTP: list, rename, disable, remove.

use serde_json::{Value, json};

use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

fn change(id: &str, body: &Value) -> Ask {
    Ask::new("PATCH", &format!("/api/v1/hosts/{id}")).json(body)
}

fn remove(id: &str, query: &str) -> Ask {
    Ask::new("DELETE", &format!("/api/v1/hosts/{id}{query}"))
}

/// The accounts by name, as `token` lists them.
async fn list(stage: &Stage, token: &str) -> Vec<Value> {
    let reply = stage.send(Ask::get("/api/v1/hosts").bearer(token)).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["hosts"].as_array().unwrap().clone()
}

async fn id_of(stage: &Stage, name: &str) -> String {
    let accounts = list(stage, SCRIPT).await;
    accounts.iter().find(|account| account["name"] == name).unwrap()["id"].as_str().unwrap().to_owned()
}

async fn sign_in(stage: &Stage, name: &str) -> Reply {
    let body = json!({"name": name, "password": "long enough"});
    stage.send(Ask::post("/api/v1/sessions", &body).from("198.51.100.7")).await
}

#[tokio::test]
async fn accounts_are_listed_renamed_and_disabled() {
    let stage = Stage::new().await;
    let (ann, _bob) = (stage.host("Ann").await, stage.host("Bob").await);
    let names: Vec<_> = list(&stage, SCRIPT).await.iter().map(|account| account["name"].clone()).collect();
    assert_eq!(names, [json!("script"), json!("Ann"), json!("Bob")]);
    let id = id_of(&stage, "Ann").await;

    let renamed = stage.send(change(&id, &json!({"name": " Anna "})).bearer(&ann)).await;
    assert_eq!((renamed.status, &renamed.json()["name"]), (200, &json!("Anna")));
    assert_eq!(stage.send(change(&id, &json!({"name": "bob"})).bearer(&ann)).await.kind().1, "name-taken");
    assert_eq!(stage.send(change(&id, &json!({"name": ""})).bearer(&ann)).await.field().0, 422);

    // The account is not disabled, so its session continues.
    assert_eq!(stage.send(change(&id, &json!({"disabled": false})).bearer(SCRIPT)).await.status, 200);
    assert_eq!(stage.send(Ask::get("/api/v1/games").bearer(&ann)).await.status, 200);

    let own = stage.send(change(&id, &json!({"disabled": true})).bearer(&ann)).await;
    assert_eq!(own.kind(), (403, "forbidden".to_owned()), "a host changes the name of its own account only");
    let disabled = stage.send(change(&id, &json!({"disabled": true})).bearer(SCRIPT)).await;
    assert_eq!((disabled.status, &disabled.json()["disabled"]), (200, &json!(true)));
    assert_eq!(stage.send(Ask::get("/api/v1/games").bearer(&ann)).await.status, 401, "its session has ended");
    let refused = sign_in(&stage, "Anna").await;
    assert_eq!(
        refused.bytes(),
        sign_in(&stage, "Unknown").await.bytes(),
        "the reply does not show that it is disabled"
    );
    let script = id_of(&stage, "script").await;
    let bob = id_of(&stage, "Bob").await;
    for (id, body) in
        [(&bob, json!({"disabled": true})), (&script, json!({"name": "x"})), (&script, json!({"disabled": true}))]
    {
        assert_eq!(stage.send(change(id, &body).bearer(SCRIPT)).await.kind(), (409, "conflict".to_owned()));
    }
    assert_eq!(stage.send(change(&id, &json!({"disabled": false})).bearer(SCRIPT)).await.status, 200);
    assert_eq!(sign_in(&stage, "Anna").await.status, 201);
    assert_eq!(stage.send(change(&uuid::Uuid::nil().to_string(), &json!({})).bearer(SCRIPT)).await.status, 404);
}

#[tokio::test]
async fn a_removed_account_leaves_what_it_owns_to_another() {
    let stage = Stage::new().await;
    let (ann, bob) = (stage.host("Ann").await, stage.host("Bob").await);
    let (of_ann, of_bob) = (id_of(&stage, "Ann").await, id_of(&stage, "Bob").await);
    let quizzes = stage.send(Ask::get("/api/v1/quizzes").bearer(&ann)).await.json();
    let quiz = quizzes["quizzes"][0]["id"].clone();
    let game = stage.send(Ask::post("/api/v1/games", &json!({"quizId": quiz})).bearer(&ann)).await.json();
    let path = format!("/api/v1/games/{}", game["id"].as_str().unwrap());
    assert_eq!(stage.send(remove(&of_ann, "").bearer(&ann)).await.kind(), (409, "conflict".to_owned()));
    let to_bob = format!("?gamesTo={of_bob}");
    assert_eq!(stage.send(remove(&of_ann, &to_bob).bearer(&bob)).await.kind(), (403, "forbidden".to_owned()));
    for (query, status) in [("?gamesTo=x", 400), (&format!("?gamesTo={}", uuid::Uuid::nil()), 404)] {
        assert_eq!(stage.send(remove(&of_ann, query).bearer(&ann)).await.status, status);
    }
    assert_eq!(stage.send(remove(&of_ann, &format!("?gamesTo={of_ann}")).bearer(&ann)).await.status, 409);
    assert_eq!(stage.send(Ask::get(&path).bearer(&bob)).await.status, 404);
    assert_eq!(stage.send(remove(&of_ann, &to_bob).bearer(&ann)).await.status, 204);
    assert_eq!(stage.send(Ask::get(&path).bearer(&ann)).await.status, 401);
    let mine = stage.send(Ask::get(&path).bearer(&bob)).await;
    assert_eq!((mine.status, &mine.json()["gameCode"]), (200, &game["gameCode"]));
    assert_eq!(stage.send(remove(&of_ann, "").bearer(SCRIPT)).await.status, 404);
    assert_eq!(stage.send(remove(&of_bob, "").bearer(&bob)).await.kind().0, 409, "the last owner");
}

#[tokio::test]
async fn owners_look_after_accounts_and_hosts_do_not() {
    let stage = Stage::new().await;
    let (ann, bob) = (stage.host("Ann").await, stage.host("Bob").await);
    let (of_ann, of_bob) = (id_of(&stage, "Ann").await, id_of(&stage, "Bob").await);
    let cid = json!({"name": " Cid  Lee ", "password": "long enough"});
    let nowhere = uuid::Uuid::nil().to_string();
    let asks = [
        Ask::get("/api/v1/hosts"),
        Ask::post("/api/v1/hosts", &cid),
        change(&of_ann, &json!({"name": "Anna"})),
        change(&of_bob, &json!({"role": "owner"})),
        change(&nowhere, &json!({"name": "Anna"})),
        remove(&of_ann, ""),
        remove(&nowhere, ""),
    ];
    for ask in asks.clone() {
        assert_eq!(stage.send(ask.bearer(&bob)).await.kind(), (403, "forbidden".to_owned()));
    }
    let promoted = stage.send(change(&of_bob, &json!({"role": "owner"})).bearer(SCRIPT)).await;
    assert_eq!((promoted.status, &promoted.json()["role"]), (200, &json!("owner")));
    let statuses = [200, 201, 200, 200, 404, 409, 404];
    for (ask, status) in asks.into_iter().zip(statuses) {
        // The cached role of a session is at most 800 ms old.
        let reply = eventually(&stage, &ask.bearer(&bob)).await;
        assert_eq!(reply.status, status, "{}", reply.text());
    }
    let again = json!({"name": "cid lee", "password": "long enough"});
    assert_eq!(stage.send(Ask::post("/api/v1/hosts", &again).bearer(&bob)).await.kind().1, "name-taken");
    assert!(list(&stage, &bob).await.iter().any(|account| account["name"] == "Cid Lee"));
    let demoted = stage.send(change(&of_bob, &json!({"role": "host"})).bearer(&bob)).await;
    assert_eq!(demoted.kind(), (409, "conflict".to_owned()), "the last owner");
    assert_eq!(stage.send(change(&of_bob, &json!({"disabled": true})).bearer(SCRIPT)).await.status, 409);
    assert_eq!(stage.send(remove(&of_bob, &format!("?gamesTo={of_ann}")).bearer(SCRIPT)).await.status, 409);
    assert_eq!(stage.send(change(&of_ann, &json!({"role": "owner"})).bearer(&bob)).await.status, 200);
    assert_eq!(stage.send(change(&of_bob, &json!({"role": "host"})).bearer(&bob)).await.status, 200);
    let listed = eventually_not(&stage, &Ask::get("/api/v1/hosts").bearer(&bob), 200).await;
    assert_eq!(listed.status, 403);
    assert_eq!(eventually(&stage, &Ask::get("/api/v1/hosts").bearer(&ann)).await.status, 200);
}

/// The answer once it is no longer a refusal for lack of the role; a change of role takes effect within a second.
async fn eventually(stage: &Stage, ask: &Ask) -> Reply {
    eventually_not(stage, ask, 403).await
}

async fn eventually_not(stage: &Stage, ask: &Ask, status: u16) -> Reply {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(4);
    loop {
        let reply = stage.send(ask.clone()).await;
        if reply.status != status || std::time::Instant::now() > end {
            return reply;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
