//! Pictures that are loaded before the release: named and sized ahead, opened by the question, and unknown to the interface.

use std::sync::Arc;

use anyhow::{Context as _, ensure};
use quizhall_protocol::http::games::NewGame;
use quizhall_protocol::{Dialect, Role};
use serde_json::{Value, json};

use crate::api;
use crate::row::{Story, story};
use crate::seat::Connection;
use crate::wire::{Knock, Request};
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[story!(
    "loaded_ahead",
    "a game whose question has a picture; the host and the first player speak v1",
    "load what `media_preload` names; start the game; release the question; the first player connects again",
    "the copy has the length that was named and is not the picture; the question brings name and key, again on connecting; the second \
     player is sent the text alone",
    Swift,
    loaded_ahead
)];

/// The beginning of a picture, and what a copy of it must not hold.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR conformance looks for this in the copy";
const ALT: &str = "A wooden tube with many keys";

async fn loaded_ahead(world: Arc<World>) -> anyhow::Result<()> {
    let quiz = quiz_with_picture(&world).await?;
    let (_lease, game) = world.lease(&NewGame::new(quiz)).await?;
    let code = &game.game_code;
    let (first, second) = (join(&world, code).await?, join(&world, code).await?);
    let host = world.host.token().to_owned();
    let mut host = world.connect_as(Knock::bearer(code, &host), Role::Host, Dialect::QuizhallV1).await?;
    let mut phone = world.connect_as(Knock::bearer(code, &first), Role::Player, Dialect::QuizhallV1).await?;
    let mut plain = world.connect_as(Knock::bearer(code, &second), Role::Player, Dialect::Interface).await?;

    let ahead = until(&mut phone, "media_preload").await?;
    ensure!(until(&mut host, "media_preload").await? == ahead, "the host is sent other copies");
    let item = ahead["items"].get(0).context("no copy is named")?;
    ensure!(!ahead.to_string().contains(ALT), "the description comes before the question");
    let name = item["name"].as_str().context("a copy without a name")?;
    let path = format!("/api/v1/games/{}/media/{name}", game.id);
    let copy = Request::new("GET", &path).send(&world.target).await?;
    ensure!(copy.status == 200, "load a copy: HTTP {}", copy.status);
    ensure!(item["bytes"] == copy.body.len(), "the copy has {} bytes", copy.body.len());
    ensure!(!copy.body.windows(16).any(|bytes| bytes == &PICTURE[16..32]), "the copy can be read without its key");

    let question = game.rounds[0].questions[0].id.context("a question without an id")?;
    host.send(&json!({"type": "start_game"}).to_string()).await?;
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}}).to_string()).await?;
    let released = until(&mut phone, "question_released").await?;
    let media = &released["question"]["media"];
    ensure!(media["name"] == name && media["alt"] == ALT, "the question has another picture: {media}");
    ensure!(media["key"].as_str().is_some_and(|key| key.len() == 64), "the question has no key");
    let text = until(&mut plain, "question_released").await?;
    ensure!(text["question"].get("media").is_none(), "the second player is sent {text}");
    let mut again = world.connect_as(Knock::bearer(code, &first), Role::Player, Dialect::QuizhallV1).await?;
    ensure!(until(&mut again, "media_preload").await? == ahead, "other copies are named on connecting");
    ensure!(until(&mut again, "question_released").await? == released, "the question is another on connecting");
    world.host.delete_quiz(quiz).await
}

async fn quiz_with_picture(world: &World) -> anyhow::Result<uuid::Uuid> {
    let upload = Request::new("POST", "/api/v1/media").body(PICTURE);
    let file = world.host.send(upload).await?;
    ensure!(matches!(file.status, 200 | 201), "upload a picture: HTTP {}", file.status);
    let question = json!({
        "text": format!("Which instrument is this, {}?", world.tag), "type": "text", "correctAnswers": ["Oboe"],
        "media": {"id": file.json()?["id"], "kind": "picture", "alt": ALT},
    });
    let quiz = json!({"title": format!("Pictures {}", world.tag), "rounds": [{"title": "", "questions": [question]}]});
    Ok(world.host.create_quiz(&serde_json::from_value(quiz)?).await?.id)
}

async fn join(world: &World, code: &str) -> anyhow::Result<String> {
    Ok(api::join(&world.target, code, &world.fresh_name()).await?.session_token)
}

/// The payload of the next message of this type.
async fn until(socket: &mut Connection, kind: &str) -> anyhow::Result<Value> {
    loop {
        let mut message = socket.message().await.with_context(|| format!("no {kind}"))?;
        if message["type"] == kind {
            return Ok(message["payload"].take());
        }
    }
}
