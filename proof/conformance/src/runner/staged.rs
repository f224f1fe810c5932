//! The rows of one scene, played one after the other.
//!
//! Most rows leave the game as it was: refused messages, screens, sockets that are opened again. They share a stage, and that it
//! has not changed is shown once, after the last of them. If it has, each is played again on a stage of its own, so that the
//! report names the row that changes it. A message that is accepted uses its stage up, unless the oracle knows of no change.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use quizhall_protocol::Role;
use serde_json::Value;

use super::Scene;
use crate::cases::message;
use crate::report::Report;
use crate::row::{Check, MessageCase, Row, Verdict};
use crate::stage::Stage;
use crate::stage::command::Actor;
use crate::stage::screen::Screen;
use crate::world::World;

/// The accepted messages that may share a stage. For each of them every socket sends two pings, and may send 15 at once.
const MOST_ACCEPTED: usize = 6;

/// Whether a row may change its game.
pub(super) fn changes(row: &Row) -> bool {
    matches!(&row.check, Check::Message(case) if case.role != Role::Screen && matches!(case.verdict, Verdict::Accepted))
}

/// Plays the rows, those that change the game after the others.
pub(super) async fn play(world: &Arc<World>, scene: Scene, rows: Vec<Row>) -> Report {
    let (changing, quiet): (Vec<_>, Vec<_>) = rows.into_iter().partition(changes);
    let mut playing = Playing { world, scene, set: None, report: Report::default() };
    playing.together(quiet).await;
    for row in changing {
        let played = playing.row(&row).await;
        let is_spent = played.is_err() || playing.set.as_mut().is_none_or(Set::is_spent);
        playing.report.record(&row.id, played);
        if is_spent {
            playing.strike().await;
        }
    }
    playing.strike().await;
    playing.report
}

/// The rows of a scene while they are played.
struct Playing<'a> {
    world: &'a Arc<World>,
    scene: Scene,
    set: Option<Set>,
    report: Report,
}

/// A stage in the scene's sub-state.
struct Set {
    stage: Stage,
    /// The owner's view before the first row, the oracle in words, and how many messages were accepted since.
    before: Value,
    words: String,
    accepted: usize,
    /// The screen of the rows that need one.
    screen: Option<Screen>,
}

impl Playing<'_> {
    /// Plays rows that leave the game as it was on one stage.
    async fn together(&mut self, rows: Vec<Row>) {
        let (mut unproven, mut again, mut wrong) = (Vec::new(), Vec::new(), None);
        for row in rows {
            match self.row(&row).await {
                Ok(()) => unproven.push(row),
                Err(error) if unproven.is_empty() => {
                    self.report.record(&row.id, Err(error));
                    self.strike().await;
                }
                Err(error) => {
                    wrong = Some(error);
                    self.strike().await;
                    again.append(&mut unproven);
                    again.push(row);
                }
            }
        }
        match self.unchanged().await {
            Ok(()) => unproven.iter().for_each(|row| self.report.record(&row.id, Ok(()))),
            Err(error) => {
                wrong = Some(error);
                again.append(&mut unproven);
            }
        }
        let Some(wrong) = wrong else { return };
        if !self.one_by_one(&again).await {
            let ids: Vec<_> = again.iter().map(|row| row.id.as_str()).collect();
            self.report.record("suite", Err(wrong.context(format!("only one after the other: {}", ids.join(", ")))));
        }
    }

    /// Plays each on a stage of its own. Returns whether one has failed.
    async fn one_by_one(&mut self, rows: &[Row]) -> bool {
        let before = self.report.failed();
        for row in rows {
            self.strike().await;
            let played = match self.row(row).await {
                Ok(()) => self.unchanged().await,
                Err(error) => Err(error),
            };
            self.report.record(&row.id, played);
        }
        self.strike().await;
        self.report.failed() > before
    }

    /// Plays a row on the present stage, or on a new one.
    async fn row(&mut self, row: &Row) -> anyhow::Result<()> {
        if self.set.is_none() {
            let reached = Set::reach(self.world, self.scene).await;
            self.set = Some(reached.with_context(|| format!("reach {}", self.scene.state.name()))?);
        }
        let set = self.set.as_mut().context("a stage was reached above")?;
        match &row.check {
            Check::Message(case) => set.message(case).await,
            Check::Resync(case) => message::resync(&mut set.stage, *case).await,
            _ => Err(anyhow!("only rows with a stage are planned on one")),
        }
    }

    /// Shows that the stage is as it was before the first row.
    async fn unchanged(&mut self) -> anyhow::Result<()> {
        let Some(set) = &mut self.set else { return Ok(()) };
        if let Some(screen) = set.screen.take() {
            set.stage.remove_screen(screen).await?;
        }
        set.stage.unchanged(&set.before).await
    }

    /// Ends the stage and deletes its game.
    async fn strike(&mut self) {
        self.set = None;
        self.world.sweep().await;
    }
}

impl Set {
    async fn reach(world: &Arc<World>, scene: Scene) -> anyhow::Result<Self> {
        let stage = Stage::reach_as(world, scene.state, scene.alone(), scene.cast).await?;
        let before = stage.view().await?;
        Ok(Self { words: format!("{:?}", stage.oracle), stage, before, accepted: 0, screen: None })
    }

    /// Whether what was accepted has changed the game, or the sockets can send no more pings.
    fn is_spent(&mut self) -> bool {
        self.accepted += 1;
        self.accepted == MOST_ACCEPTED || format!("{:?}", self.stage.oracle) != self.words
    }

    async fn message(&mut self, case: &MessageCase) -> anyhow::Result<()> {
        let actor = match case.role {
            Role::Host => Actor::Host,
            Role::Player => Actor::Player(0),
            Role::Screen => {
                let screen = match self.screen.take() {
                    Some(screen) => screen,
                    None => self.stage.add_screen().await?,
                };
                return message::of_screen(&mut self.stage, self.screen.insert(screen), case).await;
            }
        };
        match &case.verdict {
            Verdict::Accepted => message::accepted(&mut self.stage, actor, case).await,
            Verdict::Closed(wanted) => message::refused(&mut self.stage, actor, case, wanted).await,
        }
    }
}
