//! A game's snapshots, compared with the replay of its log: each must be readable, and equal the state after its row.
//!
//! A snapshot whose row is not in the log is useless but not damage: the database was set back, and no load uses it.

use quizhall_engine::{Head as Place, SNAPSHOT_FORMAT, Snapshot};
use quizhall_rules::GameId;

use super::damage;
use super::replay::Replay;
use crate::store::{Head, Store, StoreError};

/// The snapshots of one game that were not compared yet, and the faults of the others.
#[derive(Default)]
pub(super) struct Copies {
    heads: Vec<Head>,
    wrong: Vec<String>,
    pub(super) count: u64,
}

impl Copies {
    pub(super) async fn of(store: &Store, game: GameId) -> Result<Self, StoreError> {
        let heads = damage(store.snapshot_heads(game).await)?.unwrap_or_default();
        Ok(Self { count: heads.len() as u64, heads, wrong: Vec::new() })
    }

    /// Compares the snapshot of the row that the replay has just taken.
    pub(super) async fn passed(&mut self, store: &Store, replay: &Replay, head: Head) -> Result<(), StoreError> {
        let Some(place) = self.heads.iter().position(|copy| *copy == head) else { return Ok(()) };
        self.heads.swap_remove(place);
        let Some(stored) = store.snapshot(replay.game(), head).await? else {
            return self.unreadable(store, replay.game(), head).await;
        };
        // A snapshot of another version is read only by that version.
        if stored.format != SNAPSHOT_FORMAT {
            return Ok(());
        }
        let position = (Place { seq: head.seq, batch: head.batch }, stored.next_seq);
        let copy = Snapshot::decode(position, stored.format, &stored.body);
        let same = copy.is_some_and(|copy| stored.next_seq == replay.events() && replay.is_at(&copy.state));
        if !same {
            self.wrong
                .push(format!("its snapshot after the row of event {} differs from the state of its log", head.seq));
        }
        Ok(())
    }

    /// Checks the remaining snapshots, whose rows were not in the log; returns the faults of all.
    pub(super) async fn finish(mut self, store: &Store, game: GameId) -> Result<Vec<String>, StoreError> {
        for head in std::mem::take(&mut self.heads) {
            if store.snapshot(game, head).await?.is_none() {
                self.unreadable(store, game, head).await?;
            }
        }
        Ok(self.wrong)
    }

    /// A newer one may have replaced it meanwhile.
    async fn unreadable(&mut self, store: &Store, game: GameId, head: Head) -> Result<(), StoreError> {
        if damage(store.snapshot_heads(game).await)?.is_some_and(|heads| heads.contains(&head)) {
            self.wrong.push(format!("its snapshot after the row of event {} cannot be read; it is not used", head.seq));
        }
        Ok(())
    }
}
