//! One connection per participant, subprotocols, origins and sign-out.

use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use quizhall_oracle::answer_accepted;
use quizhall_protocol::{CloseCode, Role};

use crate::quiz;
use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::command::Actor;
use crate::stage::compare::value;
use crate::stage::substate::SubState;
use crate::wire::frame::{CLOSE, TEXT};
use crate::wire::{Build, Knock, Opened, Request};
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "newest_wins",
        "an open question",
        "the host and a player each connect five times over, then the game goes on",
        "each older socket is closed with 4409; the newest works; no other socket receives a byte",
        Swift,
        newest_wins
    ),
    story!(
        "token_in_the_query",
        "a lobby",
        "host and player connect with `?token=` and play",
        "as with a header",
        Swift,
        token_in_the_query
    ),
    story!(
        "code_in_lower_case",
        "a lobby",
        "a player connects to the code in lower case",
        "the same game",
        Swift,
        code_in_lower_case
    ),
    story!(
        "subprotocol",
        "a lobby",
        "offer nothing; another subprotocol than `quizhall.v1`; several others",
        "none is agreed on",
        Swift,
        subprotocol
    ),
    story!(
        "deflate",
        "a lobby",
        "offer permessage-deflate, then send a frame with RSV1",
        "no extension is agreed; 1002",
        Swift,
        deflate
    ),
    story!(
        "close_is_answered",
        "a lobby",
        "close with 1000, 1001, 4999 and with no code",
        "a close frame in return, then the end of the connection",
        Swift,
        close_is_answered
    ),
    story!(
        "nothing_after_close",
        "an open question",
        "a close frame with an answer behind it",
        "the answer is not taken",
        Swift,
        nothing_after_close
    ),
    story!(
        "signed_out",
        "another host with a live game and a socket",
        "sign out",
        "4401 on the socket; the token opens nothing any more",
        Swift,
        signed_out
    ),
    story!(
        "messages_in_one_write",
        "an open question",
        "two answers and a ping in one write",
        "two `answer_accepted` in order, and a pong",
        Swift,
        messages_in_one_write
    ),
    story!("byte_by_byte", "an open question", "an answer, one byte at a time", "accepted", Swift, byte_by_byte),
];

async fn newest_wins(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    for _ in 0..5 {
        stage.replace(Actor::Player(0)).await?;
        stage.replace(Actor::Host).await?;
    }
    stage.silent().await?;
    stage.answer_rightly(0, 0).await?;
    stage.end_round().await
}

async fn token_in_the_query(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &["Ada"]).await?;
    let by_query = |token: &str| Knock { code: stage.code.clone(), query: Some(token.to_owned()), ..Knock::default() };
    let (host, player) = (by_query(world.host.token()), by_query(&stage.tokens[0]));
    for (actor, knock, role) in [(Actor::Host, host, Role::Host), (Actor::Player(0), player, Role::Player)] {
        let mut connection = world.connect_by(&knock, role).await?;
        ensure!(connection.message().await? == value(&stage.oracle.lobby_update()), "another lobby");
        *stage.connection(actor) = connection;
    }
    stage.start().await?;
    stage.release(0).await?;
    stage.answer_rightly(0, 0).await
}

async fn code_in_lower_case(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::open(&world, world.short, &["Ada"]).await?;
    let mut connection = world.connect(&stage.code.to_lowercase(), &stage.tokens[0], Role::Player).await?;
    ensure!(connection.message().await? == value(&stage.oracle.lobby_update()), "another lobby");
    Ok(())
}

async fn subprotocol(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::open(&world, world.short, &["Ada"]).await?;
    for offer in [None, Some("chat"), Some("chat, superchat"), Some("quizhall.v2"), Some("quizhall")] {
        let knock = Knock::bearer(&stage.code, &stage.tokens[0]);
        let knock = offer.into_iter().fold(knock, Knock::offering);
        let Opened::Socket(_, response) = world.pace.open(&knock, &world.target).await? else {
            bail!("{offer:?}: no socket")
        };
        ensure!(response.header("sec-websocket-protocol").is_none(), "{offer:?}: a subprotocol was agreed");
    }
    Ok(())
}

async fn deflate(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::open(&world, world.short, &["Ada"]).await?;
    let knock = Knock::bearer(&stage.code, &stage.tokens[0]);
    let knock = knock.header("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits");
    let mut connection = world.connect_by(&knock, Role::Player).await?;
    connection.message().await?;
    connection.send_bytes(&Build::new(TEXT, vec![0xAA, 0x56, 0x0A]).reserved(4).bytes()).await?;
    let ending = connection.closed().await?;
    ensure!(Wanted::bare(CloseCode::ProtocolError).fits(&ending), "{ending}");
    Ok(())
}

async fn close_is_answered(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::open(&world, world.short, &["Ada"]).await?;
    let closes =
        [Build::close(1000, b"bye"), Build::close(1001, b""), Build::close(4999, b"mine"), Build::new(CLOSE, "")];
    for close in closes {
        let knock = Knock::bearer(&stage.code, &stage.tokens[0]);
        let mut socket = world.pace.open(&knock, &world.target).await?.socket()?;
        socket.send(&close.bytes()).await?;
        let answered = async {
            let mut answered = false;
            while let Some(frame) = socket.next().await? {
                answered |= frame.opcode == CLOSE;
            }
            anyhow::Ok(answered)
        };
        let answered = tokio::time::timeout(world.options.time_limit, answered).await;
        ensure!(answered.context("the connection was left open")??, "no close frame in return");
    }
    Ok(())
}

async fn nothing_after_close(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    let question = stage.oracle.question(0).id;
    let answer = format!(r#"{{"type":"submit_answer","payload":{{"questionId":"{question}","answer":"late"}}}}"#);
    let bytes = [Build::close(1000, b"").bytes(), Build::text(&answer).bytes()].concat();
    let mut socket = world.pace.open(&Knock::bearer(&stage.code, &stage.tokens[1]), &world.target).await?.socket()?;
    socket.send(&bytes).await?;
    let closed = async { while let Ok(Some(_)) = socket.next().await {} };
    tokio::time::timeout(world.options.time_limit, closed).await.context("the connection was left open")?;
    drop(stage.players.remove(1));
    stage.settled().await.map(drop)
}

async fn signed_out(world: Arc<World>) -> anyhow::Result<()> {
    let account = world.second_host()?.account.as_ref();
    let (name, password) = account.context("needs an account of the suite's own")?;
    let other = world.host.sign_in(name, password).await?;
    let quiz = other.create_quiz(&quiz::short(&world.tag)).await?.id;
    let game = other.create_game(quiz).await?;
    let mut connection = world.connect(&game.game_code, other.token(), Role::Host).await?;
    connection.message().await.context("the lobby")?;
    other.sign_out().await?;
    let ending = connection.closed().await?;
    ensure!(Wanted::bare(CloseCode::Unauthorized).fits(&ending), "{ending}");
    let refused = other.send(Request::new("GET", "/api/v1/games")).await?;
    ensure!(refused.status == 401, "the token still lists games: HTTP {}", refused.status);
    let again = world.pace.open(&Knock::bearer(&game.game_code, other.token()), &world.target).await?;
    ensure!(matches!(&again, Opened::Refused(response) if response.status == 401), "the token still opens sockets");
    let own = world.second_host()?;
    own.api.delete_game(game.id).await
}

async fn messages_in_one_write(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::TwoOpen, Role::Player).await?;
    let answer = |number: usize| {
        let question = stage.oracle.question(number).id;
        format!(r#"{{"type":"submit_answer","payload":{{"questionId":"{question}","answer":"both"}}}}"#)
    };
    let bytes = [Build::text(&answer(1)).bytes(), Build::text(&answer(0)).bytes()].concat();
    stage.players[0].send_bytes(&bytes).await?;
    for number in [1, 0] {
        let want = value(&answer_accepted(stage.oracle.question(number).id));
        ensure!(stage.players[0].message().await? == want, "the acknowledgements are out of order");
    }
    stage.host.messages(2).await?;
    stage.silent().await
}

async fn byte_by_byte(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    let question = stage.oracle.question(0).id;
    let answer = format!(r#"{{"type":"submit_answer","payload":{{"questionId":"{question}","answer":"slow"}}}}"#);
    for byte in Build::text(&answer).bytes() {
        stage.players[0].send_bytes(&[byte]).await?;
    }
    let want = value(&answer_accepted(question));
    ensure!(stage.players[0].message().await? == want, "not acknowledged");
    stage.host.messages(1).await?;
    stage.silent().await
}
