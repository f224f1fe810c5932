//! An owner: effects only after commits, one append at a time, and the consequences of a refused or unanswered append.

use std::time::Duration;

use quizhall_engine::claim::{Claim, ClaimError, Row};
use quizhall_engine::{
    AppendOutcome, Attaching, ConnectionId, EdgeId, Head, OwnerEffect, OwnerInput, Participant, RequestId, ToEdge,
    ToOwner,
};
use quizhall_rules::{Change, Command, CommandId, Phase};
use uuid::Uuid;

use crate::desk::{Desk, EPOCH, kinds};
use crate::stage::{as_player, created, event, join, joined, lobby, player, question, submit};

const FIRST: u64 = 1;

#[test]
fn nothing_is_sent_before_its_event_is_durable() {
    let mut desk = Desk::hosted();
    let session = desk.attach(1, Participant::Host);
    let command_id = CommandId { session, number: FIRST };
    desk.command(1, Participant::Host, (command_id, Command::StartGame));
    let append = desk.append();
    assert_eq!((kinds(&append), append.phase.unwrap().phase), (vec!["started"], Phase::Question));
    assert_eq!(desk.flush().taken(), [], "the outcome is open");
    let said = desk.commit();
    let [ToEdge::Committed { first: 4, events, .. }] = &said[..] else { panic!("{said:?}") };
    assert_eq!(events[0].command_id, Some(command_id), "a receiver of the event needs no other answer");
    desk.command(1, Participant::Host, (command_id, Command::StartGame));
    assert_eq!(
        desk.look(),
        [ToEdge::Done { connection: ConnectionId(1), command_id, seq: 5 }],
        "retransmitted, answered again"
    );
}

#[test]
fn inputs_during_a_commit_share_one_append() {
    let mut desk = Desk::new();
    assert_eq!(kinds(&desk.ask(1, join(2)).append()), ["joined"]);
    desk.ask(2, join(3)).flush().ask(3, join(4)).flush();
    assert_eq!(desk.taken(), [], "one append at a time");
    desk.commit();
    let append = desk.append();
    assert_eq!((append.seq, kinds(&append)), (4, vec!["joined", "joined"]));
}

#[test]
fn an_edge_that_asks_during_a_commit_learns_what_is_durable_and_no_more() {
    let mut desk = Desk::new();
    desk.frame(ToOwner::Hello).ask(1, join(2)).append();
    desk.ask(2, join(3)).flush();
    let said = desk.commit();
    assert!(said.contains(&ToEdge::Stored { seq: 4 }), "the third player is not committed: {said:?}");
}

#[test]
fn an_unanswered_append_is_looked_up_and_never_written_twice() {
    let mut desk = Desk::new();
    let append = desk.ask(1, join(2)).append();
    let out = desk.step(OwnerInput::Appended(AppendOutcome::Unknown)).taken();
    assert!(matches!(out[..], [OwnerEffect::ReadHead { after }] if after > Duration::ZERO));
    assert!(
        matches!(desk.step(OwnerInput::HeadRead(None)).taken()[..], [OwnerEffect::ReadHead { .. }]),
        "unread: again"
    );
    let out = desk.step(OwnerInput::HeadRead(Some(append.previous))).taken();
    assert_eq!(out, [OwnerEffect::Append(append.clone())], "it is not there: the same id after the same row");
    desk.step(OwnerInput::Appended(AppendOutcome::Unknown)).taken();
    let said = desk.step(OwnerInput::HeadRead(Some(append.head()))).said();
    assert!(said.contains(&ToEdge::Answer { request: RequestId(1), result: Ok(()), seq: 4 }), "it had worked");
}

#[test]
fn a_repeated_command_is_answered_again_and_changes_nothing() {
    let mut desk = Desk::hosted();
    let session = desk.attach(1, Participant::Host);
    let again = || (CommandId { session, number: FIRST }, Command::StartGame);
    desk.command(1, Participant::Host, again()).append();
    desk.command(1, Participant::Host, again()).flush();
    assert_eq!(desk.taken(), [], "the answer waits for the commit too");
    desk.commit();
    let said = desk.look();
    assert!(matches!(said[..], [ToEdge::Done { seq: 5, .. }]), "{said:?}");
}

#[test]
fn a_late_answer_of_a_replaced_socket_undoes_nothing() {
    let mut desk = Desk::new();
    let old = desk.attach(1, as_player(1));
    let new = desk.attach(2, as_player(1));
    assert!(new > old);
    desk.look();
    let late = (CommandId { session: old, number: 1 }, submit(1, "old"));
    let said = desk.command(1, as_player(1), late).look();
    assert_eq!(said, [ToEdge::Replaced { connection: ConnectionId(1) }]);
    desk.frame(ToOwner::Attach(Attaching {
        connection: ConnectionId(1),
        participant: as_player(1),
        prior: None,
        moves: 0,
    }));
    assert_eq!(desk.look(), [ToEdge::Replaced { connection: ConnectionId(1) }], "nor does it attach again");
    assert_eq!(desk.owner.connection_count(), 1);
}

#[test]
fn a_late_first_frame_of_an_older_socket_does_not_replace_the_newer_socket_at_a_new_owner() {
    let mut desk = Desk::new();
    desk.attach(1, as_player(1));
    let (connection, participant) = (ConnectionId(2), as_player(1));
    desk.frame(ToOwner::Attach(Attaching { connection, participant, prior: Some(7), moves: 0 }));
    let said = desk.said();
    assert!(matches!(said[..], [ToEdge::Attached { connection: ConnectionId(2), .. }]), "{said:?}");
    let replaced = ToEdge::Replaced { connection: ConnectionId(1) };
    assert_eq!(desk.look(), [replaced], "the earlier owner had attached the newer socket");
}

/// The attachment and the answer of a socket that has closed since; the owner before refused that answer. The bus delayed both
/// until there was another owner, which would accept the answer.
#[test]
fn a_late_command_to_an_earlier_owner_comes_to_nothing() {
    for (epoch, stored) in [(Some(EPOCH - 1), false), (Some(EPOCH), true), (Some(EPOCH + 1), true), (None, true)] {
        let mut desk = Desk::asking();
        desk.attach(3, as_player(1));
        let (connection, participant) = (ConnectionId(3), as_player(1));
        let (command_id, command) = (CommandId { session: 5, number: 1 }, submit(1, "too early"));
        desk.frame(ToOwner::Command { connection, participant, command_id, seen: None, epoch, command });
        assert_eq!(desk.owner.is_idle(), !stored, "{epoch:?}: no reply is sent either");
        assert_eq!(desk.settle().is_some_and(|append| kinds(&append) == ["answered"]), stored, "{epoch:?}");
    }
}

/// An answer of player 1 through a newly attached socket at another edge.
fn from_elsewhere(desk: &mut Desk, text: &str, seen: Option<CommandId>) -> u64 {
    let (edge, connection, participant) = (EdgeId(2), ConnectionId(9), as_player(1));
    desk.step(OwnerInput::FromEdge(
        edge,
        ToOwner::Attach(Attaching { connection, participant, prior: None, moves: 0 }),
    ));
    let session = match desk.said().last() {
        Some(ToEdge::Attached { session, .. }) => *session,
        other => panic!("not attached: {other:?}"),
    };
    let command_id = CommandId { session, number: 1 };
    let command = submit(1, text);
    desk.step(OwnerInput::FromEdge(
        edge,
        ToOwner::Command { connection, participant, command_id, seen, epoch: Some(EPOCH), command },
    ));
    session
}

#[test]
fn an_answer_held_back_at_another_edge_does_not_undo_a_newer_one() {
    // An answer that has seen the stored one would count as the newest, and so would every command after it.
    for (text, sees) in [("older", false), ("newer", false), ("newest", true)] {
        let mut desk = Desk::asking();
        let session = desk.attach(3, as_player(1));
        let newer = CommandId { session, number: 1 };
        desk.command(3, as_player(1), (newer, submit(1, "newer"))).append();
        desk.commit();
        let session = from_elsewhere(&mut desk, text, sees.then_some(newer));
        let (connection, command_id) = (ConnectionId(9), CommandId { session, number: 1 });
        if sees {
            assert_eq!(kinds(&desk.append()), ["answered"]);
        } else {
            let replaced = ToEdge::Replaced { connection: ConnectionId(3) };
            assert_eq!(desk.look(), [replaced, ToEdge::Outdated { connection, command_id, seq: 7 }]);
        }
    }
}

#[test]
fn an_answer_given_again_over_a_newer_socket_is_not_undone_by_one_held_back_before_it() {
    let mut desk = Desk::asking();
    let session = desk.attach(3, as_player(1));
    let first = CommandId { session, number: 1 };
    desk.command(3, as_player(1), (first, submit(1, "same"))).append();
    desk.commit();
    let again = CommandId { session: desk.attach(4, as_player(1)), number: 1 };
    desk.command(4, as_player(1), (again, submit(1, "same")));
    let append = desk.append();
    assert_eq!(
        (kinds(&append), append.events[0].command_id),
        (vec!["answered"], Some(again)),
        "the repeated answer is stored"
    );
    desk.commit();
    from_elsewhere(&mut desk, "held back", Some(first));
    let said = desk.look();
    assert!(matches!(said[..], [ToEdge::Replaced { .. }, ToEdge::Outdated { .. }]), "{said:?}");
}

#[test]
fn an_answer_after_one_of_the_same_edge_is_in_order_though_not_seen_there_yet() {
    let mut desk = Desk::asking();
    for (connection, text) in [(3, "first"), (4, "second")] {
        let session = desk.attach(connection, as_player(1));
        desk.command(connection, as_player(1), (CommandId { session, number: 1 }, submit(1, text)));
        assert_eq!(kinds(&desk.append()), ["answered"]);
        desk.commit();
    }
}

#[test]
fn a_replaced_socket_is_reported_until_it_is_closed() {
    let mut desk = Desk::new();
    desk.attach(1, as_player(1));
    desk.attach(2, as_player(1));
    let replaced = ToEdge::Replaced { connection: ConnectionId(1) };
    assert_eq!(desk.look(), std::slice::from_ref(&replaced));
    desk.now = Duration::from_secs(1);
    desk.step(OwnerInput::Tick).taken();
    assert_eq!(desk.look(), [replaced], "the first frame may have been lost");
    desk.frame(ToOwner::Detach { connection: ConnectionId(1), participant: as_player(1), clean: false }).taken();
    desk.now = Duration::from_secs(2);
    desk.step(OwnerInput::Tick).taken();
    assert_eq!(desk.flush().taken(), []);
}

#[test]
fn a_clean_close_leaves_the_lobby_at_once_and_a_lost_socket_after_the_grace() {
    for clean in [true, false] {
        let mut desk = Desk::new();
        desk.attach(1, as_player(1));
        desk.now = Duration::from_secs(1);
        desk.frame(ToOwner::Detach { connection: ConnectionId(1), participant: as_player(1), clean });
        desk.taken();
        if !clean {
            desk.now += Duration::from_millis(9_999);
            desk.step(OwnerInput::Tick).taken();
            assert_eq!(desk.settle(), None, "still in the list");
            desk.now += Duration::from_millis(1);
            desk.step(OwnerInput::Tick).taken();
        }
        assert_eq!(kinds(&desk.append()), ["left"]);
    }
}

/// An edge that has dropped the game answers every frame with `Unsubscribe`, and may return before the last of these arrives.
#[test]
fn late_unsubscribes_of_an_edge_that_has_come_back_detach_no_socket() {
    let mut desk = Desk::new();
    desk.attach(1, as_player(1));
    for millis in [1, 2, 900, 2_400] {
        desk.now = Duration::from_millis(millis);
        desk.frame(ToOwner::Unsubscribe);
        assert_eq!(desk.owner.connection_count(), 1, "after {millis} ms");
    }
    desk.frame(ToOwner::Hello);
    desk.now = Duration::from_secs(7);
    desk.frame(ToOwner::Unsubscribe);
    assert_eq!(desk.owner.connection_count(), 1, "the edge has sent another frame since");
    for second in 8..=12 {
        desk.now = Duration::from_secs(second);
        desk.frame(ToOwner::Unsubscribe);
    }
    assert_eq!(desk.owner.connection_count(), 0, "an edge that sends no other frame for this long is detached");
}

#[test]
fn a_log_with_a_hole_is_not_claimed() {
    let row = |seq, events| Row { head: Head { seq, batch: seq }, events };
    assert!(matches!(Claim::read(&[]), Err(ClaimError::Empty)));
    let holed = [row(0, vec![created()]), row(2, vec![joined(1)])];
    assert!(matches!(Claim::read(&holed), Err(ClaimError::Gap(1))));
    let claim = Claim::read(&[row(0, vec![created(), joined(1)]), row(2, vec![event(Change::Started)])]).unwrap();
    assert_eq!((claim.state().phase(), claim.row(Uuid::nil(), 1).seq), (Phase::Question, 3));
    assert!(claim.state().player(player(1)).is_some() && !claim.state().is_released(question(1)));
    assert_eq!(lobby(1).player_count(), 1);
}
