//! Whole games in which some sockets speak the extension: they receive its messages, and all other sockets
//! what the interface says.

use std::sync::Arc;

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "host_and_first_player",
        "two rounds, three players; the host and the first player speak v1",
        "a whole game with group markings, an undo, a late join and a lock",
        "each extension message to those two at its place; the other players are sent the interface and nothing else",
        Swift,
        host_and_first_player
    ),
    story!(
        "host_alone",
        "the same; the host alone speaks v1",
        "the same",
        "no player is sent an extension message",
        Swift,
        host_alone
    ),
    story!(
        "first_player_alone",
        "two rounds, three players; the first player alone speaks v1",
        "a whole game with overrides",
        "`host_status` and `round_started` to that player; the host and the other players are sent the interface and nothing else",
        Swift,
        first_player_alone
    ),
];

async fn host_and_first_player(world: Arc<World>) -> anyhow::Result<()> {
    with_extension(&world, Cast::Mixed).await
}

async fn host_alone(world: Arc<World>) -> anyhow::Result<()> {
    with_extension(&world, Cast::HostOnly).await
}

async fn with_extension(world: &Arc<World>, cast: Cast) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(world, world.long, &["Ada", "Bela", "Cora"], cast).await?;
    first_round(&mut stage).await?;
    stage.mark(0, &["a guess"], true).await?;
    stage.mark(1, &["Amber", "Basalt"], true).await?;
    stage.undo().await?;
    stage.overrule(1, 0, false).await?;
    stage.settled().await?;
    stage.release_scores().await?;
    stage.lock(true).await?;
    stage.next_round().await?;
    stage.lock(false).await?;
    second_round(&mut stage).await?;
    stage.mark(0, &["True"], true).await?;
    stage.release_scores().await?;
    the_end(&mut stage).await
}

async fn first_player_alone(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela", "Cora"], Cast::FirstPlayerOnly).await?;
    first_round(&mut stage).await?;
    stage.overrule(0, 0, true).await?;
    stage.settled().await?;
    stage.release_scores().await?;
    stage.next_round().await?;
    second_round(&mut stage).await?;
    stage.release_scores().await?;
    the_end(&mut stage).await
}

/// To the review, with a guess that two share.
async fn first_round(stage: &mut Stage) -> anyhow::Result<()> {
    stage.start().await?;
    for number in [0, 2, 1] {
        stage.release(number).await?;
    }
    stage.answer(0, 0, "a guess").await?;
    stage.answer_rightly(1, 0).await?;
    stage.answer(2, 0, "a guess").await?;
    stage.answer(0, 1, "Amber").await?;
    stage.answer(1, 1, "Amber").await?;
    stage.answer_rightly(1, 1).await?;
    stage.answer(2, 1, "Basalt").await?;
    stage.all_connect_again().await?;
    stage.end_round().await
}

/// To the review, with a fourth player.
async fn second_round(stage: &mut Stage) -> anyhow::Result<()> {
    stage.release(0).await?;
    stage.join("Dora").await?;
    stage.answer_rightly(3, 0).await?;
    stage.answer(0, 0, "True").await?;
    stage.release(1).await?;
    stage.answer_rightly(2, 1).await?;
    stage.end_round().await
}

async fn the_end(stage: &mut Stage) -> anyhow::Result<()> {
    stage.end_game().await?;
    for actor in [Actor::Host, Actor::Player(0), Actor::Player(3)] {
        stage.replace(actor).await?;
    }
    stage.view().await.map(drop)
}
