//! The places of downloads: how many run at once, how many of them go to one address, and which one ends for a new one.
//!
//! A download holds a part of a file in memory, so the number of places is limited. A client that reads nothing must
//! not keep a place from others: when places are short, the download that is furthest behind ends, and while any
//! download is behind, a new one never waits.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::time::timeout;

use crate::clock;
use crate::limits::AddressKey;
use crate::pace::Pace;
use crate::telemetry::{Limit, metrics};

/// Most downloads of the whole process at once: each holds one part, which the cache may have dropped.
pub const PLACES: usize = 256;

/// Most downloads to one address. A venue of 2,000 phones has one address, so this is not a small share.
pub const SHARE: usize = PLACES / 4 * 3;

/// How long a download counts for a place. A longer one continues without a place while such downloads are no more than
/// the places; then the oldest ends.
pub const COUNTS: Duration = Duration::from_mins(1);

/// How far behind a download must be to end for a new one: more than the pause between two acknowledgements on a slow
/// line.
pub const STALLED: Duration = Duration::from_secs(5);

/// How often a waiting download checks whether another one has fallen behind.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// The downloads under way.
#[derive(Debug, Default)]
pub struct Downloads {
    list: Mutex<List>,
    freed: Notify,
}

/// Downloads in the order in which they began.
#[derive(Debug, Default)]
struct List {
    next: u64,
    under_way: BTreeMap<u64, UnderWay>,
}

#[derive(Debug)]
struct UnderWay {
    address: AddressKey,
    pace: Pace,
    begun: Instant,
}

/// The place of a download, given back when dropped.
#[derive(Debug)]
pub struct Place {
    downloads: Arc<Downloads>,
    number: u64,
}

impl Downloads {
    /// Waits at most `longest` for a place; `None` when there is none by then.
    pub async fn enter(self: &Arc<Self>, (address, pace): (AddressKey, &Pace), longest: Duration) -> Option<Place> {
        let entered = async {
            loop {
                if let Some(place) = self.try_enter((address, pace), clock::now()) {
                    return place;
                }
                let _ = timeout(LOOK_AGAIN, self.freed.notified()).await;
            }
        };
        timeout(longest, entered).await.ok()
    }

    /// A place for a download that begins now; `None` when it has to wait.
    pub fn try_enter(self: &Arc<Self>, (address, pace): (AddressKey, &Pace), now: Instant) -> Option<Place> {
        let mut list = self.list();
        list.make_room(address, now)?;
        let number = list.next;
        list.next += 1;
        list.under_way.insert(number, UnderWay { address, pace: pace.clone(), begun: now });
        Some(Place { downloads: Arc::clone(self), number })
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl List {
    /// Ends a download if that is needed for one to this address; `None` when the new one has to wait.
    fn make_room(&mut self, address: AddressKey, now: Instant) -> Option<()> {
        let counted = || self.under_way.iter().filter(|(_, it)| now.saturating_duration_since(it.begun) < COUNTS);
        let (of_all, of_one) = (counted().count(), counted().filter(|(_, it)| it.address == address).count());
        if of_all >= PLACES || of_one >= SHARE {
            let of_share = counted().filter(|(_, it)| of_one < SHARE || it.address == address);
            let slowest = of_share.map(|(number, it)| (it.pace.behind(now), *number)).max();
            let (_, number) = slowest.filter(|(behind, _)| *behind >= STALLED)?;
            self.end(number);
        } else if self.under_way.len() >= 2 * PLACES
            && let Some((oldest, _)) = self.under_way.first_key_value()
        {
            self.end(*oldest);
        }
        Some(())
    }

    fn end(&mut self, number: u64) {
        if let Some(ended) = self.under_way.remove(&number) {
            metrics::limit_reached(Limit::DownloadsEnded);
            ended.pace.end();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.downloads.list().under_way.remove(&self.number);
        self.downloads.freed.notify_one();
    }
}
