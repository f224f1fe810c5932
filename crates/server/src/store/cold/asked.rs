//! When each question was asked: numbers derived from the logs of ended games, a row for each question of a game.
//!
//! Called by `http`, which counts. The rows are deleted with the log of their game, and a game that its host has
//! deleted is not listed.

use futures_util::FutureExt as _;
use quizhall_rules::{GameId, HostId};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// The results of a question in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedCount {
    /// The question.
    pub question: Uuid,
    /// Players who were in the game when the round ended.
    pub players: u32,
    /// How many of them answered.
    pub answered: u32,
    /// How many answers are right; `None` where answers are not marked.
    pub right: Option<u32>,
}

/// A game in which a question was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedRow {
    /// The question.
    pub question: Uuid,
    /// The game.
    pub game: Uuid,
    /// The title of its quiz.
    pub title: String,
    /// When the game was created, milliseconds since 1970.
    pub created_at_ms: i64,
    /// Players who were in the game when the round ended.
    pub players: i64,
    /// How many of them answered.
    pub answered: i64,
    /// How many answers are right; `None` where answers are not marked.
    pub right: Option<i64>,
}
from_row!(PgRow, SqliteRow => AskedRow {
    question = "question_id", game = "game_id", title, created_at_ms, players, answered, right = "correct"
});

impl Store {
    /// How many ended games of the host are not counted yet. A damaged game cannot be counted.
    pub async fn uncounted(&self, host: HostId) -> Result<u32, StoreError> {
        let count = sql("
            SELECT count(*) FROM game
            WHERE host_id = $1 AND phase = 'ended' AND closed = 0 AND counted = 0 AND damaged = 0");
        let count: i64 = self.value(count.bind(host)).await?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// Stores the counts of an ended game; does nothing when they are stored already or the game was closed.
    pub async fn keep_counts(&self, host: HostId, game: GameId, counts: Vec<AskedCount>) -> Result<(), StoreError> {
        self.write(move |connection| keep(connection, host, game, counts).boxed()).await
    }

    /// At most the `most` newest games of each question of an indexed quiz, in the order of the quiz.
    pub async fn history_of(&self, host: HostId, quiz: Uuid, most: u32) -> Result<Vec<AskedRow>, StoreError> {
        let select = sql("
            SELECT question_id, game_id, title, created_at_ms, players, answered, correct FROM (
                SELECT of_quiz.place, asked.question_id, asked.game_id, game.title, game.created_at_ms,
                    asked.players, asked.answered, asked.correct,
                    row_number() OVER (PARTITION BY of_quiz.place ORDER BY game.created_at_ms DESC, game.id) AS nth
                FROM question_search AS of_quiz
                JOIN question_asked AS asked
                    ON asked.host_id = of_quiz.host_id AND asked.question_id = of_quiz.question_id
                JOIN game ON game.id = asked.game_id AND game.closed = 0
                WHERE of_quiz.host_id = $1 AND of_quiz.quiz_id = $2
            ) AS every WHERE nth <= $3 ORDER BY place, nth");
        self.rows(select.bind(host).bind(quiz).bind(most)).await
    }
}

async fn keep(
    connection: &mut Connection<'_>,
    host: HostId,
    game: GameId,
    counts: Vec<AskedCount>,
) -> Result<(), StoreError> {
    let first = sql("UPDATE game SET counted = 1 WHERE id = $1 AND phase = 'ended' AND closed = 0 AND counted = 0");
    if first.bind(game).execute(connection).await? == 0 {
        return Ok(());
    }
    for AskedCount { question, players, answered, right } in counts {
        let insert = sql("
            INSERT INTO question_asked (host_id, question_id, game_id, players, answered, correct)
            VALUES ($1, $2, $3, $4, $5, $6)");
        let insert = insert.bind(host).bind(question).bind(game).bind(players).bind(answered);
        insert.bind(right.map(i64::from)).execute(connection).await?;
    }
    Ok(())
}

/// Deletes the counts of a game whose log is deleted.
pub(in crate::store) async fn delete(connection: &mut Connection<'_>, game: GameId) -> Result<(), StoreError> {
    sql("DELETE FROM question_asked WHERE game_id = $1").bind(game).execute(connection).await.map(drop)
}
