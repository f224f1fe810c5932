//! Quizzes of hosts. A quiz of another host is not found, like one that does not exist.

use quizhall_rules::HostId;
use sqlx::PgConnection;
use uuid::Uuid;

use super::super::sql::quizzes as sql;
use super::super::{QuizLine, QuizRow, StoreError};
use super::accounts;

pub(super) async fn create(connection: &mut PgConnection, quiz: QuizRow, limit: u32) -> Result<bool, StoreError> {
    accounts::lock(connection, quiz.host).await?;
    let inserted = sqlx::query(sql::INSERT)
        .bind(quiz.id)
        .bind(quiz.host.uuid())
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

pub(super) async fn replace(connection: &mut PgConnection, quiz: QuizRow) -> Result<bool, StoreError> {
    let replaced = sqlx::query(sql::REPLACE)
        .bind(quiz.id)
        .bind(quiz.host.uuid())
        .bind(quiz.title)
        .bind(i64::from(quiz.round_count))
        .bind(i64::from(quiz.question_count))
        .bind(quiz.body)
        .bind(quiz.updated_at_ms)
        .execute(connection)
        .await?;
    Ok(replaced.rows_affected() > 0)
}

pub(super) async fn delete(connection: &mut PgConnection, host: HostId, quiz: Uuid) -> Result<bool, StoreError> {
    let deleted = sqlx::query(sql::DELETE).bind(quiz).bind(host.uuid()).execute(connection).await?;
    Ok(deleted.rows_affected() > 0)
}

pub(super) async fn of_host(connection: &mut PgConnection, host: HostId) -> Result<Vec<QuizLine>, StoreError> {
    Ok(sqlx::query_as(sql::OF_HOST).bind(host.uuid()).fetch_all(connection).await?)
}

pub(super) async fn one(
    connection: &mut PgConnection,
    host: HostId,
    quiz: Uuid,
) -> Result<Option<QuizRow>, StoreError> {
    Ok(sqlx::query_as(sql::ONE).bind(quiz).bind(host.uuid()).fetch_optional(connection).await?)
}
