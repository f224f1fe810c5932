//! Closes that take the server's own time: they are awaited, never slept for, and played beside everything else.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use quizhall_oracle::Fact;
use quizhall_protocol::{CloseCode, Role};

use crate::quiz;
use crate::row::Wanted;
use crate::seat::Ending;
use crate::stage::Stage;
use crate::stage::command::{Actor, Command};
use crate::stage::compare::value;
use crate::stage::substate::SubState;
use crate::wire::frame::{CLOSE, PING, TEXT};
use crate::wire::{Build, Knock, RawSocket};
use crate::world::World;

/// Heavy questions: 700 KiB, more than a player's queue of 256 KiB and the buffers below it hold.
const RELEASES: usize = 24;
/// Two heavy questions: little enough to fall behind soon, enough to catch up within the time a server gives for taking leave.
const SMALL_BUFFER: u32 = 64 * 1024;

/// Between two bytes of a message that never ends.
const TRICKLE: Duration = Duration::from_millis(250);

/// After `game_ended` all sockets are closed in the end.
pub async fn game_over(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Ended, Role::Player).await?;
    for actor in [Actor::Host, Actor::Player(0), Actor::Player(1)] {
        let (messages, ending) = stage.connection(actor).until_closed(world.options.longest_wait).await?;
        ensure!(messages.is_empty(), "{actor:?}: a message after the end");
        ensure!(Wanted::bare(CloseCode::GameOver).fits(&ending), "{actor:?}: {ending}");
    }
    Ok(())
}

/// A client that never answers a ping.
pub async fn ping_timeout(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    let mut socket = take_over(&mut stage).await?;
    let (pinged, ending) = read(&world, &mut socket, false).await?;
    ensure!(pinged, "closed without a ping before");
    expect(&ending, CloseCode::PingTimeout)?;
    stage.silent().await
}

/// A message whose last fragment never comes.
pub async fn unfinished_message(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    let mut socket = take_over(&mut stage).await?;
    socket.send(&Build::new(TEXT, "{").unfinished().bytes()).await?;
    let (_, ending) = read(&world, &mut socket, true).await?;
    expect(&ending, CloseCode::ReadTimeout)?;
    stage.silent().await
}

/// A frame that stops half way.
pub async fn unfinished_frame(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    let mut socket = take_over(&mut stage).await?;
    let frame = Build::text(r#"{"type":"submit_answer"}"#).bytes();
    socket.send(&frame[..frame.len() / 2]).await?;
    // A pong cannot be sent inside a frame: either time-out is right, whichever comes first.
    let (_, ending) = read(&world, &mut socket, false).await?;
    let fits = [CloseCode::ReadTimeout, CloseCode::PingTimeout].iter().any(|code| Wanted::bare(*code).fits(&ending));
    ensure!(fits, "{ending}");
    stage.silent().await
}

/// A message that keeps arriving, but never ends.
pub async fn trickled_message(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    let mut connection = stage.players.remove(0);
    let frame = Build::text(&" ".repeat(16_000)).bytes();
    let trickled = tokio::time::timeout(world.options.longest_wait, async {
        for byte in frame.chunks(1) {
            if connection.send_bytes(byte).await.is_err() || connection.has_unread() {
                break;
            }
            tokio::time::sleep(TRICKLE).await;
        }
    });
    trickled.await.context("a message may go on for ever")?;
    expect(&connection.closed().await?, CloseCode::ReadTimeout)?;
    stage.silent().await
}

/// A player who stops reading while the others play on.
pub async fn slow_consumer(world: Arc<World>) -> anyhow::Result<()> {
    let quiz = world.host.create_quiz(&quiz::heavy(&world.tag)).await?.id;
    let mut stage = Stage::open(&world, quiz, &["Ada", "Bela"]).await?;
    world.host.delete_quiz(quiz).await?;
    let mut knock = Knock::bearer(&stage.code, &stage.tokens[1]);
    knock.receive_buffer = Some(SMALL_BUFFER);
    let mut slow = world.pace.open(&knock, &world.target).await?.socket()?;
    expect(&stage.players.remove(1).closed().await?, CloseCode::Replaced)?;
    stage.start().await?;
    for number in 0..RELEASES {
        let command = Command::release(stage.oracle.question(number).id);
        let bytes = command.bytes();
        // Without a barrier each time: the server waits only so long for a slow player to take leave.
        let played = stage.carry_out(Actor::Host, &command, &bytes).await;
        played.with_context(|| format!("release {number} while one player is stuck"))?;
    }
    let (_, ending) = read(&world, &mut slow, false).await?;
    expect(&ending, CloseCode::SlowConsumer)?;
    stage.silent().await
}

/// A player whose connection breaks leaves the lobby after a grace, and is back in it when they return.
pub async fn lost_from_the_lobby(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Lobby, Role::Player).await?;
    drop(stage.players.remove(0));
    stage.happened(&Fact::Left(stage.oracle.players[0].id))?;
    let message = stage.host.message_within(world.options.longest_wait).await?;
    ensure!(message == value(&stage.oracle.lobby_update()), "the host is sent another lobby");
    let lobby = stage.players[0].message().await?;
    ensure!(lobby == value(&stage.oracle.lobby_update()), "the other player is sent another lobby");
    stage.come_back(0).await?;
    stage.silent().await
}

/// A raw socket of the first player; their reading one is replaced.
async fn take_over(stage: &mut Stage) -> anyhow::Result<RawSocket> {
    let socket =
        stage.world.pace.open(&Knock::bearer(&stage.code, &stage.tokens[0]), &stage.world.target).await?.socket()?;
    expect(&stage.players.remove(0).closed().await?, CloseCode::Replaced)?;
    Ok(socket)
}

fn expect(ending: &Ending, code: CloseCode) -> anyhow::Result<()> {
    ensure!(Wanted::bare(code).fits(ending), "expected {}, got {ending}", Wanted::bare(code));
    Ok(())
}

/// Reads to the close, and may answer pings; whether a ping came, and the close.
async fn read(world: &World, socket: &mut RawSocket, answer: bool) -> anyhow::Result<(bool, Ending)> {
    let reading = async {
        let mut pinged = false;
        while let Some(frame) = socket.next().await? {
            match frame.opcode {
                PING => {
                    pinged = true;
                    if answer {
                        socket.send(&Build::new(0xA, frame.payload).bytes()).await?;
                    }
                }
                CLOSE => {
                    let (code, reason) = frame.close();
                    world.observer.close(code, &reason)?;
                    return Ok((pinged, Ending { code: code.unwrap_or(0), reason }));
                }
                _ => {}
            }
        }
        bail!("the connection ended without a close frame")
    };
    tokio::time::timeout(world.options.longest_wait, reading).await.context("never closed")?
}
