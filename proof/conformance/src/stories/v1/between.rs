//! Between two rounds: answers that are revealed, breaks, and phones that wait for the screen.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use quizhall_oracle::Fact;
use quizhall_protocol::from_host::{RevealAnswer, StartBreak};
use quizhall_protocol::{CloseCode, FromHost};
use serde_json::Value;
use tokio::time::Instant;

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "revealed_one_by_one",
        "a review of two questions; the host and the first player speak v1",
        "reveal one; again; mark its answers; all connect again; release the scores; reveal the other; remove a player who chose; \
         all connect again; the next round",
        "`answer_revealed` to those who speak v1, the second time to the host alone, once more with another tally, and on connecting; \
         nothing of it to the other, and nothing in the next round",
        Swift,
        revealed_one_by_one
    ),
    story!(
        "not_to_be_revealed",
        "a round with one question released; then its review",
        "reveal it while it is open; reveal the other in the review",
        "4003; 4005",
        Swift,
        not_to_be_revealed
    ),
    story!(
        "a_break_until_the_next_step",
        "a lobby; the host and the first player speak v1",
        "begin a break; all connect again; begin another with a text; end it; end it again; begin one; start the game; try one in the round",
        "`break_update` to those who speak v1, the second end to the host alone; without a time when the game starts; 4003 in the round",
        Swift,
        a_break_until_the_next_step
    ),
    story!(
        "a_break_is_over",
        "a review; a break of five seconds",
        "wait",
        "`break_update` without a time after five seconds, to those who speak v1; the review is as before",
        Waits,
        a_break_is_over
    ),
    story!(
        "phones_wait_for_the_screen",
        "a review of a game with `phonesAfterScreen`; the host and the first player speak v1",
        "release the scores; all connect again; reveal an answer; show the standings; all connect again; the same in the last round; end the game",
        "the first player is sent `standings_status` alone, and board and scores when they are shown; the others are sent the interface",
        Swift,
        phones_wait_for_the_screen
    ),
];

const SHORTEST: u32 = 5;

async fn reveal(stage: &mut Stage, number: usize) -> anyhow::Result<()> {
    let question_id = stage.oracle.question(number).id;
    let played = stage.host_plays(FromHost::RevealAnswer(RevealAnswer { question_id })).await;
    played.with_context(|| format!("reveal question {number}"))
}

async fn pause(stage: &mut Stage, seconds: u32, text: Option<&str>) -> anyhow::Result<()> {
    stage
        .host_plays(FromHost::StartBreak(StartBreak { seconds, text: text.map(str::to_owned) }))
        .await
        .context("a break")
}

/// The review of a text and a choice, which three players have answered.
async fn review(mut stage: Stage) -> anyhow::Result<Stage> {
    stage.start().await?;
    for number in [0, 1] {
        stage.release(number).await?;
        stage.answer_rightly(1, number).await?;
    }
    stage.answer(0, 0, "a guess").await?;
    stage.answer(2, 1, "Amber").await?;
    stage.end_round().await?;
    Ok(stage)
}

async fn of_three(world: &Arc<World>) -> anyhow::Result<Stage> {
    Stage::open_as(world, world.long, &["Ada", "Bela", "Cora"], Cast::Mixed).await
}

async fn revealed_one_by_one(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(of_three(&world).await?).await?;
    reveal(&mut stage, 0).await?;
    reveal(&mut stage, 0).await.context("it is revealed already")?;
    stage.overrule(0, 0, true).await?;
    stage.all_connect_again().await?;
    stage.release_scores().await?;
    reveal(&mut stage, 1).await?;
    stage.expel(2).await?;
    stage.all_connect_again().await?;
    stage.next_round().await?;
    stage.all_connect_again().await?;
    stage.settled().await.map(drop)
}

async fn not_to_be_revealed(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    let of =
        |stage: &Stage, number| FromHost::RevealAnswer(RevealAnswer { question_id: stage.oracle.question(number).id });
    let open = of(&stage, 0);
    stage.refuses(Actor::Host, open, CloseCode::WrongPhase).await?;
    stage.end_round().await?;
    let unreleased = of(&stage, 1);
    stage.refuses(Actor::Host, unreleased, CloseCode::UnknownQuestion).await
}

async fn a_break_until_the_next_step(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    pause(&mut stage, 600, None).await?;
    stage.all_connect_again().await?;
    pause(&mut stage, 300, Some("Drinks are served.")).await?;
    stage.all_connect_again().await?;
    stage.host_plays(FromHost::EndBreak).await?;
    stage.host_plays(FromHost::EndBreak).await.context("there is none")?;
    pause(&mut stage, 300, Some("")).await?;
    stage.start().await?;
    ensure!(stage.oracle.pause.is_none(), "the oracle has a break in a round");
    let again = FromHost::StartBreak(StartBreak { seconds: 5, text: None });
    stage.refuses(Actor::Host, again, CloseCode::WrongPhase).await?;
    stage.settled().await.map(drop)
}

async fn a_break_is_over(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = review(of_three(&world).await?).await?;
    let begun = Instant::now();
    pause(&mut stage, SHORTEST, None).await?;
    for actor in [Actor::Host, Actor::Player(0)] {
        is_over(&mut stage, actor).await.with_context(|| format!("{actor:?}"))?;
    }
    let passed = begun.elapsed() + Duration::from_millis(100);
    ensure!(passed >= Duration::from_secs(u64::from(SHORTEST)), "after {passed:?} already");
    stage.happened(&Fact::BreakEnded)?;
    stage.silent().await.context("the player who did not ask is sent nothing")?;
    stage.all_connect_again().await
}

/// Waits for the message without a time.
async fn is_over(stage: &mut Stage, actor: Actor) -> anyhow::Result<()> {
    let end = Instant::now() + stage.world.options.longest_wait;
    while Instant::now() < end {
        let messages = stage.connection(actor).drain().await?;
        let is_over = |message: &Value| message["payload"].get("remainingMs").is_none();
        ensure!(messages.iter().all(|message| message["type"] == "break_update"), "is sent {messages:?}");
        if messages.iter().any(is_over) {
            return Ok(());
        }
    }
    anyhow::bail!("the break is not over")
}

async fn phones_wait_for_the_screen(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::open_waiting(&world, world.long, &["Ada", "Bela", "Cora"]).await?;
    let mut stage = review(stage).await?;
    stage.release_scores().await?;
    ensure!(stage.oracle.standings_held, "the oracle has shown the standings");
    stage.all_connect_again().await?;
    reveal(&mut stage, 0).await?;
    stage.show_standings().await?;
    stage.all_connect_again().await?;
    stage.next_round().await?;
    stage.release(0).await?;
    stage.end_round().await?;
    stage.release_own_scores().await?;
    stage.all_connect_again().await?;
    stage.end_game().await?;
    stage.all_connect_again().await
}
