//! The search in a host's quizzes and questions: reads its parameters, folds texts, and brings the index up to date.
//!
//! Called by `quizzes`, `questions` and `question_history`. The store keeps the index and never folds texts.

use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody};
use quizhall_rules::{HostId, fold_text};
use uuid::Uuid;

use super::quiz_form;
use crate::store::{Indexed, IndexedQuestion, QuizIndex, QuizRow, Store, StoreError};

/// Brings the index of the host's quizzes up to date.
pub async fn refresh(store: &Store, host: HostId) -> Result<(), StoreError> {
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
pub fn folded(text: &str) -> String {
    fold_text(&text.replace(char::is_control, " "))
}
