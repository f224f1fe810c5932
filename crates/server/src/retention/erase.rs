//! Erasing a player: the name is replaced in every row of the log, and the answers too if requested.

use quizhall_rules::{Erasure, Event, GameId, PlayerId, State, erase};

use super::{Retention, RetentionError};
use crate::store::{Hold, LogRow};

/// The result of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    /// Rows of the log that were rewritten; 0 when the player had been erased before.
    pub rows: usize,
    /// Whether the old content is cleared from the files of the database; otherwise a purge does it later.
    pub cleared: bool,
}

impl Retention {
    /// Replaces a player's name and forgets their token, in a game that has ended or was deleted. Ranks, scores and marks stay.
    ///
    /// # Errors
    /// [`RetentionError::NotOver`], [`RetentionError::NoPlayer`], [`RetentionError::Held`], or a failing database; then nothing
    /// was changed.
    pub async fn erase_player(&self, game: GameId, player: PlayerId, answers: bool) -> Result<Erased, RetentionError> {
        self.check_over(game).await?;
        let hold = Self::new_hold(game);
        if !self.store.hold_game(hold, false).await? {
            return Err(RetentionError::Held);
        }
        self.settle(&[game]).await;
        let erased = self.rewrite(hold, Erasure { player, answers }).await;
        self.store.release_game(hold).await?;
        let rows = erased?;
        Ok(Erased { rows, cleared: self.clear_files().await? })
    }

    async fn rewrite(&self, hold: Hold, erasure: Erasure) -> Result<usize, RetentionError> {
        let rows = self.store.read_log(hold.game, None).await?;
        let work = tokio::task::spawn_blocking(move || rewritten(rows, erasure));
        let changed = work.await.map_err(|_| RetentionError::Unreadable)??;
        let count = changed.len();
        // Done even when no row changes: a snapshot may be older than an interrupted erasure.
        if !self.store.rewrite_log(hold, changed).await? {
            return Err(RetentionError::Held);
        }
        Ok(count)
    }
}

/// The rows that change, with their new content.
fn rewritten(rows: Vec<LogRow>, erasure: Erasure) -> Result<Vec<LogRow>, RetentionError> {
    let mut events: Vec<Event> = Vec::new();
    let mut lengths = Vec::with_capacity(rows.len());
    for row in &rows {
        let batch: Vec<Event> = serde_json::from_str(&row.body).map_err(|_| RetentionError::Unreadable)?;
        lengths.push(batch.len());
        events.extend(batch);
    }
    State::replay(&events).map_err(|_| RetentionError::Unreadable)?;
    let changed = erase(&mut events, erasure).ok_or(RetentionError::NoPlayer)?;
    let (mut first, mut result) = (0, Vec::new());
    for (mut row, length) in rows.into_iter().zip(lengths) {
        let range = first..first + length;
        first += length;
        if changed.iter().any(|place| range.contains(place)) {
            row.body = serde_json::to_string(&events[range]).map_err(|_| RetentionError::Unreadable)?;
            result.push(row);
        }
    }
    Ok(result)
}
