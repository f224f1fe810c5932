//! Several phones on one sheet: what each phone is sent, and that a team is one player to all others.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::http::games::{NewGame, Teams};
use quizhall_protocol::http::join::JoinResponse;
use quizhall_protocol::{CloseCode, Dialect, Role};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::api;
use crate::row::{Story, story};
use crate::seat::Connection;
use crate::wire::{Knock, Opened};
use crate::world::{Lease, World};

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "one_sheet",
        "an open question in a game with teams; a team of two phones that speak v1, and a third that does not",
        "each phone answers, one of them the same as another; the third connects again; end the round and release the scores",
        "`answer_accepted` to the phone that answered and `team_sheet` to both, with the last answer and its phone; to the third phone \
         `answer_accepted` on connecting; one player in the lobby, one answer in the review, one row on the board",
        Swift,
        one_sheet
    ),
    story!(
        "captain",
        "an open question in a game with `captainOnly`",
        "the second phone suggests an answer, then submits one; the captain answers, then suggests",
        "`team_sheet` with the suggestion, then with the answer and without it; 4004 to the second phone, and to the captain",
        Swift,
        captain
    ),
    story!(
        "refused",
        "a team of two phones in a game whose teams have two; a game without teams",
        "join with a code of no team, with a taken name, a third phone, with `team` and `teamCode`; join the other game with each; \
         remove the team",
        "404, 409, 409, 422, 409 and 409; 4411 to both phones",
        Swift,
        refused
    ),
    story!(
        "phone_removed",
        "an open question in a game whose teams have two phones; a team of two, whose second phone has answered",
        "the host removes the second phone; its token opens a socket once more; the first phone answers; the second joins with the code of the team",
        "4401 to the second phone, and HTTP 401; `team_update` without it to the first; `team_sheet` with the new answer; a phone with another id",
        Swift,
        phone_removed
    ),
];

/// A game with teams, its host's socket, and the phones of one team.
struct Table {
    code: String,
    game: Uuid,
    question: Uuid,
    /// The one after it.
    later: Uuid,
    host: Connection,
    team: Vec<JoinResponse>,
    _lease: Lease,
}

impl Table {
    async fn open(world: &Arc<World>, teams: Teams, phones: usize) -> anyhow::Result<Self> {
        let new = NewGame { teams: Some(teams), ..NewGame::new(world.short) };
        let (lease, game) = world.lease(&new).await?;
        ensure!(game.teams == Some(teams), "the game does not show how its teams are");
        let [question, later] = [0, 1].map(|number| game.rounds[0].questions[number].id);
        let (question, later) = question.zip(later).context("a question without an id")?;
        let code = game.game_code;
        let mut team: Vec<JoinResponse> = Vec::new();
        for number in 0..phones {
            let body = match team.first() {
                None => json!({"gameCode": code, "displayName": "Larks", "team": true}),
                Some(first) => {
                    let name = format!("Phone {number}");
                    json!({"gameCode": code, "displayName": name, "teamCode": first.team_code})
                }
            };
            let response = api::join_with(&world.target, &body).await?;
            ensure!(response.status == 201, "a phone joins: HTTP {}", response.status);
            team.push(serde_json::from_slice(&response.body)?);
        }
        let is_one =
            team.iter().all(|seat| (seat.player_id, &seat.team_code) == (team[0].player_id, &team[0].team_code));
        ensure!(is_one && team.iter().all(|seat| seat.device_id.is_some()), "the phones are not of one team");
        let mut host =
            world.connect_as(Knock::bearer(&code, world.host.token()), Role::Host, Dialect::Interface).await?;
        let lobby = until(&mut host, "lobby_update").await?;
        let listed = json!([{"id": team[0].player_id, "displayName": "Larks"}]);
        ensure!(lobby["players"] == listed, "not one player in the lobby: {lobby}");
        Ok(Self { code, game: game.id, question, later, host, team, _lease: lease })
    }

    async fn phone(&self, world: &World, number: usize, dialect: Dialect) -> anyhow::Result<Connection> {
        world.connect_as(Knock::bearer(&self.code, &self.team[number].session_token), Role::Player, dialect).await
    }

    async fn begin(&mut self) -> anyhow::Result<()> {
        self.host.send(r#"{"type":"start_game"}"#).await?;
        self.release().await
    }

    async fn release(&mut self) -> anyhow::Result<()> {
        let release = json!({"type": "release_question", "payload": {"questionId": self.question}});
        self.host.send(&release.to_string()).await?;
        until(&mut self.host, "question_released").await.map(drop)
    }

    fn written(&self, kind: &str, answer: &str) -> String {
        json!({"type": kind, "payload": {"questionId": self.question, "answer": answer}}).to_string()
    }

    /// An entry of the sheet.
    fn entry(&self, answer: &str, phone: usize) -> Value {
        json!({"questionId": self.question, "answer": answer, "by": self.team[phone].device_id})
    }
}

/// The payload of the next message of this type.
async fn until(connection: &mut Connection, kind: &str) -> anyhow::Result<Value> {
    loop {
        let mut message = connection.message().await.with_context(|| format!("waiting for {kind}"))?;
        if message["type"] == kind {
            return Ok(message["payload"].take());
        }
    }
}

/// Each of the phones is sent this sheet next.
async fn sheets(phones: [&mut Connection; 2], want: &Value) -> anyhow::Result<()> {
    for phone in phones {
        let got = until(phone, "team_sheet").await?;
        ensure!(got == *want, "{got} instead of {want}");
    }
    Ok(())
}

async fn ends(mut connection: Connection, code: CloseCode) -> anyhow::Result<()> {
    let limit = std::time::Duration::from_secs(10);
    let (_, ending) = connection.until_closed(limit).await?;
    ensure!(ending.code == code.number(), "{ending} instead of {}", code.number());
    Ok(())
}

async fn one_sheet(world: Arc<World>) -> anyhow::Result<()> {
    let mut table = Table::open(&world, Teams::default(), 3).await?;
    let mut one = table.phone(&world, 0, Dialect::QuizhallV1).await?;
    let mut two = table.phone(&world, 1, Dialect::QuizhallV1).await?;
    let update = until(&mut two, "team_update").await?;
    ensure!(update["deviceId"] == json!(table.team[1].device_id) && update["captain"].is_null(), "{update}");
    ensure!(update["devices"].as_array().is_some_and(|devices| devices.len() == 3), "{update}");
    let mut three = table.phone(&world, 2, Dialect::Interface).await?;
    table.begin().await?;
    for phone in [&mut one, &mut two, &mut three] {
        until(phone, "question_released").await?;
    }
    for (number, answer) in [(0, "a first thought"), (1, "a first thought"), (1, "a second thought")] {
        let phone = if number == 0 { &mut one } else { &mut two };
        phone.send(&table.written("submit_answer", answer)).await?;
        until(phone, "answer_accepted").await?;
        let want = json!({"whole": false, "answers": [table.entry(answer, number)]});
        sheets([&mut one, &mut two], &want).await?;
    }
    three.silent().await?;
    three.leave().await?;
    let mut three = table.phone(&world, 2, Dialect::Interface).await?;
    until(&mut three, "answer_accepted").await?;
    // A change brings its own line, and none of those before it.
    table.question = table.later;
    table.release().await?;
    one.send(&table.written("submit_answer", "a later thought")).await?;
    let want = json!({"whole": false, "answers": [table.entry("a later thought", 0)]});
    sheets([&mut one, &mut two], &want).await?;
    table.host.send(r#"{"type":"end_round"}"#).await?;
    let review = until(&mut table.host, "round_review").await?;
    let answers = review["answers"].as_array().context("no answers")?;
    ensure!(answers.iter().all(|answer| answer["playerId"] == json!(table.team[0].player_id)), "{review}");
    let has = |text: &str| answers.iter().any(|answer| answer["answer"] == text);
    ensure!(answers.len() == 2 && has("a second thought") && has("a later thought"), "{review}");
    table.host.send(r#"{"type":"release_scores"}"#).await?;
    for phone in [&mut one, &mut two, &mut three] {
        let board = until(phone, "round_leaderboard").await?;
        ensure!(board["leaderboard"].as_array().is_some_and(|rows| rows.len() == 1), "{board}");
        until(phone, "round_scores").await?;
    }
    Ok(())
}

async fn captain(world: Arc<World>) -> anyhow::Result<()> {
    let mut table = Table::open(&world, Teams { captain_only: true, ..Teams::default() }, 2).await?;
    let mut one = table.phone(&world, 0, Dialect::QuizhallV1).await?;
    let mut two = table.phone(&world, 1, Dialect::QuizhallV1).await?;
    let update = until(&mut two, "team_update").await?;
    ensure!(update["captain"] == json!(table.team[0].device_id), "{update}");
    table.begin().await?;
    until(&mut two, "question_released").await?;
    two.send(&table.written("suggest_answer", "a first thought")).await?;
    let suggested = json!({"whole": false, "answers": [], "suggestions": [table.entry("a first thought", 1)]});
    sheets([&mut one, &mut two], &suggested).await?;
    one.send(&table.written("submit_answer", "a first thought")).await?;
    until(&mut one, "answer_accepted").await?;
    let answered = json!({"whole": false, "answers": [table.entry("a first thought", 0)]});
    sheets([&mut one, &mut two], &answered).await?;
    two.send(&table.written("submit_answer", "a second thought")).await?;
    ends(two, CloseCode::WrongRole).await?;
    one.send(&table.written("suggest_answer", "a second thought")).await?;
    ends(one, CloseCode::WrongRole).await
}

async fn refused(world: Arc<World>) -> anyhow::Result<()> {
    let table = Table::open(&world, Teams { devices: 2, ..Teams::default() }, 2).await?;
    let (_lease, alone) = world.lease(&NewGame::new(world.short)).await?;
    let team = json!(table.team[0].team_code);
    let asked = |code: &str, name: &str, more: Value| {
        let mut body = json!({"gameCode": code, "displayName": name});
        body.as_object_mut().into_iter().for_each(|body| body.extend(more.as_object().cloned().unwrap_or_default()));
        body
    };
    let (here, there) = (table.code.as_str(), alone.game_code.as_str());
    for (what, body, status) in [
        ("a code of no team", asked(here, "Dov", json!({"teamCode": "ZZZZ"})), 404),
        ("a taken name", asked(here, "larks", json!({"teamCode": team})), 409),
        ("a third phone", asked(here, "Dov", json!({"teamCode": team})), 409),
        ("both", asked(here, "Dov", json!({"team": true, "teamCode": team})), 422),
        ("a team in a game without", asked(there, "Owls", json!({"team": true})), 409),
        ("a phone in a game without", asked(there, "Dov", json!({"teamCode": team})), 409),
    ] {
        let response = api::join_with(&world.target, &body).await?;
        ensure!(response.status == status, "{what}: HTTP {}", response.status);
    }
    let (one, two) =
        (table.phone(&world, 0, Dialect::QuizhallV1).await?, table.phone(&world, 1, Dialect::Interface).await?);
    world.host.remove_player(table.game, table.team[0].player_id).await?;
    ends(one, CloseCode::Removed).await?;
    ends(two, CloseCode::Removed).await
}

async fn phone_removed(world: Arc<World>) -> anyhow::Result<()> {
    let mut table = Table::open(&world, Teams { devices: 2, ..Teams::default() }, 2).await?;
    let mut one = table.phone(&world, 0, Dialect::QuizhallV1).await?;
    let mut two = table.phone(&world, 1, Dialect::Interface).await?;
    table.begin().await?;
    two.send(&table.written("submit_answer", "of the second phone")).await?;
    until(&mut two, "answer_accepted").await?;
    let (team, phone) = (table.team[1].player_id, table.team[1].device_id.context("a phone without an id")?);
    world.host.remove_phone(table.game, team, phone).await?;
    ends(two, CloseCode::Unauthorized).await?;
    let knock = Knock::bearer(&table.code, &table.team[1].session_token);
    let again = world.pace.open(&knock, &world.target).await?;
    ensure!(matches!(&again, Opened::Refused(response) if response.status == 401), "its token still opens sockets");
    let listed = loop {
        let update = until(&mut one, "team_update").await?;
        let devices = update["devices"].as_array().map_or(0, Vec::len);
        if devices < 2 {
            break devices;
        }
    };
    ensure!(listed == 1, "{listed} phones are listed");
    one.send(&table.written("submit_answer", "of the first phone")).await?;
    let own = table.entry("of the first phone", 0);
    loop {
        if until(&mut one, "team_sheet").await?["answers"] == json!([own]) {
            break;
        }
    }
    let body = json!({"gameCode": table.code, "displayName": "Phone 1", "teamCode": table.team[0].team_code});
    let response = api::join_with(&world.target, &body).await?;
    ensure!(response.status == 201, "a phone that was removed joins again: HTTP {}", response.status);
    let joined: JoinResponse = serde_json::from_slice(&response.body)?;
    ensure!(joined.player_id == team && joined.device_id != Some(phone), "not a new phone of the team");
    Ok(())
}
