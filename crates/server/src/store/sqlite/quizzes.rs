//! Quizzes of hosts. A quiz of another host is not found, like one that does not exist.

use quizhall_rules::HostId;
use sqlx::{Row as _, SqliteConnection, SqlitePool};
use uuid::Uuid;

use super::super::{QuizLine, QuizRow, StoreError};
use super::games::{bytes, uuid};

const INSERT: &str = "
    INSERT INTO quiz (id, host_id, title, round_count, question_count, body, created_at_ms, updated_at_ms)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8
    WHERE (SELECT count(*) FROM quiz WHERE host_id = $2) < $9";

const REPLACE: &str = "
    UPDATE quiz SET title = $3, round_count = $4, question_count = $5, body = $6, updated_at_ms = $7
    WHERE id = $1 AND host_id = $2";

pub(super) async fn create(connection: &mut SqliteConnection, quiz: QuizRow, limit: u32) -> Result<bool, StoreError> {
    let inserted = sqlx::query(INSERT)
        .bind(bytes(quiz.id))
        .bind(bytes(quiz.host.uuid()))
        .bind(quiz.title)
        .bind(i64::from(quiz.round_count))
        .bind(i64::from(quiz.question_count))
        .bind(quiz.body)
        .bind(quiz.created_at_ms)
        .bind(quiz.updated_at_ms)
        .bind(i64::from(limit))
        .execute(connection)
        .await?;
    Ok(inserted.rows_affected() > 0)
}

pub(super) async fn replace(connection: &mut SqliteConnection, quiz: QuizRow) -> Result<bool, StoreError> {
    let replaced = sqlx::query(REPLACE)
        .bind(bytes(quiz.id))
        .bind(bytes(quiz.host.uuid()))
        .bind(quiz.title)
        .bind(i64::from(quiz.round_count))
        .bind(i64::from(quiz.question_count))
        .bind(quiz.body)
        .bind(quiz.updated_at_ms)
        .execute(connection)
        .await?;
    Ok(replaced.rows_affected() > 0)
}

pub(super) async fn delete(connection: &mut SqliteConnection, host: HostId, quiz: Uuid) -> Result<bool, StoreError> {
    let deleted = sqlx::query("DELETE FROM quiz WHERE id = $1 AND host_id = $2")
        .bind(bytes(quiz))
        .bind(bytes(host.uuid()))
        .execute(connection)
        .await?;
    Ok(deleted.rows_affected() > 0)
}

pub(super) async fn of_host(readers: &SqlitePool, host: HostId) -> Result<Vec<QuizLine>, StoreError> {
    let rows = sqlx::query(
        "SELECT id, title, round_count, question_count, updated_at_ms,
            (SELECT max(created_at_ms) FROM game
             WHERE game.host_id = quiz.host_id AND game.quiz_id = quiz.id AND phase <> 'lobby') AS last_played_at_ms
         FROM quiz WHERE host_id = $1 ORDER BY updated_at_ms DESC, id DESC",
    )
    .bind(bytes(host.uuid()))
    .fetch_all(readers)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(QuizLine {
                id: uuid(row.try_get("id")?)?,
                title: row.try_get("title")?,
                round_count: row.try_get("round_count")?,
                question_count: row.try_get("question_count")?,
                updated_at_ms: row.try_get("updated_at_ms")?,
                last_played_at_ms: row.try_get("last_played_at_ms")?,
            })
        })
        .collect()
}

pub(super) async fn one(readers: &SqlitePool, host: HostId, quiz: Uuid) -> Result<Option<QuizRow>, StoreError> {
    let row = sqlx::query(
        "SELECT title, round_count, question_count, body, created_at_ms, updated_at_ms FROM quiz
         WHERE id = $1 AND host_id = $2",
    )
    .bind(bytes(quiz))
    .bind(bytes(host.uuid()))
    .fetch_optional(readers)
    .await?;
    row.map(|row| {
        Ok(QuizRow {
            id: quiz,
            host,
            title: row.try_get("title")?,
            round_count: row.try_get("round_count")?,
            question_count: row.try_get("question_count")?,
            body: row.try_get("body")?,
            created_at_ms: row.try_get("created_at_ms")?,
            updated_at_ms: row.try_get("updated_at_ms")?,
        })
    })
    .transpose()
}
