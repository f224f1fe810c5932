//! A bounded memory of pairs that were seen: an address and a game's code, or an address and an account.
//!
//! Used by the limits of joining and signing in. Forgets the oldest half when it is full. It exists only in this
//! process, so it may only make something easier.

use std::collections::HashSet;
use std::hash::Hash;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The keys seen last, at least half as many as there is room for.
#[derive(Debug)]
pub struct Known<K> {
    half: usize,
    halves: Mutex<Halves<K>>,
}

#[derive(Debug)]
struct Halves<K> {
    young: HashSet<K>,
    old: HashSet<K>,
}

impl<K: Clone + Eq + Hash> Known<K> {
    /// With room for `room` keys.
    pub fn new(room: usize) -> Self {
        Self { half: (room / 2).max(1), halves: Mutex::new(Halves { young: HashSet::new(), old: HashSet::new() }) }
    }

    /// Remembers a key as the newest.
    pub fn insert(&self, key: K) {
        let mut halves = self.halves();
        if halves.young.len() >= self.half && !halves.young.contains(&key) {
            halves.old = mem::take(&mut halves.young);
        }
        halves.young.insert(key);
    }

    /// Whether the key was seen and is still remembered.
    pub fn contains(&self, key: &K) -> bool {
        let halves = self.halves();
        halves.young.contains(key) || halves.old.contains(key)
    }

    fn halves(&self) -> MutexGuard<'_, Halves<K>> {
        self.halves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
