//! A bounded map from keys to their recent use, which forgets keys without any.
//!
//! Used by the throttles and by the reconnects of participants. Time is an argument.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use crate::moment::Moment;

/// Between two searches for keys to forget, when the map is full: not every newcomer pays for one.
const SWEEP_PAUSE: Duration = Duration::from_secs(1);

/// The keys with their values.
#[derive(Debug)]
pub struct Keyed<K, V> {
    known: HashMap<K, V>,
    first_sweep: usize,
    most: usize,
    sweep_at: usize,
    swept: Moment,
}

impl<K: Eq + Hash, V: Default> Keyed<K, V> {
    /// An empty map that first looks for keys to forget at `first_sweep` keys, and holds at most `most`.
    pub fn new(first_sweep: usize, most: usize) -> Self {
        Self { known: HashMap::new(), first_sweep, most, sweep_at: first_sweep, swept: Moment::NEVER }
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.known.get(key)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.known.get_mut(key)
    }

    /// The entry of a key, a new one if there is none; `None` of a new key when the map is full. A full map forgets the values that
    /// `is_forgotten` names, and looks for them at most once a second.
    pub fn entry(&mut self, key: K, now: Moment, is_forgotten: impl Fn(&V) -> bool) -> Option<&mut V> {
        let is_full = self.known.len() >= self.most;
        if self.known.len() >= self.sweep_at && !(is_full && now.since(self.swept) < SWEEP_PAUSE) {
            self.swept = now;
            self.known.retain(|_, value| !is_forgotten(value));
            self.sweep_at = (self.known.len() * 2).clamp(self.first_sweep, self.most);
        }
        if self.known.len() >= self.most && !self.known.contains_key(&key) {
            return None;
        }
        Some(self.known.entry(key).or_default())
    }
}
