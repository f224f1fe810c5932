//! Orders of operators about the owners of games: a node that shall own none, and a game that shall have another owner.
//!
//! Commands write them, and the node concerned reads them with the list of nodes. An order that no node has taken can be withdrawn.

use futures_util::FutureExt as _;
use quizhall_rules::GameId;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use crate::store::columns::from_row;
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// An order is forgotten after this time: the command that gave it waits less long.
const FORGOTTEN_MS: i64 = 60_000;

/// An order to move a game away from its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameMove {
    /// Its name: random.
    pub id: Uuid,
    /// The game.
    pub game: GameId,
    /// The owner on record, which carries the order out.
    pub node: Uuid,
    /// The node that shall own the game; `None`: the one that suits best.
    pub target: Option<Uuid>,
}

/// What became of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveOutcome {
    /// The owner carries it out now.
    Taken,
    /// The game has this owner on record.
    Moved(Uuid),
    /// The owner did not own the game any more, or could not release it.
    Kept,
    /// No other node can own the game.
    Alone,
}

impl MoveOutcome {
    fn columns(self) -> (&'static str, Option<Uuid>) {
        match self {
            Self::Taken => ("taken", None),
            Self::Moved(to) => ("moved", Some(to)),
            Self::Kept => ("kept", None),
            Self::Alone => ("alone", None),
        }
    }
}

struct StoredMove {
    id: Uuid,
    game_id: Uuid,
    node: Uuid,
    target: Option<Uuid>,
}
from_row!(PgRow, SqliteRow => StoredMove { id, game_id, node, target });

struct StoredOutcome {
    outcome: Option<String>,
    moved_to: Option<Uuid>,
}
from_row!(PgRow, SqliteRow => StoredOutcome { outcome, moved_to });

impl StoredOutcome {
    fn read(self) -> Result<Option<MoveOutcome>, StoreError> {
        match (self.outcome.as_deref(), self.moved_to) {
            (None, _) => Ok(None),
            (Some("taken"), _) => Ok(Some(MoveOutcome::Taken)),
            (Some("moved"), Some(to)) => Ok(Some(MoveOutcome::Moved(to))),
            (Some("kept"), _) => Ok(Some(MoveOutcome::Kept)),
            (Some("alone"), _) => Ok(Some(MoveOutcome::Alone)),
            _ => Err(StoreError::Corrupt("the outcome of a move")),
        }
    }
}

impl Store {
    /// Orders a node to own no games, or to own games again; `false` when it is not in the list.
    pub async fn order_drain(&self, node: Uuid, drain: bool) -> Result<bool, StoreError> {
        let set = sql("UPDATE node SET drain = $2 WHERE id = $1").bind(node).bind(drain);
        Ok(self.change_alone(set).await? > 0)
    }

    /// Withdraws an order to drain that its node has not begun to carry out; `false` when it has begun, or is not in the list.
    pub async fn withdraw_drain(&self, node: Uuid) -> Result<bool, StoreError> {
        let set = sql("UPDATE node SET drain = 0 WHERE id = $1 AND draining = 0").bind(node);
        Ok(self.change_alone(set).await? > 0)
    }

    /// Orders a move; `false` when another order for the same game is not finished.
    pub async fn order_move(&self, order: GameMove) -> Result<bool, StoreError> {
        self.write(move |connection| insert(connection, order).boxed()).await
    }

    /// The orders for this node that it has not taken.
    pub async fn open_moves(&self, node: Uuid) -> Result<Vec<GameMove>, StoreError> {
        let select = sql("SELECT id, game_id, node, target FROM game_move WHERE node = $1 AND outcome IS NULL");
        let rows: Vec<StoredMove> = self.rows(select.bind(node)).await?;
        let order = |row: StoredMove| GameMove {
            id: row.id,
            game: GameId::from(row.game_id),
            node: row.node,
            target: row.target,
        };
        Ok(rows.into_iter().map(order).collect())
    }

    /// Takes an order, so that it cannot be withdrawn any more; `false` when it was withdrawn before.
    pub async fn take_move(&self, order: GameMove) -> Result<bool, StoreError> {
        let take = sql("UPDATE game_move SET outcome = 'taken' WHERE game_id = $1 AND id = $2 AND outcome IS NULL");
        Ok(self.change_alone(take.bind(order.game).bind(order.id)).await? > 0)
    }

    /// Stores what became of an order.
    pub async fn end_move(&self, order: GameMove, outcome: MoveOutcome) -> Result<(), StoreError> {
        let (word, to) = outcome.columns();
        let end = sql("UPDATE game_move SET outcome = $3, moved_to = $4 WHERE game_id = $1 AND id = $2");
        self.change_alone(end.bind(order.game).bind(order.id).bind(word).bind(to)).await.map(drop)
    }

    /// What became of an order so far; `None` when no node has read it, or the owner has left the list.
    pub async fn move_outcome(&self, order: GameMove) -> Result<Option<MoveOutcome>, StoreError> {
        let select = sql("SELECT outcome, moved_to FROM game_move WHERE game_id = $1 AND id = $2");
        let row: Option<StoredOutcome> = self.row(select.bind(order.game).bind(order.id)).await?;
        row.map_or(Ok(None), StoredOutcome::read)
    }

    /// Withdraws an order; `false` when the owner has taken it.
    pub async fn withdraw_move(&self, order: GameMove) -> Result<bool, StoreError> {
        let delete = sql("DELETE FROM game_move WHERE game_id = $1 AND id = $2 AND outcome IS NULL");
        self.change_alone(delete.bind(order.game).bind(order.id)).await?;
        Ok(self.move_outcome(order).await?.is_none())
    }

    /// Deletes an order whose outcome was read.
    pub async fn forget_move(&self, order: GameMove) -> Result<(), StoreError> {
        let delete = sql("DELETE FROM game_move WHERE game_id = $1 AND id = $2").bind(order.game).bind(order.id);
        self.change_alone(delete).await.map(drop)
    }
}

async fn insert(connection: &mut Connection<'_>, order: GameMove) -> Result<bool, StoreError> {
    let now = connection.now_ms().await?;
    // A command that was interrupted has left its order.
    let forget = sql("DELETE FROM game_move WHERE asked_at_ms <= $1").bind(now - FORGOTTEN_MS);
    forget.execute(connection).await?;
    let insert = sql("
        INSERT INTO game_move (game_id, id, node, target, asked_at_ms) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (game_id) DO NOTHING");
    let insert = insert.bind(order.game).bind(order.id).bind(order.node).bind(order.target).bind(now);
    Ok(insert.execute(connection).await? > 0)
}
