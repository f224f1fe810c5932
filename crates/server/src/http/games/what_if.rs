//! `POST /api/v1/games/{id}/what-if`: what corrections of marks would do to the board. Stores nothing and sends nothing to a socket.
//!
//! The state is copied between two steps of its game; everything else is computed outside the tasks of the games.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use quizhall_protocol::http::what_if::{Correction, WhatIf, WhatIfOutcome};
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
/// scores are released, and marks of the round under review. Nothing is stored, and no socket receives anything. For the host, and
/// for co-hosts who may mark. A game that has ended can be asked as well. At most 10 requests a second for a game.
#[utoipa::path(
    post, path = "/api/v1/games/{id}/what-if", tag = "games", operation_id = "askWhatIf", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body = WhatIf,
    responses(
        (status = 200, description = "What they would do", body = WhatIfOutcome),
        (status = 403, description = "A co-host whose role may not mark"),
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
    if let Err(wait) = app.joins.what_ifs.take(game.id()).await {
        let detail = "This game was asked too often what corrections would do. Wait a little.";
        return Err(Refused::new(Kind::TOO_OFTEN, detail).retry_after(wait).of_policy("what-if"));
    }
    let corrections = body.corrections.len();
    let supposed = supposed(body)?;
    let state = game.view(&app, GameState::clone).await?;
    beside(move || {
        let outcome = what_if::outcome(state, &supposed).map_err(|unfit| refused(unfit, corrections))?;
        Ok(Json(outcome).into_response())
    })
    .await
}

/// The corrections of a body, in their order: marks, then withdrawals.
fn supposed(WhatIf { corrections, withdraw }: WhatIf) -> Result<Vec<Supposed>, Refused> {
    for (field, entries) in [("corrections", corrections.len()), ("withdraw", withdraw.len())] {
        if entries > WhatIf::MOST {
            return Err(Refused::invalid(field, format!("At most {} entries.", WhatIf::MOST)));
        }
    }
    let marks = corrections.into_iter().enumerate().map(|(at, correction)| mark(at, correction));
    let withdrawn = withdraw.into_iter().map(|question| Ok(Supposed::Withdraw(question.into())));
    marks.chain(withdrawn).collect()
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

/// Names the field of the first correction that does not fit the game.
fn refused(Unfit { at, refusal }: Unfit, corrections: usize) -> Refused {
    let (list, at) = if at < corrections { ("corrections", at) } else { ("withdraw", at - corrections) };
    match (list, refusal) {
        ("corrections", Refusal::UnknownPlayer) => {
            Refused::invalid(format!("corrections[{at}].playerIds"), "A player is not in this game.")
        }
        ("corrections", Refusal::UnknownQuestion) => Refused::invalid(
            format!("corrections[{at}].questionId"),
            "Only a question with marks can be corrected, when its round is closed.",
        ),
        (_, Refusal::UnknownQuestion) => Refused::invalid(
            format!("withdraw[{at}]"),
            "Only a question that was asked can be withdrawn here, when its round is closed.",
        ),
        (_, refusal) => refusal.into(),
    }
}
