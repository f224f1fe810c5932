//! `POST /api/v1/games/{id}/answers`: a page of the answers to a question of the round under review, for a host who was sent them in groups.
//! It is a POST because an answer in an address would be in the logs of proxies. Stores nothing and sends nothing to a socket.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use quizhall_engine::wire;
use quizhall_protocol::http::answers::{AnswersAsked, AnswersPage};
use quizhall_rules::{AnswerText, CommandRow, Phase, Refusal, State as GameState};

use crate::app::App;
use crate::http::body::JsonBody;
use crate::http::in_charge::InCharge;
use crate::http::path::Id;
use crate::http::problem::{Kind, Refused};
use crate::http::refusals::{OfGame, TakesJson};

/// Most bytes of a body: an answer in escapes.
const BODY: usize = 16 * 1024;

/// Read a page of answers
///
/// Returns at most 200 answers to a question of the round under review, in order of arrival: all of them, or those of one group of
/// `review_groups`. For the host, and for co-hosts who may mark. At most 10 requests a second for a game.
#[utoipa::path(
    post, path = "/api/v1/games/{id}/answers", tag = "games", operation_id = "readAnswers", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The game")),
    request_body = AnswersAsked,
    responses(
        (status = 200, description = "The page", body = AnswersPage),
        (status = 403, description = "A co-host whose role may not mark"),
        (status = 409, description = "No round is under review"),
        (status = 422, description = "A question that was not asked in this round, a text that no player gave, or a page after the last answer"),
        (status = 429, description = "More than 10 requests a second for this game"),
        OfGame,
        TakesJson,
    )
)]
pub(in crate::http) async fn read_answers(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
    JsonBody(asked): JsonBody<AnswersAsked, BODY>,
) -> Result<Json<AnswersPage>, Refused> {
    let game = asks.game(&app, id).await?;
    game.needs_role_of(&CommandRow::CORRECT_MARKS)?;
    if let Err(wait) = app.joins.answer_pages.take(game.id()).await {
        let detail = "The answers of this game were asked for too often. Wait a little.";
        return Err(Refused::new(Kind::TOO_OFTEN, detail).retry_after(wait).of_policy("answer-pages"));
    }
    if asked.text.as_ref().is_some_and(|text| text.chars().count() > AnswerText::LONGEST) {
        return Err(Refused::invalid("text", "No answer is as long as this text."));
    }
    game.view(&app, move |state| page(state, &asked)).await?.map(Json)
}

fn page(state: &GameState, AnswersAsked { question_id, text, skip }: &AnswersAsked) -> Result<AnswersPage, Refused> {
    let question = (*question_id).into();
    if state.phase() != Phase::RoundReview {
        return Err(Refusal::WrongPhase.into());
    }
    if !state.is_released(question) {
        return Err(Refused::invalid("questionId", "This question was not asked in the round under review."));
    }
    let (page, total) = wire::review::page(state, (question, text.as_deref()), *skip as usize);
    match total {
        0 if text.is_some() => Err(Refused::invalid("text", "No player gave an answer that means this.")),
        total if *skip > 0 && *skip >= total => Err(Refused::invalid("skip", format!("There are {total} answers."))),
        total => Ok(AnswersPage { answers: page, total }),
    }
}
