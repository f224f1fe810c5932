//! Closes abandoned games: no socket on any node, and a log that has not grown for a day (`ABANDONED_AFTER`).
//!
//! Started by the server; never closes a game with a socket. Closing is an ordinary command.

use std::time::Duration;

use quizhall_rules::{Actor, Command, State};

use super::GameRegistry;
use crate::clock;

/// The pause between two sweeps.
const EVERY: Duration = Duration::from_secs(600);

impl GameRegistry {
    /// Sweeps for abandoned games until the task is dropped or the node stops.
    pub async fn sweep_abandoned(self, after: Duration) {
        loop {
            tokio::time::sleep(EVERY.min(after)).await;
            self.close_abandoned(after).await;
        }
    }

    /// One sweep. Returns how many games it closed.
    pub async fn close_abandoned(&self, after: Duration) -> usize {
        let after_ms = i64::try_from(after.as_millis()).unwrap_or(i64::MAX);
        let since = clock::unix_ms().saturating_sub(after_ms);
        let Ok(games) = self.inner.node.with_timeout(self.inner.node.store.still_games(since)).await else { return 0 };
        let mut closed = 0;
        for game in games {
            let Ok(Some(handle)) = self.by_id(game.id).await else { continue };
            // Sockets may be on any node; presence is in the log.
            let is_empty = |state: &State| !state.is_host_present() && !state.players().any(|player| player.connected);
            match handle.fresh_view(is_empty).await {
                Ok(true) => {}
                Ok(false) => {
                    // An owner notices missing sockets and stores that; the next sweep then finds the game empty.
                    handle.have_owned();
                    continue;
                }
                Err(_) => continue,
            }
            // Closing a game claims it, which appends to its log. So a game that cannot be closed now is tried again a
            // day later.
            closed += usize::from(handle.command(Actor::Service, Command::Close).await.is_ok());
        }
        if closed > 0 {
            tracing::info!(closed, "closed abandoned games");
        }
        closed
    }
}
