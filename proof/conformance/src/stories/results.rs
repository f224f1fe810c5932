//! The results of a game, as JSON compared with the oracle and as CSV read back cell by cell.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::Fact;
use serde_json::{Value, json};

use crate::api;
use crate::csv::cells;
use crate::stage::Stage;
use crate::stage::compare::{same, value};
use crate::wire::Request;
use crate::world::World;

/// What a spreadsheet would run.
const FORMULAS: [&str; 6] = ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "=HYPERLINK(\"http://x\")"];

/// `GET /api/v1/games/{id}/results`
pub async fn json(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada", "Bela", "Cora"]).await?;
    stage.start().await?;
    stage.release(1).await?;
    stage.release(0).await?;
    stage.answer(1, 0, "a guess").await?;
    stage.answer(0, 0, "another guess").await?;
    stage.answer_rightly(1, 0).await?;
    stage.answer_rightly(2, 1).await?;
    stage.end_round().await?;
    stage.overrule(0, 0, true).await?;
    // Changed and changed back: not overridden.
    stage.overrule(2, 1, false).await?;
    stage.overrule(2, 1, true).await?;
    let answers = answers(&stage);
    check(&stage, &[], &answers).await.context("in review")?;
    stage.release_scores().await?;
    let board = board(&stage);
    check(&stage, &board, &answers).await.context("on the leaderboard")?;
    stage.end_game().await?;
    check(&stage, &board, &answers).await.context("after the end")
}

/// The results over HTTP are the oracle's; an empty board means one without points.
pub(super) async fn check(stage: &Stage, board: &[Value], answers: &Value) -> anyhow::Result<()> {
    let path = format!("/api/v1/games/{}/results", stage.id);
    let results = stage.world.host.send(Request::new("GET", &path)).await?.json()?;
    ensure!(results["gameId"] == stage.id.to_string(), "another game's results");
    ensure!(results["gameCode"] == stage.code.as_str(), "another code");
    ensure!(results["phase"] == stage.oracle.phase.as_str(), "the phase is {}", results["phase"]);
    let got = results["leaderboard"].as_array().context("no leaderboard")?;
    if board.is_empty() {
        ensure!(got.iter().all(|entry| entry["score"] == 0), "points before their release");
    } else {
        same(got, board).context("leaderboard")?;
    }
    same(&[results["rounds"][0]["questions"].clone()], std::slice::from_ref(answers)).context("answers")
}

/// The board of the oracle.
pub(super) fn board(stage: &Stage) -> Vec<Value> {
    let message = value(&stage.oracle.game_ended());
    message["payload"]["leaderboard"].as_array().cloned().unwrap_or_default()
}

/// The round's questions with every answer once, and how it counts.
pub(super) fn answers(stage: &Stage) -> Value {
    json!(stage.oracle.results())
}

/// `GET /api/v1/games/{id}/results.csv`
pub async fn csv(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &[]).await?;
    for name in ["=2+5", "@you", "+Plus", "Q\"uo,te"] {
        let joined = api::join(&world.target, &stage.code, name).await?;
        stage.happened(&Fact::Joined(joined.player_id, name.to_owned()))?;
        stage.expect_lobby().await?;
        stage.connect_player(joined).await?;
    }
    stage.start().await?;
    stage.release(0).await?;
    for (player, formula) in [(0, 0), (1, 1), (2, 2), (3, 3), (0, 4), (1, 5)] {
        stage.answer(player, 0, FORMULAS[formula]).await?;
    }
    stage.end_round().await?;
    stage.release_scores().await?;
    let path = format!("/api/v1/games/{}/results.csv", stage.id);
    let text = world.host.send(Request::new("GET", &path)).await?.text();
    let rows = cells(&text)?;
    let width = rows.first().map_or(0, Vec::len);
    ensure!(rows.iter().all(|row| row.len() == width), "rows of different lengths");
    for cell in rows.iter().flatten() {
        let first = cell.trim_start_matches(' ').chars().next().unwrap_or('x');
        ensure!(!"=+-@\t\r\0＝＋－＠".contains(first), "a cell begins like a formula");
    }
    for kept in ["2+5", "you", "Q\"uo,te", "HYPERLINK(\"http://x\")"] {
        ensure!(rows.iter().flatten().any(|cell| cell.contains(kept)), "a name or an answer was lost");
    }
    Ok(())
}
