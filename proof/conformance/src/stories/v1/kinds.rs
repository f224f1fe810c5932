//! Kinds of questions that the interface has not: what each dialect is sent of them, how they are marked, and the tally.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::Phase;
use quizhall_protocol::CloseCode;

use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stories::results;
use crate::wire::Build;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "each_dialect",
        "a game of every kind; the host and the first player speak v1, the second player does not",
        "release each question; all connect again",
        "`question_released` with the kind and its choices to those who speak v1; to the second player as `text` with lettered choices, \
         `multiple_choice`, `text`, `numeric`",
        Swift,
        each_dialect
    ),
    story!(
        "parts_of_the_points",
        "the `multi_select` and the `order` question open",
        "answers by text and by letters, whole, in part, wrong and unreadable; overrides, marking by text, undo",
        "the review, the marks, the scores and the results over HTTP have the points that the reference says",
        Swift,
        parts_of_the_points
    ),
    story!(
        "a_poll_and_its_tally",
        "the poll open and answered",
        "show its tally; answer again; show it again, and once more; end the round; overrule an answer",
        "`tally` to every socket with v1 and to no other, the last time to the host alone; on connecting while it is shown; 4005 for the override",
        Swift,
        a_poll_and_its_tally
    ),
    story!(
        "a_word_cloud_without_a_word",
        "the word cloud open and answered",
        "show its tally; again without an entry; a player is removed; scores, next to the end",
        "the entries folded and counted; without the entry; without the removed player; none when the game has ended",
        Swift,
        a_word_cloud_without_a_word
    ),
    story!(
        "the_nearest",
        "three answers to the `nearest` question",
        "end the round; remove the nearest; an override; release the scores",
        "the nearest is right; after the removal the next one is, and the host is sent `answers_marked`; the override stands",
        Swift,
        the_nearest
    ),
    story!(
        "wrong_tallies",
        "a game of every kind in its first round",
        "`show_tally` of a marked question, of one that is not released, with 201 entries to leave out, with a text in place of a list",
        "4005, 4005, 4002, 4002; nothing changes",
        Swift,
        wrong_tallies
    ),
];

async fn begun(world: &Arc<World>, released: &[usize]) -> anyhow::Result<Stage> {
    let mut stage = Stage::open_as(world, world.kinds, &["Ada", "Bela", "Cora"], Cast::Mixed).await?;
    stage.start().await?;
    for number in released {
        stage.release(*number).await?;
    }
    Ok(stage)
}

async fn each_dialect(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = begun(&world, &[0, 1, 2, 3, 4]).await?;
    stage.all_connect_again().await?;
    for number in 0..5 {
        stage.answer(1, number, "a").await?;
    }
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.all_connect_again().await
}

async fn parts_of_the_points(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = begun(&world, &[0, 1]).await?;
    stage.answer(0, 0, "Copper\nBasalt").await?;
    stage.answer(1, 0, "a, b, c, d").await?;
    stage.answer(2, 0, "D\nC\nB").await?;
    stage.answer(0, 1, "Copper\nAmber\nDolomite\nBasalt").await?;
    stage.answer(1, 1, "B C A D").await?;
    stage.answer(2, 1, "no idea").await?;
    stage.end_round().await?;
    let earned: Vec<_> = stage.oracle.results().iter().flat_map(|question| question.answers.clone()).collect();
    let points: Vec<_> = earned.iter().map(|answer| (answer.correct, answer.points)).collect();
    ensure!(points == [(false, 66), (false, 66), (true, 100), (true, 500), (false, 333), (false, 0)], "{points:?}");
    compare_results(&stage).await?;
    stage.overrule(0, 0, false).await?;
    stage.overrule(1, 0, true).await?;
    let (question, answers) = (stage.oracle.question(1).id, ["B C A D", "no idea"]);
    stage.host_plays(Command::mark(question, &answers, false)).await?;
    stage.undo().await?;
    stage.undo().await?;
    stage.all_connect_again().await?;
    stage.release_scores().await?;
    compare_results(&stage).await?;
    stage.all_connect_again().await
}

async fn a_poll_and_its_tally(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = begun(&world, &[2]).await?;
    stage.answer(0, 2, "Copper").await?;
    stage.answer(1, 2, "a").await?;
    stage.answer(2, 2, "nothing of that").await?;
    stage.show_tally(2, &[]).await?;
    stage.all_connect_again().await?;
    stage.answer(2, 2, "Amber").await?;
    stage.show_tally(2, &[]).await?;
    stage.show_tally(2, &[]).await?;
    stage.end_round().await?;
    stage.all_connect_again().await?;
    let overruled = Command::overrule(stage.oracle.players[0].id, stage.oracle.question(2).id, true);
    stage.refuses(Actor::Host, overruled, CloseCode::UnknownQuestion).await?;
    stage.release_scores().await?;
    stage.all_connect_again().await
}

async fn a_word_cloud_without_a_word(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = begun(&world, &[3]).await?;
    stage.answer(0, 3, "The Sea!").await?;
    stage.answer(1, 3, "the   sea").await?;
    stage.answer(2, 3, "Mountain").await?;
    stage.show_tally(3, &[]).await?;
    stage.show_tally(3, &["mountain"]).await?;
    stage.expel(1).await?;
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.show_tally(3, &[]).await?;
    stage.all_connect_again().await?;
    stage.end_game().await?;
    stage.all_connect_again().await
}

async fn the_nearest(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = begun(&world, &[4]).await?;
    stage.answer(0, 4, "424000").await?;
    stage.answer(1, 4, "424242").await?;
    stage.answer(2, 4, "425000").await?;
    stage.end_round().await?;
    stage.expel(1).await?;
    compare_results(&stage).await?;
    stage.overrule(1, 4, true).await?;
    stage.all_connect_again().await?;
    stage.release_scores().await?;
    compare_results(&stage).await
}

async fn wrong_tallies(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = begun(&world, &[0]).await?;
    for number in [0, 2] {
        let command = Command::tally(stage.oracle.question(number).id, &[]);
        stage.refuses(Actor::Host, command, CloseCode::UnknownQuestion).await?;
    }
    stage.release(2).await?;
    let question = stage.oracle.question(2).id;
    let many: Vec<_> = (0..201).map(|number| format!("\"e{number}\"")).collect();
    for hide in [format!("[{}]", many.join(",")), "\"sea\"".to_owned()] {
        let message = format!(r#"{{"type":"show_tally","payload":{{"questionId":"{question}","hide":{hide}}}}}"#);
        let bytes = Build::text(&message).bytes();
        stage.refused(Actor::Host, &bytes, &[Wanted::with(CloseCode::InvalidPayload, "hide")]).await?;
    }
    stage.show_tally(2, &[]).await
}

/// The results over HTTP are the oracle's.
async fn compare_results(stage: &Stage) -> anyhow::Result<()> {
    let board = if stage.oracle.phase == Phase::Leaderboard { results::board(stage) } else { Vec::new() };
    results::check(stage, &board, &results::answers(stage)).await.context("results")
}
