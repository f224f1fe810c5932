//! Sockets whose participant the replica does not have yet, and messages from a socket that has been shown nothing.

use quizhall_engine::{ConnectionId, EdgeEffect, EdgeInput, FrameKind, ToEdge, ToOwner, wire};
use quizhall_rules::{Change, Event, State};

use super::{PAUSE, READ, later, shown, silent};
use crate::rim::Rim;
use crate::stage::{answered, as_player, asking, command_id, event, joined, question};

/// An edge to which the second player connected before the event of the join, while the database could not be read.
fn with_unknown() -> Rim {
    let mut rim = Rim::at(asking(1));
    assert_eq!(rim.come(1, as_player(2)), [READ]);
    assert_eq!(rim.read(None), [], "the log cannot be read");
    rim.say(ToEdge::Attached { connection: ConnectionId(1), participant: as_player(2), session: 101 }).taken();
    rim
}

fn released() -> Event {
    event(Change::QuestionReleased { question: question(2) })
}

/// The state with both players in the game.
fn with_both() -> State {
    let mut state = later();
    state.apply(&joined(2));
    state
}

#[test]
fn an_unknown_player_is_sent_nothing_of_the_events_before_the_join() {
    let mut rim = with_unknown();
    assert_eq!(rim.commit(vec![released()]).taken(), [], "the event is older than the join");
    assert_eq!(rim.commit(vec![joined(2)]).taken(), shown(1, &with_both(), as_player(2)));
    let mut together = with_unknown();
    let effects = together.commit(vec![released(), joined(2)]).taken();
    assert_eq!(effects, shown(1, &with_both(), as_player(2)));
}

#[test]
fn the_log_is_read_every_two_seconds_while_a_player_is_unknown() {
    let mut rim = with_unknown();
    for _ in 0..3 {
        rim.say(ToEdge::Heartbeat { seq: 10 }).taken();
        assert_eq!(rim.wait(), Some(PAUSE));
        assert_eq!(rim.tick_at(rim.now + PAUSE), [READ]);
        assert_eq!(rim.read(Some((10, asking(1)))), [], "the player is in no log");
    }
    rim.say(ToEdge::Heartbeat { seq: 10 }).taken();
    assert_eq!(rim.tick_at(rim.now + PAUSE), [READ]);
    let read = rim.read(Some((12, with_both())));
    assert!(read.starts_with(&shown(1, &with_both(), as_player(2))), "{read:?}");
    rim.say(ToEdge::Heartbeat { seq: 12 }).taken();
    assert!(!rim.tick_at(rim.now + PAUSE).contains(&READ), "the player is known now");
}

#[test]
fn the_log_is_not_read_for_an_unknown_player_who_left() {
    let mut rim = with_unknown();
    rim.attach(2, as_player(1));
    rim.step(EdgeInput::Detached(ConnectionId(1), true));
    rim.now += PAUSE;
    rim.say(ToEdge::Heartbeat { seq: 10 }).taken();
    assert!(!rim.step(EdgeInput::Tick).taken().contains(&READ));
}

/// A reply would be lost, because nothing is sent to a socket before its state.
#[test]
fn messages_of_a_socket_that_was_shown_nothing_are_sent_once_it_is_shown_the_game() {
    let mut rim = silent(asking(1));
    let session = ToEdge::Attached { connection: ConnectionId(1), participant: as_player(1), session: 101 };
    rim.say(session).taken();
    assert_eq!(rim.answer(1, "key1").taken(), [], "it is kept");
    let mut effects = rim.read(Some((10, asking(1))));
    let sent = effects.pop().expect("the command");
    assert_eq!(effects, shown(1, &asking(1), as_player(1)));
    let is_answer = |effect: &EdgeEffect| match effect {
        EdgeEffect::ToOwner(ToOwner::Command { command_id: id, .. }) => *id == command_id(101, 1),
        _ => false,
    };
    assert!(is_answer(&sent), "{sent:?}");
    let mut stored = answered(1, 1, "key1");
    stored.command_id = Some(command_id(101, 1));
    let acknowledgement = wire::answer_accepted(question(1));
    let acknowledgement = EdgeEffect::Send(ConnectionId(1), acknowledgement, FrameKind::Queued);
    assert_eq!(rim.commit(vec![stored]).taken(), [acknowledgement]);
}
