//! One game's log, replayed row by row: each must follow the one before, be readable, and be taken by the rules.

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

    /// Takes the next row, or says what is wrong with it.
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

    /// What is wrong with the whole, when all its rows were taken.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        self.gap |= self.state.is_none();
        if self.state.is_none() { Err("its log is empty".to_owned()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use quizhall_rules::{Created, HostId, Quiz};
    use uuid::Uuid;

    use super::*;

    fn game() -> GameId {
        GameId::from(Uuid::from_u128(1))
    }

    fn created(game: GameId) -> Event {
        let created = Created {
            game,
            host: HostId::from(Uuid::from_u128(2)),
            code: "ABC234".to_owned(),
            quiz: Quiz { title: String::new(), rounds: Vec::new() },
            join_secret: [0; 32],
            created_at_ms: 1,
        };
        Event { change: Change::Created(created.into()), command_id: None }
    }

    fn claimed(epoch: u64) -> Event {
        Event { change: Change::Claimed { epoch, node: Uuid::nil() }, command_id: None }
    }

    fn row(seq: u64, epoch: u64, events: &[Event]) -> LogRow {
        let count = u32::try_from(events.len()).unwrap();
        LogRow { seq, count, epoch, batch: 1, body: serde_json::to_string(events).unwrap() }
    }

    /// What is said of a log of these rows.
    fn of(rows: &[LogRow]) -> Result<(), String> {
        let mut replay = Replay::new(game());
        for row in rows {
            replay.push(row)?;
        }
        replay.finish()
    }

    #[test]
    fn a_whole_log_is_taken() {
        let rows = [row(0, 0, &[created(game())]), row(1, 1, &[claimed(1)]), row(2, 2, &[claimed(2), claimed(3)])];
        assert_eq!(of(&rows), Ok(()));
        assert_eq!(of(&rows[..1]), Ok(()));
    }

    #[test]
    fn everything_else_is_named_by_its_first_event() {
        let first = row(0, 0, &[created(game())]);
        let second = row(1, 5, &[claimed(5)]);
        let cut = LogRow { body: "[{\"c\":{\"t\":\"clai".to_owned(), ..second.clone() };
        let counted = LogRow { count: 2, ..second.clone() };
        let cases: [(&[LogRow], &str); 8] = [
            (&[], "is empty"),
            (std::slice::from_ref(&second), "gap before event 0"),
            (&[first.clone(), row(2, 5, &[claimed(5)])], "gap before event 1"),
            (&[first.clone(), cut], "the row of event 1 cannot be parsed"),
            (&[first.clone(), counted], "the row of event 1 does not hold as many"),
            (&[first.clone(), second.clone(), row(2, 4, &[claimed(4)])], "the row of event 2 is of an earlier owner"),
            (&[row(0, 0, &[created(GameId::from(Uuid::from_u128(9)))])], "creates another game"),
            (&[first.clone(), row(1, 0, &[created(game())])], "creates the game again"),
        ];
        for (rows, expected) in cases {
            let what = of(rows).unwrap_err();
            assert!(what.contains(expected), "{what}");
        }
    }
}
