//! Standings that are held until the host shows them: the recipients of a board, and the time.

use std::sync::Arc;

use anyhow::ensure;
use quizhall_protocol::{CloseCode, FromHost};

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "held_and_shown",
        "a review of the first of two rounds; the host and the first player speak v1",
        "release the scores alone; all connect again; show the standings; all connect again; show them once more",
        "the first player is sent `standings_status` and `round_scores`, and the board when it is shown; the others are sent the interface; \
         the second time the host alone is answered",
        Swift,
        held_and_shown
    ),
    story!(
        "held_for_latecomers",
        "the standings held",
        "a player joins; another player is removed; the host shows the standings",
        "the board that is shown is the one without the removed player",
        Swift,
        held_for_latecomers
    ),
    story!(
        "never_shown",
        "the standings of the first round held",
        "the next round; its standings held as well; the game ends",
        "no board of the first round to the first player; `game_ended` with the board to all",
        Swift,
        never_shown
    ),
    story!(
        "a_plain_host_goes_on",
        "the standings held by a host who speaks v1",
        "the host connects again without v1 and ends the game",
        "the host is sent the board on connecting; `game_ended` to all",
        Swift,
        a_plain_host_goes_on
    ),
    story!(
        "released_as_ever",
        "the standings released by `release_scores`",
        "show them",
        "`standings_status` with `held` false to the host alone; nothing else",
        Swift,
        released_as_ever
    ),
    story!(
        "out_of_place",
        "the standings held; then the next round",
        "release the scores again; show the standings in the next round",
        "4003 each; nothing changes",
        Swift,
        out_of_place
    ),
];

/// In review of a round that the second player won.
async fn review(world: &Arc<World>) -> anyhow::Result<Stage> {
    let mut stage = Stage::open_as(world, world.long, &["Ada", "Bela", "Cora"], Cast::Mixed).await?;
    stage.start().await?;
    play_round(&mut stage).await?;
    Ok(stage)
}

async fn play_round(stage: &mut Stage) -> anyhow::Result<()> {
    stage.release(0).await?;
    stage.answer_rightly(1, 0).await?;
    stage.answer(0, 0, "a guess").await?;
    stage.end_round().await
}

async fn held_and_shown(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.release_own_scores().await?;
    stage.all_connect_again().await?;
    stage.show_standings().await?;
    stage.all_connect_again().await?;
    stage.show_standings().await?;
    stage.settled().await.map(drop)
}

async fn held_for_latecomers(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.release_own_scores().await?;
    stage.join("Dora").await?;
    stage.expel(1).await?;
    stage.all_connect_again().await?;
    stage.show_standings().await?;
    stage.all_connect_again().await
}

async fn never_shown(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.release_own_scores().await?;
    stage.next_round().await?;
    stage.all_connect_again().await?;
    play_round(&mut stage).await?;
    stage.release_own_scores().await?;
    stage.end_game().await?;
    stage.all_connect_again().await
}

async fn a_plain_host_goes_on(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.release_own_scores().await?;
    stage.recast(Cast::FirstPlayerOnly, &[Actor::Host]).await?;
    stage.end_game().await?;
    stage.all_connect_again().await
}

async fn released_as_ever(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.release_scores().await?;
    stage.show_standings().await?;
    stage.all_connect_again().await
}

async fn out_of_place(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.release_own_scores().await?;
    stage.refuses(Actor::Host, FromHost::ReleaseOwnScores, CloseCode::WrongPhase).await?;
    ensure!(stage.oracle.standings_held, "a refused message has changed the oracle");
    stage.next_round().await?;
    stage.refuses(Actor::Host, FromHost::ShowStandings, CloseCode::WrongPhase).await
}
