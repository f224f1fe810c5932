//! The measured games: states of one game of 1,000 players and 10 questions, taken from its log.

use quizhall_rules::{Change, Event, State};

use crate::game::node::StoredRow;
use crate::game::{FixedGame, Played};

/// Players of the game.
pub const PLAYERS: usize = 1_000;
/// Answers that share a batch.
pub const BATCH: usize = 500;

/// The game and its log.
pub struct Games {
    played: Played,
    events: Vec<Event>,
}

impl Games {
    /// Plays the game.
    pub fn played() -> Self {
        let played = FixedGame::of(PLAYERS).play();
        played.check();
        let events = played.log().iter().flat_map(|row| row.read().events).collect();
        Self { played, events }
    }

    /// The whole log as it is stored.
    pub fn rows(&self) -> &[StoredRow] {
        self.played.log()
    }

    /// The whole log, read.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// A game with its first question open and half of the answers given, and the answers that come next.
    pub fn asking(&self) -> (State, &[Event]) {
        let is_answer = |event: &Event| matches!(event.change, Change::Answered { .. });
        let first = self.events.iter().position(is_answer).expect("a player answers");
        let half = first + PLAYERS - BATCH;
        let batch = &self.events[half..half + BATCH];
        assert!(batch.iter().all(is_answer), "the answers to the first question come in a row");
        (self.up_to(half), batch)
    }

    /// A game whose scores were just released.
    pub fn scored(&self) -> (State, u64) {
        let released = self.events.iter().position(|event| matches!(event.change, Change::ScoresReleased { .. }));
        let next = released.expect("scores are released") + 1;
        (self.up_to(next), next as u64)
    }

    fn up_to(&self, next: usize) -> State {
        State::replay(&self.events[..next]).expect("the log is a game's")
    }
}
