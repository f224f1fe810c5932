//! Unit tests of `verify::replay`.

#![allow(clippy::unwrap_used)]

use quizhall_rules::{Created, HostId, MarkingRule, PlayOptions, Quiz};
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
        options: PlayOptions::default(),
        rule: MarkingRule::LATEST,
        sealed: None,
    };
    Event::new(Change::Created(created.into()), None)
}

fn claimed(epoch: u64) -> Event {
    Event::new(Change::Claimed { epoch, node: Uuid::nil() }, None)
}

fn row(seq: u64, epoch: u64, events: &[Event]) -> LogRow {
    let count = u32::try_from(events.len()).unwrap();
    LogRow { seq, count, epoch, batch: 1, at_ms: None, body: serde_json::to_string(events).unwrap() }
}

/// The result for a log of these rows.
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
