//! Drops games from memory whose rows are about to be purged or rewritten. A hold in the database marks such a game;
//! while it lasts no node loads the game (`load`).
//!
//! Started by `serve`; `retention` drops a game on its own node without waiting for the next check. Deletes nothing.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::GameId;
use tokio::time::{sleep, timeout};

use super::GameRegistry;
use crate::clock;
use crate::games::live::Live;

/// How often a node checks for new holds.
const EVERY: Duration = Duration::from_millis(800);

/// How far back it looks: more than the clocks of nodes differ.
const OVERLAP_MS: i64 = 60_000;

/// How long after a hold was taken no node that can read the database still has the game in memory: three checks.
pub(crate) const HOLD_SETTLE: Duration = Duration::from_secs(3);

impl GameRegistry {
    /// Checks for holds until the task is dropped or the process ends. A database that does not answer is read again
    /// later.
    pub async fn drop_held(self) {
        let mut newest_ms = clock::unix_ms();
        let mut seen = HashSet::new();
        loop {
            sleep(EVERY).await;
            // A node that was suspended reads all holds since then.
            let Ok(holds) = self.inner.node.store.holds_since(newest_ms - OVERLAP_MS).await else { continue };
            let now = clock::unix_ms();
            for hold in &holds {
                newest_ms = newest_ms.max(hold.held_at_ms.min(now));
                // While the hold lasts, this also drops a game that was being loaded at the first check. A hold that is over by
                // now drops no game that was loaded after it.
                if seen.insert((hold.game, hold.held_at_ms)) || hold.until_ms > now {
                    self.begin_dropping(hold.game, |live| !live.is_later_than(hold));
                }
            }
            seen.retain(|(_, held_at_ms)| *held_at_ms >= newest_ms - OVERLAP_MS);
        }
    }

    /// Drops a game from this node's memory after its owner has written what it decided; its sockets are closed.
    pub(crate) async fn drop_game(&self, game: GameId) {
        if let Some(live) = self.begin_dropping(game, |_| true) {
            // The owner gives up by itself after a time.
            let _ = timeout(HOLD_SETTLE, live.ended.cancelled()).await;
        }
    }

    fn begin_dropping(&self, game: GameId, is_meant: impl Fn(&Live) -> bool) -> Option<Arc<Live>> {
        let live = self.inner.all_live().into_iter().find(|live| live.id == game && is_meant(live))?;
        live.stop.cancel();
        Some(live)
    }
}
