//! Whole games and the turns they can take; every message to every socket is compared with the oracle at each step.

use std::sync::Arc;

use quizhall_protocol::CloseCode;

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::command::{Actor, Command};
use crate::stage::compare::value;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "whole",
        "a quiz of two rounds, three players, a fourth in the second round",
        "several questions open at once, changed answers, overrides both ways, a next round, the end",
        "every message of the interface, to whom and in the order it says, with exact boards",
        Swift,
        whole
    ),
    story!(
        "ties",
        "four players, two of them equal",
        "release the scores",
        "ranks 1, 2, 2, 4; equal ranks by name",
        Swift,
        ties
    ),
    story!(
        "changed_answer",
        "an open question",
        "a player answers wrongly, then rightly, then wrongly, then rightly",
        "four `answer_accepted`, the count stays 1, the last answer is reviewed and scored",
        Swift,
        changed_answer
    ),
    story!(
        "same_answer_again",
        "an open question, answered",
        "the same answer, three times more",
        "three more `answer_accepted` and nothing to the host",
        Swift,
        same_answer_again
    ),
    story!(
        "override_both_ways",
        "a review with a right and a wrong answer",
        "override both, one of them back again",
        "`override_applied` each time; the review sent on connecting and the scores follow the last word",
        Swift,
        override_both_ways
    ),
    story!(
        "override_again",
        "a review with a wrong answer",
        "the same override twice",
        "`override_applied` twice, points once",
        Swift,
        override_again
    ),
    story!(
        "override_without_an_answer",
        "a review in which a player has no answer",
        "override it to correct",
        "it counts as the answer \"\" marked correct, with its points",
        Swift,
        override_without_an_answer
    ),
    story!(
        "several_open",
        "three questions open",
        "two players answer them in different orders",
        "each answer counts for its own question; review in order of release, then of arrival",
        Swift,
        several_open
    ),
    story!(
        "released_again",
        "two questions open",
        "release the first again",
        "`question_released` to the host only",
        Swift,
        released_again
    ),
    story!(
        "nothing_released",
        "a round in which nothing was released",
        "end it, release the scores, go on, end the next one too",
        "an empty review, no results, all players first with 0",
        Swift,
        nothing_released
    ),
    story!(
        "no_answers",
        "a question that no player answered",
        "release the scores",
        "a result with `yourAnswer` \"\" and no points for each player",
        Swift,
        no_answers
    ),
    story!(
        "earlier_round",
        "the second round",
        "answer, release and override a question of the first",
        "each is closed with 4005; nothing changes",
        Swift,
        earlier_round
    ),
    story!(
        "later_round",
        "the first round",
        "release and answer a question of the second",
        "each is closed with 4005; nothing changes",
        Swift,
        later_round
    ),
    story!(
        "removed_with_answers",
        "a question answered by two players",
        "the host removes one of them, then ends the round and releases the scores",
        "4411 to the removed; review and boards without them",
        Swift,
        removed_with_answers
    ),
];

async fn whole(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.long, &["Ada", "Bela", "Cora"]).await?;
    stage.start().await?;
    for number in [0, 2, 1] {
        stage.release(number).await?;
    }
    stage.answer(0, 0, "a guess").await?;
    stage.answer_rightly(1, 0).await?;
    stage.answer_rightly(0, 2).await?;
    stage.answer(2, 1, "Amber").await?;
    stage.answer_rightly(2, 1).await?;
    stage.answer_rightly(0, 1).await?;
    stage.end_round().await?;
    stage.overrule(0, 0, true).await?;
    stage.overrule(1, 0, false).await?;
    stage.settled().await?;
    stage.release_scores().await?;
    stage.next_round().await?;
    stage.release(0).await?;
    stage.join("Dora").await?;
    stage.answer_rightly(3, 0).await?;
    stage.answer(0, 0, "True").await?;
    stage.release(1).await?;
    stage.answer_rightly(1, 1).await?;
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.end_game().await?;
    for actor in [Actor::Host, Actor::Player(0), Actor::Player(3)] {
        stage.replace(actor).await?;
    }
    stage.view().await.map(drop)
}

async fn ties(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Zora", "Mila", "Ada", "Bela"]).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.release(1).await?;
    stage.answer_rightly(3, 0).await?;
    for player in [0, 2] {
        stage.answer_rightly(player, 1).await?;
    }
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.end_game().await
}

async fn changed_answer(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela"]).await?;
    stage.start().await?;
    stage.release(0).await?;
    for text in ["first", "second"] {
        stage.answer(0, 0, text).await?;
        stage.answer_rightly(0, 0).await?;
    }
    stage.answer(1, 0, "other").await?;
    stage.settled().await?;
    stage.end_round().await?;
    stage.release_scores().await
}

async fn same_answer_again(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela"]).await?;
    stage.start().await?;
    stage.release(0).await?;
    for _ in 0..4 {
        stage.answer(0, 0, "first").await?;
    }
    stage.settled().await.map(drop)
}

async fn override_both_ways(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela"]).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer(0, 0, "wrong").await?;
    stage.answer_rightly(1, 0).await?;
    stage.end_round().await?;
    for (player, correct) in [(0, true), (1, false), (0, false), (0, true)] {
        stage.overrule(player, 0, correct).await?;
        stage.settled().await?;
    }
    stage.release_scores().await
}

async fn override_again(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada"]).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer(0, 0, "wrong").await?;
    stage.end_round().await?;
    stage.overrule(0, 0, true).await?;
    stage.overrule(0, 0, true).await?;
    stage.release_scores().await
}

async fn override_without_an_answer(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela"]).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.release(1).await?;
    stage.answer(0, 0, "wrong").await?;
    stage.end_round().await?;
    stage.overrule(1, 1, true).await?;
    stage.overrule(0, 1, false).await?;
    stage.settled().await?;
    stage.release_scores().await
}

async fn several_open(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela"]).await?;
    stage.start().await?;
    for number in [1, 0, 2] {
        stage.release(number).await?;
    }
    for number in [2, 0, 1] {
        stage.answer_rightly(1, number).await?;
    }
    for number in [1, 2, 0] {
        stage.answer(0, number, "7").await?;
    }
    stage.replace(Actor::Player(1)).await?;
    stage.settled().await?;
    stage.end_round().await?;
    stage.release_scores().await
}

async fn released_again(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada"]).await?;
    stage.start().await?;
    for number in [0, 1, 0] {
        stage.release(number).await?;
    }
    stage.settled().await.map(drop)
}

async fn nothing_released(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.long, &["Ada", "Bela"]).await?;
    stage.start().await?;
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.next_round().await?;
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.end_game().await
}

async fn no_answers(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela"]).await?;
    stage.start().await?;
    stage.release(2).await?;
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.replace(Actor::Player(0)).await
}

async fn earlier_round(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.long, &["Ada"]).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer_rightly(0, 0).await?;
    let (earlier, key) = (stage.oracle.question(0).id, stage.oracle.question(0).key());
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.next_round().await?;
    stage.release(0).await?;
    stranger(&mut stage, Actor::Host, &Command::release(earlier)).await?;
    stranger(&mut stage, Actor::Player(0), &Command::answer(earlier, &key)).await?;
    stage.end_round().await?;
    let overrule = Command::overrule(stage.oracle.players[0].id, earlier, false);
    stranger(&mut stage, Actor::Host, &overrule).await
}

async fn later_round(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.long, &["Ada"]).await?;
    stage.start().await?;
    stage.release(0).await?;
    let later = stage.oracle.quiz.rounds[1].questions[0].id;
    stranger(&mut stage, Actor::Host, &Command::release(later)).await?;
    stranger(&mut stage, Actor::Player(0), &Command::answer(later, "True")).await
}

async fn stranger(stage: &mut Stage, actor: Actor, command: &Command) -> anyhow::Result<()> {
    stage.refuses(actor, command.clone(), CloseCode::UnknownQuestion).await
}

async fn removed_with_answers(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela"]).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer(0, 0, "wrong").await?;
    stage.answer_rightly(1, 0).await?;
    stage.remove(1).await?;
    let count = stage.oracle.answer_count(stage.oracle.question(0).id);
    stage.host.allow(value(&count));
    stage.allow_lobby();
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.end_game().await
}
