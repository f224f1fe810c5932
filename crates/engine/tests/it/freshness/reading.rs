//! When an edge reads the log, and what a reading changes.

use std::time::Duration;

use quizhall_engine::{
    Attaching, ConnectionId, Dialect, Edge, EdgeEffect, EdgeInput, EdgeOptions, OwnerHere, ToEdge, ToOwner,
};
use quizhall_rules::Change;

use super::{PAUSE, READ, SILENT, claim, claimed, later, shown, silent};
use crate::rim::{OPTIONS, Rim};
use crate::stage::{answered, as_player, asking, event, joined, lobby, plain, question, synced};

#[test]
fn the_log_is_read_every_two_seconds_while_the_silence_lasts_and_a_socket_is_here() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    rim.taken();
    let mut read_at = Vec::new();
    for millis in (0..10_000).step_by(100) {
        let effects = rim.tick_at(Duration::from_millis(millis));
        assert!(effects.iter().filter(|effect| **effect == READ).count() < 2);
        if effects.contains(&READ) {
            read_at.push(millis);
            assert!(!rim.tick_at(Duration::from_millis(millis + 50)).contains(&READ), "one reading at a time");
            rim.read(None);
        }
        if millis == 7_000 {
            rim.say(ToEdge::Stored { seq: 10 }).taken();
        }
    }
    assert_eq!(read_at, [2_500, 4_500, 6_500, 9_500], "the owner was back at 7 s");
}

#[test]
fn the_log_is_not_read_without_sockets() {
    let mut rim = Rim::at(asking(1));
    assert_eq!(rim.wait(), None);
    assert_eq!(rim.tick_at(Duration::from_secs(60)), []);
}

#[test]
fn an_edge_without_a_state_reads_the_log_when_the_owner_does_not_answer() {
    let options = EdgeOptions { command_timeout: PAUSE * 10, linger: PAUSE, ..OPTIONS };
    let mut rim = Rim::at(asking(1));
    (rim.edge, rim.now) = (Edge::new(SILENT, options), SILENT);
    assert_eq!(rim.step(EdgeInput::Tick).taken(), [EdgeEffect::ToOwner(ToOwner::Hello)]);
    assert_eq!(rim.come(1, as_player(1)), []);
    let due = SILENT + Duration::from_millis(300);
    assert!(!rim.tick_at(due.saturating_sub(Duration::from_millis(1))).contains(&READ));
    assert!(rim.tick_at(due).contains(&READ));
    assert_eq!(rim.read(None), [], "there is nothing to show");
    let again = due + Duration::from_millis(500);
    assert!(!rim.tick_at(again.saturating_sub(Duration::from_millis(1))).contains(&READ));
    assert!(rim.tick_at(again).contains(&READ));
    assert_eq!(rim.read(Some((10, asking(1)))), shown(1, &asking(1), as_player(1)));
    assert_eq!((rim.edge.seq(), rim.edge.state()), (10, Some(&asking(1))));
}

#[test]
fn the_log_is_read_when_it_holds_more_and_only_then() {
    let mut rim = Rim::at(asking(1));
    rim.come(1, as_player(1));
    assert_eq!(rim.say(ToEdge::Stored { seq: 10 }).taken(), []);
    assert_eq!(rim.say(ToEdge::Stored { seq: 11 }).taken(), [READ]);
    assert_eq!(rim.say(ToEdge::Stored { seq: 12 }).taken(), [], "one reading at a time");
    assert_eq!(rim.step(EdgeInput::Refresh).taken(), []);
    rim.read(Some((11, later())));
    assert_eq!((rim.edge.seq(), rim.edge.state()), (11, Some(&later())));
    assert_eq!(rim.step(EdgeInput::Refresh).taken(), [READ], "a refresh is requested only for a reason");
}

#[test]
fn a_state_that_is_older_than_the_replica_is_ignored() {
    for seq in [9, 10] {
        let mut rim = Rim::at(asking(1));
        rim.come(1, as_player(1));
        rim.step(EdgeInput::Refresh).taken();
        assert_eq!(rim.read(Some((seq, lobby(1)))), []);
        assert_eq!((rim.edge.seq(), rim.edge.state()), (10, Some(&asking(1))));
    }
}

#[test]
fn a_state_of_a_newer_epoch_means_that_there_is_a_new_owner() {
    for tail in [false, true] {
        let mut rim = Rim::at(claimed(asking(1), 1));
        rim.edge.set_owner_here(Some(OwnerHere { epoch: 1, log_end: 0 }));
        rim.attach(1, as_player(1));
        rim.step(EdgeInput::Refresh).taken();
        let out = if tail { rim.tail(10, vec![claim(2)]) } else { rim.read(Some((11, claimed(asking(1), 2)))) };
        let (connection, participant) = (ConnectionId(1), as_player(1));
        let attach = ToOwner::Attach(Attaching { connection, participant, prior: Some(101), moves: 0 });
        assert_eq!(
            out,
            [ToOwner::Hello, attach].map(EdgeEffect::ToOwner),
            "the edge reports its sockets to the new owner"
        );
        assert_eq!(rim.commit(vec![joined(2)]).taken(), [], "and frames of the old one are ignored");
        assert_eq!(rim.edge.seq(), 11);
    }
}

#[test]
fn a_state_of_the_same_epoch_is_no_reason_to_say_anything() {
    let mut rim = Rim::at(claimed(asking(1), 1));
    rim.edge.set_owner_here(Some(OwnerHere { epoch: 1, log_end: 0 }));
    rim.attach(1, as_player(1));
    rim.step(EdgeInput::Refresh).taken();
    assert_eq!(rim.read(Some((11, claimed(asking(1), 1)))), []);
}

#[test]
fn the_rest_of_the_log_is_added_to_the_replica() {
    let mut rim = silent(asking(1));
    let release = || event(Change::QuestionReleased { question: question(2) });
    let out = rim.tail(10, vec![release()]);
    let (last, newest) = match out.last() {
        Some(EdgeEffect::Send(_, last, _)) => (last.clone(), later()),
        Some(EdgeEffect::Broadcast(message, _)) => (plain(message), later()),
        _ => panic!("nothing shown: {out:?}"),
    };
    assert_eq!(Some(&last), synced(&newest, as_player(1), Dialect::Interface).last());
    assert_eq!((rim.edge.seq(), rim.edge.state()), (11, Some(&newest)));
    rim.step(EdgeInput::Refresh).taken();
    rim.tail(10, vec![release(), answered(1, 1, "key1")]);
    let mut answered_too = later();
    answered_too.apply(&answered(1, 1, "key1"));
    assert_eq!((rim.edge.seq(), rim.edge.state()), (12, Some(&answered_too)), "events may have been stored meanwhile");
    rim.step(EdgeInput::Refresh).taken();
    assert_eq!(rim.tail(11, vec![answered(1, 1, "key1")]), [], "the whole state");
    assert_eq!(rim.edge.seq(), 12);
    assert_eq!(rim.step(EdgeInput::Refresh).taken(), [READ], "it can be read again");
}

#[test]
fn a_rest_that_does_not_follow_is_no_reading() {
    let mut rim = silent(asking(1));
    assert_eq!(rim.tail(11, vec![joined(2)]), shown(1, &asking(1), as_player(1)));
    assert_eq!((rim.edge.seq(), rim.edge.state()), (10, Some(&asking(1))));
    assert_eq!(rim.step(EdgeInput::Refresh).taken(), [READ], "it can be read again");
}
