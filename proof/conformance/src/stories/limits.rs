//! Limits that a single client can reach: floods. The limits of time are in `waits`.

use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use quizhall_protocol::{CloseCode, FromHost, Role};
use serde_json::json;

use super::waits;
use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::command::{Actor, Command};
use crate::stage::substate::SubState;
use crate::wire::frame::PING;
use crate::wire::{Build, Request};
use crate::world::World;

/// A player may send this many messages at once, a host these.
pub(super) const PLAYER_BURST: usize = 20;
pub(super) const HOST_BURST: usize = 100;
/// More than a whole burst and what trickles in during a slow test.
pub(super) const PLAYER_FLOOD: usize = 120;
pub(super) const HOST_FLOOD: usize = 600;
const PINGS: usize = 400;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "player_burst",
        "an open question",
        "18 answers in one write",
        "18 `answer_accepted`: a whole sheet may be handed in at once",
        Swift,
        player_burst
    ),
    story!(
        "host_burst",
        "an open question",
        "80 releases in one write",
        "80 times `question_released` to the host, nothing to the players",
        Swift,
        host_burst
    ),
    story!(
        "player_flood",
        "an open question",
        "120 answers in one write",
        "4008; no other socket is disturbed; the player may come back at once",
        Swift,
        player_flood
    ),
    story!(
        "host_flood",
        "an open question",
        "600 releases in one write",
        "4008; no other socket is disturbed; the host may come back at once",
        Swift,
        host_flood
    ),
    story!(
        "ping_flood",
        "an open question",
        "400 pings in one write",
        "4008; no other socket is disturbed",
        Swift,
        ping_flood
    ),
    story!(
        "slow_consumer",
        "a player with a small buffer who stops reading",
        "24 questions of 30 KiB",
        "4101 to them, behind what they can still read; all other sockets receive each question at once",
        Waits,
        waits::slow_consumer
    ),
    story!(
        "unfinished_message",
        "an open question",
        "a fragment, and never the next",
        "4100",
        Waits,
        waits::unfinished_message
    ),
    story!(
        "unfinished_frame",
        "an open question",
        "half a frame, and never the rest",
        "4100 (or 4103, should a ping be due first)",
        Waits,
        waits::unfinished_frame
    ),
    story!(
        "trickled_message",
        "an open question",
        "a message that goes on byte by byte and never ends",
        "4100: a byte now and then buys no time",
        Waits,
        waits::trickled_message
    ),
    story!("ping_timeout", "an open question", "no pong is ever sent", "a ping, then 4103", Waits, waits::ping_timeout),
    story!(
        "game_over",
        "a game that ended",
        "all sockets stay open",
        "1000 `game_over` to each after the linger",
        Waits,
        waits::game_over
    ),
    story!(
        "lost_from_the_lobby",
        "a lobby of two",
        "a player's connection breaks; later they return",
        "`lobby_update` without them after the grace, with them on return",
        Waits,
        waits::lost_from_the_lobby
    ),
    story!(
        "failed_joins",
        "the address has failed joins left",
        "unknown codes, one more than are allowed in a minute",
        "404 each, then 429 with `Retry-After`",
        Last,
        failed_joins
    ),
];

async fn player_burst(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Answered, Role::Player).await?;
    stage.replace(Actor::Player(0)).await?;
    let count = PLAYER_BURST - 2;
    let answer = Command::answer(stage.oracle.question(0).id, crate::stage::WRONG);
    stage.players[0].send_bytes(&answer.bytes().repeat(count)).await?;
    stage.players[0].messages(count).await?;
    stage.silent().await
}

async fn host_burst(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    stage.replace(Actor::Host).await?;
    let count = HOST_BURST - 20;
    let release = Command::release(stage.oracle.question(0).id);
    stage.host.send_bytes(&release.bytes().repeat(count)).await?;
    stage.host.messages(count).await?;
    stage.silent().await
}

async fn player_flood(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Answered, Role::Player).await?;
    let answer = Command::answer(stage.oracle.question(0).id, crate::stage::WRONG);
    flood(&mut stage, Actor::Player(0), &answer.bytes().repeat(PLAYER_FLOOD)).await
}

async fn host_flood(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    let release = Command::release(stage.oracle.question(0).id);
    flood(&mut stage, Actor::Host, &release.bytes().repeat(HOST_FLOOD)).await
}

async fn ping_flood(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    flood(&mut stage, Actor::Player(0), &Build::new(PING, "hello").bytes().repeat(PINGS)).await
}

/// Bytes with too many messages: their sender is closed with 4008, and comes back to an unchanged game.
pub(super) async fn flood(stage: &mut Stage, actor: Actor, bytes: &[u8]) -> anyhow::Result<()> {
    let time_limit = stage.world.options.time_limit;
    // The server may have closed before everything was written.
    let _ = stage.connection(actor).send_bytes(bytes).await;
    let (_, ending) = stage.connection(actor).until_closed(time_limit).await?;
    ensure!(Wanted::bare(CloseCode::RateLimited).fits(&ending), "expected 4008, got {ending}");
    stage.reconnect(actor).await.context("back at once")?;
    stage.settled().await?;
    stage.host_plays(FromHost::EndRound).await
}

async fn failed_joins(world: Arc<World>) -> anyhow::Result<()> {
    let allowed = world.options.failed_joins_per_minute;
    for number in 0..=allowed {
        let body = json!({ "gameCode": "ZZ22ZZ", "displayName": "Ada" });
        let response = Request::new("POST", "/join").json(&body).send(&world.target).await?;
        match response.status {
            404 => {}
            429 => {
                ensure!(response.header("retry-after").is_some(), "429 without `Retry-After`");
                return crate::cases::http::problem(&response);
            }
            status => bail!("failed join {number}: HTTP {status}"),
        }
    }
    bail!("{} failed joins in a minute and no 429", allowed + 1)
}
