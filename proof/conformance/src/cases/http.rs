//! Plays the HTTP rows, one after the other, around three games made for them.

use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use quizhall_protocol::Role;
use serde_json::Value;
use uuid::Uuid;

use crate::api::pause;
use crate::stage::Stage;
use crate::stage::substate::SubState;
use crate::tables::http::{Answer, Ask, Asked, HttpCase, Who};
use crate::wire::{Request, Response, exchange};
use crate::world::World;

const PROBLEM: [&str; 5] = ["type", "title", "status", "detail", "field"];
const JOINED: [&str; 4] = ["sessionToken", "gameCode", "playerId", "displayName"];

/// The games to which the rows refer.
pub struct Counter {
    world: Arc<World>,
    open: Stage,
    ended: Stage,
    locked: Stage,
}

impl Counter {
    /// Makes the games.
    pub async fn build(world: &Arc<World>) -> anyhow::Result<Self> {
        let open = Stage::reach(world, SubState::Lobby, Role::Player).await?;
        let ended = Stage::reach(world, SubState::Ended, Role::Player).await?;
        let locked = Stage::reach(world, SubState::Lobby, Role::Player).await?;
        world.host.lock(locked.id, true).await?;
        Ok(Self { world: Arc::clone(world), open, ended, locked })
    }

    /// Plays a row; a 429 it did not ask for is waited out once.
    pub async fn play(&self, case: &HttpCase) -> anyhow::Result<()> {
        let mut response = self.ask(&case.ask).await?;
        if let Some(pause) = pause(&response) {
            tokio::time::sleep(pause).await;
            response = self.ask(&case.ask).await?;
        }
        let status = response.status;
        ensure!(case.statuses.contains(&status), "expected {:?}, got {status}", case.statuses);
        ensure!(
            response.header("access-control-allow-origin").is_none(),
            "the answer shares itself with foreign pages"
        );
        self.world.observer.public("the answer", &public_part(case, &response))?;
        self.judge(&case.answer, &response).await
    }

    async fn ask(&self, ask: &Ask) -> anyhow::Result<Response> {
        let target = &self.world.target;
        match ask {
            Ask::Raw(_, bytes) => {
                let bytes = bytes(&target.authority());
                Ok(exchange(target, bytes.as_bytes(), false).await?)
            }
            Ask::Request(asked) => Ok(self.request(asked)?.send(target).await?),
        }
    }

    fn request(&self, asked: &Asked) -> anyhow::Result<Request> {
        // A page of another origin can send no token, and gets 403 where an address has allowances (story `foreign_page`).
        let own = self.world.target.origin();
        let origin = if matches!(asked.who, Who::NoOne) { &own } else { "https://elsewhere.example" };
        let mut request = Request::new(asked.method, &self.fill(&asked.path)).header("Origin", origin);
        if let Some(kind) = asked.content_type {
            request = request.header("Content-Type", kind);
        }
        if let Some(kind) = asked.accept {
            request = request.header("Accept", kind);
        }
        if let Some(body) = &asked.body {
            request = request.body(self.fill(body));
        }
        Ok(match asked.who {
            Who::NoOne => request,
            Who::Host => request.bearer(self.world.host.token()),
            Who::Other => request.bearer(self.world.second_host()?.api.token()),
            Who::Player => request.bearer(&self.open.tokens[0]),
            Who::Junk => request.bearer(&format!("qh_{}", "A".repeat(43))),
        })
    }

    fn fill(&self, template: &str) -> String {
        template
            .replace("$CODE", &self.open.code)
            .replace("$LOWER", &self.open.code.to_lowercase())
            .replace("$ENDED", &self.ended.code)
            .replace("$LOCKED", &self.locked.code)
            .replace("$GAME", &self.open.id.to_string())
            .replace("$QUIZ", &self.world.long.to_string())
            .replace("$NAME", &self.world.fresh_name())
            .replace("$RANDOM", &Uuid::new_v4().to_string())
    }

    async fn judge(&self, answer: &Answer, response: &Response) -> anyhow::Result<()> {
        match answer {
            Answer::Problem(field) => {
                problem(response)?;
                let named = response.json()?.get("field").cloned().unwrap_or_default();
                ensure!(field.is_none_or(|field| named == field), "the problem's field is {named}");
            }
            Answer::Joined(name) => self.joined(response, name.as_deref()).await?,
            Answer::Fields(fields) => {
                plain_json(response)?;
                exactly(&response.json()?, fields)?;
                self.discard_new_game(response).await?;
            }
            Answer::Exactly(value) => {
                plain_json(response)?;
                ensure!(response.json()? == *value, "expected {value}, got {}", response.text());
            }
            Answer::Metrics => metrics(response)?,
            Answer::Csv => csv(response)?,
            Answer::Nothing => ensure!(response.body.is_empty(), "expected no body"),
            Answer::NoSharing => {}
        }
        Ok(())
    }

    async fn joined(&self, response: &Response, name: Option<&str>) -> anyhow::Result<()> {
        plain_json(response)?;
        let body = response.json()?;
        exactly(&body, &JOINED)?;
        ensure!(body["gameCode"] == self.open.code.as_str(), "the code is {}", body["gameCode"]);
        ensure!(name.is_none_or(|name| body["displayName"] == name), "the name became {}", body["displayName"]);
        let player = body["playerId"].as_str().and_then(|text| Uuid::try_parse(text).ok()).context("no player id")?;
        // The player is removed again, so that the rows stay apart and the lobby small.
        self.world.host.remove_player(self.open.id, player).await
    }

    /// A row that creates a game must not use up the host's live games.
    async fn discard_new_game(&self, response: &Response) -> anyhow::Result<()> {
        if response.status != 201 {
            return Ok(());
        }
        let id = response.json()?["id"].as_str().and_then(|text| Uuid::try_parse(text).ok()).context("no id")?;
        self.world.host.delete_game(id).await
    }
}

/// Fails unless the answer is a problem (RFC 9457) with the fields of the reference and the status it came with.
pub fn problem(response: &Response) -> anyhow::Result<()> {
    let kind = response.media_type();
    ensure!(kind == "application/problem+json", "HTTP {} is `{kind}`, not a problem", response.status);
    ensure!(response.header("x-content-type-options") == Some("nosniff"), "the problem may be sniffed");
    let body = response.json()?;
    let object = body.as_object().context("the problem is not an object")?;
    if let Some(extra) = object.keys().find(|key| !PROBLEM.contains(&key.as_str())) {
        bail!("the problem has `{extra}`");
    }
    for field in ["type", "title", "detail"] {
        ensure!(body[field].as_str().is_some_and(|text| !text.is_empty()), "the problem's `{field}` is not a text");
    }
    ensure!(
        body["status"] == response.status,
        "the problem says status {}, the answer {}",
        body["status"],
        response.status
    );
    ensure!(body.get("field").is_none_or(Value::is_string), "the problem's `field` is not a text");
    Ok(())
}

/// The part of an answer that needs no host's token, because the owner's own view rightly contains keys.
fn public_part(case: &HttpCase, response: &Response) -> String {
    let owners = matches!(&case.ask, Ask::Request(asked) if asked.who == Who::Host);
    if owners { String::new() } else { response.text() }
}

fn plain_json(response: &Response) -> anyhow::Result<()> {
    ensure!(response.media_type() == "application/json", "the answer is `{}`", response.media_type());
    ensure!(response.header("x-content-type-options") == Some("nosniff"), "the answer may be sniffed");
    Ok(())
}

fn exactly(body: &Value, fields: &[&str]) -> anyhow::Result<()> {
    let object = body.as_object().context("the answer is not an object")?;
    if let Some(extra) = object.keys().find(|key| !fields.contains(&key.as_str())) {
        bail!("the answer has `{extra}`");
    }
    if let Some(missing) = fields.iter().find(|field| !object.contains_key(**field)) {
        bail!("the answer lacks `{missing}`");
    }
    Ok(())
}

/// Checks that every line is a comment or `name{labels} value`, and that HTTP and process metrics exist.
fn metrics(response: &Response) -> anyhow::Result<()> {
    ensure!(response.media_type() == "text/plain", "the metrics are `{}`", response.media_type());
    let text = response.text();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let value = line.rsplit(' ').next().unwrap_or_default();
        let number = value.parse::<f64>().is_ok() || matches!(value, "NaN" | "+Inf" | "-Inf");
        let name = line.starts_with(|symbol: char| symbol.is_ascii_alphabetic() || symbol == '_');
        ensure!(name && number, "a line of the metrics is not `name value`");
    }
    for part in ["http", "process", "# HELP", "# TYPE"] {
        ensure!(text.contains(part), "the metrics have no `{part}`");
    }
    Ok(())
}

fn csv(response: &Response) -> anyhow::Result<()> {
    ensure!(response.media_type() == "text/csv", "the download is `{}`", response.media_type());
    let disposition = response.header("content-disposition").unwrap_or_default();
    ensure!(disposition.starts_with("attachment"), "the CSV is not an attachment");
    ensure!(response.header("x-content-type-options") == Some("nosniff"), "the CSV may be sniffed");
    ensure!(response.text().lines().next().is_some_and(|head| head.contains(',')), "the CSV has no head");
    Ok(())
}
