//! Absences that a server tells of after a time of its own: awaited, never slept for, and played beside everything else.

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
use crate::wire::Build;
use crate::world::World;

/// A gap of the host's socket shorter than this is not told; measured from outside, so a little less.
const SHORTEST_GAP: Duration = Duration::from_millis(4_500);

/// The host goes, and comes back.
pub async fn host_absent(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::Answered, Role::Player, Cast::Mixed).await?;
    let left = Instant::now();
    stage.host.depart().await?;
    told(&mut stage, false).await?;
    ensure!(left.elapsed() >= SHORTEST_GAP, "told after {:?} already", left.elapsed());
    stage.reconnect(Actor::Player(1)).await.context("the one who did not ask")?;
    stage.reconnect(Actor::Player(0)).await.context("while the host is away")?;
    stage.reconnect(Actor::Host).await.context("the host is back")?;
    told(&mut stage, true).await?;
    own_return(&mut stage).await.context("the host who is back")?;
    stage.silent().await?;
    stage.end_round().await
}

/// A server of several nodes may show the host a moment from before the absence, and tell them of their return behind it.
/// By the time that a command of theirs is answered they have heard of it, or never will.
async fn own_return(stage: &mut Stage) -> anyhow::Result<()> {
    let release = Command::release(stage.oracle.question(0).id);
    stage.host.send_bytes(&Build::text(&release.text()).bytes()).await?;
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
    told(&mut clock, false).await.context("whose connection broke")?;
    stage.silent().await.context("who was back at once")
}

/// Players who are gone in the middle of a game: the host who asked is told, at once after a proper close, and after the grace otherwise.
pub async fn player_lost(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::Answered, Role::Player, Cast::HostOnly).await?;
    drop(stage.players.remove(0));
    let player = stage.oracle.players[0].id;
    stage.happened(&Fact::Disconnected(player))?;
    let change = stage.host.message_within(world.options.longest_wait).await?;
    ensure!(change == value(&stage.oracle.room_change(&[player])), "the host is told something else: {change}");
    let seat = world.connect(&stage.code, &stage.tokens[0].clone(), Role::Player).await?;
    stage.players.insert(0, seat);
    stage.expect_sync(Actor::Player(0)).await?;
    stage.happened(&Fact::Connected(player))?;
    stage.expect_room(0).await?;
    stage.settled().await.map(drop)
}

async fn told(stage: &mut Stage, connected: bool) -> anyhow::Result<()> {
    let longest = stage.world.options.longest_wait;
    let told = stage.players[0].message_within(longest).await.context("the first player")?;
    ensure!(told == value(&host_status(connected)), "the first player is sent {told}");
    if stage.oracle.host_here != connected {
        stage.happened(&if connected { Fact::HostReturned } else { Fact::HostLeft })?;
    }
    Ok(())
}
