//! Links to the released results of games: one per game, found by the hash of its token.
//!
//! Called by `http`. The token is not stored: it is derived from the nonce and a secret of the game's log. A link is
//! deleted with its game's line, or earlier by a purge.

use futures_util::FutureExt as _;
use quizhall_rules::GameId;

use super::games::GameRow;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// A results link as it is stored.
#[derive(Clone)]
pub struct ResultsLinkRow {
    /// The game whose results it shows.
    pub game: GameId,
    /// The value from which its token is derived; unique to this link.
    pub nonce: Vec<u8>,
    /// SHA-256 of its token.
    pub hash: [u8; 32],
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Whether it also gives the proof; `None`: as before, and not for a new link.
    pub proof: Option<bool>,
    /// Whether it also shows the replay; `None`: as before, and not for a new link.
    pub replay: Option<bool>,
}

/// The link that a game has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptLink {
    /// The value from which its token is derived.
    pub nonce: Vec<u8>,
    /// Whether it also gives the proof.
    pub proof: bool,
    /// Whether it also shows the replay.
    pub replay: bool,
}

/// A game that a link shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedGame {
    /// The game.
    pub row: GameRow,
    /// Whether the link also gives the proof.
    pub proof: bool,
    /// Whether the link also shows the replay.
    pub replay: bool,
}

impl Store {
    /// Stores the link, or changes only what the link of the game shows; resolves to the game's link. `None`: the game is
    /// closed or does not exist.
    pub async fn keep_results_link(&self, link: ResultsLinkRow) -> Result<Option<KeptLink>, StoreError> {
        self.write(move |connection| keep(connection, link).boxed()).await
    }

    /// The game whose link has a token with this hash; `None` when the link was revoked or the game is closed.
    pub async fn game_of_results_link(&self, hash: [u8; 32]) -> Result<Option<SharedGame>, StoreError> {
        let select = sql("SELECT game_id, proof, replay FROM results_link WHERE hash = $1").bind(hash.to_vec());
        let Some((game, proof, replay)) = self.row::<(uuid::Uuid, i32, i32)>(select).await? else { return Ok(None) };
        let row = self.game_by_id(game.into()).await?.filter(|row| !row.closed);
        Ok(row.map(|row| SharedGame { row, proof: proof != 0, replay: replay != 0 }))
    }

    /// Whether the game has a link.
    pub async fn has_results_link(&self, game: GameId) -> Result<bool, StoreError> {
        self.value(sql("SELECT EXISTS (SELECT 1 FROM results_link WHERE game_id = $1)").bind(game)).await
    }

    /// Deletes the link of the game, if it has one.
    pub async fn revoke_results_link(&self, game: GameId) -> Result<(), StoreError> {
        self.write(move |connection| async move { delete(connection, game).await }.boxed()).await
    }
}

async fn keep(connection: &mut Connection<'_>, link: ResultsLinkRow) -> Result<Option<KeptLink>, StoreError> {
    let insert = sql("
        INSERT INTO results_link (game_id, nonce, hash, created_at_ms)
        SELECT $1, $2, $3, $4 WHERE EXISTS (SELECT 1 FROM game WHERE id = $1 AND closed = 0)
        ON CONFLICT (game_id) DO NOTHING");
    let insert = insert.bind(link.game).bind(link.nonce).bind(link.hash.to_vec()).bind(link.created_at_ms);
    insert.execute(connection).await?;
    if let Some(proof) = link.proof {
        let change = sql("UPDATE results_link SET proof = $2 WHERE game_id = $1");
        change.bind(link.game).bind(proof).execute(connection).await?;
    }
    if let Some(replay) = link.replay {
        let change = sql("UPDATE results_link SET replay = $2 WHERE game_id = $1");
        change.bind(link.game).bind(replay).execute(connection).await?;
    }
    let stored = sql("SELECT nonce, proof, replay FROM results_link WHERE game_id = $1").bind(link.game);
    let stored: Option<(Vec<u8>, i32, i32)> = stored.optional(connection).await?;
    Ok(stored.map(|(nonce, proof, replay)| KeptLink { nonce, proof: proof != 0, replay: replay != 0 }))
}

/// See [`Store::revoke_results_link`].
pub(in crate::store) async fn delete(connection: &mut Connection<'_>, game: GameId) -> Result<(), StoreError> {
    sql("DELETE FROM results_link WHERE game_id = $1").bind(game).execute(connection).await.map(drop)
}
