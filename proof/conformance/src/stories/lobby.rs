//! Joining, leaving, coming back, late joins, the lock, removal and the end of a game's life.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::Fact;
use quizhall_protocol::http::join::JoinResponse;
use quizhall_protocol::{CloseCode, Dialect, Role};
use serde_json::json;

use crate::api;
use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::command::Actor;
use crate::stage::compare::{received, value};
use crate::stage::substate::SubState;
use crate::wire::{Knock, Opened, Request, Response};
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "joins_are_announced",
        "an empty lobby with a host",
        "three players join one after the other, each connects",
        "all sockets are sent `lobby_update` for each join, in order of joining; connecting is not announced",
        Swift,
        joins_are_announced
    ),
    story!(
        "clean_leave_and_return",
        "a lobby of two",
        "the first closes their socket cleanly, then connects again",
        "`lobby_update` without them at once; with them again, at their old place",
        Swift,
        clean_leave_and_return
    ),
    story!(
        "quick_reconnect",
        "a lobby of two",
        "the first's connection breaks; they connect again at once",
        "no other socket receives a byte",
        Swift,
        quick_reconnect
    ),
    story!(
        "leave_after_the_lobby",
        "an open question, two players",
        "the first leaves cleanly, the round goes on, they come back",
        "neither is announced; the player and their answer stay",
        Swift,
        leave_after_the_lobby
    ),
    story!(
        "late_join_question",
        "an answered question is open",
        "someone joins and answers",
        "`lobby_update` to all; the newcomer is sent the question and takes part",
        Swift,
        late_join_question
    ),
    story!(
        "late_join_review",
        "a round in review",
        "someone joins",
        "`lobby_update` to all; the newcomer is sent `round_ended`",
        Swift,
        late_join_review
    ),
    story!(
        "late_join_next_round",
        "a leaderboard with a round to come",
        "someone joins; the next round is played",
        "the newcomer is sent `round_leaderboard`, plays, and is on the next board",
        Swift,
        late_join_next_round
    ),
    story!(
        "lock",
        "a lobby of two",
        "lock, join, connect a player who has joined, unlock, join",
        "423 while locked; players who have joined stay; 201 afterwards",
        Swift,
        lock
    ),
    story!(
        "removed",
        "a lobby of two",
        "the host removes the first; they knock again; someone takes their name",
        "4411; `lobby_update` to the others; 401 for the dead token; the name is free",
        Swift,
        removed
    ),
    story!(
        "deleted",
        "an open question, two players",
        "the host deletes the game",
        "4410 to every socket; afterwards 404 or 410 for sockets (401 for a player's token), joins and the owner",
        Swift,
        deleted
    ),
    story!(
        "join_retried",
        "a lobby",
        "the same join with the same `Idempotency-Key` three times, then with another name",
        "the same player and token each time, one player in the game; 422",
        Swift,
        join_retried
    ),
];

async fn joins_are_announced(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &[]).await?;
    for name in ["Ada", "Bela", "Cora"] {
        stage.join(name).await?;
    }
    stage.settled().await.map(drop)
}

async fn clean_leave_and_return(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela"]).await?;
    stage.players.remove(0).leave().await?;
    stage.happened(&Fact::Left(stage.oracle.players[0].id))?;
    stage.expect_lobby().await.context("after a clean leave")?;
    stage.silent().await?;
    stage.come_back(0).await?;
    stage.silent().await
}

async fn quick_reconnect(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Lobby, Role::Player).await?;
    drop(stage.players.remove(0));
    let connection = world.connect(&stage.code, &stage.tokens[0].clone(), Role::Player).await?;
    stage.players.insert(0, connection);
    let lobby = stage.players[0].message().await?;
    ensure!(lobby == value(&stage.oracle.lobby_update()), "who came back is sent another lobby");
    stage.silent().await
}

async fn leave_after_the_lobby(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Answered, Role::Player).await?;
    stage.players.remove(0).leave().await?;
    stage.silent().await?;
    let connection = world.connect(&stage.code, &stage.tokens[0].clone(), Role::Player).await?;
    stage.players.insert(0, connection);
    let want = stage.oracle.sync(stage.viewer(Actor::Player(0)), Dialect::Interface);
    let got = stage.players[0].messages(want.len()).await?;
    received(&got, &want).context("who came back is sent another view")?;
    stage.settled().await?;
    stage.end_round().await
}

async fn late_join_question(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Answered, Role::Player).await?;
    stage.join("Cora").await?;
    stage.answer_rightly(2, 0).await?;
    stage.end_round().await?;
    stage.release_scores().await
}

async fn late_join_review(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Review, Role::Player).await?;
    stage.join("Cora").await?;
    stage.release_scores().await
}

async fn late_join_next_round(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::MoreRounds, Role::Player).await?;
    let joined = api::join(&world.target, &stage.code, "Cora").await?;
    stage.happened(&Fact::Joined(joined.player_id, "Cora".to_owned()))?;
    stage.expect_lobby().await?;
    let mut connection = world.connect(&stage.code, &joined.session_token, Role::Player).await?;
    // Their own results and their row on the board are not checked until they have played; the announcements are.
    let board = connection.message().await?;
    ensure!(board["type"] == "round_leaderboard", "the newcomer is sent {} first", board["type"]);
    connection.drain().await?;
    stage.players.push(connection);
    stage.tokens.push(joined.session_token);
    stage.next_round().await?;
    stage.release(0).await?;
    stage.answer_rightly(2, 0).await?;
    stage.end_round().await?;
    stage.release_scores().await
}

async fn lock(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Lobby, Role::Player).await?;
    world.host.lock(stage.id, true).await?;
    let refused = join(&stage, "Cora", None).await?;
    ensure!(refused.status == 423, "a join into a locked lobby: HTTP {}", refused.status);
    stage.replace(Actor::Player(0)).await.context("a player who has joined, while locked")?;
    world.host.lock(stage.id, false).await?;
    stage.join("Cora").await
}

async fn removed(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Lobby, Role::Player).await?;
    let token = stage.tokens[0].clone();
    stage.remove(0).await?;
    stage.expect_lobby().await.context("after the removal")?;
    match world.pace.open(&Knock::bearer(&stage.code, &token), &world.target).await? {
        Opened::Refused(response) => ensure!(response.status == 401, "the dead token: HTTP {}", response.status),
        Opened::Socket(..) => anyhow::bail!("the dead token opened a socket"),
    }
    stage.silent().await?;
    stage.join("Ada").await
}

async fn deleted(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    world.host.delete_game(stage.id).await?;
    for actor in [Actor::Host, Actor::Player(0), Actor::Player(1)] {
        let ending = stage.connection(actor).closed().await.with_context(|| format!("{actor:?}"))?;
        ensure!(Wanted::bare(CloseCode::GameClosed).fits(&ending), "{actor:?}: {ending}");
    }
    let gone = |what: &str, status: u16| {
        ensure!(matches!(status, 404 | 410), "{what}: HTTP {status}");
        Ok(())
    };
    for (role, token) in [(Role::Host, world.host.token()), (Role::Player, &stage.tokens[0])] {
        match world.pace.open(&Knock::bearer(&stage.code, token), &world.target).await? {
            // A player's token rests on its game: without one it is as good as none.
            Opened::Refused(response) if role == Role::Player && response.status == 401 => {}
            Opened::Refused(response) => gone("a socket", response.status)?,
            Opened::Socket(..) => anyhow::bail!("a socket opened"),
        }
    }
    let view = Request::new("GET", &format!("/api/v1/games/{}", stage.id));
    gone("the owner's view", world.host.send(view).await?.status)?;
    gone("a join", join(&stage, "Cora", None).await?.status)
}

async fn join_retried(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &[]).await?;
    let key = Some(world.tag.as_str());
    let mut joined = Vec::new();
    for _ in 0..3 {
        let response = join(&stage, "Ada", key).await?;
        ensure!(matches!(response.status, 200 | 201), "the join: HTTP {}", response.status);
        joined.push(serde_json::from_slice::<JoinResponse>(&response.body)?);
    }
    let same = joined
        .iter()
        .all(|join| join.player_id == joined[0].player_id && join.session_token == joined[0].session_token);
    ensure!(same, "a retried join is another player");
    let other = join(&stage, "Bela", key).await?;
    ensure!(other.status == 422, "the same key for another name: HTTP {}", other.status);
    stage.happened(&Fact::Joined(joined[0].player_id, "Ada".to_owned()))?;
    stage.expect_lobby().await?;
    stage.view().await.map(drop)
}

async fn join(stage: &Stage, name: &str, key: Option<&str>) -> anyhow::Result<Response> {
    let request = Request::new("POST", "/join").json(&json!({ "gameCode": stage.code, "displayName": name }));
    let request = match key {
        Some(key) => request.header("Idempotency-Key", key),
        None => request,
    };
    Ok(request.send(&stage.world.target).await?)
}
