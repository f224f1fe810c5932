//! Codes that screens show until a host has typed them: each is valid for ten minutes, on every node.
//!
//! Called by `http`. Holds no token and no secret, only the hash of the secret that a screen presents. Expired codes
//! are deleted when the next one is opened.

use futures_util::FutureExt as _;
use quizhall_rules::{GameId, ScreenId};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::sessions::HASH_BYTES;
use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// How long a code is valid, in milliseconds.
pub const PAIRING_KEPT_MS: i64 = 10 * 60 * 1_000;

/// Most valid codes at once.
const MOST: i64 = 10_000;

/// The result of a request for a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairingOpening {
    /// It is stored.
    Opened,
    /// Another screen shows this code.
    CodeTaken,
    /// The most screens already show codes.
    TooMany,
}

/// The game to which a host has added a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paired {
    /// The game.
    pub game: GameId,
    /// The id of the screen.
    pub screen: ScreenId,
    /// Whether the game has the screen already.
    pub added: bool,
}

/// The state of a valid code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairingState {
    /// No host has typed it yet.
    Open,
    /// A host has typed it.
    Paired(Paired),
}

impl Store {
    /// Stores a code with the hash of the secret that its screen presents.
    pub async fn open_pairing(&self, code: String, hash: [u8; HASH_BYTES]) -> Result<PairingOpening, StoreError> {
        self.write(move |connection| open(connection, code, hash).boxed()).await
    }

    /// Assigns the screen that shows this code to a game; `false` when no screen shows it, or a host has already typed
    /// it.
    pub async fn pair(&self, code: String, game: GameId, screen: ScreenId) -> Result<bool, StoreError> {
        self.write(move |connection| pair(connection, code, game, screen).boxed()).await
    }

    /// The state of the code whose screen presents this secret; `None` when it has expired.
    pub async fn pairing(&self, hash: [u8; HASH_BYTES]) -> Result<Option<PairingState>, StoreError> {
        self.read(move |connection| look_up(connection, hash).boxed()).await
    }

    /// Marks that the game has the screen of this secret, so that it is not added again; `false` when the host has
    /// removed the screen meanwhile.
    pub async fn pairing_added(&self, hash: [u8; HASH_BYTES]) -> Result<bool, StoreError> {
        self.write(move |connection| {
            async move {
                let added = sql("UPDATE screen_pairing SET added = 1 WHERE hash = $1").bind(hash.to_vec());
                Ok(added.execute(connection).await? > 0)
            }
            .boxed()
        })
        .await
    }

    /// Deletes the code with which this screen was assigned to the game, so that a screen that has not asked since is
    /// not added any more.
    pub async fn unpair(&self, game: GameId, screen: ScreenId) -> Result<(), StoreError> {
        self.write(move |connection| {
            async move {
                let forgotten = sql("DELETE FROM screen_pairing WHERE game_id = $1 AND screen_id = $2");
                forgotten.bind(game).bind(screen.uuid()).execute(connection).await.map(drop)
            }
            .boxed()
        })
        .await
    }
}

async fn open(
    connection: &mut Connection<'_>,
    code: String,
    hash: [u8; HASH_BYTES],
) -> Result<PairingOpening, StoreError> {
    let now = connection.now_ms().await?;
    sql("DELETE FROM screen_pairing WHERE expires_at_ms <= $1").bind(now).execute(connection).await?;
    if sql("SELECT count(*) < $1 FROM screen_pairing").bind(MOST).value(connection).await? {
        let insert = sql("
            INSERT INTO screen_pairing (code, hash, expires_at_ms) VALUES ($1, $2, $3) ON CONFLICT (code) DO NOTHING");
        let inserted = insert.bind(code).bind(hash.to_vec()).bind(now + PAIRING_KEPT_MS).execute(connection).await?;
        return Ok(if inserted > 0 { PairingOpening::Opened } else { PairingOpening::CodeTaken });
    }
    Ok(PairingOpening::TooMany)
}

async fn pair(
    connection: &mut Connection<'_>,
    code: String,
    game: GameId,
    screen: ScreenId,
) -> Result<bool, StoreError> {
    let now = connection.now_ms().await?;
    let update = sql("
        UPDATE screen_pairing SET game_id = $2, screen_id = $3
        WHERE code = $1 AND game_id IS NULL AND expires_at_ms > $4");
    Ok(update.bind(code).bind(game).bind(screen.uuid()).bind(now).execute(connection).await? > 0)
}

async fn look_up(connection: &mut Connection<'_>, hash: [u8; HASH_BYTES]) -> Result<Option<PairingState>, StoreError> {
    let now = connection.now_ms().await?;
    let select = sql("SELECT game_id, screen_id, added FROM screen_pairing WHERE hash = $1 AND expires_at_ms > $2");
    let row: Option<StoredPairing> = select.bind(hash.to_vec()).bind(now).optional(connection).await?;
    Ok(row.map(|row| match (row.game_id, row.screen_id) {
        (Some(game), Some(screen)) => {
            PairingState::Paired(Paired { game: game.into(), screen: screen.into(), added: row.added != 0 })
        }
        _ => PairingState::Open,
    }))
}

struct StoredPairing {
    game_id: Option<Uuid>,
    screen_id: Option<Uuid>,
    added: i64,
}
from_row!(PgRow, SqliteRow => StoredPairing { game_id, screen_id, added });
