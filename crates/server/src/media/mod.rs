//! Pictures and sounds of hosts on their way in and out: which types are taken, how much may come in at once, and the parts
//! that were read lately.
//!
//! Called by `http`. Holds a bounded number of parts in memory, never a whole file. Stores nothing by itself and knows no game.

mod cipher;
mod kind;
mod parts;

use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::HostId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use cipher::sealed;
pub use kind::MediaType;
pub use parts::PartCache;

use crate::auth::{Allowances, Allowed, SharedThrottle};
use crate::cluster::bus::SharedLimits;
use crate::telemetry::{Limit, metrics};

/// Uploads of one account in a minute, and at once.
const UPLOADS_PER_MINUTE: u32 = 120;

/// Uploads of the whole process at once: each holds one part.
const UPLOADS: usize = 32;

/// Downloads of the whole process at once: each holds one part, which may be in no cache any more.
const DOWNLOADS: usize = 256;

/// The limits of uploads and downloads, and the cache of this process.
pub struct Media {
    per_host: SharedThrottle<HostId>,
    uploads: Arc<Semaphore>,
    downloads: Arc<Semaphore>,
    /// The parts that were read lately.
    pub parts: PartCache,
}

/// Why an upload or a download was not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotNow {
    /// The account has sent too many; how long it has to wait.
    TooOften(Duration),
    /// Too many of this process are on their way.
    Busy,
}

impl Media {
    /// Nothing is cached, and every allowance on this node is whole. `limits`: what nodes share, if there are others.
    pub fn new(limits: Option<Arc<dyn SharedLimits>>) -> Self {
        let allowed = Allowed { rate: UPLOADS_PER_MINUTE, period: Duration::from_mins(1), burst: UPLOADS_PER_MINUTE };
        let allowances = limits.map(Allowances::new);
        Self {
            per_host: SharedThrottle::new(Limit::UploadsPerHost, allowed, allowances.as_ref()),
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
            parts: PartCache::default(),
        }
    }

    /// Counts an upload of this account. It is on its way until the permit is dropped.
    ///
    /// # Errors
    /// [`NotNow`]; an upload that is refused as busy was counted.
    pub async fn begin_upload(&self, host: HostId) -> Result<OwnedSemaphorePermit, NotNow> {
        self.per_host.take(host).await.map_err(NotNow::TooOften)?;
        Arc::clone(&self.uploads).try_acquire_owned().map_err(|_| {
            metrics::limit_reached(Limit::Uploads);
            NotNow::Busy
        })
    }

    /// Waits until a download may begin. It is on its way until the permit is dropped.
    ///
    /// # Errors
    /// [`NotNow::Busy`] when none has ended for `longest`.
    pub async fn begin_download(&self, longest: Duration) -> Result<OwnedSemaphorePermit, NotNow> {
        let permit = tokio::time::timeout(longest, Arc::clone(&self.downloads).acquire_owned()).await;
        permit.ok().and_then(Result::ok).ok_or_else(|| {
            metrics::limit_reached(Limit::Downloads);
            NotNow::Busy
        })
    }
}
