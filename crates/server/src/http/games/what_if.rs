//! `POST /api/v1/games/{id}/what-if`: what corrections and points by hand would do to the board. Stores nothing and sends nothing to a socket.
//!
//! The state is copied between two steps of its game; everything else is computed outside the tasks of the games.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use quizhall_protocol::from_host::AdjustPoints;
use quizhall_protocol::http::what_if::{Correction, SupposedPoints, WhatIf, WhatIfOutcome};
use quizhall_rules::{AnswerText, CommandRow, Named, Refusal, State as GameState, Supposed, Unfit};

use crate::app::App;
use crate::http::body::JsonBody;
use crate::http::in_charge::InCharge;
use crate::http::path::Id;
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::{OfGame, TakesJson};
use crate::http::results::beside;
use crate::results::what_if;

/// Most bytes of a body: a thousand players by their ids, or as many answers of usual length.
const BODY: usize = 128 * 1024;

/// Ask what corrections would do
///
/// Returns the board before and after corrections that are not made: `correct_marks` and `withdraw_question` of questions whose
/// scores are released, marks of the round under review, and `adjust_points`. Nothing is stored, and no socket receives anything. For the host, and
/// for co-hosts who may mark. A game that has ended can be asked as well. At most 10 requests a second for a game.
#[utoipa::path(
    post, path = "/api/v1/games/{id}/what-if", tag = "games", operation_id = "askWhatIf", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body = WhatIf,
    responses(
        (status = 200, description = "What they would do", body = WhatIfOutcome),
        (status = 403, description = "A co-host whose role may not mark"),
        (status = 409, description = "Points by hand before the game has started, or when as many were given as allowed"),
        (status = 422, description = "A field is missing or not acceptable, or names no question with marks to correct or no player of the game"),
        (status = 429, description = "More than 10 requests a second for this game"),
        OfGame,
        TakesJson,
    )
)]
pub(in crate::http) async fn ask_what_if(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
    JsonBody(body): JsonBody<WhatIf, BODY>,
) -> Result<Response, Refused> {
    let game = asks.game(&app, id).await?;
    game.needs_role_of(&CommandRow::CORRECT_MARKS)?;
    if !body.adjustments.is_empty() {
        game.needs_role_of(&CommandRow::ADJUST_POINTS)?;
    }
    if let Err(wait) = app.joins.what_ifs.take(game.id()).await {
        let detail = "This game was asked too often what corrections would do. Wait a little.";
        return Err(Refused::new(Kind::TOO_OFTEN, detail).retry_after(wait).of_policy("what-if"));
    }
    let places = Places { corrections: body.corrections.len(), withdraw: body.withdraw.len() };
    let supposed = supposed(body)?;
    let state = game.view(&app, GameState::clone).await?;
    beside(move || {
        let outcome = what_if::outcome(state, &supposed).map_err(|unfit| places.refused(unfit))?;
        Ok(Json(outcome).into_response())
    })
    .await
}

/// The corrections of a body, in their order: marks, then withdrawals, then points by hand.
fn supposed(WhatIf { corrections, withdraw, adjustments }: WhatIf) -> Result<Vec<Supposed>, Refused> {
    let lists = [("corrections", corrections.len()), ("withdraw", withdraw.len()), ("adjustments", adjustments.len())];
    for (field, entries) in lists {
        if entries > WhatIf::MOST {
            return Err(Refused::invalid(field, format!("At most {} entries.", WhatIf::MOST)));
        }
    }
    let marks = corrections.into_iter().enumerate().map(|(at, correction)| mark(at, correction));
    let withdrawn = withdraw.into_iter().map(|question| Ok(Supposed::Withdraw(question.into())));
    let given = adjustments.into_iter().enumerate().map(|(at, given)| points(at, given));
    marks.chain(withdrawn).chain(given).collect()
}

fn points(at: usize, SupposedPoints { player_id, points }: SupposedPoints) -> Result<Supposed, Refused> {
    if !AdjustPoints::are_fit(points) {
        let most = AdjustPoints::MOST;
        return Err(Refused::invalid(format!("adjustments[{at}].points"), format!("-{most} to {most}, not 0.")));
    }
    Ok(Supposed::Adjust { player: player_id.into(), points })
}

fn mark(
    at: usize,
    Correction { question_id, answers, player_ids, correct, half }: Correction,
) -> Result<Supposed, Refused> {
    let field = |name: &str| format!("corrections[{at}].{name}");
    let check = |name: &str, entries: usize| match entries {
        1..=Correction::MOST => Ok(()),
        _ => Err(Refused::invalid(field(name), format!("1 to {} entries.", Correction::MOST))),
    };
    let named = match (answers, player_ids) {
        (Some(texts), None) => {
            check("answers", texts.len())?;
            if texts.iter().any(|text| text.chars().count() > AnswerText::LONGEST) {
                return Err(Refused::invalid(field("answers"), "No answer is as long as one of these texts."));
            }
            Named::Answers(texts.into_iter().collect())
        }
        (None, Some(players)) => {
            check("playerIds", players.len())?;
            Named::Players(players.into_iter().map(Into::into).collect())
        }
        (Some(_), Some(_)) | (None, None) => {
            return Err(Refused::invalid(field("answers"), "Send either answers or playerIds."));
        }
    };
    Ok(Supposed::Mark { question: question_id.into(), named, correct, half })
}

/// How many entries the first two lists of a request have.
struct Places {
    corrections: usize,
    withdraw: usize,
}

impl Places {
    /// Names the field of the first entry that does not fit the game.
    fn refused(&self, Unfit { at, refusal }: Unfit) -> Refused {
        let Some(beyond) = at.checked_sub(self.corrections) else {
            return match refusal {
                Refusal::UnknownPlayer => {
                    Refused::invalid(format!("corrections[{at}].playerIds"), "A player is not in this game.")
                }
                Refusal::UnknownQuestion => Refused::invalid(
                    format!("corrections[{at}].questionId"),
                    "Only a question with marks can be corrected, when its round is closed.",
                ),
                refusal => refusal.into(),
            };
        };
        match (beyond.checked_sub(self.withdraw), refusal) {
            (Some(at), Refusal::UnknownPlayer) => {
                Refused::invalid(format!("adjustments[{at}].playerId"), "The player is not in this game.")
            }
            (None, Refusal::UnknownQuestion) => Refused::invalid(
                format!("withdraw[{beyond}]"),
                "Only a question that was asked can be withdrawn here, when its round is closed.",
            ),
            (_, refusal) => refusal.into(),
        }
    }
}
