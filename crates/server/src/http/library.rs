//! The search in a host's quizzes and questions: reads its parameters, folds texts, and brings the index up to date.
//!
//! Called by `quizzes`, `questions` and `question_history`. The store keeps the index and never folds texts.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody};
use quizhall_rules::{HostId, fold_text};
use serde::Deserialize;
use uuid::Uuid;

use super::problem::{Kind, Refused};
use super::quiz_form;
use crate::store::{Indexed, IndexedQuestion, QuizIndex, QuizRow, Search, Store, StoreError};

/// Most code points of the parameters `q` and `tag`.
pub(super) const QUERY: usize = 200;

/// Most words of the parameter `q`; more are refused.
const WORDS: usize = 10;

/// The search that a request asks for; `None` when the parameters are missing or blank. 400 for parameters that are too
/// long.
pub(super) struct Sought(pub Option<Search>);

#[derive(Deserialize)]
struct Asked {
    q: Option<String>,
    tag: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for Sought {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refused> {
        let Query(Asked { q, tag }) = Query::<Asked>::try_from_uri(&parts.uri).map_err(|_| unreadable())?;
        let (q, tag) = (q.unwrap_or_default(), tag.unwrap_or_default());
        if q.chars().count() > QUERY || tag.chars().count() > QUERY {
            return Err(unreadable());
        }
        let words: Vec<String> = folded(&q).split_whitespace().map(str::to_owned).collect();
        if words.len() > WORDS {
            return Err(unreadable());
        }
        let tag = Some(folded(&tag)).filter(|tag| !tag.is_empty());
        let is_blank = words.is_empty() && tag.is_none();
        Ok(Self((!is_blank).then_some(Search { words, tag })))
    }
}

fn unreadable() -> Refused {
    Refused::new(
        Kind::BAD_REQUEST,
        "Give q with at most 10 words and 200 characters, and tag with at most 200 characters.",
    )
}

/// Brings the index of the host's quizzes up to date.
pub(super) async fn refresh(store: &Store, host: HostId) -> Result<(), StoreError> {
    for id in store.quizzes_to_index(host).await? {
        refresh_quiz(store, host, id).await?;
    }
    Ok(())
}

async fn refresh_quiz(store: &Store, host: HostId, id: Uuid) -> Result<(), StoreError> {
    // The quiz may have been deleted meanwhile.
    let Some(row) = store.quiz(host, id).await? else { return Ok(()) };
    let index = tokio::task::spawn_blocking(move || index_of(&row)).await;
    store.index_quiz(index.map_err(|_| StoreError::Corrupt("a quiz"))??).await
}

/// The texts by which a search finds this quiz and its questions. A question also has the tags of its quiz.
fn index_of(row: &QuizRow) -> Result<QuizIndex, StoreError> {
    let QuizBody { title, rounds } = quiz_form::stored_body(row)?;
    let quiz_tags = quiz_form::stored_tags(&row.tags)?;
    let mut words = vec![folded(&title)];
    let mut questions = Vec::new();
    for round in rounds {
        words.push(folded(&round.title));
        for question in round.questions {
            let indexed = indexed(&question, &quiz_tags);
            let id = question.id.unwrap_or_else(Uuid::nil);
            let body = serde_json::to_string(&question).map_err(|_| StoreError::Corrupt("a question"))?;
            questions.push(IndexedQuestion { id, indexed, body });
        }
    }
    words.extend(quiz_tags.iter().map(|tag| folded(tag)));
    let indexed = Indexed { words: words.join("\n"), tags: lines(quiz_tags.iter()) };
    Ok(QuizIndex { quiz: row.id, host: row.host, updated_at_ms: row.updated_at_ms, indexed, questions })
}

fn indexed(question: &QuestionBody, quiz_tags: &[String]) -> Indexed {
    let texts = [&question.text].into_iter().chain(question.choices.iter().flatten()).chain(&question.correct_answers);
    let words: Vec<String> = texts.chain(&question.tags).map(|text| folded(text)).collect();
    Indexed { words: words.join("\n"), tags: lines(question.tags.iter().chain(quiz_tags)) }
}

/// One tag per line, with a line break before the first one too.
fn lines<'a>(tags: impl Iterator<Item = &'a String>) -> String {
    tags.fold(String::from("\n"), |lines, tag| lines + &folded(tag) + "\n")
}

/// Folds a text as answers are folded; a character that cannot be stored becomes a space.
fn folded(text: &str) -> String {
    fold_text(&text.replace(char::is_control, " "))
}
