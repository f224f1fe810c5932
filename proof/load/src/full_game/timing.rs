//! Latencies and counts of a full game, filled by every bot. Times are kept in microseconds with three digits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

/// One distribution of durations.
#[derive(Debug)]
pub struct Latency(Mutex<Histogram<u64>>);

/// A distribution in numbers, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Percentiles {
    /// How many were measured.
    pub count: u64,
    /// The median.
    pub p50: f64,
    /// 95 of 100 are at most this.
    pub p95: f64,
    /// 99 of 100 are at most this.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl Default for Latency {
    fn default() -> Self {
        // One microsecond to an hour.
        let histogram = Histogram::new_with_bounds(1, 3_600_000_000, 3);
        Self(Mutex::new(histogram.expect("the bounds are in order and three digits within what a histogram can")))
    }
}

impl Latency {
    /// Adds one.
    pub fn record(&self, taken: Duration) {
        let micros = u64::try_from(taken.as_micros()).unwrap_or(u64::MAX).max(1);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).saturating_record(micros);
    }

    /// The distribution so far.
    pub fn spread(&self) -> Percentiles {
        let histogram = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = |quantile| milliseconds(histogram.value_at_quantile(quantile));
        Percentiles {
            count: histogram.len(),
            p50: at(0.5),
            p95: at(0.95),
            p99: at(0.99),
            max: milliseconds(histogram.max()),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a duration of centuries may lose microseconds")]
fn milliseconds(micros: u64) -> f64 {
    micros as f64 / 1e3
}

/// A count.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// One more.
    pub fn add(&self) {
        self.add_more(1);
    }

    /// Adds `more`.
    pub fn add_more(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// So far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Everything that is measured.
#[derive(Debug, Default)]
pub struct Timing {
    /// `POST /join`, from the first attempt to its answer.
    pub join: Latency,
    /// From the handshake to the last sync message.
    pub resync: Latency,
    /// From the host's `release_question` to a player's `question_released`.
    pub question: Latency,
    /// From `submit_answer` to its `answer_accepted`, on one line.
    pub ack: Latency,
    /// From the host's `release_scores` to a player's `round_scores`.
    pub scores: Latency,
    /// Messages read.
    pub messages: Count,
    /// Answers acknowledged.
    pub acked: Count,
    /// Those in whose place a later one of the same player counts.
    pub replaced: Count,
    /// Sheets of teams that phones showed at the end of a round and in the lobby, each as it is committed.
    pub sheets: Count,
    /// Lines cut or left on purpose.
    pub stepped_out: Count,
    /// Lines the server closed or lost.
    pub lost: Count,
    /// Attempts to connect that were refused for now.
    pub refused: Count,
    /// Answers that crossed `round_ended` or `question_closed` and were closed with 4003 or 4005, as the contract says.
    pub crossed: Count,
    /// Encrypted copies of pictures that were loaded.
    pub loaded: Count,
    /// Pictures opened after the release of their questions.
    pub opened: Count,
}
