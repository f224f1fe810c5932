//! Appeals: what their players and the host are sent of them, and players who are credited.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::CloseCode;

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stories::results;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "decided",
        "the leaderboard of the first round; the host and the first player speak v1",
        "the first player appeals about three questions, and again; the host dismisses one, twice, accepts one, and corrects it back; connect \
         again each time; appeal once more in the second round; release its scores",
        "`appeals_update` to the host and `appeal_status` to the player each time; a second appeal about the same question and one about \
         a right answer change nothing",
        Swift,
        decided
    ),
    story!(
        "credited",
        "the leaderboard of the first round, in which the second player answered nothing",
        "the host corrects the marks of both players, by their ids, twice, and those of a stranger",
        "the second player counts as having answered nothing, marked right; results and boards say so; the stranger: 4006",
        Swift,
        credited
    ),
    story!(
        "too_early",
        "the first round in review",
        "the first player appeals about a question of this round",
        "4005; nothing changes",
        Swift,
        too_early
    ),
];

/// The first player answers all questions of the first round wrongly but the last, the second one none.
async fn played(world: &Arc<World>) -> anyhow::Result<Stage> {
    let mut stage = Stage::open_as(world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    for number in 0..3 {
        stage.release(number).await?;
        let key = stage.oracle.question(number).key();
        stage.answer(0, number, if number == 2 { &key } else { "Amber" }).await?;
    }
    stage.end_round().await?;
    Ok(stage)
}

async fn decided(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = played(&world).await?;
    stage.release_scores().await?;
    let [first, second, right] = [0, 1, 2].map(|number| stage.oracle.question(number).id);
    let ada = stage.oracle.players[0].id;
    let appeals = [(first, Some("It is amber")), (second, None), (second, Some("Again")), (right, None)];
    for (question, text) in appeals {
        stage.play(Actor::Player(0), &Command::appeal(question, text)).await?;
    }
    ensure!(stage.oracle.open_appeals().count() == 2, "the oracle counts otherwise");
    stage.all_connect_again().await?;
    for _ in 0..2 {
        stage.host_plays(Command::dismiss(ada, first)).await?;
    }
    stage.all_connect_again().await?;
    stage.host_plays(Command::correct(second, &["Amber"], true)).await?;
    stage.all_connect_again().await?;
    stage.host_plays(Command::credit(second, &[ada], false)).await?;
    ensure!(stage.oracle.open_appeals().count() == 1, "a correction that is taken back opens the appeal again");
    stage.all_connect_again().await?;
    stage.next_round().await?;
    stage.play(Actor::Player(0), &Command::appeal(first, None)).await?;
    stage.host_plays(Command::credit(second, &[ada], true)).await?;
    stage.all_connect_again().await?;
    stage.end_round().await?;
    stage.host_plays(Command::credit(first, &[ada], true)).await?;
    stage.release_scores().await?;
    ensure!(stage.oracle.board.rows[0].score == 1_750, "{:?}", stage.oracle.board.rows[0]);
    stage.settled().await.map(drop)
}

async fn credited(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = played(&world).await?;
    stage.release_scores().await?;
    let (first, right) = (stage.oracle.question(0).id, stage.oracle.question(2).id);
    let both: Vec<_> = stage.oracle.players.iter().map(|player| player.id).collect();
    for question in [first, first, right] {
        stage.host_plays(Command::credit(question, &both, true)).await?;
    }
    stage.host_plays(Command::credit(right, &both[1..], false)).await?;
    for _ in 0..2 {
        stage.host_plays(Command::correct_half(first, &["Amber"])).await?;
    }
    stage.host_plays(Command::credit(first, &both, true)).await?;
    let scores: Vec<_> = stage.oracle.board.rows.iter().map(|row| row.score).collect();
    ensure!(scores == [1_250, 1_000], "{scores:?}");
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.all_connect_again().await?;
    stage.refuses(Actor::Host, Command::credit(first, &[both[0], first], true), CloseCode::UnknownPlayer).await?;
    stage.settled().await.map(drop)
}

async fn too_early(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = played(&world).await?;
    stage
        .refuses(Actor::Player(0), Command::appeal(stage.oracle.question(0).id, None), CloseCode::UnknownQuestion)
        .await?;
    stage.release_scores().await
}
