//! The players who have joined, are connected and have answered, and the host's two ways to keep people out.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use quizhall_oracle::{Fact, Setting, Viewer, answer_accepted, players_answered};
use quizhall_protocol::{Dialect, Role};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::waits;
use crate::api;
use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stage::compare::{same, value, values};
use crate::stage::substate::SubState;
use crate::wire::{Knock, Opened, Request};
use crate::world::World;

/// Players who answer at the same time.
const MANY: [&str; 6] = ["Ada", "Bela", "Cora", "Dora", "Emil", "Fina"];
/// Players who join at the same time.
const GUESTS: usize = 12;
/// Between two changes of the room.
const PACE: Duration = Duration::from_millis(250);

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "joins",
        "an empty lobby; the host and the first player speak v1",
        "three players join one after the other, a fourth in the question phase",
        "`room_update` of each player to the host, besides the `lobby_update` to all",
        Swift,
        joins
    ),
    story!(
        "joins_at_once",
        "an empty lobby",
        "twelve players join at the same time",
        "at most four `room_update` a second after the first, together all twelve players; a new socket is sent the same twelve",
        Swift,
        joins_at_once
    ),
    story!(
        "larger_lobby",
        "an empty lobby; the host and the first player speak v1",
        "twelve players join one after the other; one closes their socket properly, and comes back; the first player connects again",
        "the lists to all up to ten players; then to the first player `lobby_changed` in place of each list, and a list on connecting alone",
        Swift,
        larger_lobby
    ),
    story!(
        "larger_board",
        "a game of 21 players; the host and the first player speak v1",
        "some answer rightly; the scores are released, the game ends; the first player connects again in both phases",
        "to the first player boards of the top ten with `total`, their own with two above and two below it, on connecting to the ended \
         game too; to the others whole boards",
        Swift,
        larger_board
    ),
    story!(
        "left_the_lobby",
        "a lobby of two",
        "the second closes their socket properly, and comes back",
        "`gone` for the player, then `connected`; a new socket of the host is not sent the player while `gone`",
        Swift,
        left_the_lobby
    ),
    story!(
        "away_and_back",
        "a game in each phase between lobby and end",
        "a player closes their socket properly; the host connects again; the player comes back",
        "`disconnected` at once, also in the whole room, then `connected`; no other socket receives a byte",
        Swift,
        away_and_back
    ),
    story!(
        "lost",
        "an open question",
        "a player's connection breaks; later they return",
        "`disconnected` after the grace, `connected` on return, to the host alone",
        Waits,
        waits::player_lost
    ),
    story!(
        "lock",
        "a game in each phase but the end",
        "`lock_game`, twice; join; connect a player who has joined; unlock; join",
        "a `room_update` each time; 423 while locked, players who have joined stay; 201 afterwards",
        Swift,
        lock
    ),
    story!(
        "lock_over_http",
        "a lobby of two",
        "lock and unlock over HTTP",
        "`room_update` to the host, as for `lock_game`",
        Swift,
        lock_over_http
    ),
    story!(
        "remove",
        "a game in each phase but the end",
        "`remove_player`; the removed one knocks again; someone takes their name",
        "4411 to them, `gone` to the host; 401 for the dead token; the name is free; the game goes on without them",
        Swift,
        remove
    ),
    story!(
        "remove_over_http",
        "an open question, answered",
        "remove the second player over HTTP",
        "4411 to them and `gone` to the host, as for `remove_player`",
        Swift,
        remove_over_http
    ),
    story!(
        "answered",
        "two questions open, two players",
        "answers, one of them changed, one repeated",
        "`players_answered` names each player once per question, before the count; all of them on connecting",
        Swift,
        answered
    ),
    story!(
        "answered_at_once",
        "a question open to six players",
        "all of them answer at once",
        "the players named are the six, none twice, and as many as the last count says",
        Swift,
        answered_at_once
    ),
    story!(
        "how_many_have_answered",
        "a question open to six players, the first of whom speaks v1",
        "the second answers, then the third",
        "`answered_status` to the first with the number, some time after each; nothing of it to the others",
        Swift,
        how_many_have_answered
    ),
];

async fn joins(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &[], Cast::Mixed).await?;
    for name in ["Ada", "Bela", "Cora"] {
        stage.join(name).await?;
    }
    stage.settled().await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.join("Dora").await?;
    stage.settled().await.map(drop)
}

async fn larger_lobby(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &[], Cast::Mixed).await?;
    for number in 1..=12 {
        stage.join(&format!("Guest {number}")).await.with_context(|| format!("guest {number}"))?;
    }
    stage.depart(11).await?;
    drop(stage.players.remove(11));
    stage.expect_lobby_and_room(11).await.context("after the leave")?;
    stage.come_back(11).await?;
    stage.replace(Actor::Player(0)).await?;
    stage.settled().await.map(drop)
}

async fn larger_board(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &[], Cast::Mixed).await?;
    for number in 1..=21 {
        stage.join(&format!("Guest {number:02}")).await.with_context(|| format!("guest {number}"))?;
    }
    stage.start().await?;
    stage.release(0).await?;
    for player in [20, 3, 12] {
        stage.answer_rightly(player, 0).await?;
    }
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.replace(Actor::Player(0)).await.context("between the rounds")?;
    stage.end_game().await?;
    stage.replace(Actor::Player(0)).await.context("after the end")?;
    stage.settled().await.map(drop)
}

async fn joins_at_once(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &[], Cast::HostOnly).await?;
    let begun = Instant::now();
    let mut joins = JoinSet::new();
    for number in 0..GUESTS {
        let (world, code) = (Arc::clone(&world), stage.code.clone());
        joins.spawn(async move { api::join(&world.target, &code, &format!("Guest {number}")).await });
    }
    let mut joined = BTreeSet::new();
    for player in joins.join_all().await {
        joined.insert(player?.player_id.to_string());
    }
    let (mut named, mut updates) = (BTreeSet::new(), 0);
    while named.len() < GUESTS {
        let message = stage.host.message().await.with_context(|| format!("{} of {GUESTS} are named", named.len()))?;
        if message["type"] == "room_update" {
            updates += 1;
            named.extend(players_of(&message));
        }
    }
    let allowed = 2 + begun.elapsed().as_millis() / PACE.as_millis();
    ensure!(updates <= allowed, "{updates} updates where {allowed} are allowed");
    ensure!(named == joined, "others are named than joined");
    let mut again =
        world.connect_as(Knock::bearer(&stage.code, world.host.token()), Role::Host, Dialect::QuizhallV1).await?;
    again.message().await?;
    let whole = again.message().await?;
    ensure!(whole["payload"]["total"] == GUESTS && players_of(&whole) == joined, "the whole room is another");
    Ok(())
}

fn players_of(room: &Value) -> BTreeSet<String> {
    let players = room["payload"]["players"].as_array().map(Vec::as_slice).unwrap_or_default();
    players.iter().filter_map(|player| player["id"].as_str()).map(str::to_owned).collect()
}

async fn left_the_lobby(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::Lobby, Role::Player, Cast::Mixed).await?;
    stage.depart(1).await?;
    drop(stage.players.remove(1));
    stage.expect_lobby_and_room(1).await.context("after the leave")?;
    stage.replace(Actor::Host).await.context("while one has left")?;
    stage.come_back(1).await?;
    stage.settled().await.map(drop)
}

async fn away_and_back(world: Arc<World>) -> anyhow::Result<()> {
    for state in [SubState::NoneOpen, SubState::Answered, SubState::Review, SubState::MoreRounds] {
        let mut stage = Stage::reach_as(&world, state, Role::Player, Cast::Mixed).await?;
        let played = go_and_come_back(&mut stage).await;
        played.with_context(|| state.name())?;
        stage.tear_down().await;
    }
    Ok(())
}

async fn go_and_come_back(stage: &mut Stage) -> anyhow::Result<()> {
    for player in [1, 0] {
        stage.depart(player).await?;
        let id = stage.oracle.players[player].id;
        let change = value(&stage.oracle.room_change(&[id]));
        ensure!(stage.host.message().await? == change, "another change of the room when player {player} goes");
        stage.replace(Actor::Host).await.context("while one is away")?;
        stage.players[1 - player].silent().await.context("the other player")?;
        stage.happened(&Fact::Connected(id))?;
        stage.reconnect(Actor::Player(player)).await?;
        stage.expect_room(player).await.context("on the return")?;
    }
    Ok(())
}

async fn lock(world: Arc<World>) -> anyhow::Result<()> {
    for state in [SubState::Lobby, SubState::OneOpen, SubState::Review, SubState::MoreRounds] {
        let mut stage = Stage::reach_as(&world, state, Role::Player, Cast::Mixed).await?;
        let played = lock_and_unlock(&mut stage).await;
        played.with_context(|| state.name())?;
        stage.tear_down().await;
    }
    Ok(())
}

async fn lock_and_unlock(stage: &mut Stage) -> anyhow::Result<()> {
    stage.lock(true).await?;
    stage.lock(true).await.context("again")?;
    let status = join(stage, "Cora").await?;
    ensure!(status == 423, "a join into a locked game: HTTP {status}");
    stage.replace(Actor::Player(0)).await.context("a player who has joined, while locked")?;
    stage.settled().await.context("while locked")?;
    stage.lock(false).await?;
    stage.settled().await.context("unlocked")?;
    let status = join(stage, "Cora").await?;
    ensure!(status == 201, "a join into an unlocked game: HTTP {status}");
    Ok(())
}

async fn lock_over_http(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::Lobby, Role::Player, Cast::Mixed).await?;
    for locked in [true, false] {
        world.host.lock(stage.id, locked).await?;
        stage.happened(&Fact::Set(Setting::Locked(locked)))?;
        let change = value(&stage.oracle.room_change(&[]));
        ensure!(stage.host.message().await? == change, "the host is sent something else for the lock");
        stage.settled().await?;
    }
    Ok(())
}

async fn remove(world: Arc<World>) -> anyhow::Result<()> {
    for state in [SubState::Lobby, SubState::Answered, SubState::Review, SubState::MoreRounds] {
        for player in [0, 1] {
            let mut stage = Stage::reach_as(&world, state, Role::Player, Cast::Mixed).await?;
            let played = remove_one(&mut stage, player).await;
            played.with_context(|| format!("{}, player {player}", state.name()))?;
            stage.tear_down().await;
        }
    }
    Ok(())
}

async fn remove_one(stage: &mut Stage, player: usize) -> anyhow::Result<()> {
    let name = stage.oracle.players[player].name.clone();
    let token = stage.expel(player).await?;
    match stage.world.pace.open(&Knock::bearer(&stage.code, &token), &stage.world.target).await? {
        Opened::Refused(response) => ensure!(response.status == 401, "the dead token: HTTP {}", response.status),
        Opened::Socket(..) => bail!("the dead token opened a socket"),
    }
    stage.replace(Actor::Host).await?;
    stage.view().await?;
    let status = join(stage, &name).await?;
    ensure!(status == 201, "the name of who was removed: HTTP {status}");
    Ok(())
}

async fn remove_over_http(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::Answered, Role::Player, Cast::Mixed).await?;
    let player = stage.oracle.players[1].id;
    stage.remove(1).await?;
    stage.allow_lobby();
    let change = value(&stage.oracle.room_change(&[player]));
    ensure!(stage.host.message().await? == change, "the host is sent something else for the removal");
    stage.settled().await.map(drop)
}

async fn answered(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::TwoOpen, Role::Player, Cast::Mixed).await?;
    let (question, player) = (stage.oracle.question(1).id, stage.oracle.players[0].id);
    let command = Command::answer(question, "7");
    stage.players[0].send(&command.text()).await?;
    let want = stage.follow(Actor::Player(0), &command)?.of(Viewer::Host, Dialect::QuizhallV1);
    ensure!(want[0] == players_answered(question, vec![player]), "the oracle does not name the player first");
    same(&stage.host.messages(2).await?, &values(&want)).context("the names, then the count")?;
    stage.players[0].message().await?;
    stage.answer(0, 1, "7").await.context("the same again")?;
    stage.answer(0, 1, "8").await.context("changed")?;
    stage.answer(1, 1, "7").await?;
    stage.answer(1, 0, "9").await?;
    stage.settled().await?;
    stage.end_round().await
}

async fn answered_at_once(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &MANY, Cast::HostOnly).await?;
    stage.start().await?;
    stage.release(0).await?;
    let question = stage.oracle.question(0).id;
    let bytes = Command::answer(question, "together").bytes();
    for player in &stage.players {
        player.send_bytes(&bytes).await?;
    }
    for (number, player) in stage.players.iter_mut().enumerate() {
        ensure!(player.message().await? == value(&answer_accepted(question)), "player {number} is not acknowledged");
    }
    let mut named: Vec<String> = Vec::new();
    loop {
        let message = stage.host.message().await?;
        let payload = &message["payload"];
        ensure!(payload["questionId"] == json!(question), "about another question: {message}");
        if let Some(ids) = payload["playerIds"].as_array() {
            named.extend(ids.iter().filter_map(Value::as_str).map(str::to_owned));
            continue;
        }
        ensure!(payload["answerCount"] == named.len(), "{} players are named before {message}", named.len());
        if named.len() == MANY.len() {
            break;
        }
    }
    named.sort();
    let mut expected: Vec<_> = stage.oracle.players.iter().map(|player| player.id.to_string()).collect();
    expected.sort();
    ensure!(named == expected, "not the six, each once");
    stage.silent().await
}

async fn how_many_have_answered(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.short, &MANY, Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    let question = stage.oracle.question(0).id;
    for (answered, player) in [(1, 1), (2, 2)] {
        stage.players[player].send(&Command::answer(question, "7").text()).await?;
        let accepted = stage.players[player].message().await?;
        ensure!(accepted == value(&answer_accepted(question)), "player {player} is sent {accepted}");
        let sent = stage.players[0].answered_status().await.context("the number")?;
        let payload = json!({ "questionId": question, "answered": answered, "of": MANY.len() });
        ensure!(sent == json!({ "type": "answered_status", "payload": payload }), "the first player is sent {sent}");
    }
    for player in &mut stage.players[1..] {
        player.silent().await.context("a player who does not speak v1")?;
    }
    Ok(())
}

async fn join(stage: &Stage, name: &str) -> anyhow::Result<u16> {
    let request = Request::new("POST", "/join").json(&json!({ "gameCode": stage.code, "displayName": name }));
    Ok(request.send(&stage.world.target).await?.status)
}
