//! Quizzes as the store keeps them: the body is the documented JSON of the HTTP interface, and is not read here.

use futures_util::FutureExt as _;
use quizhall_rules::HostId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::accounts;
use super::creation_keys::{self, CreationKey, KeyUse};
use super::media::{User, use_media};
use super::page::Page;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// A quiz with its body.
#[derive(Clone, PartialEq, Eq)]
pub struct QuizRow {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub host: HostId,
    /// Its title.
    pub title: String,
    /// How many rounds.
    pub round_count: u32,
    /// How many questions in all rounds.
    pub question_count: u32,
    /// JSON of `protocol::http::quizzes::QuizBody`, with the ids of its questions.
    pub body: String,
    /// A JSON array of its tags.
    pub tags: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub updated_at_ms: i64,
}
from_row!(PgRow, SqliteRow => QuizRow {
    id, host = "host_id" as Uuid, title, round_count as i64, question_count as i64, body, tags, created_at_ms, updated_at_ms
});

/// The columns of a line of the list.
macro_rules! quiz_line {
    () => {
        "SELECT id, title, round_count, question_count, updated_at_ms, tags,
            (SELECT max(created_at_ms) FROM game
             WHERE game.host_id = quiz.host_id AND game.quiz_id = quiz.id AND phase <> 'lobby') AS last_played_at_ms"
    };
}

/// A line of the list of quizzes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuizLine {
    /// Its id.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// How many rounds.
    pub round_count: u32,
    /// How many questions in all rounds.
    pub question_count: u32,
    /// Milliseconds since 1970.
    pub updated_at_ms: i64,
    /// When the newest of its games that left the lobby was created, milliseconds since 1970.
    pub last_played_at_ms: Option<i64>,
    /// A JSON array of its tags.
    pub tags: String,
}
from_row!(PgRow, SqliteRow => QuizLine {
    id, title, round_count as i64, question_count as i64, updated_at_ms, last_played_at_ms, tags
});

/// The columns of a [`QuizLine`].
pub(super) const QUIZ_LINE: &str = quiz_line!();

/// A quiz to store.
pub struct NewQuiz {
    /// The quiz.
    pub row: QuizRow,
    /// The files that its questions have.
    pub media: Vec<Uuid>,
    /// The idempotency key of the request, if it has one.
    pub key: Option<CreationKey>,
}

/// The result of creating a quiz.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuizCreation {
    /// It is stored.
    Created,
    /// The host has as many quizzes as allowed.
    TooMany,
    /// Nothing was created because of the idempotency key.
    KeyUsed(KeyUse),
}

/// Quizzes. A quiz of another host is not found, as if it did not exist.
impl Store {
    /// The host's quizzes, newest change first.
    pub async fn quizzes_of(&self, host: HostId) -> Result<Vec<QuizLine>, StoreError> {
        self.quizzes_page(host, Page::first(u32::MAX)).await
    }

    /// A page of the host's quizzes, newest change first. A quiz that is changed between two pages moves to the front.
    pub async fn quizzes_page(&self, host: HostId, page: Page) -> Result<Vec<QuizLine>, StoreError> {
        let select = sql(concat!(
            quiz_line!(),
            " FROM quiz WHERE host_id = $1 AND (updated_at_ms, id) < ($2, $3) ORDER BY updated_at_ms DESC, id DESC LIMIT $4"
        ));
        let start = page.start();
        self.rows(select.bind(host).bind(start.time_ms).bind(start.id).bind(page.limit)).await
    }

    /// One quiz of this host.
    pub async fn quiz(&self, host: HostId, quiz: Uuid) -> Result<Option<QuizRow>, StoreError> {
        let select = sql("
            SELECT id, host_id, title, round_count, question_count, body, tags, created_at_ms, updated_at_ms FROM quiz
            WHERE id = $1 AND host_id = $2");
        self.row(select.bind(quiz).bind(host)).await
    }

    /// Stores a new quiz that uses these files of its host, unless the host already has `limit` quizzes; resolves to
    /// whether it was stored.
    pub async fn create_quiz(&self, row: QuizRow, media: Vec<Uuid>, limit: u32) -> Result<bool, StoreError> {
        let new = NewQuiz { row, media, key: None };
        Ok(self.create_quiz_by_key(new, limit).await? == QuizCreation::Created)
    }

    /// Like [`Self::create_quiz`]; with a key, the quiz is created at most once.
    pub async fn create_quiz_by_key(&self, new: NewQuiz, limit: u32) -> Result<QuizCreation, StoreError> {
        self.write(move |connection| create_once(connection, new, limit).boxed()).await
    }

    /// Replaces a quiz of its host by one that uses these files; the time of creation stays. Resolves to whether there
    /// was one.
    pub async fn replace_quiz(&self, quiz: QuizRow, media: Vec<Uuid>) -> Result<bool, StoreError> {
        self.write(move |connection| replace(connection, quiz, media).boxed()).await
    }

    /// Deletes a quiz of this host; resolves to whether there was one. Games made from it keep their own copy.
    pub async fn delete_quiz(&self, host: HostId, quiz: Uuid) -> Result<bool, StoreError> {
        Ok(self.change(sql("DELETE FROM quiz WHERE id = $1 AND host_id = $2").bind(quiz).bind(host)).await? > 0)
    }
}

async fn create_once(connection: &mut Connection<'_>, new: NewQuiz, limit: u32) -> Result<QuizCreation, StoreError> {
    let NewQuiz { row, media, key } = new;
    let (id, host) = (row.id, row.host);
    accounts::lock(connection, host).await?;
    if let Some(key) = key
        && let Some(used) = creation_keys::look_up(connection, host, key).await?
    {
        return Ok(QuizCreation::KeyUsed(used));
    }
    if !create(connection, row, limit).await? {
        return Ok(QuizCreation::TooMany);
    }
    use_media(connection, host, User::Quiz(id), &media).await?;
    if let Some(key) = key {
        creation_keys::keep(connection, host, key, id).await?;
    }
    Ok(QuizCreation::Created)
}

async fn replace(connection: &mut Connection<'_>, quiz: QuizRow, media: Vec<Uuid>) -> Result<bool, StoreError> {
    accounts::lock(connection, quiz.host).await?;
    let (id, host) = (quiz.id, quiz.host);
    let replace = sql("
        UPDATE quiz SET title = $3, round_count = $4, question_count = $5, body = $6, updated_at_ms = $7, tags = $8
        WHERE id = $1 AND host_id = $2");
    let replace = replace.bind(quiz.id).bind(quiz.host).bind(quiz.title).bind(quiz.round_count);
    let replace = replace.bind(quiz.question_count).bind(quiz.body).bind(quiz.updated_at_ms).bind(quiz.tags);
    let replaced = replace.execute(connection).await? > 0;
    if replaced {
        use_media(connection, host, User::Quiz(id), &media).await?;
    }
    Ok(replaced)
}

/// Inserts a quiz without media unless its host, whose account is locked, already has `limit`; resolves to whether it
/// was inserted.
pub(in crate::store) async fn create(
    connection: &mut Connection<'_>,
    quiz: QuizRow,
    limit: u32,
) -> Result<bool, StoreError> {
    let insert = sql("
        INSERT INTO quiz (id, host_id, title, round_count, question_count, body, created_at_ms, updated_at_ms, tags)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $10
        WHERE (SELECT count(*) FROM quiz WHERE host_id = $2) < $9");
    let insert = insert.bind(quiz.id).bind(quiz.host).bind(quiz.title).bind(quiz.round_count).bind(quiz.question_count);
    let insert = insert.bind(quiz.body).bind(quiz.created_at_ms).bind(quiz.updated_at_ms).bind(limit).bind(quiz.tags);
    Ok(insert.execute(connection).await? > 0)
}
