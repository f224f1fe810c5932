//! Points by hand: what players, the host and results are shown of them, in which round they count, and undoing them.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::Phase;
use quizhall_protocol::from_host::{AdjustPoints, UndoAdjustment};
use quizhall_protocol::http::results::Results;
use quizhall_protocol::{CloseCode, FromHost};
use serde_json::json;
use uuid::Uuid;

use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stories::results;
use crate::wire::{Build, Request};
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "given",
        "a game of several rounds; the host and the first player speak v1",
        "the host gives points while questions are open, in review and when the scores are out, and undoes some of them; a second round \
         follows, in which points of the first are undone; connect again each time",
        "`adjustments_update` each time; `board_update` and new scores only when the scores of the round are released; the plain player sees \
         the points in `roundTotal` and `score`; the rounds of the results add up to the score",
        Swift,
        given
    ),
    story!(
        "removed",
        "the leaderboard of the first round, in which both players were given points",
        "the host removes the first player, undoes points of this player, and undoes unknown ones",
        "`adjustments_update` without the player; undoing changes nothing and is confirmed",
        Swift,
        removed
    ),
    story!(
        "refused",
        "the first round",
        "the host sends no points, too many, a reason that is too long, an id that is none, and a player of no game",
        "4002 with the field, or 4006; nothing changes",
        Swift,
        refused
    ),
];

fn adjust(player_id: Uuid, points: i32, reason: Option<&str>) -> Command {
    Command::Host(FromHost::AdjustPoints(AdjustPoints { player_id, points, reason: reason.map(str::to_owned) }))
}

fn undo(adjustment_id: Uuid) -> Command {
    Command::Host(FromHost::UndoAdjustment(UndoAdjustment { adjustment_id }))
}

/// The host plays this, and then all connect again.
async fn plays(stage: &mut Stage, command: Command) -> anyhow::Result<()> {
    let text = command.text();
    stage.host_plays(command).await?;
    stage.all_connect_again().await.with_context(|| format!("after {text}"))
}

/// The points of each round of the results, those by hand included, are the scores of the board.
async fn adds_up(stage: &Stage) -> anyhow::Result<()> {
    let path = format!("/api/v1/games/{}/results", stage.id);
    let results: Results = serde_json::from_value(stage.world.host.send(Request::new("GET", &path)).await?.json()?)?;
    let released = stage.oracle.round + usize::from(stage.oracle.phase == Phase::Leaderboard);
    let out = results.rounds.iter().take(released);
    for line in &results.leaderboard {
        let answers = out.clone().flat_map(|round| &round.questions).flat_map(|question| &question.answers);
        let earned = answers.filter(|answer| answer.player_id == line.player_id).map(|answer| i64::from(answer.points));
        let by_hand = out.clone().flat_map(|round| &round.adjustments);
        let by_hand = by_hand.filter(|one| one.player_id == line.player_id).map(|one| i64::from(one.points));
        let sum: i64 = earned.chain(by_hand).sum();
        ensure!(sum == line.score, "the rounds of {} add up to {sum}", line.display_name);
    }
    let round = &results.rounds[stage.oracle.round];
    ensure!(
        round.adjustments == stage.oracle.adjustments_in_results(),
        "other points by hand: {:?}",
        round.adjustments
    );
    Ok(())
}

async fn given(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    let [ada, bela] = [0, 1].map(|number| stage.oracle.players[number].id);
    stage.release(0).await?;
    stage.answer_rightly(0, 0).await?;
    plays(&mut stage, adjust(ada, -5, Some("Phone under the table"))).await?;
    plays(&mut stage, adjust(bela, 1_000_000, None)).await?;
    stage.end_round().await?;
    plays(&mut stage, adjust(bela, 7, Some("  Best name "))).await?;
    let first = stage.oracle.adjustments()[0].id;
    let second = stage.oracle.adjustments()[1].id;
    for _ in 0..2 {
        plays(&mut stage, undo(second)).await?;
    }
    stage.release_scores().await?;
    adds_up(&stage).await.context("the first round")?;
    plays(&mut stage, adjust(bela, 20, None)).await?;
    plays(&mut stage, adjust(bela, -1_000_000, Some("Shouted"))).await?;
    let shouted = stage.oracle.adjustments()[3].id;
    plays(&mut stage, undo(shouted)).await?;
    adds_up(&stage).await.context("when the scores are out")?;
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.next_round().await?;
    plays(&mut stage, adjust(ada, 3, Some("Tidy table"))).await?;
    plays(&mut stage, undo(first)).await?;
    adds_up(&stage).await.context("in the second round")?;
    stage.release(0).await?;
    stage.end_round().await?;
    stage.release_scores().await?;
    adds_up(&stage).await.context("the second round")?;
    stage.settled().await.map(drop)
}

async fn removed(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    let [ada, bela] = [0, 1].map(|number| stage.oracle.players[number].id);
    stage.end_round().await?;
    stage.release_scores().await?;
    plays(&mut stage, adjust(ada, 2, None)).await?;
    plays(&mut stage, adjust(bela, 3, None)).await?;
    let of_ada = stage.oracle.adjustments()[0].id;
    stage.host_plays(Command::remove(ada)).await?;
    for id in [of_ada, Uuid::new_v4()] {
        stage.host_plays(undo(id)).await?;
        stage.replace(Actor::Host).await?;
    }
    adds_up(&stage).await?;
    stage.settled().await.map(drop)
}

async fn refused(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    let ada = stage.oracle.players[0].id;
    let field = |name| Wanted::with(CloseCode::InvalidPayload, name);
    for points in [json!(0), json!(1_000_001), json!(-1_000_001), json!(1.5), json!("5"), json!(null)] {
        let message = json!({"type": "adjust_points", "payload": {"playerId": ada, "points": points}}).to_string();
        stage.refused(Actor::Host, &Build::text(&message).bytes(), &[field("points")]).await?;
    }
    let long = json!({"playerId": ada, "points": 1, "reason": "x".repeat(101)});
    let message = json!({"type": "adjust_points", "payload": long}).to_string();
    stage.refused(Actor::Host, &Build::text(&message).bytes(), &[field("reason")]).await?;
    let message = json!({"type": "undo_adjustment", "payload": {"adjustmentId": "7"}}).to_string();
    stage.refused(Actor::Host, &Build::text(&message).bytes(), &[field("adjustmentId")]).await?;
    stage.refuses(Actor::Host, adjust(Uuid::new_v4(), 1, None), CloseCode::UnknownPlayer).await?;
    stage.settled().await.map(drop)
}
