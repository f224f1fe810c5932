//! Pictures and sounds as the store keeps them: a line (a row in the table `media`) for each file, and its uses. The
//! bytes are in `media_parts`.
//!
//! The parts of a file are stored before its line and deleted after it. So a line without parts is damage, and parts
//! without a line belong to an interrupted upload. Never looks into a file.

use futures_util::FutureExt as _;
use quizhall_rules::{GameId, HostId};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::accounts;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, Statement, Value, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// Most files listed at once.
const AT_ONCE: i64 = 1_000;

/// Whether the file `media` is used.
macro_rules! is_used {
    () => {
        "(EXISTS (SELECT 1 FROM quiz_media WHERE media_id = media.id)
            OR EXISTS (SELECT 1 FROM game_media WHERE media_id = media.id))"
    };
}

/// A file to be listed for its owner, once its parts are stored.
#[derive(Debug, Clone)]
pub struct NewMedia {
    /// Its id, under which its parts are stored.
    pub id: Uuid,
    /// Whose it is.
    pub host: HostId,
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// Its length.
    pub bytes: i64,
    /// SHA-256 of its bytes.
    pub sha256: Vec<u8>,
    /// Width of a picture in pixels, if its file states it.
    pub width: Option<i64>,
    /// Its height, likewise.
    pub height: Option<i64>,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Most bytes of all files of the host together.
    pub limit: i64,
}

/// The result of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaCreation {
    /// It is listed now.
    Created,
    /// The host already has a file with the same bytes: this one.
    Known(Uuid),
    /// The files of the host would be larger than allowed.
    NoRoom,
}

/// The result of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaDeletion {
    /// Its line is deleted.
    Deleted,
    /// The host has no such file.
    NotFound,
    /// A quiz or a game uses it.
    InUse,
}

/// A file, and the number of its uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaLine {
    /// Its id.
    pub id: Uuid,
    /// The media type.
    pub media_type: String,
    /// Its length.
    pub bytes: u64,
    /// Width of a picture in pixels, if it is known.
    pub width: Option<i64>,
    /// Its height, likewise.
    pub height: Option<i64>,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Quizzes with a question that has it.
    pub quizzes: u32,
    /// Kept games of such quizzes.
    pub games: u32,
}
from_row!(PgRow, SqliteRow => MediaLine {
    id, media_type = "type", bytes as i64, width, height, created_at_ms, quizzes as i64, games as i64
});

/// A file with its checksum, for finding damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaSum {
    /// Its id.
    pub id: Uuid,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: Vec<u8>,
}
from_row!(PgRow, SqliteRow => MediaSum { id, bytes as i64, sha256 });

struct Candidate {
    id: Uuid,
    host_id: Uuid,
}
from_row!(PgRow, SqliteRow => Candidate { id, host_id });

/// The lines of files. A file of another host is not found, as if it did not exist.
impl Store {
    /// Lists a file whose parts are stored, unless its host has the same file or no room for it.
    pub async fn create_media(&self, media: NewMedia) -> Result<MediaCreation, StoreError> {
        self.write(move |connection| create(connection, media).boxed()).await
    }

    /// The host's files, newest first.
    pub async fn media_of(&self, host: HostId) -> Result<Vec<MediaLine>, StoreError> {
        self.rows(lines("host_id = $1 ORDER BY created_at_ms DESC, id DESC").bind(host)).await
    }

    /// One file of this host.
    pub async fn media(&self, host: HostId, media: Uuid) -> Result<Option<MediaLine>, StoreError> {
        self.row(lines("host_id = $1 AND id = $2").bind(host).bind(media)).await
    }

    /// Bytes of all files of this host.
    pub async fn media_bytes(&self, host: HostId) -> Result<u64, StoreError> {
        let bytes: i64 = self.value(sql(SUM).bind(host)).await?;
        Ok(bytes.unsigned_abs())
    }

    /// Deletes the line of a file of this host that is not in use. [`Store::delete_media_parts`] deletes its parts.
    pub async fn delete_media(&self, host: HostId, media: Uuid) -> Result<MediaDeletion, StoreError> {
        self.write(move |connection| delete(connection, host, media).boxed()).await
    }

    /// Marks the files that have come out of use since the last call with `now_ms`, and deletes the lines of files that
    /// came out of use by `unused_by_ms`; resolves to the ids of these. Milliseconds since 1970.
    pub async fn sweep_media(&self, now_ms: i64, unused_by_ms: i64) -> Result<Vec<Uuid>, StoreError> {
        self.change(sql(concat!(
            "UPDATE media SET unused_at_ms = NULL WHERE unused_at_ms IS NOT NULL AND ",
            is_used!()
        )))
        .await?;
        let unused = sql(concat!("UPDATE media SET unused_at_ms = $1 WHERE unused_at_ms IS NULL AND NOT ", is_used!()));
        self.change(unused.bind(now_ms)).await?;
        let due = sql("SELECT id, host_id FROM media WHERE unused_at_ms <= $1 ORDER BY id LIMIT $2");
        let due: Vec<Candidate> = self.rows(due.bind(unused_by_ms).bind(AT_ONCE)).await?;
        let mut deleted = Vec::new();
        for Candidate { id, host_id } in due {
            if self.delete_media(host_id.into(), id).await? == MediaDeletion::Deleted {
                deleted.push(id);
            }
        }
        Ok(deleted)
    }

    /// Which of these ids have no line.
    pub async fn without_line(&self, ids: Vec<Uuid>) -> Result<Vec<Uuid>, StoreError> {
        let mut without = Vec::new();
        for id in ids {
            if !self.value::<bool>(sql("SELECT EXISTS (SELECT 1 FROM media WHERE id = $1)").bind(id)).await? {
                without.push(id);
            }
        }
        Ok(without)
    }

    /// Files with their checksums, used or not, by id, above `after`; at most 1,000.
    pub async fn media_sums(&self, after: Uuid) -> Result<Vec<MediaSum>, StoreError> {
        let sums = sql("SELECT id, bytes, sha256 FROM media WHERE id > $1 ORDER BY id LIMIT $2");
        self.rows(sums.bind(after).bind(AT_ONCE)).await
    }
}

const SUM: &str = "SELECT CAST(COALESCE(sum(bytes), 0) AS BIGINT) FROM media WHERE host_id = $1";

/// The lines that match a condition.
fn lines(condition: &'static str) -> Statement {
    sql(sqlx::AssertSqlSafe(format!(
        "SELECT id, type, bytes, width, height, created_at_ms,
            (SELECT count(*) FROM quiz_media WHERE media_id = media.id) AS quizzes,
            (SELECT count(*) FROM game_media WHERE media_id = media.id) AS games
        FROM media WHERE {condition}"
    )))
}

async fn create(connection: &mut Connection<'_>, media: NewMedia) -> Result<MediaCreation, StoreError> {
    accounts::lock(connection, media.host).await?;
    let same = sql("SELECT id FROM media WHERE host_id = $1 AND sha256 = $2 ORDER BY id LIMIT 1");
    let same: Option<(Uuid,)> = same.bind(media.host).bind(media.sha256.clone()).optional(connection).await?;
    if let Some((id,)) = same {
        // The file may have come out of use a while ago and is used again now. It may also be older than the columns
        // for sizes.
        let renew = sql("UPDATE media SET unused_at_ms = NULL, width = $2, height = $3 WHERE id = $1");
        renew.bind(id).bind(media.width).bind(media.height).execute(connection).await?;
        return Ok(MediaCreation::Known(id));
    }
    let held: i64 = sql(SUM).bind(media.host).value(connection).await?;
    if held.saturating_add(media.bytes) > media.limit {
        return Ok(MediaCreation::NoRoom);
    }
    let insert = sql("INSERT INTO media (id, host_id, type, bytes, sha256, created_at_ms, width, height)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
    let insert = insert.bind(media.id).bind(media.host).bind(media.media_type).bind(media.bytes);
    let insert = insert.bind(media.sha256).bind(media.created_at_ms).bind(media.width).bind(media.height);
    insert.execute(connection).await?;
    Ok(MediaCreation::Created)
}

async fn delete(connection: &mut Connection<'_>, host: HostId, media: Uuid) -> Result<MediaDeletion, StoreError> {
    // Every transaction that begins to use a file holds this lock too.
    accounts::lock(connection, host).await?;
    let delete = sql(concat!("DELETE FROM media WHERE host_id = $1 AND id = $2 AND NOT ", is_used!()));
    if delete.bind(host).bind(media).execute(connection).await? > 0 {
        return Ok(MediaDeletion::Deleted);
    }
    let is_there = sql("SELECT EXISTS (SELECT 1 FROM media WHERE host_id = $1 AND id = $2)");
    let is_there: bool = is_there.bind(host).bind(media).value(connection).await?;
    Ok(if is_there { MediaDeletion::InUse } else { MediaDeletion::NotFound })
}

/// A quiz or game that begins to use files.
pub(in crate::store) enum User {
    Quiz(Uuid),
    Game(GameId),
}

/// Stores that a quiz or a game of the host uses exactly these files; its former uses end. The caller holds the lock of
/// the account.
///
/// # Errors
/// [`StoreError::Unavailable`] when one of them no longer belongs to the host: it was deleted since it was checked.
pub(in crate::store) async fn use_media(
    connection: &mut Connection<'_>,
    host: HostId,
    user: User,
    media: &[Uuid],
) -> Result<(), StoreError> {
    let (forget, note, id): (_, _, Value) = match user {
        User::Quiz(quiz) => (
            "DELETE FROM quiz_media WHERE quiz_id = $1",
            "INSERT INTO quiz_media (quiz_id, media_id) SELECT $1, id FROM media WHERE id = $2 AND host_id = $3",
            quiz.into(),
        ),
        User::Game(game) => (
            "DELETE FROM game_media WHERE game_id = $1",
            "INSERT INTO game_media (game_id, media_id) SELECT $1, id FROM media WHERE id = $2 AND host_id = $3",
            game.into(),
        ),
    };
    sql(forget).bind(id.clone()).execute(connection).await?;
    for media in media {
        if sql(note).bind(id.clone()).bind(*media).bind(host).execute(connection).await? == 0 {
            return Err(StoreError::Unavailable("a file was deleted while it was about to be used".to_owned()));
        }
    }
    Ok(())
}
