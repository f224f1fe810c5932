//! Deleting games for good: those that are due, one by its id, or those of an account; also sessions and orphaned rows.

use std::time::Duration;

use quizhall_rules::{GameId, HostId, Phase};
use tokio::time::sleep;

use super::{Retention, RetentionError};
use crate::clock;
use crate::store::{CODE_HELD_MS, Deleted, Due, StoreError};
use crate::telemetry::metrics;

/// How often the service looks for due games, unless the grace period is shorter.
const EVERY: Duration = Duration::from_secs(600);

/// The least time between two looks.
const AT_LEAST: Duration = Duration::from_secs(1);

/// How long, in milliseconds, a hold is remembered for nodes that were suspended.
const HOLDS_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// What a purge would delete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Plan {
    /// Games that are due.
    pub games: u64,
    /// What their logs hold.
    pub logs: Deleted,
}

/// What a purge has deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Purged {
    /// Games whose data are deleted.
    pub games: u64,
    /// What their logs held.
    pub logs: Deleted,
    /// Pictures and sounds that nothing used.
    pub files: u64,
    /// Sessions that have ended.
    pub sessions: u64,
    /// Whether the files of the database are cleared of the old content; else a later purge does it.
    pub cleared: bool,
}

impl Retention {
    /// Purges what is due again and again until the task is dropped.
    pub async fn run(self) {
        let mut clear_again = false;
        loop {
            sleep(EVERY.min(self.settings.purge_grace.max(AT_LEAST))).await;
            match self.purge_due().await {
                Ok(purged) => {
                    let deleted_something = purged.games > 0 || purged.logs != Deleted::default() || purged.files > 0;
                    if deleted_something {
                        tracing::info!(
                            games = purged.games,
                            rows = purged.logs.rows,
                            files = purged.files,
                            "purged games and files"
                        );
                    }
                    // A reader kept an earlier purge from clearing the files.
                    clear_again = !purged.cleared
                        || (clear_again && !deleted_something && !self.clear_files().await.unwrap_or(false));
                    if clear_again {
                        tracing::warn!(
                            "what was purged may still be in the files, for a process reads an older state of the \
                             database; it is tried again"
                        );
                    }
                }
                Err(error) => tracing::warn!(%error, "games could not be purged; it is tried again"),
            }
        }
    }

    /// What [`Retention::purge_due`] would delete now.
    ///
    /// # Errors
    /// A failing database.
    pub async fn plan(&self) -> Result<Plan, StoreError> {
        let (mut plan, mut after) = (Plan::default(), None);
        loop {
            let games = self.store.due_games(self.due(), after).await?;
            let Some(last) = games.last() else { return Ok(plan) };
            after = Some(*last);
            for game in games {
                plan.games += 1;
                add(&mut plan.logs, self.store.log_size(game).await?);
            }
        }
    }

    /// Deletes every game that is due, unused pictures and sounds, ended sessions, and rows that belong to no game.
    ///
    /// # Errors
    /// A failing database; earlier deletions are kept.
    pub async fn purge_due(&self) -> Result<Purged, StoreError> {
        let mut purged = Purged::default();
        let mut after = None;
        loop {
            let games = self.store.due_games(self.due(), after).await?;
            let Some(last) = games.last() else { break };
            after = Some(*last);
            self.purge_all(games, &mut purged).await?;
        }
        for game in self.store.orphans().await? {
            self.delete_rows(game, &mut purged).await?;
        }
        let now = clock::unix_ms();
        let created_by = self.settings.retain_sessions.map(|kept| now.saturating_sub(ms(kept)));
        purged.files = self.purge_media(now).await?;
        purged.sessions = self.store.sweep(now, created_by, now - HOLDS_KEPT_MS).await?;
        self.finished(purged).await
    }

    /// Deletes one game that has ended or was deleted, however recently.
    ///
    /// # Errors
    /// [`RetentionError::NoGame`], [`RetentionError::NotOver`], or a failing database.
    pub async fn purge_game(&self, game: GameId) -> Result<Purged, RetentionError> {
        self.check_over(game).await?;
        let mut purged = Purged::default();
        self.purge_all(vec![game], &mut purged).await?;
        if purged.games == 0 {
            return Err(RetentionError::Held);
        }
        Ok(self.finished(purged).await?)
    }

    /// What [`Retention::purge_game`] would delete.
    ///
    /// # Errors
    /// As [`Retention::purge_game`].
    pub async fn plan_game(&self, game: GameId) -> Result<Plan, RetentionError> {
        self.check_over(game).await?;
        Ok(Plan { games: 1, logs: self.store.log_size(game).await? })
    }

    /// Deletes every closed game of an account, with its row, because the account is about to be deleted. The files are
    /// not cleared of the old content yet: [`Retention::clear`] does that after the account is deleted as well.
    ///
    /// # Errors
    /// A failing database.
    pub async fn purge_host(&self, host: HostId) -> Result<Purged, StoreError> {
        let games = self.store.closed_games_of(host).await?;
        let mut purged = Purged::default();
        self.purge_all(games.clone(), &mut purged).await?;
        for game in games {
            // Its code is released at once, because the row goes with the account.
            self.store.delete_line(game, i64::MAX).await?;
        }
        metrics::games_purged(purged.games);
        Ok(purged)
    }

    /// Clears the files of the database of everything that was deleted; `false` when a reader holds an older state.
    ///
    /// # Errors
    /// A failing database.
    pub async fn clear(&self) -> Result<bool, StoreError> {
        self.clear_files().await
    }

    /// Whether the game is one that may be purged or changed.
    pub(super) async fn check_over(&self, game: GameId) -> Result<(), RetentionError> {
        let row = self.store.game_by_id(game).await?.ok_or(RetentionError::NoGame)?;
        if row.closed || row.phase == Phase::Ended { Ok(()) } else { Err(RetentionError::NotOver) }
    }

    async fn purge_all(&self, games: Vec<GameId>, purged: &mut Purged) -> Result<(), StoreError> {
        let mut holds = Vec::new();
        for game in games {
            let hold = Self::new_hold(game);
            // Other nodes purge as well; a game that another one holds is left to it.
            if self.store.hold_game(hold, true).await? {
                holds.push(hold);
            }
        }
        if holds.is_empty() {
            return Ok(());
        }
        let held: Vec<_> = holds.iter().map(|hold| hold.game).collect();
        self.settle(&held).await;
        for hold in holds {
            self.delete_rows(hold.game, purged).await?;
            self.store.delete_line(hold.game, clock::unix_ms() - CODE_HELD_MS).await?;
            self.store.release_game(hold).await?;
            purged.games += 1;
        }
        Ok(())
    }

    async fn delete_rows(&self, game: GameId, purged: &mut Purged) -> Result<(), StoreError> {
        while let Some(piece) = self.store.delete_piece(game).await? {
            add(&mut purged.logs, piece);
        }
        Ok(())
    }

    async fn finished(&self, mut purged: Purged) -> Result<Purged, StoreError> {
        metrics::games_purged(purged.games);
        let nothing =
            purged.games == 0 && purged.logs == Deleted::default() && purged.sessions == 0 && purged.files == 0;
        // A command clears even when it deleted nothing: a reader may have kept an earlier one from clearing.
        purged.cleared = (nothing && self.registry.is_some()) || self.clear_files().await?;
        Ok(purged)
    }

    fn due(&self) -> Due {
        let now = clock::unix_ms();
        Due {
            closed_by_ms: now.saturating_sub(ms(self.settings.purge_grace)),
            ended_by_ms: self.settings.retain_games.map(|kept| now.saturating_sub(ms(kept))),
            code_free_by_ms: now - CODE_HELD_MS,
        }
    }
}

fn add(sum: &mut Deleted, piece: Deleted) {
    sum.rows += piece.rows;
    sum.bytes += piece.bytes;
}

pub(super) fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
