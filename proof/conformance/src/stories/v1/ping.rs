//! `ping`, which only the socket answers: in order, once for each, and without a trace in the game.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::{CloseCode, Dialect, Role};

use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command, PONG};
use crate::stage::compare::{received, value};
use crate::stage::substate::SubState;
use crate::stories::limits::{HOST_BURST, HOST_FLOOD, PLAYER_BURST, PLAYER_FLOOD, flood};
use crate::stories::results;
use crate::wire::Knock;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "first_ping",
        "each sub-state; host and first player connect again",
        "`ping` right after the handshake, before anything is read",
        "the sync messages, then `pong`, then silence",
        Swift,
        first_ping
    ),
    story!(
        "burst",
        "an open question; host and first player speak v1",
        "18 pings of the player and 80 of the host, each in one write",
        "as many `pong`, to the one who asked; nothing to any other socket",
        Swift,
        burst
    ),
    story!(
        "player_flood",
        "an open question; host and first player speak v1",
        "120 pings of the player in one write",
        "4008: a ping counts as a message; no other socket is disturbed; the player may come back at once",
        Swift,
        player_flood
    ),
    story!(
        "host_flood",
        "the same",
        "600 pings of the host in one write",
        "4008; no other socket is disturbed; the host may come back at once",
        Swift,
        host_flood
    ),
    story!(
        "no_trace",
        "a game of three players; host and first player speak v1",
        "a whole game with pings before and behind each step",
        "each ping its `pong`; boards, reviews and results as the oracle has them, which knows no pings",
        Swift,
        no_trace
    ),
];

const BOTH: [Actor; 2] = [Actor::Host, Actor::Player(0)];

async fn first_ping(world: Arc<World>) -> anyhow::Result<()> {
    for state in SubState::all(Dialect::QuizhallV1) {
        let mut stage = Stage::reach_as(&world, state, Role::Player, Cast::Mixed).await?;
        for actor in BOTH {
            let pinged = connect_and_ping(&mut stage, actor).await;
            pinged.with_context(|| format!("{actor:?}, {}", state.name()))?;
        }
        stage.silent().await?;
        stage.tear_down().await;
    }
    Ok(())
}

async fn connect_and_ping(stage: &mut Stage, actor: Actor) -> anyhow::Result<()> {
    let (token, role) = match actor {
        Actor::Host => (stage.world.host.token(), Role::Host),
        Actor::Player(number) => (stage.tokens[number].as_str(), Role::Player),
    };
    let new = stage.world.connect_as(Knock::bearer(&stage.code, token), role, Dialect::QuizhallV1).await?;
    new.send(&Command::PING.text()).await?;
    let mut want = stage.sync_of(actor, Dialect::QuizhallV1);
    want.push(PONG);
    let mut old = std::mem::replace(stage.connection(actor), new);
    let got = stage.connection(actor).messages(want.len()).await?;
    received(&got, &want)?;
    let ending = old.closed().await.context("the socket that was replaced")?;
    ensure!(Wanted::bare(CloseCode::Replaced).fits(&ending), "the socket that was replaced: {ending}");
    Ok(())
}

async fn burst(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = open_question(&world).await?;
    for (actor, count) in [(Actor::Player(0), PLAYER_BURST - 2), (Actor::Host, HOST_BURST - 20)] {
        stage.replace(actor).await?;
        stage.connection(actor).send_bytes(&pings(count)).await?;
        let got = stage.connection(actor).messages(count).await?;
        ensure!(got.iter().all(|message| *message == value(&PONG)), "{actor:?} is sent something else");
        stage.silent().await?;
    }
    Ok(())
}

async fn player_flood(world: Arc<World>) -> anyhow::Result<()> {
    flood(&mut open_question(&world).await?, Actor::Player(0), &pings(PLAYER_FLOOD)).await
}

async fn host_flood(world: Arc<World>) -> anyhow::Result<()> {
    flood(&mut open_question(&world).await?, Actor::Host, &pings(HOST_FLOOD)).await
}

async fn open_question(world: &Arc<World>) -> anyhow::Result<Stage> {
    Stage::reach_as(world, SubState::OneOpen, Role::Player, Cast::Mixed).await
}

fn pings(count: usize) -> Vec<u8> {
    Command::PING.bytes().repeat(count)
}

async fn no_trace(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &["Ada", "Bela", "Cora"], Cast::Mixed).await?;
    both_ping(&mut stage).await?;
    stage.start().await?;
    stage.release(0).await?;
    both_ping(&mut stage).await?;
    stage.answer_rightly(0, 0).await?;
    stage.answer(1, 0, "a guess").await?;
    both_ping(&mut stage).await?;
    stage.end_round().await?;
    both_ping(&mut stage).await?;
    stage.overrule(2, 0, true).await?;
    both_ping(&mut stage).await?;
    let answers = results::answers(&stage);
    stage.release_scores().await?;
    both_ping(&mut stage).await?;
    let board = results::board(&stage);
    stage.end_game().await?;
    both_ping(&mut stage).await?;
    results::check(&stage, &board, &answers).await
}

async fn both_ping(stage: &mut Stage) -> anyhow::Result<()> {
    for actor in BOTH {
        let before = stage.view().await?;
        stage.play(actor, &Command::PING).await.with_context(|| format!("ping of {actor:?}"))?;
        ensure!(before == stage.view().await?, "a ping changed the owner's view of the game");
    }
    Ok(())
}
