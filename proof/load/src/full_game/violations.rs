//! Violations of the promises: counted by kind, with a few examples of each. Numbers and ids only, never a token.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// Examples kept per kind.
const EXAMPLES: usize = 5;

/// All violations of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// A stable word for the broken promise.
    pub kind: &'static str,
    /// How often.
    pub count: u64,
    /// The first few, in words.
    pub examples: Vec<String>,
}

/// The list, filled by every bot at once.
#[derive(Debug, Default)]
pub struct Violations {
    kinds: Mutex<BTreeMap<&'static str, Violation>>,
}

impl Violations {
    /// Notes one.
    pub fn note(&self, kind: &'static str, what: impl Into<String>) {
        // A panic elsewhere leaves a list that is still true.
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        let violation = kinds.entry(kind).or_insert_with(|| Violation { kind, count: 0, examples: Vec::new() });
        violation.count += 1;
        if violation.examples.len() < EXAMPLES {
            violation.examples.push(what.into());
        }
    }

    /// Notes one when `holds` is false.
    pub fn check(&self, holds: bool, kind: &'static str, what: impl FnOnce() -> String) {
        if !holds {
            self.note(kind, what());
        }
    }

    /// Everything so far, by kind.
    pub fn list(&self) -> Vec<Violation> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}
