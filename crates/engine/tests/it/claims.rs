//! What an edge knows of the log for a claim on its node: the state and the last row, or nothing when it does not know the row.

use quizhall_engine::claim::{Claim, Row};
use quizhall_engine::{Ahead, EdgeInput, Head, StoredState, ToEdge};
use quizhall_rules::{Change, Event};

use crate::rim::{HEAD, OPTIONS, Rim};
use crate::stage::{created, event, joined, lobby};

fn claim(rim: &Rim) -> Option<Claim> {
    rim.edge.replica().and_then(Claim::of_replica)
}

fn head(rim: &Rim) -> Option<(Head, u64)> {
    claim(rim).map(|claim| (claim.head(), claim.next_seq()))
}

fn row(seq: u64) -> Head {
    Head { seq, batch: 100 + seq }
}

fn committed(first: u64, chain: Option<(u64, u64)>, events: Vec<Event>) -> ToEdge {
    ToEdge::Committed { first, chain, events: events.into() }
}

fn tail(first: u64, rows: Vec<Head>, events: Vec<Event>) -> EdgeInput {
    EdgeInput::TailRead { first, rows, events }
}

#[test]
fn a_claim_of_an_edge_is_the_claim_of_a_reading() {
    let log = [
        Row { head: row(0), events: vec![created(), joined(1)] },
        Row { head: row(2), events: vec![joined(2), joined(3)] },
        Row { head: row(4), events: vec![event(Change::Started)] },
    ];
    let mut rim = Rim::empty(OPTIONS);
    let first = Claim::read(&log[..1]).unwrap().into_stored();
    rim.step(EdgeInput::StateRead(Some(Box::new(first))));
    for [before, Row { head, events }] in log.array_windows() {
        rim.say(committed(head.seq, Some((before.head.batch, head.batch)), events.clone()));
    }
    let (known, read) = (claim(&rim).unwrap(), Claim::read(&log).unwrap());
    assert_eq!((known.head(), known.next_seq()), (read.head(), read.next_seq()));
    assert_eq!(known.state(), read.state());
    assert_eq!(known.replayed(), read.replayed(), "a snapshot is due at the same event");
}

#[test]
fn the_last_row_is_known_from_every_source() {
    let mut rim = Rim::empty(OPTIONS);
    assert_eq!(head(&rim), None, "there is no state");
    rim = Rim::at(lobby(2));
    assert_eq!(head(&rim), Some((HEAD, 10)), "from the owner on this node");
    rim.commit(vec![joined(3), joined(4)]);
    assert_eq!(head(&rim), Some((row(10), 12)), "from a commit");
    rim.step(tail(12, vec![row(12), row(13)], vec![event(Change::Started); 2]));
    assert_eq!(head(&rim), Some((row(13), 14)), "from the rest of the log, which may be several rows");
    rim.step(tail(14, (14..100).map(row).collect(), vec![event(Change::Started); 86]));
    assert_eq!(head(&rim), Some((row(99), 100)), "from a rest that is shown as a state");
    let stored = StoredState { seq: 200, head: Some(row(170)), ahead: Ahead::default(), state: lobby(3) };
    rim.step(EdgeInput::StateRead(Some(Box::new(stored))));
    assert_eq!(head(&rim), Some((row(170), 200)), "from the whole log");
}

#[test]
fn a_row_that_does_not_follow_the_last_one_does_not_count() {
    let mut rim = Rim::at(lobby(2));
    rim.say(committed(10, Some((HEAD.batch, 110)), vec![joined(3)]));
    rim.say(committed(10, Some((HEAD.batch, 110)), vec![joined(3)]));
    assert_eq!(head(&rim), Some((row(10), 11)), "a row that came twice");
    rim.say(committed(14, Some((113, 114)), vec![joined(5)]));
    assert_eq!(head(&rim), Some((row(10), 11)), "a row after a gap");
    rim.step(tail(10, vec![row(10)], vec![joined(3)]));
    assert_eq!(head(&rim), Some((row(10), 11)), "a part of the log that is here already");
    rim.step(tail(11, Vec::new(), Vec::new()));
    assert_eq!(head(&rim), Some((row(10), 11)), "nothing new was read");
    rim.say(committed(11, Some((666, 111)), vec![joined(4)]));
    assert_eq!(head(&rim), None, "the database was set back, and another row stood there");
    rim.say(committed(12, Some((111, 112)), vec![joined(5)]));
    assert_eq!(head(&rim), None, "and nothing after it is known");
}

#[test]
fn a_row_of_an_earlier_version_is_not_known() {
    let mut rim = Rim::at(lobby(2));
    rim.say(committed(10, None, vec![joined(3)]));
    assert_eq!(head(&rim), None, "its owner does not name the row");
    rim = Rim::at(lobby(2));
    rim.step(tail(10, Vec::new(), vec![joined(3)]));
    assert_eq!(head(&rim), None, "what was read may follow another row");
}

#[test]
fn rows_that_the_owner_sent_meanwhile_are_found_in_what_was_read() {
    let mut rim = Rim::at(lobby(2));
    rim.commit(vec![joined(3)]);
    let (rows, events) = (vec![row(10), row(11)], vec![joined(3), joined(4)]);
    rim.step(tail(10, rows.clone(), events.clone()));
    assert_eq!(head(&rim), Some((row(11), 12)));
    rim = Rim::at(lobby(2));
    rim.say(committed(10, Some((HEAD.batch, 666)), vec![joined(3)]));
    rim.step(tail(10, rows, events));
    assert_eq!(head(&rim), None, "another row stands in the log");
}
