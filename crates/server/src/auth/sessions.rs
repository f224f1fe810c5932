//! Sessions that were valid a moment ago, so that not every request reads the database.
//!
//! Used only by `hosts`. No entry is older than [`FRESH`], counted from before it was read. So a session that ends on
//! another node becomes invalid on this one within a second, even without a notice. A session that ends on this node,
//! or whose end is reported by a notice, is forgotten at once, also by a read that is under way.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use moka::future::Cache;

use super::token::HostTokenHash;
use crate::store::SessionRow;

/// How long a session is accepted without another read: less than the second within which a revocation takes effect.
pub const FRESH: Duration = Duration::from_millis(800);

/// The most sessions remembered.
const MOST: u64 = 10_000;

/// The sessions of this node's hosts.
pub struct Sessions {
    known: Cache<HostTokenHash, Known>,
    /// Counts the calls of [`Sessions::forget`].
    forgotten: AtomicU64,
}

#[derive(Clone)]
struct Known {
    session: SessionRow,
    read_at: Instant,
}

/// When a read of the database began, and how many sessions had been forgotten by then.
#[derive(Clone, Copy)]
pub struct Reading {
    at: Instant,
    forgotten: u64,
}

impl Default for Sessions {
    fn default() -> Self {
        let known = Cache::builder().max_capacity(MOST).time_to_live(FRESH).build();
        Self { known, forgotten: AtomicU64::new(0) }
    }
}

impl Sessions {
    /// The session, if it was read less than [`FRESH`] ago and has not expired at `unix_ms`, milliseconds since 1970.
    pub async fn get(&self, token: &HostTokenHash, now: Instant, unix_ms: i64) -> Option<SessionRow> {
        let known = self.known.get(token).await?;
        let fresh = now.saturating_duration_since(known.read_at) < FRESH && known.session.expires_at_ms > unix_ms;
        fresh.then_some(known.session)
    }

    /// The beginning of a read at this time; must be called before the database is read.
    pub fn reading(&self, now: Instant) -> Reading {
        Reading { at: now, forgotten: self.forgotten.load(Ordering::SeqCst) }
    }

    /// Remembers the result of a read, unless any session was forgotten since it began.
    pub async fn put(&self, token: HostTokenHash, session: SessionRow, reading: Reading) {
        self.known.insert(token, Known { session, read_at: reading.at }).await;
        if self.forgotten.load(Ordering::SeqCst) != reading.forgotten {
            self.known.invalidate(&token).await;
        }
    }

    /// Forgets these sessions.
    pub async fn forget(&self, tokens: &[HostTokenHash]) {
        if tokens.is_empty() {
            return;
        }
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        for token in tokens {
            self.known.invalidate(token).await;
        }
    }
}
