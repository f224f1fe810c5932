//! Absences that a server reports after a delay of its own: awaited, never slept for, and played beside everything else.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use quizhall_oracle::{Fact, host_status};
use quizhall_protocol::Role;
use tokio::time::Instant;

use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stage::compare::value;
use crate::stage::substate::SubState;
use crate::world::World;

/// A gap of the host's socket shorter than this is not reported; measured from outside, so a little less.
const SHORTEST_GAP: Duration = Duration::from_millis(4_500);

/// The host goes, and comes back.
pub async fn host_absent(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::Answered, Role::Player, Cast::Mixed).await?;
    let left = Instant::now();
    stage.host.depart().await?;
    status_sent(&mut stage, false).await?;
    ensure!(left.elapsed() >= SHORTEST_GAP, "sent after {:?} already", left.elapsed());
    stage.reconnect(Actor::Player(1)).await.context("the one who did not ask")?;
    stage.reconnect(Actor::Player(0)).await.context("while the host is away")?;
    stage.reconnect(Actor::Host).await.context("the host is back")?;
    status_sent(&mut stage, true).await?;
    own_return(&mut stage).await.context("the host who is back")?;
    stage.silent().await?;
    stage.end_round().await
}

/// A server of several nodes may send the host a state from before the absence. It then reports the return before the
/// answer to the host's next command, or never.
async fn own_return(stage: &mut Stage) -> anyhow::Result<()> {
    let release = Command::release(stage.oracle.question(0).id);
    stage.host.send_bytes(&release.bytes()).await?;
    let mut answer = stage.host.message().await?;
    if answer == value(&host_status(true)) {
        answer = stage.host.message().await?;
    }
    ensure!(
        answer["type"] == "question_released",
        "the open question is released again, and the host is sent {answer}"
    );
    Ok(())
}

/// A host who is back at once; and another, lost a moment later, is the clock.
pub async fn host_reloads(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::OneOpen, Role::Player, Cast::Mixed).await?;
    let mut clock = Stage::reach_as(&world, SubState::OneOpen, Role::Player, Cast::FirstPlayerOnly).await?;
    stage.host.depart().await?;
    stage.reconnect(Actor::Host).await?;
    clock.host.break_off().await?;
    status_sent(&mut clock, false).await.context("whose connection broke")?;
    stage.silent().await.context("who was back at once")
}

/// A player whose connection breaks in the middle of a game: a host who speaks the extension is sent `room_update` after the
/// grace, and again on the return.
pub async fn player_lost(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::Answered, Role::Player, Cast::HostOnly).await?;
    drop(stage.players.remove(0));
    let player = stage.oracle.players[0].id;
    stage.happened(&Fact::Disconnected(player))?;
    let change = stage.host.message_within(world.options.longest_wait).await?;
    ensure!(change == value(&stage.oracle.room_change(&[player])), "the host is sent something else: {change}");
    let connection = world.connect(&stage.code, &stage.tokens[0].clone(), Role::Player).await?;
    stage.players.insert(0, connection);
    stage.expect_sync(Actor::Player(0)).await?;
    stage.happened(&Fact::Connected(player))?;
    stage.expect_room(0).await?;
    stage.settled().await.map(drop)
}

async fn status_sent(stage: &mut Stage, connected: bool) -> anyhow::Result<()> {
    let longest = stage.world.options.longest_wait;
    let message = stage.players[0].message_within(longest).await.context("the first player")?;
    ensure!(message == value(&host_status(connected)), "the first player is sent {message}");
    if stage.oracle.host_here != connected {
        stage.happened(&if connected { Fact::HostReturned } else { Fact::HostLeft })?;
    }
    Ok(())
}
