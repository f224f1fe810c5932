//! The result of a run: one outcome per row, printed as one line per failing row and a closing line.

use std::fmt;

/// The outcome of one row.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The row's id.
    pub id: String,
    /// Why it failed, if it did.
    pub failure: Option<String>,
}

/// A whole run.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Every row that was run, by id.
    pub outcomes: Vec<Outcome>,
    /// The ids of rows left out because the server does not offer the extension.
    pub not_offered: Vec<String>,
}

impl Report {
    /// Rows that passed.
    pub fn passed(&self) -> usize {
        self.outcomes.len() - self.failed()
    }

    /// Rows that failed.
    pub fn failed(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.failure.is_some()).count()
    }

    /// Whether the server conforms: some rows were run and none failed.
    pub fn is_green(&self) -> bool {
        !self.outcomes.is_empty() && self.failed() == 0
    }

    pub(crate) fn record(&mut self, id: &str, result: anyhow::Result<()>) {
        let failure = result.err().map(|error| format!("{error:#}").replace(['\n', '\r'], " "));
        self.outcomes.push(Outcome { id: id.to_owned(), failure });
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.outcomes.extend(other.outcomes);
        self.not_offered.extend(other.not_offered);
    }

    pub(crate) fn sort(&mut self) {
        self.outcomes.sort_by(|left, right| left.id.cmp(&right.id));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outcome in &self.outcomes {
            if let Some(failure) = &outcome.failure {
                writeln!(formatter, "FAIL {}: {failure}", outcome.id)?;
            }
        }
        write!(formatter, "{} passed, {} failed", self.passed(), self.failed())?;
        if self.not_offered.is_empty() { Ok(()) } else { write!(formatter, ", {} not offered", self.not_offered.len()) }
    }
}
