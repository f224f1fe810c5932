//! Marking whole groups, mixed with single overrides, and taking it back to exactly what was before.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::{CloseCode, FromHost};

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stories::results;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "group",
        "a review with one guess of three players, and others",
        "mark the guess correct; then two texts at once incorrect",
        "`answers_marked` with exactly those touched; review, results, scores and board follow",
        Swift,
        group
    ),
    story!(
        "letter_by_letter",
        "a review with texts that look alike",
        "mark one of them",
        "only answers with exactly that text are touched",
        Swift,
        letter_by_letter
    ),
    story!(
        "alike",
        "the same review",
        "mark one of the texts with `alike`, then another, then a text that no answer is equal to; undo the first two",
        "all answers that the key does not distinguish from it are touched, and taken back together",
        Swift,
        alike
    ),
    story!(
        "no_answer_has_it",
        "a review",
        "mark a text that no answer has; mark correct what counts as correct already",
        "`answers_marked` without marks, `marking_update` as before: there is nothing to take back",
        Swift,
        no_answer_has_it
    ),
    story!(
        "one_question_only",
        "the same text given to two questions",
        "mark it for the second",
        "the answers to the first are not touched",
        Swift,
        one_question_only
    ),
    story!(
        "mixed_and_undone",
        "a review",
        "overrides and group markings that overlap, both ways; then undo them one by one; once more",
        "after each step the marks are exactly those before the marking; at the end nothing is left to undo",
        Swift,
        mixed_and_undone
    ),
    story!(
        "undo_after_connecting_again",
        "a review with an override and a group marking",
        "the host connects again, without v1 and then with it; undo both",
        "`marking_update` says 2; each undo restores what was before",
        Swift,
        undo_after_connecting_again
    ),
    story!(
        "in_one_write",
        "a review",
        "a group marking, an override, two undos and another group marking in one write",
        "each is confirmed in its order, with the count of what can be taken back",
        Swift,
        in_one_write
    ),
    story!(
        "override_without_an_answer",
        "a review in which a player has no answer",
        "override it to correct; mark the empty text incorrect; undo both",
        "after the undo there is no answer, as before",
        Swift,
        override_without_an_answer
    ),
    story!(
        "nothing_to_undo",
        "a review; an undone marking",
        "undo, twice",
        "`marking_update` with 0 each time, and nothing else",
        Swift,
        nothing_to_undo
    ),
    story!(
        "over_with_the_round",
        "a marking, then its scores released, then a second round in review",
        "undo on the leaderboard and in the second review",
        "4003; then nothing to undo: the first round stays as it was scored",
        Swift,
        over_with_the_round
    ),
    story!(
        "strangers",
        "the second round in review",
        "mark a question not released, one of the first round, one of another game",
        "4005 each; nothing changes",
        Swift,
        strangers
    ),
    story!(
        "corrected",
        "the leaderboard of the first round",
        "correct a text, once more, and back; in the second round correct one of the first; release",
        "`board_update` to the host each time; on the leaderboard `round_scores` and `scoreboard_update` to the player who speaks v1; \
         results and the next board have the new scores",
        Swift,
        corrected
    ),
    story!(
        "removed_with_marks",
        "a group marking that touched two players",
        "remove one of them; undo",
        "the other's answer alone is restored",
        Swift,
        removed_with_marks
    ),
];

/// In review: three players with one guess, one with the key, one with another guess; the second question has two.
pub(super) async fn review(world: &Arc<World>) -> anyhow::Result<Stage> {
    let names = ["Ada", "Bela", "Cora", "Dora", "Emil"];
    let mut stage = Stage::open_as(world, world.long, &names, Cast::Mixed).await?;
    stage.start().await?;
    stage.release(1).await?;
    stage.release(0).await?;
    for player in [2, 0, 4] {
        stage.answer(player, 0, "a guess").await?;
    }
    stage.answer_rightly(1, 0).await?;
    stage.answer(3, 0, "another guess").await?;
    stage.answer(0, 1, "Amber").await?;
    stage.answer_rightly(3, 1).await?;
    stage.end_round().await?;
    Ok(stage)
}

/// A new socket of the host and the results over HTTP say what the oracle says.
pub(super) async fn as_the_oracle(stage: &mut Stage) -> anyhow::Result<()> {
    stage.settled().await?;
    results::check(stage, &[], &results::answers(stage)).await.context("results")
}

async fn group(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.mark(0, &["a guess"], true).await?;
    as_the_oracle(&mut stage).await?;
    let key = stage.oracle.question(0).key();
    stage.mark(0, &[&key, "another guess"], false).await?;
    as_the_oracle(&mut stage).await?;
    stage.release_scores().await?;
    let (board, answers) = (results::board(&stage), results::answers(&stage));
    results::check(&stage, &board, &answers).await.context("after the scores")
}

/// Answers that differ in their letters only.
const SPELLINGS: [&str; 5] = ["a word", "A word", "a  word", "a word!", "a wörd"];

async fn spelled(world: &Arc<World>, texts: [&str; 5]) -> anyhow::Result<Stage> {
    let mut stage = Stage::open_as(world, world.short, &["Ada", "Bela", "Cora", "Dora", "Emil"], Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    for (player, text) in texts.iter().enumerate() {
        stage.answer(player, 0, text).await?;
    }
    stage.end_round().await?;
    Ok(stage)
}

async fn alike(world: Arc<World>) -> anyhow::Result<()> {
    // The last one means something else.
    let texts = [SPELLINGS[0], SPELLINGS[1], SPELLINGS[2], SPELLINGS[3], "words"];
    let mut stage = spelled(&world, texts).await?;
    let question = stage.oracle.question(0).id;
    for (text, correct) in [("A WORD", true), ("a word", false), ("another", true)] {
        stage.host_plays(Command::mark_alike(question, text, correct)).await.context(text)?;
        as_the_oracle(&mut stage).await?;
    }
    for _ in 0..2 {
        stage.undo().await?;
        as_the_oracle(&mut stage).await?;
    }
    stage.release_scores().await
}

async fn letter_by_letter(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = spelled(&world, SPELLINGS).await?;
    for text in SPELLINGS {
        stage.mark(0, &[text], true).await.context(text)?;
        as_the_oracle(&mut stage).await?;
    }
    stage.mark(0, &["a word ", "a WORD", "a"], false).await?;
    as_the_oracle(&mut stage).await?;
    stage.release_scores().await
}

async fn no_answer_has_it(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    let key = stage.oracle.question(0).key();
    stage.mark(0, &["no answer"], true).await?;
    stage.mark(0, &[&key], true).await?;
    stage.mark(0, &["a guess"], false).await?;
    as_the_oracle(&mut stage).await?;
    ensure!(stage.oracle.undoable() == 0, "the oracle takes nothing for something");
    stage.undo().await
}

async fn one_question_only(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    for number in [0, 1] {
        stage.release(number).await?;
        for player in [0, 1] {
            stage.answer(player, number, "Amber").await?;
        }
    }
    stage.end_round().await?;
    stage.mark(1, &["Amber"], true).await?;
    as_the_oracle(&mut stage).await?;
    stage.release_scores().await
}

async fn mixed_and_undone(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    let key = stage.oracle.question(0).key();
    let mut reviews = vec![stage.oracle.round_review()];
    for step in 0..6 {
        match step {
            0 => stage.overrule(0, 0, true).await?,
            1 => stage.mark(0, &["a guess", "another guess"], true).await?,
            2 => stage.overrule(2, 0, false).await?,
            3 => stage.mark(1, &["Amber"], true).await?,
            4 => stage.mark(0, &["a guess", &key], false).await?,
            _ => stage.overrule(1, 0, true).await?,
        }
        as_the_oracle(&mut stage).await.with_context(|| format!("marking {step}"))?;
        reviews.push(stage.oracle.round_review());
    }
    while reviews.pop().is_some() && !reviews.is_empty() {
        stage.undo().await?;
        ensure!(Some(&stage.oracle.round_review()) == reviews.last(), "the oracle does not go back");
        as_the_oracle(&mut stage).await.with_context(|| format!("back to marking {}", reviews.len()))?;
    }
    stage.undo().await.context("with nothing left")?;
    as_the_oracle(&mut stage).await?;
    stage.release_scores().await
}

async fn undo_after_connecting_again(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.overrule(0, 0, true).await?;
    stage.mark(0, &["a guess"], true).await?;
    stage.recast(Cast::FirstPlayerOnly, &[Actor::Host]).await?;
    stage.overrule(3, 0, true).await.context("by a host without v1")?;
    stage.recast(Cast::Mixed, &[Actor::Host]).await?;
    ensure!(stage.oracle.undoable() == 3, "the oracle has forgotten a marking");
    for _ in 0..3 {
        stage.undo().await?;
        as_the_oracle(&mut stage).await?;
    }
    stage.release_scores().await
}

async fn in_one_write(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    let (question, player) = (stage.oracle.question(0).id, stage.oracle.players[3].id);
    let undo = || Command::Host(FromHost::UndoMarking);
    let commands = [
        Command::mark(question, &["a guess"], true),
        Command::overrule(player, question, true),
        undo(),
        undo(),
        Command::mark(question, &["another guess", "a guess"], true),
    ];
    let bytes: Vec<u8> = commands.iter().flat_map(Command::bytes).collect();
    stage.host.send_bytes(&bytes).await?;
    for command in &commands {
        let effects = stage.follow(Actor::Host, command)?;
        stage.expect(effects).await.with_context(|| command.text())?;
    }
    as_the_oracle(&mut stage).await
}

async fn override_without_an_answer(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    let before = stage.oracle.round_review();
    stage.overrule(4, 1, true).await?;
    stage.mark(1, &[""], false).await?;
    as_the_oracle(&mut stage).await?;
    stage.undo().await?;
    as_the_oracle(&mut stage).await?;
    stage.undo().await?;
    ensure!(stage.oracle.round_review() == before, "the oracle keeps an answer that no player gave");
    as_the_oracle(&mut stage).await?;
    stage.release_scores().await
}

async fn nothing_to_undo(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.undo().await?;
    stage.undo().await?;
    stage.mark(0, &["a guess"], true).await?;
    stage.undo().await?;
    stage.undo().await?;
    as_the_oracle(&mut stage).await
}

async fn corrected(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.release_scores().await?;
    let first = stage.oracle.question(0).id;
    for (texts, correct) in [(["a guess", "never given"], true), (["a guess", ""], true), (["a guess", ""], false)] {
        stage.host_plays(Command::correct(first, &texts, correct)).await?;
    }
    stage.settled().await?;
    stage.next_round().await?;
    stage.release(0).await?;
    stage.host_plays(Command::correct(first, &["another guess"], true)).await?;
    let open = stage.oracle.question(0).id;
    stage.refuses(Actor::Host, Command::correct(open, &["a guess"], true), CloseCode::UnknownQuestion).await?;
    stage.end_round().await?;
    stage.host_plays(Command::correct(first, &["another guess"], false)).await?;
    stage.host_plays(Command::correct(first, &["another guess"], true)).await?;
    stage.release_scores().await?;
    stage.settled().await.map(drop)
}

async fn over_with_the_round(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.mark(0, &["a guess"], true).await?;
    stage.release_scores().await?;
    stage.refuses(Actor::Host, FromHost::UndoMarking, CloseCode::WrongPhase).await?;
    stage.next_round().await?;
    stage.release(0).await?;
    stage.answer(0, 0, "True").await?;
    stage.end_round().await?;
    stage.undo().await?;
    stage.settled().await?;
    stage.release_scores().await
}

async fn strangers(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    let earlier = stage.oracle.question(0).id;
    stage.release_scores().await?;
    stage.next_round().await?;
    stage.release(0).await?;
    stage.answer(0, 0, "a guess").await?;
    stage.end_round().await?;
    for question in [stage.oracle.question(1).id, earlier, world.foreign.question] {
        stage.refuses(Actor::Host, Command::mark(question, &["a guess"], true), CloseCode::UnknownQuestion).await?;
    }
    stage.settled().await.map(drop)
}

async fn removed_with_marks(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(&world).await?;
    stage.mark(0, &["a guess"], true).await?;
    stage.expel(2).await?;
    stage.undo().await?;
    as_the_oracle(&mut stage).await?;
    stage.release_scores().await
}
