//! Co-hosts: what each role is sent and may send, that marks reach every host, and the end of an invitation.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::http::co_hosts::CoHostRole;
use quizhall_protocol::{CloseCode, Dialect, Role};
use serde_json::json;

use crate::api::Invited;
use crate::cases::message::fill;
use crate::row::{Story, story};
use crate::seat::Connection;
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::stage::substate::SubState;
use crate::tables::messages::MESSAGES;
use crate::wire::Knock;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "roles",
        "a game in each phase but the last, and a co-host who marks and one who moderates; the host and the first player speak v1",
        "each message of a client that is not the role's, from a co-host of that role; the token over a plain socket",
        "on connecting what the host is sent; 4003 where the host could not send it now, else 4004; 401; the game does not change, and \
         no other socket is sent anything",
        Swift,
        roles
    ),
    story!(
        "marks",
        "a review; the host speaks v1, and a co-host marks beside",
        "the co-host marks an answer as right, the host another; the co-host takes back twice",
        "`answers_marked` to both after each marking and the first undo, with `marking_update` of what each can take back; the host's \
         marking stays",
        Swift,
        marks
    ),
    story!(
        "removed",
        "a lobby with a co-host who moderates",
        "the co-host locks the game; the host removes the co-host",
        "`room_update` to both; 4401 to the co-host, and 401 to the next handshake",
        Swift,
        removed
    ),
];

/// Invites a co-host, who connects.
async fn invite(stage: &Stage, role: CoHostRole) -> anyhow::Result<(Invited, Connection)> {
    let invited = stage.world.host.invite_co_host(stage.id, role).await?;
    let connection = connect(stage, &invited).await?;
    Ok((invited, connection))
}

async fn connect(stage: &Stage, invited: &Invited) -> anyhow::Result<Connection> {
    stage.world.connect_as(Knock::bearer(&stage.code, &invited.token), Role::Host, Dialect::QuizhallV1).await
}

fn is_of(role: CoHostRole, kind: &str) -> bool {
    match role {
        CoHostRole::Host => true,
        CoHostRole::Marker => [
            "override_answer",
            "mark_answers",
            "accept_answer",
            "open_desk",
            "undo_marking",
            "correct_marks",
            "dismiss_appeal",
            "enter_answer",
        ]
        .contains(&kind),
        CoHostRole::Moderator => ["lock_game", "remove_player", "rename_player", "add_seat"].contains(&kind),
    }
}

async fn roles(world: Arc<World>) -> anyhow::Result<()> {
    let states = [SubState::Lobby, SubState::OneOpen, SubState::Review, SubState::MoreRounds];
    for state in states {
        let mut stage = Stage::reach_as(&world, state, Role::Host, Cast::Mixed).await?;
        let before = stage.view().await?;
        for role in [CoHostRole::Marker, CoHostRole::Moderator] {
            let (invited, mut first) = invite(&stage, role).await?;
            let plain = world.connect(&stage.code, &invited.token, Role::Host).await;
            ensure!(plain.is_err_and(|error| error.to_string().contains("401")), "a plain socket was not refused");
            let sync = first.drain().await?;
            ensure!(sync.iter().any(|message| message["type"] == "room_update"), "{role:?} is not sent the room");
            first.leave().await?;
            for message in MESSAGES.iter().filter(|message| message.sender.is_some() && !is_of(role, message.name)) {
                let of_host = message.sender == Some(Role::Host);
                let is_late = of_host && !message.phases.contains(&state.phase());
                let code = if is_late { CloseCode::WrongPhase } else { CloseCode::WrongRole };
                let mut connection = connect(&stage, &invited).await?;
                connection.drain().await?;
                connection.send(&fill(&message.proper(state), &stage)).await?;
                let ending = connection.closed().await.with_context(|| format!("{role:?} {}", message.name))?;
                ensure!(ending.code == code.number(), "{role:?} {} in {}: {ending}", message.name, state.name());
            }
            world.host.remove_co_host(stage.id, &invited).await?;
        }
        stage.silent().await?;
        ensure!(before == stage.view().await?, "a co-host changed the game");
        stage.tear_down().await;
    }
    Ok(())
}

async fn marks(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::Review, Role::Host, Cast::Mixed).await?;
    let (_, mut marker) = invite(&stage, CoHostRole::Marker).await?;
    marker.drain().await?;
    let question = stage.oracle.released[0];
    let texts: Vec<String> = stage.oracle.answers_to(question).iter().map(|answer| answer.text.clone()).collect();
    let mark = |text: &str, correct: bool| {
        json!({"type": "mark_answers", "payload": {"questionId": question, "answers": [text], "correct": correct}})
            .to_string()
    };
    let undo = json!({"type": "undo_marking"}).to_string();
    marker.send(&mark(&texts[0], true)).await?;
    is_sent(&mut marker, (true, 1)).await.context("the marker marks: to the marker")?;
    let host = stage.connection(Actor::Host);
    is_sent(host, (true, 1)).await.context("the marker marks: to the host")?;
    host.send(&mark(&texts[1], false)).await?;
    is_sent(host, (false, 2)).await.context("the host marks: to the host")?;
    is_sent(&mut marker, (false, 1)).await.context("the host marks: to the marker")?;
    marker.send(&undo).await?;
    is_sent(&mut marker, (false, 0)).await.context("the marker takes back: to the marker")?;
    is_sent(host, (false, 1)).await.context("the marker takes back: to the host")?;
    marker.send(&undo).await?;
    let left = marker.message().await?;
    ensure!(left["type"] == "marking_update" && left["payload"]["undoable"] == 0, "{left}");
    host.silent().await
}

/// `answers_marked` of one answer, which counts so, and `marking_update`.
async fn is_sent(connection: &mut Connection, (correct, undoable): (bool, u32)) -> anyhow::Result<()> {
    let marked = connection.message().await?;
    let marks = &marked["payload"]["marks"];
    ensure!(marked["type"] == "answers_marked" && marks[0]["correct"] == correct, "{marked}");
    let update = connection.message().await?;
    ensure!(update["type"] == "marking_update" && update["payload"]["undoable"] == undoable, "{update}");
    Ok(())
}

async fn removed(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &["Ada"], Cast::Mixed).await?;
    let (invited, mut moderator) = invite(&stage, CoHostRole::Moderator).await?;
    moderator.drain().await?;
    moderator.send(r#"{"type":"lock_game","payload":{"locked":true}}"#).await?;
    for connection in [&mut moderator, stage.connection(Actor::Host)] {
        let room = connection.message().await?;
        ensure!(room["type"] == "room_update" && room["payload"]["locked"] == true, "{room}");
    }
    world.host.remove_co_host(stage.id, &invited).await?;
    let ending = moderator.closed().await?;
    ensure!(ending.code == CloseCode::Unauthorized.number(), "{ending}");
    let again = connect(&stage, &invited).await;
    ensure!(again.is_err_and(|error| error.to_string().contains("401")), "the token still opens the game");
    Ok(())
}
