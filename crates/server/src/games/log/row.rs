//! A row of the log: converts the engine's append to the store's form, with its events as JSON, whose form the rules define
//! (`Event::write_json`).

use quizhall_engine::{Append, Head};
use quizhall_rules::{Event, GameId, Phase};

use crate::clock;
use crate::store::{self, PhaseChange};

/// Typical bytes of an event in a row: an answer of a word or two.
const EVENT: usize = 176;

/// Converts the engine's row to the store's.
pub(in crate::games) fn row_of(game: GameId, append: &Append) -> store::Append {
    store::Append {
        game,
        previous: store::Head { seq: append.previous.seq, batch: append.previous.batch },
        seq: append.seq,
        count: u32::try_from(append.events.len()).expect("a batch is bounded by the mailbox"),
        epoch: append.epoch,
        batch: append.batch,
        body: body_of(&append.events),
        phase: append.phase.map(|after| PhaseChange {
            phase: after.phase,
            ended_at_ms: (after.phase == Phase::Ended || after.closed).then(clock::unix_ms),
            closed: after.closed,
        }),
    }
}

/// Converts the store's head to the engine's.
pub(in crate::games) fn head_of(head: store::Head) -> Head {
    Head { seq: head.seq, batch: head.batch }
}

fn body_of(events: &[Event]) -> String {
    let mut body = Vec::with_capacity(events.len() * EVENT + 2);
    body.push(b'[');
    for event in events {
        if body.len() > 1 {
            body.push(b',');
        }
        event.write_json(&mut body);
    }
    body.push(b']');
    String::from_utf8(body).expect("JSON is UTF-8")
}
