//! Plays a message row or a resync row on a stage, and shows that a refused message changed nothing and reached no other socket.

use anyhow::{Context, ensure};
use quizhall_protocol::Role;
use uuid::Uuid;

use crate::row::{Framing, MessageCase, ResyncCase, Verdict};
use crate::seat::brief;
use crate::stage::Stage;
use crate::stage::command::{Actor, Command};
use crate::wire::Build;

/// Whether the stage can serve the next row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// Nothing has changed.
    AsBefore,
    /// The game has changed.
    Used,
}

/// Plays a message row.
pub async fn play(stage: &mut Stage, case: &MessageCase) -> anyhow::Result<After> {
    let text = fill(&case.text, stage);
    let bytes = match case.framing {
        Framing::Plain => Build::text(&text).bytes(),
        Framing::By(frames) => frames(&text),
    };
    let actor = match case.role {
        Role::Host => Actor::Host,
        Role::Player => Actor::Player(0),
        Role::Screen => return screen(stage, &bytes, &case.verdict).await,
    };
    match &case.verdict {
        Verdict::Accepted => {
            let command = Command::read(&text)?;
            stage.play_bytes(actor, &command, &bytes).await?;
            stage.settled().await.context("afterwards")?;
            Ok(After::Used)
        }
        Verdict::Closed(wanted) => {
            stage.refused(actor, &bytes, wanted).await?;
            Ok(After::AsBefore)
        }
    }
}

/// Sends the message on a screen of its own, which is answered or closed. The game does not change.
async fn screen(stage: &mut Stage, bytes: &[u8], verdict: &Verdict) -> anyhow::Result<After> {
    let before = stage.view().await?;
    let (id, mut screen) = stage.add_screen().await?;
    let _ = screen.send_bytes(bytes).await;
    match verdict {
        Verdict::Accepted => {
            let answer = screen.message().await?;
            ensure!(answer["type"] == "pong", "expected a pong, got {}", brief(&answer));
            screen.silent().await?;
        }
        Verdict::Closed(wanted) => {
            let ending = screen.closed().await?;
            ensure!(wanted.iter().any(|wanted| wanted.fits(&ending)), "got {ending}");
        }
    }
    stage.remove_screen(id).await?;
    stage.silent().await?;
    ensure!(before == stage.view().await?, "a screen changed the game");
    Ok(After::AsBefore)
}

/// Plays a resync row: the participant connects while their old socket is open.
pub async fn resync(stage: &mut Stage, case: ResyncCase) -> anyhow::Result<()> {
    let before = stage.view().await?;
    stage.replace(case.actor).await?;
    stage.silent().await?;
    ensure!(before == stage.view().await?, "connecting changed the game");
    Ok(())
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
