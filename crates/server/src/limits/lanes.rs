//! Lanes limit what runs at once for one key (an address, an account, a game), in order, and over all keys together.
//!
//! Used by `http` (lookups of codes, joins) and by the limits of signing in. A caller that stops waiting leaves the
//! lane at once. Limits over time are throttles, not lanes.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// One key may hold this many times the free places, so at most three quarters of all: even with everything in one lane
/// the next key finds a place.
const SHARE: usize = 3;

/// A lane for each key in use.
#[derive(Debug)]
pub struct Lanes<K> {
    width: usize,
    most: usize,
    open: Mutex<Open<K>>,
}

#[derive(Debug)]
struct Open<K> {
    by_key: HashMap<K, Lane>,
    /// Callers that wait or have entered, over all lanes.
    taken: usize,
}

#[derive(Debug)]
struct Lane {
    places: Arc<Semaphore>,
    taken: usize,
}

/// A place at the head of a lane; dropping it lets the next caller in.
#[derive(Debug)]
pub struct InLane<'a, K: Eq + Hash> {
    lanes: &'a Lanes<K>,
    key: K,
    permit: Option<OwnedSemaphorePermit>,
}

/// Too many callers wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

impl<K: Clone + Eq + Hash> Lanes<K> {
    /// `width` callers of one key run at once; over all keys `most` wait or run.
    pub fn new(width: usize, most: usize) -> Self {
        let open = Mutex::new(Open { by_key: HashMap::new(), taken: 0 });
        Self { width: width.max(1), most, open }
    }

    /// Waits for a place, after all earlier callers of the same key.
    ///
    /// # Errors
    /// [`Full`], at once, when the key holds its share of the places or none is left.
    pub async fn enter(&self, key: K) -> Result<InLane<'_, K>, Full> {
        let places = self.stand(&key)?;
        // From here on a caller that gives up leaves the lane.
        let mut place = InLane { lanes: self, key, permit: None };
        place.permit = places.acquire_owned().await.ok();
        Ok(place)
    }

    /// How many wait or run, over all keys.
    pub fn taken(&self) -> usize {
        self.open().taken
    }

    fn stand(&self, key: &K) -> Result<Arc<Semaphore>, Full> {
        let mut open = self.open();
        let left = self.most.saturating_sub(open.taken);
        let held = open.by_key.get(key).map_or(0, |lane| lane.taken);
        if held >= left.saturating_mul(SHARE) {
            return Err(Full);
        }
        open.taken += 1;
        let fresh = || Lane { places: Arc::new(Semaphore::new(self.width)), taken: 0 };
        let lane = open.by_key.entry(key.clone()).or_insert_with(fresh);
        lane.taken += 1;
        Ok(Arc::clone(&lane.places))
    }
}

impl<K: Eq + Hash> Lanes<K> {
    fn open(&self) -> MutexGuard<'_, Open<K>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Drop for InLane<'_, K> {
    fn drop(&mut self) {
        drop(self.permit.take());
        let mut open = self.lanes.open();
        open.taken -= 1;
        if let Some(lane) = open.by_key.get_mut(&self.key) {
            lane.taken -= 1;
            if lane.taken == 0 {
                open.by_key.remove(&self.key);
            }
        }
    }
}
