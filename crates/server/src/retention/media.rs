//! Deleting pictures and sounds for good: those unused for the grace period, and what interrupted uploads have left.
//!
//! Called by the purge. A file that a quiz or a kept game uses is never deleted: the statement that deletes it checks
//! again.

use std::time::Duration;

use uuid::Uuid;

use super::Retention;
use super::purge::ms;
use crate::store::StoreError;

/// The least time between the last use of a file and its deletion: a host may just have uploaded it for a quiz that is
/// not saved yet.
const AT_LEAST: Duration = Duration::from_secs(60 * 60);

/// After this time, in milliseconds, every upload has ended.
const UPLOADED_MS: i64 = 60 * 60 * 1_000;

impl Retention {
    /// Deletes the files that were unused for the grace period by `now_ms` (milliseconds since 1970), and returns their
    /// number.
    ///
    /// # Errors
    /// A failing database; earlier deletions are kept.
    pub async fn purge_media(&self, now_ms: i64) -> Result<u64, StoreError> {
        let grace = ms(self.settings.purge_grace.max(AT_LEAST));
        let deleted = self.store.sweep_media(now_ms, now_ms.saturating_sub(grace)).await?;
        let count = deleted.len() as u64;
        self.store.delete_media_parts(deleted).await?;
        self.delete_orphans(now_ms).await?;
        Ok(count)
    }

    /// Deletes parts of files without a row.
    async fn delete_orphans(&self, now_ms: i64) -> Result<(), StoreError> {
        let mut after = Uuid::nil();
        loop {
            let page = self.store.media_with_parts(after).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = *last;
            let old = page.into_iter().filter(|id| made_at_ms(*id) <= now_ms.saturating_sub(UPLOADED_MS));
            let orphans = self.store.without_line(old.collect()).await?;
            self.store.delete_media_parts(orphans).await?;
        }
    }
}

/// When the id was made, in milliseconds since 1970.
fn made_at_ms(id: Uuid) -> i64 {
    let (seconds, nanoseconds) = id.get_timestamp().map_or((0, 0), |made| made.to_unix());
    i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1_000) + i64::from(nanoseconds / 1_000_000)
}
