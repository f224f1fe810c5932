//! Rounds that count speed: which time the server states, and what it earns in each message.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use quizhall_oracle::Phase;
use serde_json::Value;
use tokio::time::Instant;

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::stories::results;
use crate::wire::Request;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "sooner_earns_more",
        "a round that counts speed, with a limit of 60 s for the first two questions; the host and the first player speak v1, the second player does not",
        "release all; both answer rightly, the second player a second after the first; end the round; release the scores; all connect again",
        "`speedPoints` of the questions with a limit, to those who speak v1; `elapsedMs` as the suite's clock has it; the points that follow; \
         neither field to the second player",
        Waits,
        sooner_earns_more
    ),
    story!(
        "a_changed_answer_counts_with_its_last_time",
        "the same round with its first question open",
        "answer wrongly; a second later rightly; give the same answer again; connect again; give it once more",
        "the time of the right answer, and none that is later",
        Waits,
        a_changed_answer
    ),
    story!(
        "a_socket_that_came_back",
        "the same round with its first question open for a second",
        "the player connects again, and answers",
        "the time since the release",
        Waits,
        a_socket_that_came_back
    ),
];

/// What must lie between two answers, so that their times differ for certain.
const APART: Duration = Duration::from_secs(1);

/// A released question, and when: after the one moment and before the other.
struct Released {
    number: usize,
    after: Instant,
    before: Instant,
}

/// A stage of the round with its first `asked` questions released.
async fn opened(world: &Arc<World>, asked: usize) -> anyhow::Result<(Stage, Vec<Released>)> {
    let mut stage = Stage::open_as(world, world.speed, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    let mut released = Vec::new();
    for number in 0..asked {
        let after = Instant::now();
        stage.release(number).await?;
        released.push(Released { number, after, before: Instant::now() });
    }
    Ok((stage, released))
}

/// A player answers; the time that the server states for it must fit the suite's clock, and is the oracle's from now on.
async fn answer(stage: &mut Stage, player: usize, released: &Released, text: &str) -> anyhow::Result<u64> {
    let Released { number, after, before } = *released;
    let sent = Instant::now();
    stage.answer(player, number, text).await?;
    let acknowledged = Instant::now();
    let elapsed = stated(stage, player, number).await?.context("no `elapsedMs`")?;
    let (least, most) = (ms(sent - before), ms(acknowledged - after));
    ensure!((least..=most + 1).contains(&elapsed), "{elapsed} ms are stated, and it took {least} to {most}");
    let (player, question) = (stage.oracle.players[player].id, stage.oracle.question(number).id);
    stage.oracle.note_elapsed(player, question, u32::try_from(elapsed)?);
    Ok(elapsed)
}

/// The `elapsedMs` of a player's answer in the results.
async fn stated(stage: &Stage, player: usize, number: usize) -> anyhow::Result<Option<u64>> {
    let path = format!("/api/v1/games/{}/results", stage.id);
    let results = stage.world.host.send(Request::new("GET", &path)).await?.json()?;
    let (player, question) =
        (stage.oracle.players[player].id.to_string(), stage.oracle.question(number).id.to_string());
    let questions = results["rounds"][0]["questions"].as_array().context("no questions")?;
    let asked = questions.iter().find(|asked| asked["questionId"] == question.as_str()).context("not the question")?;
    let answers = asked["answers"].as_array().context("no answers")?;
    let given = answers.iter().find(|given| given["playerId"] == player.as_str()).context("not the answer")?;
    Ok(given.get("elapsedMs").and_then(Value::as_u64))
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

async fn sooner_earns_more(world: Arc<World>) -> anyhow::Result<()> {
    let (mut stage, released) = opened(&world, 3).await?;
    let keys: Vec<_> = (0..3).map(|number| stage.oracle.question(number).key()).collect();
    let mut elapsed = Vec::new();
    for player in 0..2 {
        tokio::time::sleep(APART).await;
        for released in &released[..2] {
            elapsed.push(answer(&mut stage, player, released, &keys[released.number]).await?);
        }
        stage.answer(player, 2, &keys[2]).await?;
        ensure!(stated(&stage, player, 2).await?.is_none(), "a time is stated for a question without a limit");
    }
    stage.end_round().await?;
    let points: Vec<_> = stage.oracle.results().into_iter().flat_map(|question| question.answers).collect();
    let speed: Vec<_> = points.iter().map(|answer| answer.speed_points).collect();
    ensure!(speed[0] > speed[1] && speed[2] > speed[3] && speed[3] > 0, "{speed:?} after {elapsed:?} ms");
    ensure!((speed[4], speed[5]) == (0, 0), "{speed:?}");
    finish(&mut stage).await
}

async fn a_changed_answer(world: Arc<World>) -> anyhow::Result<()> {
    let (mut stage, released) = opened(&world, 1).await?;
    let key = stage.oracle.question(0).key();
    let wrong = answer(&mut stage, 0, &released[0], "a first thought").await?;
    tokio::time::sleep(APART).await;
    let right = answer(&mut stage, 0, &released[0], &key).await?;
    ensure!(right >= wrong + ms(APART), "{wrong} and then {right} ms");
    for connects_again in [false, true] {
        if connects_again {
            stage.replace(Actor::Player(0)).await?;
        }
        stage.answer(0, 0, &key).await?;
        let again = stated(&stage, 0, 0).await?;
        ensure!(again == Some(right), "{again:?} after {right} ms");
        let (player, question) = (stage.oracle.players[0].id, stage.oracle.question(0).id);
        stage.oracle.note_elapsed(player, question, u32::try_from(right)?);
    }
    stage.end_round().await?;
    finish(&mut stage).await
}

async fn a_socket_that_came_back(world: Arc<World>) -> anyhow::Result<()> {
    let (mut stage, released) = opened(&world, 1).await?;
    tokio::time::sleep(APART).await;
    stage.replace(Actor::Player(0)).await?;
    let key = stage.oracle.question(0).key();
    answer(&mut stage, 0, &released[0], &key).await?;
    stage.end_round().await?;
    finish(&mut stage).await
}

/// Releases the scores; what every participant receives, then and after a reconnect, and the results over HTTP are the oracle's.
async fn finish(stage: &mut Stage) -> anyhow::Result<()> {
    stage.release_scores().await?;
    let board = if stage.oracle.phase == Phase::Leaderboard { results::board(stage) } else { Vec::new() };
    results::check(stage, &board, &results::answers(stage)).await.context("results")?;
    stage.all_connect_again().await?;
    Ok(())
}
