//! Jokers: the messages to each participant when one is played, and the doubled points in each message.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::{FromHost, FromPlayer};

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stories::results;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "one_in_a_game",
        "a quiz of two rounds with jokers; the host and the first player speak v1",
        "play the joker in the lobby, twice; play both rounds, with `play_joker` behind the first question, in the review and between the \
         rounds; connect again in each phase; read the results",
        "`joker_update` to the player each time, `room_update` to the host the first time; `joker_round` when the round for which one \
         can be played changes; twice the points of the first round, and `jokerPoints` to who speaks v1",
        Swift,
        one_in_a_game
    ),
    story!(
        "between_the_rounds",
        "the same quiz, before its second round",
        "play the joker; release, answer rightly and score the second round, which counts streaks; connect again",
        "twice the points of the second round, with those for the streak",
        Swift,
        between_the_rounds
    ),
    story!(
        "half_of_the_points",
        "the same quiz; a near miss to a question of its first round, in which that earns half of the points, and another answer",
        "the host marks the near miss wrong, gives half for the other, takes it back, and gives it again; releases the scores; connect again",
        "the review, the marks, the scores and the results over HTTP have half of the points where the host and the round say so",
        Swift,
        half_of_the_points
    ),
    story!(
        "below_zero",
        "the same quiz, before its second round, in which a wrong answer earns -400",
        "play the joker; answer one question wrongly and none rightly; release the scores; connect again",
        "-800 points of the round to the player who played it, and -400 to the other; a plain socket is sent them like any others",
        Swift,
        below_zero
    ),
];

async fn play(stage: &mut Stage) -> anyhow::Result<()> {
    stage.play(Actor::Player(0), &Command::Player(FromPlayer::PlayJoker)).await.context("play the joker")
}

/// Both players answer every question of the round rightly; the scores come out.
async fn score(stage: &mut Stage) -> anyhow::Result<()> {
    let questions = stage.oracle.quiz.rounds[stage.oracle.round].questions.len();
    for number in 0..questions {
        if !stage.oracle.released.contains(&stage.oracle.question(number).id) {
            stage.release(number).await?;
        }
        let key = stage.oracle.question(number).key();
        for player in 0..2 {
            stage.answer(player, number, &key).await?;
        }
    }
    stage.end_round().await?;
    stage.release_scores().await
}

async fn one_in_a_game(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.jokers, &["Ada", "Bela"], Cast::Mixed).await?;
    for _ in 0..2 {
        play(&mut stage).await?;
    }
    stage.all_connect_again().await?;
    stage.start().await?;
    play(&mut stage).await?;
    stage.all_connect_again().await?;
    stage.release(0).await?;
    play(&mut stage).await?;
    stage.all_connect_again().await?;
    score(&mut stage).await?;
    let [first, second] = [0, 1].map(|player| stage.oracle.board.rows[player].score);
    ensure!(first == 2 * second && second > 0, "{first} and {second} points");
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.all_connect_again().await?;
    play(&mut stage).await?;
    stage.host_plays(FromHost::StartNextRound).await?;
    stage.release(0).await?;
    stage.settled().await.map(drop)
}

async fn half_of_the_points(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.jokers, &["Ada", "Bela"], Cast::Mixed).await?;
    play(&mut stage).await?;
    stage.start().await?;
    stage.release(0).await?;
    let near = format!("{}x", stage.oracle.question(0).key());
    stage.answer(0, 0, &near).await?;
    stage.answer(1, 0, "another thought").await?;
    stage.end_round().await?;
    let of_both = |stage: &Stage| -> Vec<_> {
        let answers = stage.oracle.results().into_iter().flat_map(|question| question.answers);
        answers.map(|answer| (answer.points, answer.overridden)).collect()
    };
    ensure!(of_both(&stage) == [(1_000, false), (0, false)], "{:?}", of_both(&stage));
    stage.mark(0, &[&near], false).await?;
    stage.halve(0, &["another thought"]).await?;
    stage.halve(0, &["another thought"]).await?;
    ensure!(of_both(&stage) == [(0, true), (500, true)], "{:?}", of_both(&stage));
    stage.all_connect_again().await?;
    stage.undo().await?;
    stage.undo().await?;
    stage.halve(0, &["another thought"]).await?;
    stage.release_scores().await?;
    let scores: Vec<_> = stage.oracle.board.rows.iter().map(|row| row.score).collect();
    ensure!(scores == [1_000, 500], "{scores:?}");
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.all_connect_again().await
}

async fn below_zero(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.jokers, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    stage.end_round().await?;
    stage.release_scores().await?;
    play(&mut stage).await?;
    stage.host_plays(FromHost::StartNextRound).await?;
    for number in 0..2 {
        stage.release(number).await?;
    }
    for player in 0..2 {
        stage.answer(player, 0, "a first thought").await?;
    }
    stage.end_round().await?;
    stage.release_scores().await?;
    let scores: Vec<_> = stage.oracle.board.rows.iter().map(|row| row.score).collect();
    ensure!(scores == [-400, -800], "{scores:?}");
    stage.all_connect_again().await
}

async fn between_the_rounds(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.jokers, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    score(&mut stage).await?;
    play(&mut stage).await?;
    stage.host_plays(FromHost::StartNextRound).await?;
    stage.all_connect_again().await?;
    score(&mut stage).await?;
    let answers = stage.oracle.results().into_iter().flat_map(|question| question.answers);
    let (jokers, streaks): (Vec<_>, Vec<_>) = answers.map(|answer| (answer.joker_points, answer.streak_points)).unzip();
    ensure!(jokers.iter().filter(|points| **points > 0).count() == 3, "{jokers:?}");
    ensure!(streaks.iter().any(|points| *points > 0), "{streaks:?}");
    stage.all_connect_again().await
}
