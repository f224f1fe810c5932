//! Plays a message row or a resync row on a stage.

use anyhow::{Context, ensure};
use uuid::Uuid;

use crate::row::{MessageCase, ResyncCase, Verdict, Wanted};
use crate::seat::brief;
use crate::stage::Stage;
use crate::stage::command::{Actor, Command};
use crate::stage::screen::Screen;

/// Plays a message that must be accepted, which uses the stage up if it changes the game.
pub async fn accepted(stage: &mut Stage, actor: Actor, case: &MessageCase) -> anyhow::Result<()> {
    let text = fill(&case.text, stage);
    let command = Command::read(&text)?;
    stage.play_bytes(actor, &command, &case.framing.bytes(&text)).await?;
    stage.settled().await.context("afterwards").map(drop)
}

/// Plays a message that must be refused. That the game has not changed is shown by [`Stage::unchanged`].
pub async fn refused(stage: &mut Stage, actor: Actor, case: &MessageCase, wanted: &[Wanted]) -> anyhow::Result<()> {
    let bytes = case.framing.bytes(&fill(&case.text, stage));
    stage.closed_for(actor, &bytes, wanted).await
}

/// Plays a message of a screen, which is answered or closes the screen's socket. That no participant has received anything is
/// shown by [`Stage::unchanged`].
pub async fn of_screen(stage: &mut Stage, screen: &Screen, case: &MessageCase) -> anyhow::Result<()> {
    let (mut socket, _) = stage.connect_screen(screen).await?;
    let _ = socket.send_bytes(&case.framing.bytes(&fill(&case.text, stage))).await;
    match &case.verdict {
        Verdict::Accepted => {
            let answer = socket.message().await?;
            ensure!(answer["type"] == "pong", "expected a pong, got {}", brief(&answer));
            socket.silent().await
        }
        Verdict::Closed(wanted) => {
            let ending = socket.closed().await?;
            ensure!(wanted.iter().any(|wanted| wanted.fits(&ending)), "got {ending}");
            Ok(())
        }
    }
}

/// Plays a resync row: the participant connects while their old socket is open.
pub async fn resync(stage: &mut Stage, case: ResyncCase) -> anyhow::Result<()> {
    stage.replace(case.actor).await
}

/// Replaces the placeholders by the stage's ids.
pub fn fill(template: &str, stage: &Stage) -> String {
    if !template.contains('$') {
        return template.to_owned();
    }
    let oracle = &stage.oracle;
    let round = &oracle.quiz.rounds[oracle.round].questions;
    let open = oracle.released.first().copied().unwrap_or(round[0].id);
    let unreleased = round.iter().find(|question| !oracle.released.contains(&question.id));
    let next = unreleased.map_or(round[0].id, |question| question.id);
    let player = oracle.players.first().map_or_else(Uuid::new_v4, |player| player.id);
    let foreign = &stage.world.foreign;
    let mut text = template.to_owned();
    for (name, id) in [
        ("$OPEN", open),
        ("$NEXT", next),
        ("$PLAYER", player),
        ("$OTHER_QUESTION", foreign.question),
        ("$OTHER_PLAYER", foreign.player),
        ("$RANDOM", Uuid::new_v4()),
    ] {
        text = text.replace(&format!("{name}_UPPER"), &id.to_string().to_uppercase());
        text = text.replace(&format!("{name}_BARE"), &id.simple().to_string());
        text = text.replace(name, &id.to_string());
    }
    text
}
