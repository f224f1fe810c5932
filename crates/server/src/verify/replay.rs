//! One game's log, replayed row by row: each row must follow the previous one, be readable, and be accepted by the
//! rules.

use quizhall_rules::{Change, Event, GameId, State};

use crate::store::LogRow;

/// The state after the rows so far.
pub(super) struct Replay {
    game: GameId,
    state: Option<State>,
    next_seq: u64,
    epoch: u64,
    rows: u64,
    gap: bool,
}

impl Replay {
    pub(super) fn new(game: GameId) -> Self {
        Self { game, state: None, next_seq: 0, epoch: 0, rows: 0, gap: false }
    }

    pub(super) fn game(&self) -> GameId {
        self.game
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn events(&self) -> u64 {
        self.next_seq
    }

    /// Whether the events so far make this state.
    pub(super) fn is_at(&self, state: &State) -> bool {
        self.state.as_ref() == Some(state)
    }

    /// Whether rows were found missing.
    pub(super) fn is_incomplete(&self) -> bool {
        self.gap
    }

    /// Takes the next row; an error names its fault.
    pub(super) fn push(&mut self, row: &LogRow) -> Result<(), String> {
        if row.seq != self.next_seq {
            self.gap = true;
            return Err(format!(
                "its log has a gap before event {}: the row of event {} follows",
                self.next_seq, row.seq
            ));
        }
        let wrong = |what: &str| format!("the row of event {} {what}", row.seq);
        let events: Vec<Event> = serde_json::from_str(&row.body).map_err(|_| wrong("cannot be parsed"))?;
        if events.len() as u64 != u64::from(row.count) || events.is_empty() {
            return Err(wrong("does not hold as many events as it says"));
        }
        if row.epoch < self.epoch {
            return Err(wrong("is of an earlier owner than the row before"));
        }
        for event in &events {
            self.apply(event).map_err(wrong)?;
        }
        self.rows += 1;
        self.epoch = row.epoch;
        self.next_seq += events.len() as u64;
        Ok(())
    }

    fn apply(&mut self, event: &Event) -> Result<(), &'static str> {
        match (&mut self.state, &event.change) {
            (None, Change::Created(created)) if created.game == self.game => {
                self.state = Some(State::created(created));
                Ok(())
            }
            (None, Change::Created(_)) => Err("creates another game"),
            (None, _) => Err("is the first, and does not create the game"),
            (Some(_), Change::Created(_)) => Err("creates the game again"),
            (Some(state), _) => {
                state.apply(event);
                Ok(())
            }
        }
    }

    /// The fault of the whole log, after all its rows were taken.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        self.gap |= self.state.is_none();
        if self.state.is_none() { Err("its log is empty".to_owned()) } else { Ok(()) }
    }
}
