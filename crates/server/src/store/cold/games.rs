//! Games as the store keeps them. A game's line is its row in the table `game`, by which it is found; it is created
//! together with the first row of its log.

use futures_util::FutureExt as _;
use quizhall_rules::{GameId, HostId, Phase};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::accounts;
use super::creation_keys::{self, CreationKey, KeyUse};
use super::media::{User, use_media};
use super::page::Page;
use crate::clock;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, Statement, sql, storable};
use crate::store::engine::Store;
use crate::store::error::StoreError;
use crate::store::log::row;

/// How long a game keeps its code after the end, and can be found by it.
pub const CODE_HELD_MS: i64 = 24 * 60 * 60 * 1000;

pub(in crate::store) const COUNT_LIVE: &str =
    "SELECT count(*) FROM game WHERE host_id = $1 AND closed = 0 AND phase <> 'ended'";

/// The lines of games that a condition selects.
macro_rules! select_games {
    ($condition:literal) => {
        sql(concat!(
            "SELECT id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms, damaged FROM game WHERE ",
            $condition
        ))
    };
}

/// A game to create.
#[derive(Clone)]
pub struct NewGame {
    /// Its id.
    pub id: GameId,
    /// Whose it is.
    pub host: HostId,
    /// The quiz it was made from.
    pub quiz: Uuid,
    /// The game that it follows in the same room.
    pub follows: Option<GameId>,
    /// A fresh code, upper case.
    pub code: String,
    /// Title of the quiz.
    pub title: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Random name of the log's first row.
    pub batch: u64,
    /// A JSON array with the one event `Created`.
    pub body: String,
    /// The files that its questions have.
    pub media: Vec<Uuid>,
    /// Most live games of this host, this one included.
    pub live_limit: u32,
    /// The idempotency key of the request, if it has one.
    pub key: Option<CreationKey>,
}

/// A game that the database knows, by its line or by its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub game: GameId,
    /// Deleted or abandoned.
    pub closed: bool,
    /// Whether it has a line; a log without a line belongs to no game.
    pub has_line: bool,
}

impl NewGame {
    /// The checksum that is stored with the log's first row.
    pub(in crate::store) fn checksum(&self) -> u32 {
        row::checksum(self.id, [0, 1, 0, self.batch], self.body.as_bytes())
    }
}

/// The result of creating a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameCreation {
    /// It exists now.
    Created,
    /// Another game holds the code: draw another.
    CodeTaken,
    /// The host has as many live games as allowed.
    TooManyLive,
    /// Nothing was created because of the idempotency key.
    KeyUsed(KeyUse),
}

/// The line of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// Its id.
    pub id: GameId,
    /// Whose it is.
    pub host: HostId,
    /// The quiz it was made from, which may be deleted by now; `None` for games older than this column.
    pub quiz: Option<Uuid>,
    /// Its code.
    pub code: String,
    /// Title of the quiz.
    pub title: String,
    /// Its phase, as of the last committed row of its log.
    pub phase: Phase,
    /// Deleted or abandoned.
    pub closed: bool,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub ended_at_ms: Option<i64>,
    /// Whether the last attempt to read its log failed.
    pub damaged: bool,
}

impl Store {
    /// Creates the game and the first row of its log in one transaction, unless its code is held by another game or
    /// the host has `live_limit` games that have not ended; with a key at most once.
    pub async fn create_game(&self, game: NewGame) -> Result<GameCreation, StoreError> {
        self.write(move |connection| create(connection, game).boxed()).await
    }

    /// The game that holds this code (upper case): neither closed nor ended more than 24 h ago.
    pub async fn game_by_code(&self, code: &str) -> Result<Option<GameId>, StoreError> {
        let Some(code) = storable(code) else { return Ok(None) };
        let select = sql("
            SELECT id FROM game
            WHERE code = $1 AND code_held = 1 AND closed = 0 AND (ended_at_ms IS NULL OR ended_at_ms > $2)");
        let row: Option<(Uuid,)> = self.row(select.bind(code).bind(clock::unix_ms() - CODE_HELD_MS)).await?;
        Ok(row.map(|(id,)| GameId::from(id)))
    }

    /// The game with this id, also when it has been closed.
    pub async fn game_by_id(&self, game: GameId) -> Result<Option<GameRow>, StoreError> {
        self.row(select_games!("id = $1").bind(game)).await?.map(StoredGame::read).transpose()
    }

    /// The newest game that follows this one and has not ended.
    pub async fn next_game(&self, game: GameId) -> Result<Option<GameId>, StoreError> {
        let select = sql("
            SELECT id FROM game WHERE follows = $1 AND closed = 0 AND phase <> 'ended'
            ORDER BY created_at_ms DESC, id DESC LIMIT 1");
        let row: Option<(Uuid,)> = self.row(select.bind(game)).await?;
        Ok(row.map(|(id,)| GameId::from(id)))
    }

    /// The games of a chain in which each follows the previous one, in order: those before this one, itself, and those
    /// after it. Of several games that follow the same one, the newest is taken. At most 52 in each direction; a closed
    /// game ends the chain.
    pub async fn chain_of(&self, game: GameId) -> Result<Vec<GameRow>, StoreError> {
        let select = select_games!(
            "id IN (
                WITH RECURSIVE earlier (id, follows, place) AS (
                    SELECT id, follows, 0 FROM game WHERE id = $1 AND closed = 0
                    UNION ALL
                    SELECT game.id, game.follows, earlier.place + 1 FROM game JOIN earlier ON game.id = earlier.follows
                    WHERE game.closed = 0 AND earlier.place < 52
                ), later (id, place) AS (
                    SELECT id, 0 FROM earlier WHERE place = 0
                    UNION ALL
                    SELECT (
                        SELECT game.id FROM game WHERE game.follows = later.id AND game.closed = 0
                        ORDER BY game.created_at_ms DESC, game.id DESC LIMIT 1
                    ), later.place + 1
                    FROM later WHERE later.id IS NOT NULL AND later.place < 52
                )
                SELECT id FROM earlier UNION ALL SELECT id FROM later WHERE id IS NOT NULL
            ) ORDER BY created_at_ms, id"
        );
        self.games(select.bind(game)).await
    }

    /// The host's games that are not closed, newest first, at most 1,000.
    pub async fn games_of(&self, host: HostId) -> Result<Vec<GameRow>, StoreError> {
        self.games_page(host, Page::first(1_000)).await
    }

    /// A page of the host's games that are not closed, newest first.
    pub async fn games_page(&self, host: HostId, page: Page) -> Result<Vec<GameRow>, StoreError> {
        let newest = select_games!(
            "host_id = $1 AND closed = 0 AND (created_at_ms, id) < ($2, $3) ORDER BY created_at_ms DESC, id DESC LIMIT $4"
        );
        let start = page.start();
        self.games(newest.bind(host).bind(start.time_ms).bind(start.id).bind(page.limit)).await
    }

    /// Ended games of the host whose questions are not counted yet, the newest first. A damaged game cannot be counted.
    pub async fn uncounted_games(&self, host: HostId, limit: u32) -> Result<Vec<GameRow>, StoreError> {
        let select = select_games!(
            "host_id = $1 AND phase = 'ended' AND closed = 0 AND counted = 0 AND damaged = 0
            ORDER BY created_at_ms DESC, id DESC LIMIT $2"
        );
        self.games(select.bind(host).bind(limit)).await
    }

    /// Every game of the account, closed ones included, in order of creation.
    pub async fn all_games_of(&self, host: HostId) -> Result<Vec<GameRow>, StoreError> {
        self.games(select_games!("host_id = $1 ORDER BY created_at_ms, id").bind(host)).await
    }

    /// Every game that is neither ended nor closed and whose log has not grown since then (milliseconds since 1970,
    /// exact to a minute), oldest first: for closing abandoned games.
    pub async fn still_games(&self, since_ms: i64) -> Result<Vec<GameRow>, StoreError> {
        let still = select_games!("closed = 0 AND phase <> 'ended' AND active_at_ms < $1 ORDER BY created_at_ms, id");
        self.games(still.bind(since_ms)).await
    }

    /// Marks in the game's line whether the last attempt to read its log failed.
    pub async fn mark_damaged(&self, game: GameId, damaged: bool) -> Result<(), StoreError> {
        let mark = sql("UPDATE game SET damaged = $2 WHERE id = $1 AND damaged <> $2");
        self.change(mark.bind(game).bind(damaged)).await.map(drop)
    }

    /// Closes the game only in its line, without a row in its log: for games that have no owner and can have none. Its
    /// end is now, unless it has ended already. Resolves to whether there was such a game that was not closed yet.
    pub async fn close_game(&self, game: GameId) -> Result<bool, StoreError> {
        let close = sql("
            UPDATE game SET closed = 1, closed_at_ms = $2, ended_at_ms = COALESCE(ended_at_ms, $2)
            WHERE id = $1 AND closed = 0");
        Ok(self.change(close.bind(game).bind(clock::unix_ms())).await? > 0)
    }

    /// At most 256 games whose ids come after this one, in order of id, closed ones included; empty at the end. For
    /// passes over all games.
    pub async fn every_game(&self, after: Option<GameId>) -> Result<Vec<Listed>, StoreError> {
        // The lines and the logs after an id. The ids of the logs are found one after the other, each by the index.
        let every = sql("
            WITH RECURSIVE log_ids (id) AS (
                SELECT * FROM (SELECT game_id FROM game_log WHERE game_id > $1 ORDER BY game_id LIMIT 1) AS first
                UNION ALL
                SELECT (SELECT game_id FROM game_log WHERE game_id > log_ids.id ORDER BY game_id LIMIT 1) FROM log_ids
                WHERE log_ids.id IS NOT NULL
            )
            SELECT id, max(closed) AS closed, max(has_line) AS has_line FROM (
                SELECT * FROM (SELECT id, closed, 1 AS has_line FROM game WHERE id > $1 ORDER BY id LIMIT 256) AS lines
                UNION ALL
                SELECT * FROM (SELECT id, 0, 0 FROM log_ids WHERE id IS NOT NULL LIMIT 256) AS logs
            ) AS every GROUP BY id ORDER BY id LIMIT 256");
        let rows = self.rows(every.bind(after.map_or(Uuid::nil(), GameId::uuid))).await?;
        Ok(rows.into_iter().map(StoredListed::read).collect())
    }

    async fn games(&self, select: Statement) -> Result<Vec<GameRow>, StoreError> {
        self.rows(select).await?.into_iter().map(StoredGame::read).collect()
    }
}

async fn create(connection: &mut Connection<'_>, game: NewGame) -> Result<GameCreation, StoreError> {
    accounts::lock(connection, game.host).await?;
    if let Some(key) = game.key
        && let Some(used) = creation_keys::look_up(connection, game.host, key).await?
    {
        return Ok(GameCreation::KeyUsed(used));
    }
    let live: i64 = sql(COUNT_LIVE).bind(game.host).value(connection).await?;
    if live >= i64::from(game.live_limit) {
        return Ok(GameCreation::TooManyLive);
    }
    // A game that ended long enough ago releases its code.
    let release = sql("UPDATE game SET code_held = 0 WHERE code = $1 AND code_held = 1 AND ended_at_ms <= $2");
    release.bind(game.code.as_str()).bind(clock::unix_ms() - CODE_HELD_MS).execute(connection).await?;
    let checksum = game.checksum();
    let insert = sql("
        INSERT INTO game (id, host_id, code, title, phase, created_at_ms, active_at_ms, quiz_id, follows)
        VALUES ($1, $2, $3, $4, 'lobby', $5, $5, $6, $7)
        ON CONFLICT (code) WHERE code_held = 1 DO NOTHING");
    let insert = insert.bind(game.id).bind(game.host).bind(game.code).bind(game.title);
    if insert.bind(game.created_at_ms).bind(game.quiz).bind(game.follows.map(GameId::uuid)).execute(connection).await?
        == 0
    {
        return Ok(GameCreation::CodeTaken);
    }
    let begin = sql("
        INSERT INTO game_log (game_id, seq, n, epoch, batch, body, checksum, at_ms) VALUES ($1, 0, 1, 0, $2, $3, $4, $5)");
    let begin = begin.bind(game.id).bind(game.batch.cast_signed()).bind(game.body).bind(checksum);
    begin.bind(game.created_at_ms).execute(connection).await?;
    use_media(connection, game.host, User::Game(game.id), &game.media).await?;
    if let Some(key) = game.key {
        creation_keys::keep(connection, game.host, key, game.id.uuid()).await?;
    }
    Ok(GameCreation::Created)
}

struct StoredGame {
    id: Uuid,
    host_id: Uuid,
    quiz_id: Option<Uuid>,
    code: String,
    title: String,
    phase: String,
    closed: i32,
    created_at_ms: i64,
    ended_at_ms: Option<i64>,
    damaged: i32,
}
from_row!(PgRow, SqliteRow => StoredGame {
    id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms, damaged
});

impl StoredGame {
    fn read(self) -> Result<GameRow, StoreError> {
        Ok(GameRow {
            id: GameId::from(self.id),
            host: self.host_id.into(),
            quiz: self.quiz_id,
            code: self.code,
            title: self.title,
            phase: phase(&self.phase)?,
            closed: self.closed != 0,
            created_at_ms: self.created_at_ms,
            ended_at_ms: self.ended_at_ms,
            damaged: self.damaged != 0,
        })
    }
}

struct StoredListed {
    id: Uuid,
    closed: i32,
    has_line: i32,
}
from_row!(PgRow, SqliteRow => StoredListed { id, closed, has_line });

impl StoredListed {
    fn read(self) -> Listed {
        Listed { game: GameId::from(self.id), closed: self.closed != 0, has_line: self.has_line != 0 }
    }
}

fn phase(word: &str) -> Result<Phase, StoreError> {
    [Phase::Lobby, Phase::Question, Phase::RoundReview, Phase::Leaderboard, Phase::Ended]
        .into_iter()
        .find(|phase| phase.as_str() == word)
        .ok_or(StoreError::Corrupt("a game's phase"))
}
