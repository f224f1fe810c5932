//! The only source of chance of a simulated world: a small generator that always gives the same numbers for the same seed.

use std::time::Duration;

use quizhall_engine::Time;
use uuid::Uuid;

/// A seeded generator (the mixer of `SplitMix64`); its numbers need not be unpredictable.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D);
        dice.next();
        dice
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, without `high`.
    pub fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low).max(1)
    }

    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.range(0, length as u64)).expect("below a length")
    }

    pub fn chance(&mut self, per_mille: u64) -> bool {
        self.next() % 1_000 < per_mille
    }

    /// A random duration between these numbers of microseconds.
    pub fn micros(&mut self, low: u64, high: u64) -> Time {
        Duration::from_micros(self.range(low, high))
    }

    pub fn millis(&mut self, low: u64, high: u64) -> Time {
        self.micros(low * 1_000, high * 1_000)
    }

    pub fn uuid(&mut self) -> Uuid {
        Uuid::from_u64_pair(self.next(), self.next())
    }
}
