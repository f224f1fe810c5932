//! The index of the search: a row for each quiz and each question, with its folded text and its tags.
//!
//! Called by `http`, which folds texts. The index is derived from `quiz` and brought up to date before a search, so
//! quizzes stored by an earlier version are found as well. Never reads the body of a quiz.

use futures_util::FutureExt as _;
use quizhall_rules::HostId;
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::accounts;
use super::page::{Page, Place};
use super::quizzes::{QUIZ_LINE, QuizLine};
use crate::store::columns::from_row;
use crate::store::connection::{Connection, Statement, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// Most questions inserted with one statement: a power of two.
const QUESTIONS_AT_ONCE: usize = 64;

/// A search, folded as the index is. Every word must occur; a tag must match as a whole.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Words in any order.
    pub words: Vec<String>,
    /// A tag.
    pub tag: Option<String>,
}

/// The folded text of a quiz or a question, and its tags, one per line.
pub struct Indexed {
    /// The text.
    pub words: String,
    /// The tags.
    pub tags: String,
}

/// A question in the index.
pub struct IndexedQuestion {
    /// Its id.
    pub id: Uuid,
    /// The text and tags to search.
    pub indexed: Indexed,
    /// The question in JSON.
    pub body: String,
}

/// The index of a quiz as of its change at `updated_at_ms`.
pub struct QuizIndex {
    /// The quiz.
    pub quiz: Uuid,
    /// Whose it is.
    pub host: HostId,
    /// Milliseconds since 1970.
    pub updated_at_ms: i64,
    /// The titles and the tags; the words of a search may also occur in the questions.
    pub indexed: Indexed,
    /// Its questions, in order.
    pub questions: Vec<IndexedQuestion>,
}

/// A question that was found.
pub struct FoundRow {
    /// Its quiz.
    pub quiz: Uuid,
    /// The title of its quiz.
    pub title: String,
    /// Its place in the quiz, from 0.
    pub place: i64,
    /// The question in JSON.
    pub body: String,
}
from_row!(PgRow, SqliteRow => FoundRow { quiz = "quiz_id", title, place, body });

impl Store {
    /// The host's quizzes whose index is missing or out of date.
    pub async fn quizzes_to_index(&self, host: HostId) -> Result<Vec<Uuid>, StoreError> {
        let select = sql("
            SELECT id FROM quiz LEFT JOIN quiz_search ON quiz_search.quiz_id = quiz.id
            WHERE quiz.host_id = $1 AND (quiz_search.quiz_id IS NULL OR quiz_search.updated_at_ms <> quiz.updated_at_ms)");
        let ids: Vec<(Uuid,)> = self.rows(select.bind(host)).await?;
        Ok(ids.into_iter().map(|(id,)| id).collect())
    }

    /// Replaces the index of a quiz, unless the quiz has been changed since.
    pub async fn index_quiz(&self, index: QuizIndex) -> Result<(), StoreError> {
        self.write(move |connection| replace_index(connection, index).boxed()).await
    }

    /// A page of the host's quizzes that the search finds, newest change first.
    pub async fn found_quizzes(&self, host: HostId, search: &Search, page: Page) -> Result<Vec<QuizLine>, StoreError> {
        let text = format!(
            "{QUIZ_LINE} FROM quiz WHERE host_id = $1 AND (updated_at_ms, id) < ($2, $3) AND id IN (
                SELECT quiz_id FROM quiz_search WHERE host_id = $1{})
            ORDER BY updated_at_ms DESC, id DESC LIMIT $4",
            search.conditions(5, |place| format!(
                "(words LIKE ${place} ESCAPE '\\' OR EXISTS (
                    SELECT 1 FROM question_search AS question
                    WHERE question.host_id = $1 AND question.quiz_id = quiz_search.quiz_id
                        AND question.words LIKE ${place} ESCAPE '\\'))"
            ))
        );
        let start = page.start();
        let select = statement(text).bind(host).bind(start.time_ms).bind(start.id).bind(page.limit);
        self.rows(search.bind_to(select)).await
    }

    /// A page of the host's questions that the search finds: those of the newest quiz first, in the order of the quiz.
    /// The time of a [`Place`] is the place of the question in its quiz.
    pub async fn found_questions(
        &self,
        host: HostId,
        search: &Search,
        page: Page,
    ) -> Result<Vec<FoundRow>, StoreError> {
        let text = format!(
            "SELECT found.quiz_id, quiz.title, found.place, found.body FROM (
                SELECT quiz_id, place, body FROM question_search
                WHERE host_id = $1 AND (quiz_id < $3 OR (quiz_id = $3 AND place > $2)){}
                ORDER BY quiz_id DESC, place LIMIT $4) AS found
            JOIN quiz ON quiz.id = found.quiz_id ORDER BY found.quiz_id DESC, found.place",
            search.conditions(5, |place| format!("words LIKE ${place} ESCAPE '\\'"))
        );
        let Place { time_ms: place, id } = page.start();
        let select = statement(text).bind(host).bind(place).bind(id).bind(page.limit);
        self.rows(search.bind_to(select)).await
    }
}

impl Search {
    /// The SQL conditions of this search, with parameters from `first` on; `of_word` gives the condition of a word.
    fn conditions(&self, first: usize, of_word: impl Fn(usize) -> String) -> String {
        let words = (first..).take(self.words.len()).map(|place| format!(" AND {}", of_word(place)));
        let tag = self.tag.iter().map(|_| format!(" AND tags LIKE ${} ESCAPE '\\'", first + self.words.len()));
        words.chain(tag).collect()
    }

    fn bind_to(&self, statement: Statement) -> Statement {
        let words = self.words.iter().map(|word| format!("%{}%", escaped(word)));
        let tags = self.tag.iter().map(|tag| format!("%\n{}\n%", escaped(tag)));
        words.chain(tags).fold(statement, Statement::bind)
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// A statement whose text consists only of texts of this file and numbers of parameters.
fn statement(text: String) -> Statement {
    sql(AssertSqlSafe(text))
}

async fn replace_index(connection: &mut Connection<'_>, index: QuizIndex) -> Result<(), StoreError> {
    let QuizIndex { quiz, host, updated_at_ms, indexed, questions } = index;
    accounts::lock(connection, host).await?;
    let insert = sql("
        INSERT INTO quiz_search (quiz_id, host_id, updated_at_ms, words, tags)
        SELECT id, host_id, updated_at_ms, $4, $5 FROM quiz WHERE id = $1 AND host_id = $2 AND updated_at_ms = $3
        ON CONFLICT (quiz_id) DO UPDATE
        SET updated_at_ms = excluded.updated_at_ms, words = excluded.words, tags = excluded.tags");
    let insert = insert.bind(quiz).bind(host).bind(updated_at_ms).bind(indexed.words).bind(indexed.tags);
    if insert.execute(connection).await? == 0 {
        return Ok(());
    }
    sql("DELETE FROM question_search WHERE quiz_id = $1").bind(quiz).execute(connection).await?;
    let mut rest = questions.into_iter().enumerate().collect::<Vec<_>>();
    while !rest.is_empty() {
        // Few different lengths, so that the statements stay prepared.
        let count = 1 << rest.len().min(QUESTIONS_AT_ONCE).ilog2();
        let others = rest.split_off(count);
        insert_questions(connection, host, quiz, std::mem::replace(&mut rest, others)).await?;
    }
    Ok(())
}

async fn insert_questions(
    connection: &mut Connection<'_>,
    host: HostId,
    quiz: Uuid,
    questions: Vec<(usize, IndexedQuestion)>,
) -> Result<(), StoreError> {
    let row = |at: usize| {
        let places = (5 * at + 3..5 * at + 8).map(|place| format!("${place}")).collect::<Vec<_>>();
        format!("($1, $2, {})", places.join(", "))
    };
    let rows = (0..questions.len()).map(row).collect::<Vec<_>>().join(", ");
    let columns = "host_id, quiz_id, place, question_id, words, tags, body";
    let mut insert = statement(format!("INSERT INTO question_search ({columns}) VALUES {rows}")).bind(host).bind(quiz);
    for (place, IndexedQuestion { id, indexed, body }) in questions {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        insert = insert.bind(place).bind(id).bind(indexed.words).bind(indexed.tags).bind(body);
    }
    insert.execute(connection).await.map(drop)
}
