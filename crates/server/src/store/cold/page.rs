//! A page of a list that is ordered by a time and an id, the newest first.
//!
//! Made by `http` from the parameters of a request, read by `quizzes`, `games` and `search`. Contains no SQL.

use uuid::Uuid;

/// Which lines of a list to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many lines at most.
    pub limit: u32,
    /// The line before the first one to read; `None`: begin with the newest.
    pub after: Option<Place>,
}

/// A line's place in the order of its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The time by which it is ordered, milliseconds since 1970; for a question, its place in the quiz.
    pub time_ms: i64,
    /// Its id.
    pub id: Uuid,
}

impl Page {
    /// The first `limit` lines.
    pub fn first(limit: u32) -> Self {
        Self { limit, after: None }
    }

    /// The place after which every line of the page comes.
    pub(super) fn start(self) -> Place {
        self.after.unwrap_or(Place { time_ms: i64::MAX, id: Uuid::max() })
    }
}
