//! Games as the store keeps them: a line to find them by, and the first row of their log.

use quizhall_rules::{GameId, HostId, Phase};
use uuid::Uuid;

use super::log;

/// A game to create.
#[derive(Clone)]
pub struct NewGame {
    /// Its id.
    pub id: GameId,
    /// Whose it is.
    pub host: HostId,
    /// The quiz it was made from.
    pub quiz: Uuid,
    /// A fresh code, upper case.
    pub code: String,
    /// Title of the quiz.
    pub title: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Random name of the log's first row.
    pub batch: u64,
    /// A JSON array with the one event `Created`.
    pub body: String,
    /// How many games of this host may be live at once, this one included.
    pub live_limit: u32,
}

/// A game that the database knows, by its line or by its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub game: GameId,
    /// Deleted or abandoned.
    pub closed: bool,
    /// Whether it has a line; a log without one belongs to nothing.
    pub has_line: bool,
}

impl NewGame {
    /// What is stored as the checksum of the log's first row.
    pub(super) fn checksum(&self) -> u32 {
        log::checksum(self.id, [0, 1, 0, self.batch], self.body.as_bytes())
    }
}

/// What became of a new game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameCreation {
    /// It exists now.
    Created,
    /// Another game holds the code: draw another.
    CodeTaken,
    /// The host has as many live games as allowed.
    TooManyLive,
}

/// The line of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// Its id.
    pub id: GameId,
    /// Whose it is.
    pub host: HostId,
    /// The quiz it was made from, which may be gone by now; `None` for games of before this was kept.
    pub quiz: Option<Uuid>,
    /// Its code.
    pub code: String,
    /// Title of the quiz.
    pub title: String,
    /// Its phase, as of the last committed row of its log.
    pub phase: Phase,
    /// Deleted or abandoned.
    pub closed: bool,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub ended_at_ms: Option<i64>,
    /// Its log could not be read when that was tried last.
    pub damaged: bool,
}
