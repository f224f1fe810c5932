//! The host changes the key of a game, while answers come and in review, and has them sent while they come.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::CloseCode;

use super::marking::{as_the_oracle, review};
use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stories::results;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "while_open",
        "an open question with answers",
        "accept a text as others write it, reject the key; answer anew; the host connects again; take both back, one by one, and answer",
        "what has come and what comes counts by it; after each undo by the key as it was",
        Swift,
        while_open
    ),
    story!(
        "half_of_the_points",
        "an open question with answers",
        "give half for a text; another player writes it; the host connects again; accept it; undo; end the round; release the scores",
        "what has come and what comes earns half of the points, in the marks, the groups, the review, the scores and the results",
        Swift,
        half_of_the_points
    ),
    story!(
        "in_review",
        "a review",
        "override an answer; accept its text, and that of others; say it again; undo",
        "the override stands; repeated, it touches nothing; results name what counts by the changed key",
        Swift,
        in_review
    ),
    story!(
        "of_strangers",
        "the second round with a question open",
        "accept a text for a question not released, one of the first round, one of another game",
        "4005 each; nothing changes",
        Swift,
        of_strangers
    ),
    story!(
        "desk",
        "an open question with answers",
        "open the desk; answer; reject a text; close it and answer; open it again; the host connects again and a player answers",
        "`answers_update` with the answers so far, and again with each change, to that socket alone, until it is closed",
        Swift,
        desk
    ),
];

async fn while_open(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela", "Cora"], Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer(0, 0, "Hidden word!").await?;
    stage.accept(0, "hidden WORD", true).await?;
    stage.answer(1, 0, "hidden  word").await?;
    let key = stage.oracle.question(0).key();
    stage.accept(0, &key, false).await?;
    stage.answer(2, 0, &key).await?;
    stage.recast(Cast::Mixed, &[Actor::Host]).await?;
    stage.undo().await?;
    stage.answer(1, 0, &key).await?;
    stage.undo().await?;
    stage.undo().await.context("with nothing left")?;
    stage.answer(2, 0, "hidden word").await?;
    stage.accept(0, "hidden word", true).await?;
    stage.end_round().await?;
    as_the_oracle(&mut stage).await?;
    stage.release_scores().await?;
    let (board, answers) = (results::board(&stage), results::answers(&stage));
    results::check(&stage, &board, &answers).await.context("after the scores")
}

async fn half_of_the_points(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.jokers, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer(0, 0, "A guess!").await?;
    stage.open_desk(true).await?;
    let half = Command::accept_half(stage.oracle.question(0).id, "a guess");
    stage.carry_out(Actor::Host, &half, &half.bytes()).await?;
    stage.receives_groups(0).await?;
    stage.open_desk(false).await?;
    stage.answer(1, 0, "a  guess").await?;
    stage.host_plays(half).await.context("it earns half already")?;
    stage.recast(Cast::Mixed, &[Actor::Host]).await?;
    stage.accept(0, "a guess", true).await?;
    stage.undo().await?;
    stage.end_round().await?;
    as_the_oracle(&mut stage).await?;
    stage.release_scores().await?;
    let scores: Vec<_> = stage.oracle.board.rows.iter().map(|row| row.score).collect();
    ensure!(scores == [500, 500], "{scores:?}");
    let (board, answers) = (results::board(&stage), results::answers(&stage));
    results::check(&stage, &board, &answers).await.context("after the scores")
}

async fn desk(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela", "Cora"], Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer(0, 0, "A guess!").await?;
    stage.open_desk(true).await?;
    let question = stage.oracle.question(0).id;
    let answer = Command::answer(question, "a guess");
    stage.carry_out(Actor::Player(1), &answer, &answer.bytes()).await?;
    stage.receives_groups(0).await?;
    let reject = Command::accept(question, "a guess", false);
    stage.carry_out(Actor::Host, &reject, &reject.bytes()).await?;
    stage.receives_groups(0).await?;
    stage.open_desk(false).await?;
    stage.answer_rightly(2, 0).await?;
    stage.open_desk(true).await?;
    stage.recast(Cast::Mixed, &[Actor::Host]).await?;
    stage.answer(0, 0, "another guess").await?;
    stage.end_round().await?;
    stage.open_desk(true).await.context("in review")?;
    as_the_oracle(&mut stage).await
}

async fn in_review(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.overrule(0, 0, false).await?;
    stage.overrule(2, 0, true).await?;
    stage.accept(0, "A guess", true).await?;
    as_the_oracle(&mut stage).await?;
    stage.accept(0, "a guess!", true).await?;
    stage.mark(0, &["a guess"], false).await?;
    as_the_oracle(&mut stage).await?;
    for _ in 0..3 {
        stage.undo().await?;
        as_the_oracle(&mut stage).await?;
    }
    stage.accept(0, "another guess", true).await?;
    stage.release_scores().await
}

async fn of_strangers(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    let earlier = stage.oracle.question(0).id;
    stage.release_scores().await?;
    stage.next_round().await?;
    stage.release(0).await?;
    for question in [stage.oracle.question(1).id, earlier, world.foreign.question] {
        stage.refuses(Actor::Host, Command::accept(question, "a guess", true), CloseCode::UnknownQuestion).await?;
    }
    stage.settled().await.map(drop)
}
