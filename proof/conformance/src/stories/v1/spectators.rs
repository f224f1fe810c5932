//! Spectators: what they are sent, what they may send, and the end of watching.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::http::game_options::Pace;
use quizhall_protocol::http::games::NewGame;
use quizhall_protocol::http::screens::ShowOnScreens;
use quizhall_protocol::{Dialect, Role};
use serde_json::Value;

use crate::api;
use crate::row::{Story, story};
use crate::seat::Connection;
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::Command;
use crate::stage::compare::value;
use crate::wire::Knock;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "watching",
        "a lobby; the host and the first player speak v1",
        "ask to watch; let spectators watch; in each phase a spectator and a screen connect; end it",
        "409 until the host lets them; both are sent the same picture in each phase, and participants nothing; 4401 at the end, and 401 \
         to the next handshake",
        Swift,
        watching
    ),
    story!(
        "unknown_code",
        "a lobby that may be watched",
        "ask to watch a game that is not there, and one with a code that is none",
        "404, and 422",
        Swift,
        unknown_code
    ),
    story!(
        "what_comes_next",
        "a game with pace `question`; the host and the first player speak v1",
        "start it; watch; start the autopilot; watch again",
        "`round` of the picture has the section of `round_started`; once the autopilot runs, `step` is its next step",
        Swift,
        what_comes_next
    ),
    story!(
        "dark",
        "a lobby that may be watched; the host and the first player speak v1",
        "darken the screens; watch; start the game; watch; darken them again, and end that; watch after each",
        "`blank` while they are dark, which the next step ends as well; participants are sent nothing of it",
        Swift,
        dark
    ),
];

async fn watching(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &["Ada", "Bela"], Cast::Mixed).await?;
    let refused = api::watch(&world.target, &stage.code).await?;
    ensure!(refused.status == 409, "before the host lets spectators watch: HTTP {}", refused.status);
    stage.allow_spectators(true).await?;
    compare(&mut stage).await.context("lobby")?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer_rightly(0, 0).await?;
    compare(&mut stage).await.context("question")?;
    stage.end_round().await?;
    compare(&mut stage).await.context("round_review")?;
    stage.release_scores().await?;
    compare(&mut stage).await.context("leaderboard")?;
    stage.end_game().await?;
    let (token, mut spectator) = compare(&mut stage).await.context("ended")?;
    stage.allow_spectators(false).await?;
    let ending = spectator.closed().await?;
    ensure!(ending.code == 4401, "{ending}");
    let again = world.connect_as(Knock::bearer(&stage.code, &token), Role::Screen, Dialect::QuizhallV1).await;
    ensure!(again.is_err_and(|error| error.to_string().contains("401")), "the token still opens the game");
    stage.settled().await.map(drop)
}

/// Connects a spectator, which is sent the same picture as a screen.
async fn compare(stage: &mut Stage) -> anyhow::Result<(String, Connection)> {
    let token = api::spectator_token(&stage.world.target, &stage.code).await?;
    let plain = stage.world.connect(&stage.code, &token, Role::Screen).await;
    ensure!(plain.is_err_and(|error| error.to_string().contains("401")), "a plain socket was not refused");
    let mut spectator =
        stage.world.connect_as(Knock::bearer(&stage.code, &token), Role::Screen, Dialect::QuizhallV1).await?;
    let picture = spectator.message().await?;
    let screen = stage.add_screen().await?;
    let (_socket, shown) = stage.connect_screen(&screen).await?;
    ensure!(picture == shown, "a spectator is sent {picture}, and a screen {shown}");
    stage.remove_screen(screen).await?;
    Ok((token, spectator))
}

async fn what_comes_next(world: Arc<World>) -> anyhow::Result<()> {
    let by_question = NewGame { pace: Pace::Question, ..NewGame::new(world.long) };
    let mut stage = Stage::open_game(&world, by_question, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.allow_spectators(true).await?;
    stage.start().await?;
    let picture = watch(&stage).await?;
    let begun = value(&stage.oracle.round_started());
    for fact in ["section", "wrongPoints"] {
        let (shown, sent) = (picture["round"].get(fact), begun["payload"].get(fact));
        ensure!(shown == sent, "`{fact}` is {shown:?} on a screen and {sent:?} on a phone");
    }
    ensure!(picture.get("step").is_none(), "a step without an autopilot: {picture}");
    stage.host_plays(Command::start_autopilot(600)).await?;
    let step = &watch(&stage).await?["step"];
    let sent = value(&stage.oracle.autopilot_step().context("a step of the oracle")?)["payload"].clone();
    ensure!(step["next"] == sent["next"] && step["running"] == sent["running"], "{step} on a screen, and {sent} sent");
    let left = |step: &Value| step["remainingMs"].as_u64();
    ensure!(left(step).is_some_and(|left| left > 0) && left(step) <= left(&sent), "{step}, and {sent}");
    stage.settled().await.map(drop)
}

async fn dark(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.allow_spectators(true).await?;
    let dark = ShowOnScreens { blank: true, ..ShowOnScreens::default() };
    world.host.show_on_screens(stage.id, &dark).await?;
    is_dark(&stage, true).await.context("the lobby")?;
    stage.start().await?;
    is_dark(&stage, false).await.context("the game has started")?;
    world.host.show_on_screens(stage.id, &dark).await?;
    is_dark(&stage, true).await.context("again")?;
    world.host.show_on_screens(stage.id, &ShowOnScreens::default()).await?;
    is_dark(&stage, false).await.context("the host ended it")?;
    stage.settled().await.map(drop)
}

async fn is_dark(stage: &Stage, dark: bool) -> anyhow::Result<()> {
    let picture = watch(stage).await?;
    ensure!(picture.get("blank") == dark.then_some(&Value::Bool(true)), "{picture}");
    Ok(())
}

/// What a spectator who connects now is shown.
async fn watch(stage: &Stage) -> anyhow::Result<Value> {
    let token = api::spectator_token(&stage.world.target, &stage.code).await?;
    let knock = Knock::bearer(&stage.code, &token);
    let mut spectator = stage.world.connect_as(knock, Role::Screen, Dialect::QuizhallV1).await?;
    Ok(spectator.message().await?["payload"].take())
}

async fn unknown_code(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada"]).await?;
    stage.allow_spectators(true).await?;
    for (code, status) in [("ZZZZZZ", 404), ("a code", 422)] {
        let response = api::watch(&world.target, code).await?;
        ensure!(response.status == status, "{code}: HTTP {}", response.status);
    }
    Ok(())
}
