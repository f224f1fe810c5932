//! The options of a game: their limits, and `PUT /api/v1/games/{id}/options`, with which the host changes them in the lobby.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use quizhall_engine::wire::options::options_of;
use quizhall_protocol::from_host::AutopilotPlan;
use quizhall_protocol::http::game_options::{BoardAfter, GameOptions, Pace};
use quizhall_protocol::http::games::{Game, Teams};
use quizhall_rules::{Command, PlayOptions, Quiz};

use super::super::body::JsonBody;
use super::super::in_charge::InCharge;
use super::super::path::Id;
use super::super::problem::Refused;
use super::super::refusals::OfGame;
use super::described;
use crate::app::App;

/// The least and the most seconds of a time of the autopilot.
const STEP: std::ops::RangeInclusive<u32> = 5..=600;

/// Change how a game is played
///
/// All options at once; those that are left out are off. Only while the game is in its lobby. `teams` can change only while no one
/// has joined. Players get a joker back that they played for a round that no longer offers it.
#[utoipa::path(
    put, path = "/api/v1/games/{id}/options", tag = "games", operation_id = "setGameOptions", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body = GameOptions,
    responses(
        (status = 200, description = "The game with its options", body = Game),
        (status = 400, description = "Not JSON"),
        (status = 403, description = "A co-host whose role may not do this"),
        (status = 409, description = "The game has begun; players have joined and `teams` would change; or a node in the list does not know an option"),
        (status = 413, description = "The body is too large"),
        (status = 415, description = "The body is not application/json"),
        (status = 422, description = "An option is not acceptable, or two contradict each other"),
        (status = 429, description = "Too much was written to the game within a minute"),
        OfGame,
    )
)]
pub(in crate::http) async fn set_game_options(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
    JsonBody(body): JsonBody<GameOptions>,
) -> Result<Json<Game>, Refused> {
    let options = checked(&body)?;
    let oldest = app.registry.oldest_log();
    if let Some(option) = options.rows().find(|option| !option.is_known_to(oldest)) {
        return Err(Refused::older_node(option.name));
    }
    let game = asks.game(&app, id).await?;
    game.command(&app, game.actor(), Command::SetOptions(options.into())).await?;
    described(&app, &game).await
}

/// The options that a body asks for, within their limits and without a contradiction.
pub(super) fn checked(body: &GameOptions) -> Result<PlayOptions, Refused> {
    let limits = Quiz::LIMITS;
    let is_limit = |seconds: u16| (limits.time_limit_least..=limits.time_limit_most).contains(&seconds);
    if body.answer_seconds.is_some_and(|seconds| !is_limit(seconds)) {
        return Err(Refused::invalid("answerSeconds", "A question is open for 5 to 600 seconds."));
    }
    if body.teams.is_some_and(|teams| !(Teams::LEAST_DEVICES..=Teams::MOST_DEVICES).contains(&teams.devices)) {
        return Err(Refused::invalid("teams.devices", "A team has 2 to 12 phones."));
    }
    if body.pace == Pace::Round {
        if body.board_after != BoardAfter::Question {
            return Err(Refused::invalid("boardAfter", "It is only for games that go question by question."));
        }
        if body.mark_later {
            return Err(Refused::invalid("markLater", "It is only for games that go question by question."));
        }
    }
    body.autopilot.as_ref().map_or(Ok(()), check_autopilot)?;
    Ok(options_of(body))
}

/// Every field is named, so that none can be forgotten.
fn check_autopilot(plan: &AutopilotPlan) -> Result<(), Refused> {
    let &AutopilotPlan { answer_for, reveal_for, break_for, hold_without_host: _, standings_for, hold_for_marking: _ } =
        plan;
    let standings_for = standings_for.map(|seconds| ("standingsFor", seconds));
    let times = [("answerFor", answer_for), ("revealFor", reveal_for), ("breakFor", break_for)];
    for (name, seconds) in times.into_iter().chain(standings_for) {
        if !STEP.contains(&seconds) {
            return Err(Refused::invalid(format!("autopilot.{name}"), "A time of the autopilot has 5 to 600 seconds."));
        }
    }
    Ok(())
}
