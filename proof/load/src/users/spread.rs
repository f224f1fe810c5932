//! A distribution of times in microseconds: an HDR histogram that can travel between processes and into a report.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Three digits up to ten minutes.
const LONGEST: u64 = 600_000_000;

/// A distribution of microseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub struct Spread(Histogram<u64>);

impl Default for Spread {
    fn default() -> Self {
        Self(Histogram::new_with_bounds(1, LONGEST, 3).expect("the bounds are sound"))
    }
}

impl Spread {
    /// Adds a time; anything longer than ten minutes counts as that.
    pub fn record(&mut self, micros: u64) {
        self.0.saturating_record(micros.max(1));
    }

    /// Adds all of another.
    pub fn add(&mut self, other: &Self) {
        self.0.add(&other.0).expect("same bounds");
    }

    /// How many times.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The time that this share of all does not exceed, in microseconds; 0 when there is none.
    pub fn at(&self, share: f64) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.value_at_quantile(share) }
    }

    /// The shortest.
    pub fn min(&self) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.min() }
    }

    /// The longest.
    pub fn max(&self) -> u64 {
        self.0.max()
    }

    /// Every bucket that holds something: its middle in microseconds, and how many.
    pub fn buckets(&self) -> Vec<(u64, u64)> {
        self.0.iter_recorded().map(|step| (step.value_iterated_to(), step.count_since_last_iteration())).collect()
    }
}

impl From<Vec<(u64, u64)>> for Spread {
    fn from(buckets: Vec<(u64, u64)>) -> Self {
        let mut spread = Self::default();
        for (micros, count) in buckets {
            spread.0.saturating_record_n(micros.max(1), count);
        }
        spread
    }
}

impl From<Spread> for Vec<(u64, u64)> {
    fn from(spread: Spread) -> Self {
        spread.buckets()
    }
}
