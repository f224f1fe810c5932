//! The measurements and checks of a scenario, for the report.

use serde::{Deserialize, Serialize};

use crate::users::Spread;

/// The outcome of one scenario.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Its name.
    pub scenario: String,
    /// Games played at once.
    pub games: usize,
    /// Players of each.
    pub players: usize,
    /// How long it took, in seconds, without its preparation.
    pub seconds: f64,
    /// Single numbers.
    pub figures: Vec<Figure>,
    /// Distributions of times.
    pub latencies: Vec<Latency>,
    /// The checks.
    pub checks: Vec<Check>,
}

/// A number with its unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Its name, which is the same in every pass.
    pub name: String,
    /// The number.
    pub value: f64,
    /// `ms`, `µs`, `KiB` and so on.
    pub unit: String,
}

/// A distribution of times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// The name of the measured time.
    pub name: String,
    /// The times, in microseconds.
    pub spread: Spread,
}

/// A promise that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The condition.
    pub name: String,
    /// The number that was seen.
    pub seen: u64,
    /// The expected number.
    pub expected: u64,
}

impl Check {
    /// Whether it holds.
    pub fn holds(&self) -> bool {
        self.seen == self.expected
    }
}

impl Outcome {
    /// An outcome with nothing in it yet.
    pub fn of(scenario: &str, games: usize, players: usize) -> Self {
        Self { scenario: scenario.to_owned(), games, players, ..Self::default() }
    }

    /// Adds a number.
    pub fn figure(&mut self, name: &str, value: f64, unit: &str) {
        self.figures.push(Figure { name: name.to_owned(), value, unit: unit.to_owned() });
    }

    /// Adds times to a distribution.
    pub fn latency(&mut self, name: &str, spread: &Spread) {
        match self.latencies.iter_mut().find(|latency| latency.name == name) {
            Some(latency) => latency.spread.add(spread),
            None => self.latencies.push(Latency { name: name.to_owned(), spread: spread.clone() }),
        }
    }

    /// Records a promise with the numbers seen and expected; further calls with the same name add up.
    pub fn check(&mut self, name: &str, seen: u64, expected: u64) {
        match self.checks.iter_mut().find(|check| check.name == name) {
            Some(check) => (check.seen, check.expected) = (check.seen + seen, check.expected + expected),
            None => self.checks.push(Check { name: name.to_owned(), seen, expected }),
        }
    }

    /// A number by its name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|figure| figure.name == name).map(|figure| figure.value)
    }

    /// Whether everything that was checked holds, and something was.
    pub fn holds(&self) -> bool {
        !self.checks.is_empty() && self.checks.iter().all(Check::holds)
    }
}

/// The median of some numbers; 0 without any.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        count if count % 2 == 1 => values[count / 2],
        count => f64::midpoint(values[count / 2 - 1], values[count / 2]),
    }
}

/// Nanoseconds as milliseconds.
#[allow(clippy::cast_precision_loss)]
pub fn millis(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}

/// An amount per item, with nanoseconds as microseconds.
#[allow(clippy::cast_precision_loss)]
pub fn micros_per(nanos: u64, items: usize) -> f64 {
    nanos as f64 / 1e3 / items.max(1) as f64
}
