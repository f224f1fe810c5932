//! `/api/v1/games/{id}/screens`: the screens of a game, and the host's choices for them.
//!
//! Only the link contains a screen's token; the game's log keeps its hash. Revoking closes the screen's socket on every
//! node, because each edge applies the event.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_engine::wire::described_slide;
use quizhall_protocol::http::screens::{NewScreen, Screen, ScreenList, ShowOnScreens, Slide, SlideKind};
use quizhall_rules::{Command, OnScreens, ScreenId, Setting, State as GameState};
use uuid::Uuid;

use crate::app::App;
use crate::auth::ScreenToken;
use crate::clock;
use crate::http::body::JsonBody;
use crate::http::games::spectators;
use crate::http::in_charge::InCharge;
use crate::http::path::{Id, Ids};
use crate::http::problem::Refused;
use crate::http::refusals::{OfGame, TakesJson};

/// Most characters of a language tag.
pub(in crate::http) const MOST_OF_TAG: usize = 35;

/// Add a screen
///
/// Returns a link, once: its page shows what the room may know, until the screen is removed. A game has at most 50
/// screens.
#[utoipa::path(
    post, path = "/api/v1/games/{id}/screens", tag = "games", operation_id = "addScreen",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 201, description = "The screen with its link", body = NewScreen),
        (status = 403, description = "A co-host whose role may not do this"),
        (status = 409, description = "The game has 50 screens, its code has expired, or a node of an earlier version is still in service"),
        (status = 429, description = "Too much was written to the game within a minute"),
        OfGame,
    )
)]
pub(in crate::http) async fn add_screen(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
) -> Result<(StatusCode, Json<NewScreen>), Refused> {
    let game = asks.game(&app, id).await?;
    let (token, screen) = (ScreenToken::random(game.id()), ScreenId::from(Uuid::now_v7()));
    let added = quizhall_rules::Screen { id: screen, token: token.hash(), at_ms: clock::unix_ms() };
    let command = Command::AddScreen(added.into());
    game.command_while_found(&app, game.actor(), command).await?;
    let url = link(&app, &game.row().code, &token);
    Ok((StatusCode::CREATED, Json(NewScreen { screen_id: screen.uuid(), url })))
}

/// List the screens
///
/// With what the host has chosen for them.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/screens", tag = "games", operation_id = "listScreens",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    responses(
        (status = 200, description = "The screens, in order of adding", body = ScreenList),
        OfGame,
    )
)]
pub(in crate::http) async fn list_screens(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
) -> Result<Json<ScreenList>, Refused> {
    let game = asks.game(&app, id).await?;
    let watch_url = spectators::link(&app, &game.row().code);
    let mut list = game.view(&app, |state| listed(state, watch_url)).await?;
    if game.is_past() {
        list.screens.clear();
    }
    Ok(Json(list))
}

/// Remove a screen
///
/// Closes its socket (4401); its link no longer opens anything, and the screen does not come back by asking again. Does
/// nothing when there is no such screen.
#[utoipa::path(
    delete, path = "/api/v1/games/{id}/screens/{screenId}", tag = "games", operation_id = "removeScreen",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game"), ("screenId" = Uuid, Path, description = "The screen")),
    responses(
        (status = 204, description = "There is no such screen any more"),
        (status = 403, description = "A co-host whose role may not do this"),
        OfGame,
    )
)]
pub(in crate::http) async fn remove_screen(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Ids(id, screen): Ids,
) -> Result<StatusCode, Refused> {
    let (game, screen) = (asks.game(&app, id).await?, ScreenId::from(screen));
    // After the code of the game has expired, no token of a screen is valid.
    if !game.is_past() {
        game.command(&app, game.actor(), Command::RemoveScreen { screen }).await?;
        app.store.unpair(game.id(), screen).await?;
        // A request of the screen may have been under way.
        game.command(&app, game.actor(), Command::RemoveScreen { screen }).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Show on the screens
///
/// The host's choices for the screens: the slide once the scores are released, whether they show nothing at all, whether they
/// play sounds, and in which language.
#[utoipa::path(
    put, path = "/api/v1/games/{id}/screens/show", tag = "games", operation_id = "showOnScreens",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body = ShowOnScreens,
    responses(
        (status = 204, description = "Shown"),
        (status = 403, description = "A co-host whose role may not do this"),
        (status = 409, description = "The game has ended, and its code has expired; or a node of an earlier version is still in service"),
        (status = 422, description = "A field is not acceptable"),
        (status = 429, description = "Too much was written to the game within a minute"),
        OfGame,
        TakesJson,
    )
)]
pub(in crate::http) async fn show_on_screens(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
    JsonBody(show): JsonBody<ShowOnScreens>,
) -> Result<StatusCode, Refused> {
    let game = asks.game(&app, id).await?;
    let is_tag = |tag: &String| {
        tag.len() <= MOST_OF_TAG
            && !tag.is_empty()
            && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if !show.language.as_ref().is_none_or(is_tag) {
        return Err(Refused::invalid("language", "The tag of a language is letters, digits and hyphens."));
    }
    let ShowOnScreens { slide, blank, sound, language } = show;
    let setting = OnScreens { slide: slide.map(chosen), blank, sound, language };
    game.command_while_found(&app, game.actor(), Command::Set(Setting::Screens(setting))).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The link that a screen opens with this token.
pub(in crate::http) fn link(app: &App, code: &str, token: &ScreenToken) -> String {
    format!("{}/screen#{code}/{}", app.config.public_url(), token.expose())
}

fn listed(state: &GameState, watch_url: String) -> ScreenList {
    let screens = state
        .screens()
        .all()
        .iter()
        .map(|screen| Screen { screen_id: screen.id.uuid(), added_at: clock::rfc3339(screen.at_ms) });
    let OnScreens { slide, blank, sound, language } = state.on_screens().clone();
    let show = ShowOnScreens { slide: slide.map(described_slide), blank, sound, language };
    ScreenList { screens: screens.collect(), show, watch_url: state.may_watch().then_some(watch_url) }
}

fn chosen(Slide { kind, at }: Slide) -> quizhall_rules::Slide {
    match kind {
        SlideKind::Question => quizhall_rules::Slide::Question(at),
        SlideKind::Standings => quizhall_rules::Slide::Standings(at),
        SlideKind::Next => quizhall_rules::Slide::Next,
        SlideKind::Podium => quizhall_rules::Slide::Podium(at),
        SlideKind::Winner => quizhall_rules::Slide::Winner,
        SlideKind::TieBreak => quizhall_rules::Slide::TieBreak,
    }
}
