//! Extra time: what the host and each player are sent of timers, and whose answers count until when.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use quizhall_oracle::Fact;
use quizhall_protocol::CloseCode;
use tokio::time::{Instant, sleep_until};

use super::timers::{asking, until};
use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "set_and_taken_back",
        "two players; the host and the first player speak v1",
        "in the lobby give the first one half more, twice; start; release; set timers of the question and of the round; connect \
         again; add time; give three times as much; take it back; end the round",
        "`room_update` to the host; `timer_update` with more time to the first player, with `extraMs` to the host, and nothing to \
         the other",
        Swift,
        set_and_taken_back
    ),
    story!(
        "a_question_closes_for_each",
        "an open question; the first player, who speaks v1, has twice the time, the second speaks no v1",
        "set a time of five seconds; wait for six; answer from both; connect again; wait; answer again from the first",
        "the second one's answer is dropped and the first one's accepted; `question_closed` after eleven seconds, to the host and \
         the first player; then 4005",
        Waits,
        a_question_closes_for_each
    ),
];

async fn set_and_taken_back(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    let first = stage.oracle.players[0].id;
    for _ in 0..2 {
        stage.host_plays(Command::extra_time(first, 150)).await?;
    }
    stage.start().await?;
    stage.release(0).await?;
    let question = Some(stage.oracle.question(0).id);
    stage.host_plays(Command::set_timer(question, 300)).await?;
    stage.host_plays(Command::set_timer(None, 600)).await?;
    stage.all_connect_again().await.context("while timers run")?;
    stage.host_plays(Command::add_time(question, 60)).await?;
    stage.answer(0, 0, "with more time").await?;
    for percent in [300, 100] {
        stage.host_plays(Command::extra_time(first, percent)).await?;
    }
    stage.release(1).await?;
    stage.end_round().await?;
    stage.settled().await.map(drop)
}

async fn a_question_closes_for_each(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = asking(&world).await?;
    let (question, first) = (stage.oracle.question(0).id, stage.oracle.players[0].id);
    stage.host_plays(Command::extra_time(first, 200)).await?;
    let begun = Instant::now();
    stage.host_plays(Command::set_timer(Some(question), 5)).await?;
    sleep_until(begun + Duration::from_secs(7)).await;
    for actor in [Actor::Host, Actor::Player(0)] {
        let sent = stage.connection(actor).drain().await?;
        // The player is sent only the decreasing time, which is left out as a repetition.
        ensure!(actor != Actor::Host || !sent.is_empty(), "the host is sent nothing behind the end of the others");
        ensure!(sent.iter().all(|message| message["type"] == "timer_update"), "{actor:?} is sent {sent:?}");
    }
    stage.happened(&Fact::TimeOver(Some(question), 5_000, 100, 200))?;
    let late = Command::answer(question, "too late").bytes();
    stage.players[1].send_bytes(&late).await?;
    stage.silent().await.context("whose answer is dropped")?;
    stage.answer(0, 0, "with extra time").await?;
    stage.all_connect_again().await.context("in the extra time")?;
    let longest = stage.world.options.longest_wait;
    for actor in [Actor::Host, Actor::Player(0)] {
        let end = until(&mut stage, actor, (longest, "question_closed")).await.with_context(|| format!("{actor:?}"))?;
        ensure!(end["type"] == "question_closed", "{actor:?} is sent {end}");
        ensure!(begun.elapsed() >= Duration::from_millis(10_900), "after {:?} already", begun.elapsed());
    }
    stage.happened(&Fact::QuestionClosed(question))?;
    stage.silent().await.context("the player who did not ask is sent nothing")?;
    stage.refused(Actor::Player(0), &late, &[Wanted::bare(CloseCode::UnknownQuestion)]).await?;
    stage.end_round().await?;
    stage.settled().await.map(drop)
}
