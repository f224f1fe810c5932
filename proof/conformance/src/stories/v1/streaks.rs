//! Rounds that count streaks: the points in the messages of each dialect, and the effect of the host's marks.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::Phase;

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stories::results;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "points_in_a_row",
        "a round of three questions that counts streaks; the host and the first player speak v1, the second player does not",
        "the first player has all right, the second the first and the last; the scores are released; all connect again",
        "`round_scores` with 10 % and 20 % more for the first player, with `streakPoints`; no `streakPoints` for the second player; the same \
         over HTTP and on the board",
        Swift,
        points_in_a_row
    ),
    story!(
        "a_mark_in_between",
        "the same round, in review",
        "the host lets the second player's wrong answer count; takes that back; lets it count again; releases the scores",
        "the second player's last answer earns 20 % more while the one before counts; `round_scores` of a plain socket has these points",
        Swift,
        a_mark_in_between
    ),
];

async fn reviewed(world: &Arc<World>) -> anyhow::Result<Stage> {
    let mut stage = Stage::open_as(world, world.streaks, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    for number in 0..3 {
        stage.release(number).await?;
        let right = stage.oracle.question(number).key();
        stage.answer(0, number, &right).await?;
        stage.answer(1, number, if number == 1 { "no idea" } else { &right }).await?;
    }
    stage.end_round().await?;
    Ok(stage)
}

async fn points_in_a_row(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = reviewed(&world).await?;
    expect(&stage, &[(1_000, 0), (1_000, 0), (550, 50), (0, 0), (300, 50), (250, 0)])?;
    finish(&mut stage).await
}

async fn a_mark_in_between(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = reviewed(&world).await?;
    let counted = [(1_000, 0), (1_000, 0), (550, 50), (550, 50), (300, 50), (300, 50)];
    stage.overrule(1, 1, true).await?;
    expect(&stage, &counted)?;
    compare_results(&stage).await?;
    stage.undo().await?;
    expect(&stage, &[(1_000, 0), (1_000, 0), (550, 50), (0, 0), (300, 50), (250, 0)])?;
    compare_results(&stage).await?;
    stage.overrule(1, 1, true).await?;
    expect(&stage, &counted)?;
    finish(&mut stage).await
}

/// Releases the scores; what every participant receives, then and after a reconnect, and the results over HTTP are the oracle's.
async fn finish(stage: &mut Stage) -> anyhow::Result<()> {
    compare_results(stage).await?;
    stage.release_scores().await?;
    compare_results(stage).await?;
    stage.all_connect_again().await?;
    Ok(())
}

/// The points of each answer and the part for a streak, by question and arrival.
fn expect(stage: &Stage, expected: &[(i32, u32)]) -> anyhow::Result<()> {
    let answers: Vec<_> = stage.oracle.results().into_iter().flat_map(|question| question.answers).collect();
    let points: Vec<_> = answers.iter().map(|answer| (answer.points, answer.streak_points)).collect();
    ensure!(points == expected, "{points:?}");
    Ok(())
}

/// The results over HTTP are the oracle's.
async fn compare_results(stage: &Stage) -> anyhow::Result<()> {
    let board = if stage.oracle.phase == Phase::Leaderboard { results::board(stage) } else { Vec::new() };
    results::check(stage, &board, &results::answers(stage)).await.context("results")
}
