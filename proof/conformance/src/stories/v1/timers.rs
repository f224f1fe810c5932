//! Timers: what every socket with the extension is sent of them, and what happens to answers when the time is over.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use quizhall_oracle::{Fact, Phase};
use quizhall_protocol::{CloseCode, FromHost};
use serde_json::Value;
use tokio::time::Instant;

use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stage::compare::received;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "set_held_and_resumed",
        "an open question; the host and the first player speak v1",
        "set its timer and the round's; add time; hold both; connect again; resume; end the round",
        "`timer_update` each to those who speak v1 and nothing to the other; no timers behind the end of the round",
        Swift,
        set_held_and_resumed
    ),
    story!(
        "nothing_to_do",
        "an open question without a timer",
        "add time; hold; resume; then with a timer resume again",
        "nothing, and then `timer_update` to the host alone",
        Swift,
        nothing_to_do
    ),
    story!(
        "a_question_closes",
        "two open questions, one with five seconds left; both players have answered it",
        "wait; answer it again from both; answer the other question",
        "`question_closed` after six seconds; 4005 to the one who was sent it, nothing to the other; the other question takes answers",
        Waits,
        a_question_closes
    ),
    story!(
        "a_held_question_stays_open",
        "an open question with five seconds left, held",
        "wait for eight seconds; answer; resume; wait",
        "`answer_accepted`; `question_closed` only after the time that was left",
        Waits,
        a_held_question_stays_open
    ),
    story!(
        "a_round_ends",
        "a round with five seconds left and an answer",
        "wait",
        "`round_ended` to all sockets and `round_review` to the host, as for `end_round`",
        Waits,
        a_round_ends
    ),
    story!(
        "an_autopilot",
        "an open question with five seconds left; the host and the first player speak v1",
        "start the autopilot with breaks of five seconds; wait; lock the game; connect again; end the round",
        "`question_closed`, `autopilot_step`, and after five seconds the next `question_released` to all; it goes on behind the \
         lock; `autopilot_status` without a plan before `round_ended`",
        Waits,
        an_autopilot
    ),
];

/// The shortest time a host can set, seconds.
const SHORTEST: u32 = 5;
/// Measured from outside, a little less than the time with its second of grace.
const NOT_BEFORE: Duration = Duration::from_millis(5_900);

/// In the first question of a round; the host and the first player speak v1.
pub(super) async fn asking(world: &Arc<World>) -> anyhow::Result<Stage> {
    let mut stage = Stage::open_as(world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    Ok(stage)
}

async fn set_held_and_resumed(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = asking(&world).await?;
    let question = Some(stage.oracle.question(0).id);
    stage.host_plays(Command::set_timer(question, 300)).await?;
    stage.host_plays(Command::set_timer(None, 600)).await?;
    stage.host_plays(Command::add_time(question, 60)).await?;
    stage.host_plays(FromHost::PauseTimer).await?;
    stage.all_connect_again().await.context("while the timers are held")?;
    stage.host_plays(FromHost::ResumeTimer).await?;
    stage.release(1).await?;
    stage.end_round().await?;
    stage.settled().await.map(drop)
}

async fn nothing_to_do(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = asking(&world).await?;
    let question = Some(stage.oracle.question(0).id);
    for command in [
        Command::add_time(question, 10),
        Command::add_time(None, 10),
        Command::Host(FromHost::PauseTimer),
        Command::Host(FromHost::ResumeTimer),
    ] {
        stage.host_plays(command).await?;
    }
    stage.host_plays(Command::set_timer(question, 300)).await?;
    stage.host_plays(FromHost::ResumeTimer).await?;
    stage.settled().await.map(drop)
}

/// Waits for the end of a time of five seconds that began then, on the sockets of the host and the first player.
async fn await_end(stage: &mut Stage, begun: Instant, kind: &str) -> anyhow::Result<()> {
    let longest = stage.world.options.longest_wait;
    for actor in [Actor::Host, Actor::Player(0)] {
        let end = until(stage, actor, (longest, kind)).await.with_context(|| format!("{actor:?}"))?;
        ensure!(end["type"] == kind, "{actor:?} is sent {end}");
        ensure!(begun.elapsed() >= NOT_BEFORE, "after {:?} already", begun.elapsed());
    }
    Ok(())
}

/// The first message that is not about the time left, which is also sent every ten seconds.
pub(super) async fn until(stage: &mut Stage, actor: Actor, (longest, kind): (Duration, &str)) -> anyhow::Result<Value> {
    loop {
        let message = stage.connection(actor).message_within(longest).await.with_context(|| kind.to_owned())?;
        if message["type"] != "timer_update" && message["type"] != "autopilot_step" {
            return Ok(message);
        }
    }
}

async fn a_question_closes(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = asking(&world).await?;
    stage.release(1).await?;
    stage.answer(0, 0, "in time").await?;
    stage.answer(1, 0, "in time too").await?;
    let question = stage.oracle.question(0).id;
    let begun = Instant::now();
    stage.host_plays(Command::set_timer(Some(question), SHORTEST)).await?;
    await_end(&mut stage, begun, "question_closed").await?;
    stage.happened(&Fact::QuestionClosed(question))?;
    stage.silent().await.context("the player who did not ask is sent nothing")?;
    let late = Command::answer(question, "too late").bytes();
    stage.players[1].send_bytes(&late).await?;
    stage.silent().await.context("whose answer is dropped")?;
    stage.refused(Actor::Player(0), &late, &[Wanted::bare(CloseCode::UnknownQuestion)]).await?;
    stage.answer(1, 1, "the other").await?;
    stage.replace(Actor::Player(1)).await?;
    stage.end_round().await?;
    stage.settled().await.map(drop)
}

async fn a_held_question_stays_open(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = asking(&world).await?;
    let question = stage.oracle.question(0).id;
    stage.host_plays(Command::set_timer(Some(question), SHORTEST)).await?;
    stage.host_plays(FromHost::PauseTimer).await?;
    tokio::time::sleep(Duration::from_secs(8)).await;
    for actor in [Actor::Host, Actor::Player(0)] {
        let held = stage.connection(actor).drain().await?;
        ensure!(held.iter().all(|message| message["payload"]["running"] == false), "{actor:?} is sent {held:?}");
    }
    stage.answer(0, 0, "while it is held").await?;
    let begun = Instant::now();
    stage.host_plays(FromHost::ResumeTimer).await?;
    let longest = stage.world.options.longest_wait;
    let end = until(&mut stage, Actor::Host, (longest, "question_closed")).await?;
    ensure!(end["type"] == "question_closed", "the host is sent {end}");
    // What passed before it was held does not come back.
    ensure!(begun.elapsed() + Duration::from_secs(2) >= NOT_BEFORE, "after {:?} already", begun.elapsed());
    Ok(())
}

async fn a_round_ends(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = asking(&world).await?;
    stage.answer(1, 0, "in time").await?;
    let begun = Instant::now();
    stage.host_plays(Command::set_timer(None, SHORTEST)).await?;
    await_end(&mut stage, begun, "round_ended").await?;
    stage.happened(&Fact::RoundEnded)?;
    ensure!(stage.oracle.phase == Phase::Review, "the oracle is in another phase");
    let review = stage.host.message().await.context("the review")?;
    received(&[review], &[stage.oracle.round_review()])?;
    let ended = stage.players[1].message().await.context("the player who did not ask")?;
    ensure!(ended["type"] == "round_ended", "the player who did not ask is sent {ended}");
    stage.settled().await.map(drop)
}

async fn an_autopilot(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = asking(&world).await?;
    let first = stage.oracle.question(0).id;
    let begun = Instant::now();
    stage.host_plays(Command::set_timer(Some(first), SHORTEST)).await?;
    stage.host_plays(Command::start_autopilot(SHORTEST)).await?;
    stage.host_plays(Command::start_autopilot(SHORTEST)).await.context("it runs so already")?;
    await_end(&mut stage, begun, "question_closed").await?;
    stage.happened(&Fact::QuestionClosed(first))?;
    let break_begun = Instant::now();
    let step = stage.oracle.autopilot_step().context("a step of the oracle")?;
    for actor in [Actor::Host, Actor::Player(0)] {
        let message = stage.connection(actor).message().await.with_context(|| format!("{actor:?}, the step"))?;
        received(&[message], std::slice::from_ref(&step))?;
    }
    stage.silent().await.context("in the break")?;
    is_released_by_itself(&mut stage, break_begun).await?;
    stage.host_plays(Command::lock(true)).await?;
    stage.all_connect_again().await.context("while the autopilot runs")?;
    stage.end_round().await?;
    stage.settled().await.map(drop)
}

/// Waits for the next question behind a break of five seconds, on all sockets.
async fn is_released_by_itself(stage: &mut Stage, begun: Instant) -> anyhow::Result<()> {
    let longest = stage.world.options.longest_wait;
    let next = stage.oracle.next_question().context("a question is left")?;
    for actor in [Actor::Host, Actor::Player(0), Actor::Player(1)] {
        let message =
            until(stage, actor, (longest, "question_released")).await.with_context(|| format!("{actor:?}"))?;
        ensure!(message["type"] == "question_released", "{actor:?} is sent {message}");
        ensure!(message["payload"]["question"]["id"] == next.to_string(), "{actor:?} is sent {message}");
    }
    // Measured from the arrival of the step: a little less than its time.
    let passed = begun.elapsed() + Duration::from_millis(500);
    ensure!(passed >= Duration::from_secs(u64::from(SHORTEST)), "after {passed:?} already");
    stage.happened(&Fact::Released(next))?;
    for actor in [Actor::Host, Actor::Player(0)] {
        let timer = stage.connection(actor).message().await.with_context(|| format!("{actor:?}, the timer"))?;
        ensure!(timer["type"] == "timer_update" && timer["payload"]["questionId"] == next.to_string(), "{timer}");
    }
    stage.silent().await.context("behind the timer")
}
