//! The next step of the game: its number, and that it is taken once.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::Phase;
use quizhall_protocol::from_host::Next;
use quizhall_protocol::{CloseCode, FromHost};
use serde_json::Value;

use crate::row::{Story, story};
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stage::compare::value;
use crate::stage::{POLL, Stage};
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "a_game_of_presses",
        "a lobby; the host and the first player speak v1",
        "take the step that was stated last, until none is left; the players answer; all connect again in each phase",
        "each step is stated with the next number, and sends what its own message sends; the game ends",
        Swift,
        a_game_of_presses
    ),
    story!(
        "pressed_twice",
        "a lobby",
        "send `next` with the same number twice at once, then with 0 and with a number that was never stated",
        "one step; for each of the others only `step_update` to the host",
        Swift,
        pressed_twice
    ),
    story!(
        "what_it_waits_for",
        "the last question of a round is open",
        "one player after the other answers everything; then the round ends",
        "`step_update` with the number of players who still think, a moment after each change; then without it",
        Swift,
        what_it_waits_for
    ),
    story!(
        "not_of_players",
        "a round",
        "a player sends `next` with the right number",
        "4004; nothing changes",
        Swift,
        not_of_players
    ),
];

fn next(number: u32) -> Command {
    Command::Host(FromHost::Next(Next { number }))
}

impl Stage {
    /// Takes the next step.
    async fn press(&mut self) -> anyhow::Result<()> {
        self.host_plays(next(self.oracle.step_number())).await
    }

    /// The host is sent `step_update` with what the step waits for, at most a moment later.
    async fn waits(&mut self) -> anyhow::Result<()> {
        let wanted = value(&self.oracle.step_update());
        let known = async {
            while self.host.step() != Some(&wanted) {
                self.host.silent().await?;
                tokio::time::sleep(POLL).await;
            }
            anyhow::Ok(())
        };
        tokio::time::timeout(self.world.options.time_limit, known).await.context("what the step waits for")?
    }
}

async fn a_game_of_presses(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela", "Cora"], Cast::Mixed).await?;
    let mut answered = 0;
    let mut phase = None;
    while stage.oracle.phase != Phase::Ended {
        stage.press().await?;
        let released = stage.oracle.released.len();
        if stage.oracle.phase == Phase::Question && released > answered {
            stage.answer_rightly(0, released - 1).await?;
        }
        answered = released;
        if phase.replace(stage.oracle.phase) != Some(stage.oracle.phase) {
            stage.all_connect_again().await?;
        }
    }
    stage.settled().await.map(drop)
}

async fn pressed_twice(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    let number = stage.oracle.step_number();
    stage.connection(Actor::Host).send(&next(number).text()).await?;
    stage.press().await?;
    for stale in [number, 0, u32::MAX] {
        stage.connection(Actor::Host).forget_step();
        stage.host_plays(next(stale)).await?;
        let wanted: Value = value(&stage.oracle.step_update());
        let answered = stage.connection(Actor::Host).knows_step(&wanted).await;
        answered.with_context(|| format!("the number {stale} is not answered"))?;
    }
    stage.settled().await.map(drop)
}

async fn what_it_waits_for(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.press().await?;
    while stage.oracle.next_question().is_some() {
        stage.press().await?;
    }
    stage.waits().await?;
    for player in [0, 1] {
        for number in 0..stage.oracle.released.len() {
            stage.answer_rightly(player, number).await?;
        }
        stage.waits().await?;
    }
    stage.press().await?;
    stage.waits().await
}

async fn not_of_players(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.press().await?;
    let number = stage.oracle.step_number();
    stage.refuses(Actor::Player(0), next(number), CloseCode::WrongRole).await?;
    ensure!(stage.oracle.step_number() == number, "a refused message has changed the oracle");
    stage.settled().await.map(drop)
}
