//! `/api/v1/games`: a host's games. The games of other hosts are not found.

pub(super) mod answers;
pub(super) mod co_hosts;
pub(super) mod options;
pub(super) mod screen_pairings;
pub(super) mod screens;
pub(super) mod spectators;
pub(super) mod what_if;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_engine::wire::options::{options_body, teams_body};
use quizhall_engine::wire::seal::{sealed, settled};
use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::http::games::{Game, GameChange, GameList, GameSummary, NewGame as NewGameBody};
use quizhall_protocol::http::quizzes::QuizBody;
use quizhall_rules::{
    Actor, Change, Command, Created, Event, GameId, HostId, MarkingRule, PlayOptions, Quiz, Setting, State as GameState,
};
use rand::Rng as _;
use uuid::Uuid;

use super::address::Address;
use super::body::JsonBody;
use super::game_access::{self, OwnGame};
use super::idempotency::{self, KeyedBody};
use super::in_charge::InCharge;
use super::paging::Paging;
use super::path::Id;
use super::problem::{Kind, Refused};
use super::refusals::{HasToken, OfGame};
use super::session::Host;
use crate::app::App;
use crate::auth::random_code;
use crate::clock;
use crate::library::quiz_form;
use crate::store::{CreationKey, GameCreation, GameRow, NewGame, Place, QuizRow};
use crate::telemetry::{Limit, metrics};

/// How many codes are drawn before giving up: with 100,000 codes in use, two in a row collide once in 80 million.
const DRAWS: usize = 8;

/// Create a game
///
/// Freezes the quiz as it is now and opens a lobby with a fresh code. A request that is repeated with the same `Idempotency-Key`
/// within 24 hours creates nothing and returns the game as it is now.
#[utoipa::path(
    post, path = "/api/v1/games", tag = "games", operation_id = "createGame", security(("hostToken" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 printable ASCII characters")),
    request_body = NewGameBody,
    responses(
        (status = 201, description = "The game, in its lobby", body = Game),
        (status = 400, description = "Not JSON, or a bad key"),
        (status = 404, description = "No quiz, or no game to follow, of this host"),
        (status = 409, description = "20 games of this host are live already; the game of a repeated request is deleted; or a node in the list does not know an option of the game, time limits or a type of question of the quiz"),
        (status = 413, description = "The body is too large"),
        (status = 415, description = "The body is not application/json"),
        (status = 422, description = "A field is missing or not acceptable, two options contradict each other, or the key was used for another request"),
        (status = 429, description = "1,000 keys of the host were used within 24 hours"),
        HasToken,
    )
)]
pub(super) async fn create_game(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Address(address): Address,
    KeyedBody { body, key }: KeyedBody<NewGameBody>,
) -> Result<(StatusCode, Json<Game>), Refused> {
    // This comes before the quiz is read, because the quiz may have been deleted since the first request.
    if let Some(key) = key
        && let Some(used) = app.store.key_use(session.host, key).await?
    {
        return created_before(&app, session.host, idempotency::created_before(used)?).await;
    }
    if let Some(before) = body.follows {
        game_access::own(&app, session.host, before).await.map_err(|refused| refused.at("follows"))?;
    }
    let play = options::checked(&body.options())?;
    let quiz = app.store.quiz(session.host, body.quiz_id).await?;
    let quiz = quiz.ok_or_else(|| Refused::not_found().at("quizId"))?;
    let frozen = quiz_form::stored_quiz(&quiz)?;
    let created = match open(&app, session.host, Opening { quiz: &quiz, frozen, play, asked: &body }, key).await? {
        Opened::New(created) => created,
        Opened::Before(id) => return created_before(&app, session.host, id).await,
    };
    app.joins.learn(address, created.code.clone());
    let game = describe(&GameState::created(&created), Some(quiz.id), &app.config.public_url());
    Ok((StatusCode::CREATED, Json(game)))
}

/// The game that a request created before, as it is now.
async fn created_before(app: &App, host: HostId, id: Uuid) -> Result<(StatusCode, Json<Game>), Refused> {
    let game = game_access::own(app, host, id).await;
    let game = game.map_err(|refused| match refused.status() {
        StatusCode::NOT_FOUND => idempotency::deleted_since(),
        _ => refused,
    })?;
    described(app, &game).await.map(|game| (StatusCode::CREATED, game))
}

/// The result of a request for a game.
enum Opened {
    New(Created),
    /// An equal request has already created the game with this id.
    Before(Uuid),
}

/// The game that a request asks for, with its quiz as it is stored and as it is played.
struct Opening<'a> {
    quiz: &'a QuizRow,
    frozen: Quiz,
    play: PlayOptions,
    asked: &'a NewGameBody,
}

async fn open(
    app: &App,
    host: HostId,
    Opening { quiz, frozen, play, asked }: Opening<'_>,
    key: Option<CreationKey>,
) -> Result<Opened, Refused> {
    let frozen = if asked.sealed { settled(frozen) } else { frozen };
    let mut join_secret = [0; 32];
    rand::rng().fill_bytes(&mut join_secret);
    let oldest = app.registry.oldest_log();
    let mut created = Created {
        game: GameId::from(Uuid::now_v7()),
        host,
        code: random_code(),
        sealed: asked.sealed.then(|| sealed(&join_secret, &frozen).into()),
        quiz: frozen,
        join_secret,
        created_at_ms: clock::unix_ms(),
        options: play,
        rule: MarkingRule::known_to(oldest),
    };
    if let Some(option) = created.option_rows().find(|option| !option.is_known_to(oldest)) {
        return Err(Refused::older_node(option.name));
    }
    for _ in 0..DRAWS {
        let follows = asked.follows.map(GameId::from);
        let new = NewGame { follows, key, ..new_game(&created, quiz.id, app.config.game.games_per_host) };
        match app.store.create_game(new).await? {
            GameCreation::Created => return Ok(Opened::New(created)),
            GameCreation::KeyUsed(used) => return idempotency::created_before(used).map(Opened::Before),
            GameCreation::CodeTaken => created.code = random_code(),
            GameCreation::TooManyLive => {
                metrics::limit_reached(Limit::LiveGamesPerHost);
                return Err(Refused::new(
                    Kind::TOO_MANY_GAMES,
                    "You have as many live games as allowed. End or delete one first.",
                ));
            }
        }
    }
    Err(Refused::new(Kind::BUSY, "No free game code was found. Try again."))
}

fn new_game(created: &Created, quiz: Uuid, live_limit: u32) -> NewGame {
    let event = Event::new(Change::Created(created.clone().into()), None);
    NewGame {
        id: created.game,
        host: created.host,
        quiz,
        follows: None,
        code: created.code.clone(),
        title: created.quiz.title.clone(),
        created_at_ms: created.created_at_ms,
        batch: rand::random(),
        body: serde_json::to_string(&[event]).expect("strings and finite numbers are always JSON"),
        media: quiz_form::media_of(&created.quiz),
        live_limit,
        key: None,
    }
}

/// List the games
///
/// With `limit` or `cursor` a page of them: `next` is the cursor of the next page, absent on the last one. Without them at most
/// the 1,000 newest.
#[utoipa::path(
    get, path = "/api/v1/games", tag = "games", operation_id = "listGames", security(("hostToken" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "Games of a page; 100 with only a cursor"),
        ("cursor" = Option<String>, Query, description = "`next` of the previous page"),
    ),
    responses(
        (status = 200, description = "The games, newest first, at most 1,000", body = GameList),
        (status = 400, description = "The parameters cannot be read"),
        (status = 401, description = "No valid token"),
    )
)]
pub(super) async fn list_games(
    State(app): State<Arc<App>>,
    Host(session): Host,
    paging: Paging,
) -> Result<Json<GameList>, Refused> {
    let mut rows = match paging.asked() {
        Some(page) => app.store.games_page(session.host, page).await?,
        None => app.store.games_of(session.host).await?,
    };
    let next = paging.cut(&mut rows, |row| Place { time_ms: row.created_at_ms, id: row.id.uuid() });
    let games = rows.into_iter().map(|row| GameSummary {
        id: row.id.uuid(),
        quiz_id: row.quiz,
        game_code: row.code,
        title: row.title,
        phase: row.phase.as_str().to_owned(),
        created_at: clock::rfc3339(row.created_at_ms),
        damaged: row.damaged.then_some(true),
    });
    Ok(Json(GameList { games: games.collect(), next }))
}

/// Read a game
///
/// With its rounds, question ids and keys, for its owner only. Of a damaged game, the answer has only what is stored
/// outside its log.
#[utoipa::path(
    get, path = "/api/v1/games/{id}", tag = "games", operation_id = "readGame", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 200, description = "The game", body = Game),
        (status = 404, description = "No game of this host"),
        HasToken,
    )
)]
pub(super) async fn read_game(State(app): State<Arc<App>>, asks: InCharge, Id(id): Id) -> Result<Json<Game>, Refused> {
    let game = asks.game(&app, id).await?;
    described(&app, &game).await
}

/// Lock or unlock a game
///
/// A locked game takes no new players; players who have already joined stay.
#[utoipa::path(
    patch, path = "/api/v1/games/{id}", tag = "games", operation_id = "changeGame", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body = GameChange,
    responses(
        (status = 200, description = "The game", body = Game),
        (status = 400, description = "Not JSON"),
        (status = 403, description = "A co-host whose role may not do this"),
        (status = 409, description = "The game has ended"),
        (status = 415, description = "The body is not application/json"),
        (status = 422, description = "A field is missing"),
        (status = 429, description = "Too much was written to the game within a minute"),
        OfGame,
    )
)]
pub(super) async fn change_game(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
    JsonBody(change): JsonBody<GameChange>,
) -> Result<Json<Game>, Refused> {
    let game = asks.game(&app, id).await?;
    game.command(&app, game.actor(), Command::Set(Setting::Locked(change.locked))).await?;
    described(&app, &game).await
}

/// Delete a game
///
/// Closes its sockets (4410); its id and code are unknown from then on. After the grace period of the settings (a day
/// by default) its data are deleted for good.
#[utoipa::path(
    delete, path = "/api/v1/games/{id}", tag = "games", operation_id = "deleteGame", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 404, description = "No game of this host"),
        HasToken,
    )
)]
pub(super) async fn delete_game(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<StatusCode, Refused> {
    let game = game_access::own(&app, session.host, id).await?;
    match game.command(&app, Actor::Service, Command::Close).await {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        // A damaged game has no running owner that could close it.
        Err(refused) if refused.is_game_damaged() => {
            app.store.close_game(game.row().id).await?;
            Ok(StatusCode::NO_CONTENT)
        }
        // The game may leave memory before it confirms that it is closed, so the database is asked.
        Err(refused) => match game_access::own(&app, session.host, id).await {
            Err(gone) if gone.status() == StatusCode::NOT_FOUND => Ok(StatusCode::NO_CONTENT),
            _ => Err(refused),
        },
    }
}

async fn described(app: &App, game: &OwnGame) -> Result<Json<Game>, Refused> {
    let (quiz, public_url) = (game.row().quiz, app.config.public_url());
    match game.view(app, move |state| describe(state, quiz, &public_url)).await {
        Err(refused) if refused.is_game_damaged() => Ok(Json(describe_damaged(game.row(), &app.config.public_url()))),
        described => Ok(Json(described?)),
    }
}

/// Describes a game without its log.
fn describe_damaged(row: &GameRow, public_url: &str) -> Game {
    Game {
        id: row.id.uuid(),
        quiz_id: row.quiz,
        game_code: row.code.clone(),
        join_url: join_url(public_url, &row.code),
        title: row.title.clone(),
        phase: row.phase.as_str().to_owned(),
        current_round: 1,
        locked: false,
        player_count: 0,
        rounds: Vec::new(),
        released: Vec::new(),
        latecomers: Vec::new(),
        created_at: clock::rfc3339(row.created_at_ms),
        damaged: Some(true),
        phones_after_screen: false,
        clean_names: false,
        teams: None,
        sealed: false,
        options: GameOptions::default(),
    }
}

fn join_url(public_url: &str, code: &str) -> String {
    format!("{public_url}/?code={code}")
}

fn describe(state: &GameState, quiz: Option<Uuid>, public_url: &str) -> Game {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Game {
        id: state.game().uuid(),
        quiz_id: quiz,
        game_code: state.code().to_owned(),
        join_url: join_url(public_url, state.code()),
        title: state.quiz().title.clone(),
        phase: state.phase().as_str().to_owned(),
        current_round: count(state.round() + 1),
        locked: state.is_locked(),
        player_count: count(state.player_count()),
        rounds: QuizBody::from(&**state.quiz()).rounds,
        released: state.released().map(|question| question.id.uuid()).collect(),
        latecomers: state.latecomers().map(|player| player.id.uuid()).collect(),
        created_at: clock::rfc3339(state.created_at_ms()),
        damaged: None,
        phones_after_screen: state.are_phones_after_screen(),
        clean_names: state.are_names_checked(),
        teams: state.teams().map(teams_body),
        sealed: state.sealed().is_some(),
        options: options_body(state.options()),
    }
}
