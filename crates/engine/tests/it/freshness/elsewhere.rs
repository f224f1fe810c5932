//! An edge whose owner is on another node: a client may have seen newer events there, so a new socket waits for the log.

use std::time::Duration;

use quizhall_engine::{ConnectionId, EdgeEffect, EdgeOptions, OwnerHere, ToEdge};
use quizhall_rules::Change;

use super::{READ, SILENT, claimed, later, later_of, shown};
use crate::rim::{OPTIONS, Rim};
use crate::stage::{answered, as_player, asking, event, question};

/// The owner is on another node, or has just come to this one and the replica is older than its claim, or waits for an append that
/// another node may have read.
#[test]
fn a_socket_waits_for_the_log_unless_the_replica_is_that_of_the_owner_here() {
    let here = |epoch, log_end| Some(OwnerHere { epoch, log_end });
    let mut rim = Rim::at(claimed(asking(2), 1));
    rim.edge.set_owner_here(here(1, 10));
    assert_eq!(rim.come(1, as_player(1)), shown(1, &claimed(asking(2), 1), as_player(1)));
    for owner in [None, here(2, 0), here(1, 11)] {
        let mut rim = Rim::at(claimed(asking(2), 1));
        rim.edge.set_owner_here(owner);
        assert_eq!(rim.come(1, as_player(1)), [READ], "nothing is shown");
        assert_eq!(rim.come(2, as_player(2)), [], "the log is being read already");
        let newest = claimed(later_of(2), 1);
        let first = rim.read(Some((12, newest.clone())));
        assert_eq!(first[..first.len() - 1], shown(1, &newest, as_player(1)));
        assert_eq!(first.last(), Some(&READ), "the first reading had begun before the second socket connected");
        assert_eq!(rim.tail(12, Vec::new()), shown(2, &newest, as_player(2)));
    }
}

/// The owner's frame may be older than what the client was shown through another node; but the database may be away for long.
#[test]
fn a_frame_of_an_owner_elsewhere_ends_the_wait_only_when_the_log_is_slow_to_read() {
    let mut rim = Rim::at(asking(1));
    rim.edge.set_owner_here(None);
    assert_eq!(rim.come(1, as_player(1)), [READ]);
    rim.now = Duration::from_millis(499);
    assert_eq!(rim.say(ToEdge::Heartbeat { seq: 10 }).taken(), []);
    rim.now = Duration::from_millis(500);
    assert_eq!(rim.say(ToEdge::Heartbeat { seq: 10 }).taken(), shown(1, &asking(1), as_player(1)));
    assert_eq!(rim.read(Some((11, later()))).len(), 1, "then it is sent what has changed");
}

/// The first reading of a new edge was under way when the second socket connected.
#[test]
fn a_new_edge_shows_a_socket_nothing_of_a_reading_that_had_begun_before_it_came() {
    let long = Duration::from_secs(60);
    let mut rim = Rim::empty(EdgeOptions { command_timeout: long, linger: long, ..OPTIONS });
    assert_eq!(rim.come(1, as_player(1)), []);
    assert!(rim.tick_at(SILENT).contains(&READ));
    assert_eq!(rim.come(2, as_player(2)), []);
    let first = rim.read(Some((10, asking(2))));
    assert_eq!(first[..first.len() - 1], shown(1, &asking(2), as_player(1)));
    assert_eq!(first.last(), Some(&READ));
    let mut second = rim.read(Some((11, later_of(2))));
    second.retain(|effect| matches!(effect, EdgeEffect::Send(ConnectionId(2), ..)));
    assert_eq!(second, shown(2, &later_of(2), as_player(2)));
}

/// A state is rendered for each socket, an event only for those that it concerns.
#[test]
fn more_events_are_followed_one_by_one_where_there_are_more_sockets() {
    for (sockets, most) in [(10, 64), (400, 100)] {
        for (events, are_followed) in [(most, true), (most + 1, false)] {
            let mut rim = Rim::at(asking(sockets));
            for number in 1..=sockets {
                rim.attach(number, as_player(number));
            }
            rim.taken();
            let mut tail: Vec<_> = (1..events).map(|number| answered(number % sockets + 1, 1, "key1")).collect();
            tail.push(event(Change::QuestionReleased { question: question(2) }));
            let effects = rim.tail(10, tail);
            let broadcasts = effects.iter().any(|effect| matches!(effect, EdgeEffect::Broadcast(..)));
            assert_eq!(broadcasts, are_followed, "{events} events, {sockets} sockets");
            assert!(!effects.is_empty());
        }
    }
}
