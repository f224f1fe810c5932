//! Tie-breaks: a question outside the rounds, the order of equal players, and what each dialect is sent.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::Phase;
use quizhall_protocol::from_host::{Next, TieBreak};
use quizhall_protocol::from_player::AnswerTieBreak;
use quizhall_protocol::{CloseCode, FromHost, FromPlayer};
use uuid::Uuid;

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stories::results;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "the_nearest_first",
        "the standings of three players without points; the host and the first player speak v1",
        "ask all three; answers of the first, once more, and another; end it; ask two and end it with `next`; end the game",
        "`tie_breaks` without the answer until the end; the boards have equal players in its order with equal ranks; a plain socket is sent \
         nothing else of it",
        Swift,
        the_nearest_first
    ),
    story!(
        "dropped",
        "the same standings",
        "ask two players; ask others; remove one of them; start the next round",
        "the first one is dropped; the removed player is asked no more; nothing is left of it in the next round",
        Swift,
        dropped
    ),
    story!(
        "a_stranger",
        "the same standings",
        "ask a player of another game",
        "closed with 4006; no one is asked",
        Swift,
        a_stranger
    ),
];

async fn standing(world: &Arc<World>) -> anyhow::Result<Stage> {
    let mut stage = Stage::open_as(world, world.long, &["Cora", "Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    stage.end_round().await?;
    stage.release_scores().await?;
    Ok(stage)
}

fn question(player_ids: Vec<Uuid>) -> Command {
    let text = "How many keys has a piano?".to_owned();
    Command::Host(FromHost::TieBreak(TieBreak { player_ids, text, answer: 88 }))
}

async fn ask(stage: &mut Stage, players: &[usize]) -> anyhow::Result<()> {
    let ids = players.iter().map(|player| stage.oracle.players[*player].id).collect();
    stage.play(Actor::Host, &question(ids)).await.with_context(|| format!("ask {players:?}"))
}

async fn answer(stage: &mut Stage, player: usize, answer: i64) -> anyhow::Result<()> {
    let command = Command::Player(FromPlayer::AnswerTieBreak(AnswerTieBreak { answer }));
    stage.play(Actor::Player(player), &command).await.with_context(|| format!("answer of {player}"))
}

async fn end(stage: &mut Stage) -> anyhow::Result<()> {
    stage.host_plays(FromHost::EndTieBreak).await.context("end the tie-break")
}

fn names(stage: &Stage) -> Vec<(&str, u32)> {
    stage.oracle.board.rows.iter().map(|row| (row.display_name.as_str(), row.rank)).collect()
}

async fn the_nearest_first(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = standing(&world).await?;
    end(&mut stage).await?;
    ask(&mut stage, &[0, 1, 2]).await?;
    ask(&mut stage, &[0, 1, 2]).await?;
    stage.all_connect_again().await?;
    for number in [70, 70, 80] {
        answer(&mut stage, 0, number).await?;
    }
    stage.all_connect_again().await?;
    end(&mut stage).await?;
    ensure!(names(&stage) == [("Cora", 1), ("Ada", 1), ("Bela", 1)], "{:?}", names(&stage));
    ask(&mut stage, &[1, 2]).await?;
    let number = stage.oracle.step_number();
    stage.host_plays(FromHost::Next(Next { number })).await.context("the end is the next step")?;
    stage.all_connect_again().await?;
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.end_game().await?;
    ensure!(stage.oracle.phase == Phase::Ended, "the game has not ended");
    stage.all_connect_again().await
}

async fn dropped(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = standing(&world).await?;
    ask(&mut stage, &[0, 1]).await?;
    answer(&mut stage, 0, 88).await?;
    ask(&mut stage, &[0, 2, 1]).await?;
    answer(&mut stage, 0, 1).await?;
    stage.expel(2).await?;
    stage.all_connect_again().await?;
    stage.host_plays(FromHost::StartNextRound).await?;
    answer(&mut stage, 0, 88).await?;
    stage.all_connect_again().await
}

async fn a_stranger(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = standing(&world).await?;
    let ids = vec![stage.oracle.players[0].id, Uuid::now_v7()];
    stage.refuses(Actor::Host, question(ids), CloseCode::UnknownPlayer).await?;
    stage.all_connect_again().await
}
