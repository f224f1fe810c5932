//! A sealed quiz: the seal before the game, and the proof after it.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::http::games::NewGame;
use quizhall_protocol::http::proof::{OwnRef, PROOF_FORMAT, Proof};

use crate::api;
use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::wire::Request;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[story!(
    "from_the_seal_to_the_proof",
    "a sealed game of one round; the host and the first player speak v1",
    "read the seal without an account; play to the end and connect again in each phase; read the proof before and after the end, and \
     each player's `ref`",
    "`seal_status` with the same seal on connecting, to who speaks v1; the proof is 409 before the end and has the seal, every answer \
     and the refs of the players afterwards",
    Swift,
    from_the_seal_to_the_proof
)];

async fn from_the_seal_to_the_proof(world: Arc<World>) -> anyhow::Result<()> {
    let sealed = NewGame { sealed: true, ..NewGame::new(world.short) };
    let mut stage = Stage::open_game(&world, sealed, &["Ada", "Bela"], Cast::Mixed).await?;
    let seal = api::seal(&world.target, &stage.code.to_lowercase()).await?;
    let questions: usize = stage.oracle.quiz.rounds.iter().map(|round| round.questions.len()).sum();
    ensure!(seal.leaves.len() == questions, "{} leaves of {questions} questions", seal.leaves.len());
    stage.all_connect_again().await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer_rightly(0, 0).await?;
    stage.answer(1, 0, "another thought").await?;
    stage.end_round().await?;
    stage.all_connect_again().await?;
    let path = format!("/api/v1/games/{}/proof", stage.id);
    let early = world.host.send(Request::new("GET", &path)).await?;
    ensure!(early.status == 409, "the proof before the end: HTTP {}", early.status);
    stage.release_scores().await?;
    stage.end_game().await?;
    stage.all_connect_again().await?;
    let response = world.host.send(Request::new("GET", &path)).await?;
    ensure!(response.status == 200, "the proof: HTTP {}", response.status);
    let proof: Proof = serde_json::from_slice(&response.body).context("the proof")?;
    ensure!(proof.format == PROOF_FORMAT && proof.seal == seal.seal, "the proof has another format or seal");
    ensure!(proof.questions.len() == questions && proof.boards.len() == 2, "questions or boards are missing");
    ensure!(proof.players.iter().all(|player| player.display_name.is_none()), "names that no one asked for");
    for (token, player) in stage.tokens.iter().zip(&proof.players) {
        let response = Request::new("GET", "/api/v1/seats/ref").bearer(token).send(&world.target).await?;
        let own: OwnRef = serde_json::from_slice(&response.body).context("the ref")?;
        ensure!(own.of_player == player.of_player, "a player has another ref in the proof");
    }
    Ok(())
}
