//! `POST /join`: adds a player to a game, or a phone to a team.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use quizhall_engine::wire::options::teams_body;
use quizhall_protocol::http::join::{JoinOptions, JoinRequest, JoinResponse};
use quizhall_rules::{
    Actor, AddDevice, Command, Device, DeviceId, DisplayName, Join, Player, PlayerId, Refusal, State as GameState,
    TeamCode,
};
use uuid::Uuid;

use crate::app::App;
use crate::auth::{Carrier, IssuedToken, idempotency_hash, player_token, random_team_code, tidy_code, tidy_team_code};
use crate::games::{CommandError, GameError, GameHandle};
use crate::http::address::Client;
use crate::http::body::JsonBody;
use crate::http::idempotency::idempotency_key;
use crate::http::players::clean_names;
use crate::http::players::code_search::{Guess, team_name};
use crate::http::players::seats::found;
use crate::http::problem::{Kind, Refused};
use crate::telemetry::{Limit, metrics};

/// How many codes of a team are drawn before giving up: when as many teams exist as a game can have players, two in a
/// row collide once in hundreds.
const DRAWS: usize = 8;

/// Join a game
///
/// Adds a player to the game with this code, in every phase except the last, unless the host has locked the game. The
/// session token opens the socket. With an `Idempotency-Key`, a repeated join returns the same player; use a random key
/// (a UUID), because a client that knows it receives the player's session token. In a game with `teams`, `team` makes a
/// team, which gives one answer from several phones, and `teamCode` adds a phone to a team, even in a locked game.
#[utoipa::path(
    post, path = "/join", tag = "players", operation_id = "join",
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 printable ASCII characters"),
        ("Authorization" = Option<String>, Header, description = "`Bearer` and the session token of a removed player, if the phone had one: a banned player is refused"),
    ),
    request_body = JoinRequest,
    responses(
        (status = 201, description = "The player", body = JoinResponse),
        (status = 400, description = "Not JSON, or a bad key"),
        (status = 403, description = "The host has banned the player who had this key, or the session token that came as bearer token"),
        (status = 404, description = "No game has this code, or no team of it"),
        (status = 408, description = "The body did not arrive within 5 s"),
        (status = 409, description = "The name is taken, the game or the team is full, the game has no teams, the host removed this player, or another phone has the seat; or a node of an earlier version is still in service"),
        (status = 410, description = "The game has ended"),
        (status = 413, description = "The body is larger than 4 KiB"),
        (status = 415, description = "The body is not application/json"),
        (status = 422, description = "A field is missing or not acceptable, or the key was used for another name"),
        (status = 423, description = "The host has locked the game"),
        (status = 429, description = "Too many unknown codes from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are joining at once"),
    )
)]
pub(in crate::http) async fn join(
    State(app): State<Arc<App>>,
    Client(address): Client,
    headers: HeaderMap,
    body: JsonBody<JoinRequest>,
) -> Result<(StatusCode, Json<JoinResponse>), Refused> {
    let outcome = answer(&app, address, &headers, body.0).await;
    let label = match &outcome {
        Ok(_) => "joined",
        Err(refused) if refused.status().is_server_error() => "failed",
        Err(refused) if refused.status() == StatusCode::TOO_MANY_REQUESTS => "limited",
        Err(_) => "refused",
    };
    metrics::join_observed(label);
    outcome.map(|response| (StatusCode::CREATED, Json(response)))
}

async fn answer(
    app: &App,
    address: std::net::IpAddr,
    headers: &HeaderMap,
    request: JoinRequest,
) -> Result<JoinResponse, Refused> {
    let key = idempotency_key(headers)?;
    let code = tidied(&request.game_code)?;
    let name =
        DisplayName::parse(&request.display_name).map_err(|mistake| Refused::invalid_name("displayName", mistake))?;
    let wanted = wanted(&request)?;
    let game = app.joins.find(&app.registry, &code, address).await?;
    refuse_banned(&game, headers).await?;
    let attempt = JoinAttempt { game, name, key, wanted, player_limit: app.config.game.max_players };
    if let Wanted::Phone(team) = wanted
        && attempt.earlier_join().await?.is_none()
    {
        find_team(app, &attempt.game, team, address).await?;
    }
    let joined = attempt.enter(app).await?;
    learn_team(app, &joined, address);
    Ok(joined)
}

/// Remembers the code of a team for this address: where one phone of the team is, the code is no secret.
pub(in crate::http) fn learn_team(app: &App, joined: &JoinResponse, address: std::net::IpAddr) {
    if let Some(team) = &joined.team_code {
        app.joins.learn(address, team_name(&joined.game_code, team));
    }
}

/// Refuses a phone that presents the token of a banned player. Any other token counts as none. The host may have banned
/// the player through another node, whose changes this node receives only while it has sockets of the game, so the log
/// is read.
async fn refuse_banned(game: &GameHandle, headers: &HeaderMap) -> Result<(), Refused> {
    let Carrier::Token(presented) = Carrier::read(headers, None) else { return Ok(()) };
    let Some((_, token)) = presented.as_player().filter(|(of, _)| *of == game.id()) else { return Ok(()) };
    if game.fresh_view(move |state| state.is_banned_token(&token)).await? { Err(banned()) } else { Ok(()) }
}

fn banned() -> Refused {
    Refused::new(Kind::BANNED, "The host has removed this phone from the game for good.")
}

/// Lets in a player of the previous game, or a phone of a team; with the same key the result is the same each time.
pub(in crate::http) async fn go_on(
    app: &App,
    game: GameHandle,
    Entry { name, wanted }: Entry,
    key: String,
) -> Result<JoinResponse, Refused> {
    let (key, player_limit) = (Some(key), app.config.game.max_players);
    JoinAttempt { game, name, key, wanted, player_limit }.enter(app).await
}

/// The code of a game as it is stored.
pub(in crate::http) fn tidied(typed: &str) -> Result<String, Refused> {
    let tidy = tidy_code(typed);
    tidy.ok_or_else(|| Refused::invalid("gameCode", "A code has six letters and numbers, such as ABC234."))
}

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Wanted {
    /// A single player.
    Player,
    /// A new team.
    Team,
    /// A place in the team with this code.
    Phone(TeamCode),
}

fn wanted(request: &JoinRequest) -> Result<Wanted, Refused> {
    match (request.team, &request.team_code) {
        (false, None) => Ok(Wanted::Player),
        (true, None) => Ok(Wanted::Team),
        (true, Some(_)) => Err(Refused::invalid("teamCode", "Send team to make a team, or teamCode to join one.")),
        (false, Some(typed)) => tidy_team_code(typed).map(Wanted::Phone).ok_or_else(|| {
            Refused::invalid("teamCode", "The code of a team has four letters and numbers, such as AB24.")
        }),
    }
}

/// Refuses a code that no team has; the address is charged within this game.
async fn find_team(app: &App, game: &GameHandle, team: TeamCode, address: std::net::IpAddr) -> Result<(), Refused> {
    let is_known = move |state: &GameState| match state.teams() {
        None => Some(Err(Refusal::NoTeams)),
        Some(_) => state.team_of(team).map(|_| Ok(())),
    };
    let look = async { found(game, is_known).await };
    let guess = Guess { address, name: team_name(game.code(), team.as_str()), scope: Some(game.id().uuid()) };
    let known = app.joins.find_within(guess, look).await?;
    known.unwrap_or(Err(Refusal::UnknownTeam)).map_err(Refused::from)
}

/// The name and the place with which a phone continues in the next game.
pub(in crate::http) struct Entry {
    pub name: DisplayName,
    pub wanted: Wanted,
}

/// A valid join request for an existing game.
struct JoinAttempt {
    game: GameHandle,
    name: DisplayName,
    key: Option<String>,
    wanted: Wanted,
    player_limit: u32,
}

/// What the game knows about an idempotency key.
enum Earlier {
    Nothing,
    Joined(Joined),
    Other,
    Removed,
    Banned,
    Moved,
}

/// A player, or a phone of a team, that has joined.
struct Joined {
    player: PlayerId,
    team: Option<(TeamCode, DeviceId)>,
}

impl JoinAttempt {
    async fn enter(&self, app: &App) -> Result<JoinResponse, Refused> {
        // Held until the player is stored. When a client closes the connection, this future is dropped and the place is
        // given back.
        let _turn = app.joins.enter(self.game.id()).await?;
        if let Some(response) = self.earlier_join().await? {
            return Ok(response);
        }
        if self.game.view(|state| state.are_names_checked()).await? && clean_names::is_unclean(&self.name) {
            return Err(Refused::invalid("displayName", "This game refuses such a name. Choose another one."));
        }
        app.joins.pace(self.game.id()).await?;
        self.join().await
    }

    /// The answer to an earlier join with this key, if there was one.
    async fn earlier_join(&self) -> Result<Option<JoinResponse>, Refused> {
        let Some(key) = self.key.as_deref() else { return Ok(None) };
        let (hash, name, wanted) = (idempotency_hash(key), self.name.clone(), self.wanted);
        let issued = self.token().await?;
        let token = issued.token_hash;
        let earlier = self.game.view(move |state| match state.device_by_idempotency(&hash) {
            _ if state.is_banned_token(&token) => Earlier::Banned,
            _ if state.is_removed_token(&token) => Earlier::Removed,
            Some((_, _, now)) if now.is_nobodys() => Earlier::Removed,
            Some((_, _, now)) if now != token => Earlier::Moved,
            Some((player, device, _)) if is_of(player, device, (wanted, &name)) => {
                Earlier::Joined(joined(player, device))
            }
            Some(_) => Earlier::Other,
            None => Earlier::Nothing,
        });
        match earlier.await? {
            Earlier::Removed => {
                Err(Refused::new(Kind::SEAT_REMOVED, "The host removed this seat. Join with a new Idempotency-Key."))
            }
            Earlier::Banned => Err(banned()),
            Earlier::Moved => Err(Refused::new(
                Kind::SEAT_MOVED,
                "Another phone has taken this seat. Join with a new Idempotency-Key.",
            )),
            Earlier::Nothing => Ok(None),
            Earlier::Other => Err(Refusal::IdempotencyMismatch.into()),
            Earlier::Joined(joined) => Ok(Some(self.response(&joined, &issued))),
        }
    }

    async fn join(&self) -> Result<JoinResponse, Refused> {
        let issued = self.token().await?;
        let mut outcome = self.try_once(&issued).await;
        for _ in 1..DRAWS {
            if !matches!(outcome, Err(CommandError::Refused(Refusal::TeamCodeTaken))) {
                break;
            }
            outcome = self.try_once(&issued).await;
        }
        match outcome {
            Ok(joined) => Ok(self.response(&joined, &issued)),
            // The same join may have come twice at once; both get the player of the first.
            Err(CommandError::Refused(refusal)) => {
                if let Some(response) = self.earlier_join().await? {
                    return Ok(response);
                }
                if refusal == Refusal::Full {
                    metrics::limit_reached(Limit::PlayersPerGame);
                }
                Err(refusal.into())
            }
            Err(error @ (CommandError::Game(_) | CommandError::OlderNode(_))) => Err(error.into()),
        }
    }

    /// Each attempt draws another code for a team.
    async fn try_once(&self, issued: &IssuedToken) -> Result<Joined, CommandError> {
        let (display_name, token, idempotency) = (self.name.clone(), issued.token_hash, issued.idempotency);
        if let Wanted::Phone(team) = self.wanted {
            let device = DeviceId::from(Uuid::now_v7());
            let asked = AddDevice { team, device, display_name, token, idempotency };
            self.game.command(Actor::Service, Command::AddDevice(asked.into())).await?;
            let phone = move |state: &GameState| state.device_by_token(&token).map(|(player, at)| joined(player, at));
            return self.game.view(phone).await?.ok_or(CommandError::Refused(Refusal::UnknownTeam));
        }
        let player = PlayerId::from(Uuid::now_v7());
        let team = (self.wanted == Wanted::Team).then(random_team_code);
        let join = Join { player, display_name, token, idempotency, player_limit: self.player_limit, team };
        self.game.command(Actor::Service, Command::Join(join.into())).await?;
        Ok(Joined { player, team: team.map(|code| (code, DeviceId::from(player.uuid()))) })
    }

    async fn token(&self) -> Result<IssuedToken, GameError> {
        let secret = self.game.view(|state| *state.join_secret()).await?;
        Ok(player_token(self.game.id(), &secret, self.key.as_deref()))
    }

    fn response(&self, joined: &Joined, issued: &IssuedToken) -> JoinResponse {
        JoinResponse {
            session_token: issued.token.expose().to_owned(),
            game_code: self.game.code().to_owned(),
            player_id: joined.player.uuid(),
            display_name: self.name.as_str().to_owned(),
            team_code: joined.team.map(|(code, _)| code.as_str().to_owned()),
            device_id: joined.team.map(|(_, device)| device.uuid()),
        }
    }
}

fn joined(player: &Player, device: Device) -> Joined {
    let phone = player.phones().find(|phone| phone.device == device);
    let team = player.team_code().zip(phone.map(|phone| phone.id));
    Joined { player: player.id, team }
}

/// Whether a device of a player matches the request.
fn is_of(player: &Player, device: Device, (wanted, name): (Wanted, &DisplayName)) -> bool {
    let (own, kind) = match (player.team_code(), device.is_first()) {
        (None, _) => (Some(&player.display_name), Wanted::Player),
        (Some(_), true) => (Some(&player.display_name), Wanted::Team),
        (Some(code), false) => {
            let phone = player.phones().find(|phone| phone.device == device);
            (phone.map(|phone| phone.display_name), Wanted::Phone(code))
        }
    };
    // The first device has the name of the player, which the host may have changed since the join.
    let is_renamed = device.is_first() && player.renamed;
    kind == wanted && (is_renamed || own == Some(name))
}

/// Ask how a game is joined
///
/// Before a phone joins: whether several phones can play as a team. A phone whose player the host has removed is
/// informed whether it can join again. Unknown codes are limited as those of joins are.
#[utoipa::path(
    get, path = "/api/v1/join/{gameCode}", tag = "players", operation_id = "readJoinOptions",
    params(
        ("gameCode" = String, Path, description = "The code the host shows, in any case"),
        ("Authorization" = Option<String>, Header, description = "`Bearer` and the session token of a removed player, if the phone had one: a banned player is refused"),
    ),
    responses(
        (status = 200, description = "How the game is joined", body = JoinOptions),
        (status = 403, description = "The host has banned the player who had the session token that came as bearer token"),
        (status = 404, description = "No game has this code"),
        (status = 422, description = "No code has this form"),
        (status = 429, description = "Too many unknown codes from this address"),
        (status = 503, description = "The database is not available, the game is damaged, or too many people are joining at once"),
    )
)]
pub(in crate::http) async fn join_options(
    State(app): State<Arc<App>>,
    Client(address): Client,
    Path(typed): Path<String>,
    headers: HeaderMap,
) -> Result<Json<JoinOptions>, Refused> {
    let game = app.joins.find(&app.registry, &tidied(&typed)?, address).await?;
    refuse_banned(&game, &headers).await?;
    let teams = game.view(|state| state.teams()).await?;
    Ok(Json(JoinOptions { game_code: game.code().to_owned(), teams: teams.map(teams_body) }))
}
