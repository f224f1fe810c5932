//! The parts of the host API and of `/join` that the suite needs to set its scenes. The rows about HTTP itself write their own
//! requests.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use quizhall_protocol::http::co_hosts::{CoHostRole, InviteCoHost, NewCoHost};
use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::http::games::{Game, NewGame, PlayerList};
use quizhall_protocol::http::join::JoinResponse;
use quizhall_protocol::http::proof::SealBody;
use quizhall_protocol::http::quizzes::{Quiz, QuizBody};
use quizhall_protocol::http::screens::{NewScreen, ShowOnScreens, Spectator};
use quizhall_protocol::http::seats::NewSeatCode;
use quizhall_protocol::shapes::Player;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::wire::{Endpoint, Request, Response};

/// A screen that was added, with its link.
pub struct AddedScreen {
    /// Its id.
    pub id: Uuid,
    url: String,
}

impl AddedScreen {
    /// The code of the game and the token, from the fragment of the link.
    pub fn seat(&self) -> anyhow::Result<(String, String)> {
        let fragment = self.url.split_once('#').map(|(_, fragment)| fragment);
        let seat = fragment.and_then(|fragment| fragment.split_once('/')).context("a link without a token")?;
        Ok((seat.0.to_owned(), seat.1.to_owned()))
    }
}

/// A co-host who was invited.
pub struct Invited {
    id: Uuid,
    /// The token that opens the co-host's socket.
    pub token: String,
}

/// A host's access to the server.
#[derive(Clone)]
pub struct Api {
    target: Endpoint,
    token: String,
}

impl Api {
    /// With a bearer token.
    pub fn new(target: &Endpoint, token: &str) -> Self {
        Self { target: target.clone(), token: token.to_owned() }
    }

    /// The token with which the host's socket is opened.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Sends a request with the token.
    pub async fn send(&self, request: Request) -> anyhow::Result<Response> {
        Ok(request.bearer(&self.token).send(&self.target).await?)
    }

    /// `POST /api/v1/quizzes`
    pub async fn create_quiz(&self, quiz: &QuizBody) -> anyhow::Result<Quiz> {
        let body = serde_json::to_value(quiz)?;
        let response = self.send(Request::new("POST", "/api/v1/quizzes").json(&body)).await?;
        read(&response, 201).context("create a quiz")
    }

    /// `GET /api/v1/quizzes/{id}`
    pub async fn quiz(&self, id: Uuid) -> anyhow::Result<Quiz> {
        let response = self.send(Request::new("GET", &format!("/api/v1/quizzes/{id}"))).await?;
        read(&response, 200).context("read a quiz")
    }

    /// `PUT /api/v1/games/{id}/options`
    pub async fn set_options(&self, id: Uuid, options: &GameOptions) -> anyhow::Result<Game> {
        let request = Request::new("PUT", &format!("/api/v1/games/{id}/options")).json(&serde_json::to_value(options)?);
        read(&self.send(request).await?, 200).context("set the options of a game")
    }

    /// `DELETE /api/v1/quizzes/{id}`
    pub async fn delete_quiz(&self, id: Uuid) -> anyhow::Result<()> {
        let response = self.send(Request::new("DELETE", &format!("/api/v1/quizzes/{id}"))).await?;
        ensure!(response.status == 204, "delete a quiz: HTTP {}", response.status);
        Ok(())
    }

    /// `POST /api/v1/games`
    pub async fn create_game(&self, quiz: Uuid) -> anyhow::Result<Game> {
        self.create_game_with(&NewGame::new(quiz)).await
    }

    /// The same with options.
    pub async fn create_game_with(&self, new: &NewGame) -> anyhow::Result<Game> {
        let request = Request::new("POST", "/api/v1/games").json(&serde_json::to_value(new)?);
        read(&self.send(request).await?, 201).context("create a game")
    }

    /// `GET /api/v1/games/{id}` unchanged, for comparing before and after.
    pub async fn game(&self, id: Uuid) -> anyhow::Result<Value> {
        let response = self.send(Request::new("GET", &format!("/api/v1/games/{id}"))).await?;
        read(&response, 200).context("read a game")
    }

    /// `POST /api/v1/games/{id}/screens`
    pub async fn add_screen(&self, id: Uuid) -> anyhow::Result<AddedScreen> {
        let response = self.send(Request::new("POST", &format!("/api/v1/games/{id}/screens"))).await?;
        let screen: NewScreen = read(&response, 201).context("add a screen")?;
        Ok(AddedScreen { id: screen.screen_id, url: screen.url })
    }

    /// `DELETE /api/v1/games/{id}/screens/{screenId}`
    pub async fn remove_screen(&self, id: Uuid, screen: Uuid) -> anyhow::Result<()> {
        let path = format!("/api/v1/games/{id}/screens/{screen}");
        let status = self.send(Request::new("DELETE", &path)).await?.status;
        ensure!(status == 204, "remove a screen: HTTP {status}");
        Ok(())
    }

    /// `PUT /api/v1/games/{id}/screens/show`
    pub async fn show_on_screens(&self, id: Uuid, show: &ShowOnScreens) -> anyhow::Result<()> {
        let path = format!("/api/v1/games/{id}/screens/show");
        let status = self.send(Request::new("PUT", &path).json(&serde_json::to_value(show)?)).await?.status;
        ensure!(status == 204, "show on the screens: HTTP {status}");
        Ok(())
    }

    /// `POST /api/v1/games/{id}/co-hosts`
    pub async fn invite_co_host(&self, id: Uuid, role: CoHostRole) -> anyhow::Result<Invited> {
        let body = serde_json::to_value(InviteCoHost { role, label: "Helper".to_owned() })?;
        let response = self.send(Request::new("POST", &format!("/api/v1/games/{id}/co-hosts")).json(&body)).await?;
        let invited: NewCoHost = read(&response, 201).context("invite a co-host")?;
        let (_, token) = invited.url.split_once('#').context("a link without a token")?;
        Ok(Invited { id: invited.co_host_id, token: token.to_owned() })
    }

    /// `DELETE /api/v1/games/{id}/co-hosts/{coHostId}`
    pub async fn remove_co_host(&self, id: Uuid, invited: &Invited) -> anyhow::Result<()> {
        let path = format!("/api/v1/games/{id}/co-hosts/{}", invited.id);
        let status = self.send(Request::new("DELETE", &path)).await?.status;
        ensure!(status == 204, "remove a co-host: HTTP {status}");
        Ok(())
    }

    /// `PUT /api/v1/games/{id}/spectators`
    pub async fn allow_spectators(&self, id: Uuid, allowed: bool) -> anyhow::Result<()> {
        let request =
            Request::new("PUT", &format!("/api/v1/games/{id}/spectators")).json(&json!({ "allowed": allowed }));
        let status = self.send(request).await?.status;
        ensure!(status == 204, "let spectators watch: HTTP {status}");
        Ok(())
    }

    /// `POST /api/v1/games/{id}/players/{playerId}/seat-code`
    pub async fn issue_seat_code(&self, game: Uuid, player: Uuid) -> anyhow::Result<String> {
        let path = format!("/api/v1/games/{game}/players/{player}/seat-code");
        issued(&self.send(Request::new("POST", &path)).await?)
    }

    /// `DELETE /api/v1/games/{id}/players/{playerId}/phones/{deviceId}`
    pub async fn remove_phone(&self, game: Uuid, team: Uuid, phone: Uuid) -> anyhow::Result<()> {
        let path = format!("/api/v1/games/{game}/players/{team}/phones/{phone}");
        let status = self.send(Request::new("DELETE", &path)).await?.status;
        ensure!(status == 204, "remove a phone: HTTP {status}");
        Ok(())
    }

    /// `PATCH /api/v1/games/{id}`
    pub async fn lock(&self, id: Uuid, locked: bool) -> anyhow::Result<()> {
        let request = Request::new("PATCH", &format!("/api/v1/games/{id}")).json(&json!({ "locked": locked }));
        let status = self.send(request).await?.status;
        ensure!(matches!(status, 200 | 204), "lock a game: HTTP {status}");
        Ok(())
    }

    /// `DELETE /api/v1/games/{id}`
    pub async fn delete_game(&self, id: Uuid) -> anyhow::Result<()> {
        let status = self.send(Request::new("DELETE", &format!("/api/v1/games/{id}"))).await?.status;
        ensure!(status == 204, "delete a game: HTTP {status}");
        Ok(())
    }

    /// `GET /api/v1/games/{id}/players`
    pub async fn players(&self, game: Uuid) -> anyhow::Result<Vec<Player>> {
        let response = self.send(Request::new("GET", &format!("/api/v1/games/{game}/players"))).await?;
        let list: PlayerList = read(&response, 200).context("list the players")?;
        Ok(list.players)
    }

    /// `DELETE /api/v1/games/{id}/players/{playerId}`
    pub async fn remove_player(&self, game: Uuid, player: Uuid) -> anyhow::Result<()> {
        let status = self.send(Request::new("DELETE", &format!("/api/v1/games/{game}/players/{player}"))).await?.status;
        ensure!(status == 204, "remove a player: HTTP {status}");
        Ok(())
    }

    /// `POST /api/v1/hosts`, then `POST /api/v1/sessions`: another account, and a token of it.
    pub async fn another_host(&self, name: &str, password: &str) -> anyhow::Result<Self> {
        let body = json!({ "name": name, "password": password });
        let response = self.send(Request::new("POST", "/api/v1/hosts").json(&body)).await?;
        ensure!(response.status == 201, "create a host account: HTTP {}", response.status);
        self.sign_in(name, password).await
    }

    /// `POST /api/v1/sessions`
    pub async fn sign_in(&self, name: &str, password: &str) -> anyhow::Result<Self> {
        let body = json!({ "name": name, "password": password });
        let response = Request::new("POST", "/api/v1/sessions").json(&body).send(&self.target).await?;
        ensure!(response.status == 201, "sign in: HTTP {}", response.status);
        let session = response.json()?;
        let token = session.get("token").and_then(Value::as_str).context("a session without a token")?;
        Ok(Self::new(&self.target, token))
    }

    /// `DELETE /api/v1/sessions/current`: the token is dead.
    pub async fn sign_out(&self) -> anyhow::Result<()> {
        let status = self.send(Request::new("DELETE", "/api/v1/sessions/current")).await?.status;
        ensure!(status == 204, "sign out: HTTP {status}");
        Ok(())
    }
}

/// How often a 429 is waited out: several runs within a minute use up the joins of an address.
const MOST_TRIES: u32 = 60;

/// `POST /join`; a 429 is waited out as it asks.
pub async fn join(target: &Endpoint, code: &str, name: &str) -> anyhow::Result<JoinResponse> {
    let request = Request::new("POST", "/join").json(&json!({ "gameCode": code, "displayName": name }));
    for _ in 0..MOST_TRIES {
        let response = request.send(target).await?;
        let Some(pause) = pause(&response) else { return read(&response, 201).context("join") };
        tokio::time::sleep(pause).await;
    }
    bail!("join: still HTTP 429 after waiting as asked, {MOST_TRIES} times")
}

/// `POST /join` with a body of more than a name; a 429 is waited out as it asks.
pub async fn join_with(target: &Endpoint, body: &Value) -> anyhow::Result<Response> {
    let request = Request::new("POST", "/join").json(body);
    for _ in 0..MOST_TRIES {
        let response = request.send(target).await?;
        let Some(pause) = pause(&response) else { return Ok(response) };
        tokio::time::sleep(pause).await;
    }
    bail!("join: still HTTP 429 after waiting as asked, {MOST_TRIES} times")
}

/// The seal of a game.
pub async fn seal(target: &Endpoint, code: &str) -> anyhow::Result<SealBody> {
    let response = Request::new("GET", &format!("/api/v1/seals/{code}")).send(target).await?;
    read(&response, 200).context("read the seal")
}

/// `POST /api/v1/seat-code` with a player's token.
pub async fn own_seat_code(target: &Endpoint, token: &str) -> anyhow::Result<String> {
    issued(&Request::new("POST", "/api/v1/seat-code").bearer(token).send(target).await?)
}

/// `POST /api/v1/spectators`
pub async fn watch(target: &Endpoint, code: &str) -> anyhow::Result<Response> {
    let request = Request::new("POST", "/api/v1/spectators").json(&json!({ "gameCode": code }));
    Ok(request.send(target).await?)
}

/// The token of a new spectator of the game with this code.
pub async fn spectator_token(target: &Endpoint, code: &str) -> anyhow::Result<String> {
    let spectator: Spectator = read(&watch(target, code).await?, 201).context("watch")?;
    ensure!(spectator.game_code == code, "it has the code of another game");
    Ok(spectator.token)
}

fn issued(response: &Response) -> anyhow::Result<String> {
    let issued: NewSeatCode = read(response, 201).context("issue a seat code")?;
    ensure!(issued.expires_in == 300, "it lives for {} s", issued.expires_in);
    ensure!(issued.url.ends_with(&format!("#seat={}", issued.seat_code)), "the link has another code");
    Ok(issued.seat_code)
}

/// `POST /api/v1/seats` with an `Idempotency-Key`; a 429 is waited out as it asks.
pub async fn take_seat(target: &Endpoint, (code, seat_code): (&str, &str), key: &str) -> anyhow::Result<Response> {
    let body = json!({ "gameCode": code, "seatCode": seat_code });
    let request = Request::new("POST", "/api/v1/seats").json(&body).header("Idempotency-Key", key);
    for _ in 0..MOST_TRIES {
        let response = request.send(target).await?;
        let Some(pause) = pause(&response) else { return Ok(response) };
        tokio::time::sleep(pause).await;
    }
    bail!("take a seat: still HTTP 429 after waiting as asked, {MOST_TRIES} times")
}

/// The player and the token that a phone got with a seat.
pub fn taken(response: &Response) -> anyhow::Result<JoinResponse> {
    read(response, 201).context("take a seat")
}

/// The time that a 429 asks to wait, at most 61 s.
pub fn pause(response: &Response) -> Option<Duration> {
    let seconds = response.header("retry-after").and_then(|text| text.parse().ok()).unwrap_or(1_u64);
    (response.status == 429).then(|| Duration::from_secs(seconds.clamp(1, 61)))
}

fn read<T: DeserializeOwned>(response: &Response, status: u16) -> anyhow::Result<T> {
    ensure!(response.status == status, "HTTP {} instead of {status}: {}", response.status, detail(response));
    serde_json::from_slice(&response.body).context("the body has another shape")
}

/// The `detail` of a problem, which never echoes input.
fn detail(response: &Response) -> String {
    let problem = response.json().unwrap_or_default();
    problem.get("detail").and_then(Value::as_str).unwrap_or("no detail").chars().take(200).collect()
}
