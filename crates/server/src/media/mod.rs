//! Pictures and sounds of hosts, uploaded and downloaded: which types are accepted, how much is transferred at once,
//! and the parts that were read lately.
//!
//! Called by `http`. Holds a bounded number of parts in memory, never a whole file. Stores nothing by itself and knows
//! no games.

mod cipher;
pub mod downloads;
mod kind;
mod parts;
mod size;

use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::HostId;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

pub use cipher::sealed;
pub use downloads::Place;
pub use kind::MediaType;
pub use parts::PartCache;
pub use size::PictureSize;

use crate::cluster::bus::SharedLimits;
use crate::limits::{AddressKey, Allowances, Allowed, InLane, Lanes, SharedThrottle};
use crate::pace::Pace;
use crate::telemetry::{Limit, metrics};

use downloads::Downloads;

/// Uploads of one account in a minute, and at once.
const UPLOADS_PER_MINUTE: u32 = 120;

/// Most uploads of the whole process at once: each holds one part.
const UPLOADS: usize = 32;

/// Most uploads of one account at once, so that its slow ones leave places to others; further ones wait for their turn.
const UPLOADS_OF_ONE: usize = UPLOADS / 4;

/// Most uploads of all accounts that wait or are under way. One account has at most three quarters of them.
const UPLOADS_IN_LINE: usize = 128;

/// How long an upload waits for earlier ones of its account.
const UPLOAD_WAIT: Duration = Duration::from_secs(3);

/// The limits of uploads and downloads, and the cache of this process.
pub struct Media {
    per_host: SharedThrottle<HostId>,
    of_one: Lanes<HostId>,
    uploads: Semaphore,
    downloads: Arc<Downloads>,
    /// The parts that were read lately.
    pub parts: PartCache,
}

/// An upload under way, until this is dropped.
pub struct Upload<'a> {
    _of_one: InLane<'a, HostId>,
    _of_all: SemaphorePermit<'a>,
}

/// Why an upload or a download cannot begin now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotNow {
    /// The account has sent too many uploads; holds how long it has to wait.
    TooOften(Duration),
    /// This process has too many transfers under way.
    Busy,
}

impl Media {
    /// Nothing is cached, and every allowance on this node is full. `limits`: the limits that nodes share, if there are
    /// other nodes.
    pub fn new(limits: Option<Arc<dyn SharedLimits>>) -> Self {
        let allowed = Allowed { rate: UPLOADS_PER_MINUTE, period: Duration::from_mins(1), burst: UPLOADS_PER_MINUTE };
        let allowances = limits.map(Allowances::new);
        Self {
            per_host: SharedThrottle::new(Limit::UploadsPerHost, allowed, allowances.as_ref()),
            of_one: Lanes::new(UPLOADS_OF_ONE, UPLOADS_IN_LINE),
            uploads: Semaphore::new(UPLOADS),
            downloads: Arc::default(),
            parts: PartCache::default(),
        }
    }

    /// Counts an upload of this account, and waits a short time for its turn among those of the account.
    ///
    /// # Errors
    /// [`NotNow`]; an upload that is refused as busy has been counted.
    pub async fn begin_upload(&self, host: HostId) -> Result<Upload<'_>, NotNow> {
        self.per_host.take(host).await.map_err(NotNow::TooOften)?;
        let of_one = timeout(UPLOAD_WAIT, self.of_one.enter(host)).await.ok().and_then(Result::ok);
        let of_one = of_one.ok_or_else(|| NotNow::busy(Limit::UploadsAtOncePerHost))?;
        let of_all = self.uploads.try_acquire().map_err(|_| NotNow::busy(Limit::Uploads))?;
        Ok(Upload { _of_one: of_one, _of_all: of_all })
    }

    /// Waits until a download to this address, over a connection with this pace, may begin. It is under way until the
    /// place is dropped.
    ///
    /// # Errors
    /// [`NotNow::Busy`] when there is no place for `longest`.
    pub async fn begin_download(&self, to: (AddressKey, &Pace), longest: Duration) -> Result<Place, NotNow> {
        self.downloads.enter(to, longest).await.ok_or_else(|| NotNow::busy(Limit::Downloads))
    }
}

impl NotNow {
    fn busy(limit: Limit) -> Self {
        metrics::limit_reached(limit);
        Self::Busy
    }
}
