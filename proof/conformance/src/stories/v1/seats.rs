//! Seats that move to another phone: the code, what the new phone is sent, and the end of the phone before.

use std::sync::Arc;

use anyhow::{Context, ensure};

use crate::api;
use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stories::results;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "by_the_host",
        "a lobby; the host and the first player speak v1",
        "in each phase, behind answers: the host issues codes, and other phones take the seats of both players; play on; read the results",
        "the same player with another token, and the sync messages of the phase; 4401 to the phone before; nothing to all others; \
         the answers and points are the seat's",
        Swift,
        by_the_host
    ),
    story!(
        "by_the_player",
        "an open question that a player has answered",
        "the player issues a code of the own seat; another phone takes it and answers otherwise",
        "the answer of the new phone counts",
        Swift,
        by_the_player
    ),
    story!(
        "refused",
        "a lobby of two",
        "take a seat with a code that was never issued, one that was used, one that a later one replaced, one of another game, one of a \
         removed player; issue codes of a player who is not there, and with a token that is none",
        "404 for the codes and for the player, 401 for the token; the seats stay as they are",
        Swift,
        refused
    ),
];

async fn both_move(stage: &mut Stage) -> anyhow::Result<()> {
    for player in 0..2 {
        let code = stage.world.host.issue_seat_code(stage.id, stage.oracle.players[player].id).await?;
        let phase = stage.oracle.phase;
        stage.move_seat(player, &code).await.with_context(|| format!("player {player} in {phase:?}"))?;
    }
    Ok(())
}

async fn by_the_host(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &["Ada", "Bela"], Cast::Mixed).await?;
    both_move(&mut stage).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer_rightly(0, 0).await?;
    stage.answer(1, 0, "a first thought").await?;
    both_move(&mut stage).await?;
    stage.answer_rightly(1, 0).await?;
    stage.end_round().await?;
    both_move(&mut stage).await?;
    stage.release_scores().await?;
    both_move(&mut stage).await?;
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.end_game().await?;
    both_move(&mut stage).await
}

async fn by_the_player(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer(1, 0, "a first thought").await?;
    let code = api::own_seat_code(&world.target, &stage.tokens[1]).await?;
    stage.move_seat(1, &code).await?;
    stage.answer_rightly(1, 0).await?;
    stage.end_round().await?;
    ensure!(stage.oracle.results().iter().any(|question| question.answers.iter().any(|answer| answer.points > 0)));
    stage.settled().await.map(drop)
}

async fn refused(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela"]).await?;
    let other = Stage::open(&world, world.short, &["Cem"]).await?;
    let issue = async |stage: &Stage, player: usize| {
        stage.world.host.issue_seat_code(stage.id, stage.oracle.players[player].id).await
    };
    let used = issue(&stage, 0).await?;
    stage.move_seat(0, &used).await?;
    let replaced = issue(&stage, 1).await?;
    let newest = issue(&stage, 1).await?;
    let of_other = issue(&other, 0).await?;
    let of_removed = issue(&stage, 0).await?;
    let ada = stage.remove(0).await?;
    stage.expect_lobby().await?;
    for (what, code) in [
        ("never issued", "ZZZZZZ"),
        ("used", &used),
        ("replaced", &replaced),
        ("of another game", &of_other),
        ("of a removed player", &of_removed),
    ] {
        let response = api::take_seat(&world.target, (&stage.code, code), "a key of another phone").await?;
        ensure!(response.status == 404, "{what}: HTTP {}", response.status);
    }
    let unknown = world.host.issue_seat_code(stage.id, ada).await;
    ensure!(unknown.is_err_and(|error| format!("{error:#}").contains("404")), "a code of a removed player");
    let stranger = api::own_seat_code(&world.target, "qp_none").await;
    ensure!(stranger.is_err_and(|error| format!("{error:#}").contains("401")), "a code for a token that is none");
    stage.move_seat(0, &newest).await
}
