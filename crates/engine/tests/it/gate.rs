//! The owner's output gate: which frames wait until the head of the log has been read, and how an owner retires. A log that has
//! forgotten rows is in `rewound`.

mod rewound;

use std::time::Duration;

use quizhall_engine::claim::{Claim, Row, Start};
use quizhall_engine::{
    Append, AppendOutcome, Attaching, ConnectionId, EdgeId, FromOwner, Head, LOG_PER_SEAT, Liveness, Owner,
    OwnerEffect, OwnerInput, Participant, RequestId, SNAPSHOT_EVERY, Time, ToEdge, ToOwner,
};
use quizhall_rules::{Change, Command, CommandId, Refusal, Setting};
use uuid::Uuid;

use crate::desk::{BEFORE, Desk, EDGE, GRACE, LOOK, kinds};
use crate::stage::{as_player, created, event, join, joined};

use AppendOutcome::{Committed, Refused};
use OwnerInput::{Appended, HeadRead};

const ELSEWHERE: EdgeId = EdgeId(2);
const START: Start = Start {
    home: EDGE,
    nonce: 99,
    lobby_grace: GRACE,
    liveness: Liveness::ALONE,
    snapshot_every: SNAPSHOT_EVERY,
    log_per_seat: LOG_PER_SEAT,
};
/// A row of another owner.
const FOREIGN: Head = Head { seq: 4, batch: 1 };

impl Desk {
    /// Stores a row with one join; it is durable on return.
    fn store(&mut self, number: u64) -> Append {
        let row = self.ask(number, join(number)).append();
        self.commit();
        row
    }

    fn head_is(&mut self, head: Head) -> Vec<OwnerEffect> {
        self.step(HeadRead(Some(head))).taken()
    }

    fn appended(&mut self, outcome: AppendOutcome) -> Vec<OwnerEffect> {
        self.step(Appended(outcome)).taken()
    }

    /// The effects of a second without any input except the tick.
    fn second_passes(&mut self) -> Vec<OwnerEffect> {
        self.now += Duration::from_secs(1);
        self.step(OwnerInput::Tick).flush().taken()
    }

    /// An owner that has ended may produce no effects, whatever it receives.
    fn is_over(&mut self) -> bool {
        let head = self.head;
        self.now += Duration::from_secs(60);
        self.frame(ToOwner::Hello).ask(99, join(99)).step(OwnerInput::Tick).flush();
        self.step(HeadRead(Some(head))).step(Appended(Committed)).step(OwnerInput::LookAtLog).flush();
        self.step(OwnerInput::Announce(vec![EDGE])).step(OwnerInput::Retire { to: None }).flush();
        self.taken().is_empty()
    }
}

fn joined_answer(number: u64, seq: u64) -> ToEdge {
    ToEdge::Answer { request: RequestId(number), result: Ok(()), seq }
}

/// Whether the head of the log is read again after a pause.
fn is_later(effects: &[OwnerEffect]) -> bool {
    matches!(effects, [OwnerEffect::ReadHead { after }] if *after > Duration::ZERO)
}

/// Owners that have a message to send which depends on no append of theirs, and that message.
fn with_something_to_say() -> Vec<(Desk, ToEdge)> {
    let host = Participant::Host;
    let connection = ConnectionId(1);
    let mut cases = Vec::new();

    let mut desk = Desk::hosted();
    let command_id = CommandId { session: desk.attach(1, host), number: 1 };
    desk.command(1, host, (command_id, Command::EndRound));
    cases.push((desk, ToEdge::Refused { connection, command_id, refusal: Refusal::WrongPhase, seq: 4 }));

    let mut desk = Desk::hosted();
    let command_id = CommandId { session: desk.attach(1, host), number: 1 };
    desk.command(1, host, (command_id, Command::StartGame)).append();
    desk.commit();
    desk.command(1, host, (command_id, Command::StartGame));
    cases.push((desk, ToEdge::Done { connection, command_id, seq: 5 }));

    let mut desk = Desk::new();
    desk.ask(1, Command::Set(Setting::Locked(false)));
    cases.push((desk, joined_answer(1, 3)));

    let mut desk = Desk::new();
    desk.step(OwnerInput::FromEdge(ELSEWHERE, ToOwner::Hello));
    cases.push((desk, ToEdge::Stored { seq: 3 }));

    let mut desk = Desk::new();
    desk.attach(1, as_player(1));
    desk.attach(2, as_player(1));
    cases.push((desk, ToEdge::Replaced { connection }));
    cases
}

/// Also by an owner that lets go of its game.
#[test]
fn what_needs_no_append_is_said_once_the_head_is_read_and_unchanged() {
    for retires in [false, true] {
        for (mut desk, message) in with_something_to_say() {
            if retires {
                desk.step(OwnerInput::Retire { to: TO });
            }
            assert_eq!(desk.flush().taken(), [LOOK]);
            for _ in 0..3 {
                assert!(is_later(&desk.step(HeadRead(None)).taken()));
                assert_eq!(desk.flush().taken(), [], "one reading at a time");
            }
            let head = desk.head;
            assert_eq!(desk.step(HeadRead(Some(head))).said(), [message]);
            let out = desk.flush().taken();
            assert_eq!(matches!(out[..], [OwnerEffect::Retired { to: TO, .. }]), retires, "{out:?}");
        }
    }
}

#[test]
fn an_edge_that_asks_for_the_state_is_sent_to_the_log() {
    let mut desk = Desk::new();
    desk.frame(ToOwner::Hello).step(OwnerInput::FromEdge(ELSEWHERE, ToOwner::Hello));
    assert_eq!(desk.flush().taken(), [LOOK]);
    let stored = FromOwner { epoch: 1, message: ToEdge::Stored { seq: 3 } };
    let out = desk.head_is(desk.head);
    assert_eq!(out, [EDGE, ELSEWHERE].map(|edge| OwnerEffect::Send(edge, stored.clone())), "also that of this node");
}

/// A node that has no replica reads the log once for its owner and its edge.
#[test]
fn the_state_of_a_claim_goes_to_the_edge_of_its_node_unless_it_came_from_there() {
    for is_replica in [false, true] {
        let claim =
            Claim::read(&[Row { head: Head { seq: 0, batch: 7 }, events: vec![created(), joined(1)] }]).unwrap();
        let claim = if is_replica { Claim::of_replica(claim.into_stored()).unwrap() } else { claim };
        let row = claim.row(Uuid::nil(), 8);
        let mut owner = Owner::new(Time::ZERO, claim.won(Time::ZERO, row.clone(), START));
        let mut out = Vec::new();
        owner.step(Time::ZERO, OwnerInput::Announce(vec![ELSEWHERE]), &mut out);
        let states: Vec<_> = out.iter().filter_map(state_in).collect();
        let of_claim = (EDGE, 3, Head { seq: 2, batch: 8 }, 1);
        assert_eq!(states, if is_replica { Vec::new() } else { vec![of_claim] });
        assert_eq!(out.len() - states.len(), 2, "and its row to both");
    }
}

/// The edge that a whole state is sent to, its place in the log, and the epoch in it.
fn state_in(effect: &OwnerEffect) -> Option<(EdgeId, u64, Head, u64)> {
    let OwnerEffect::Send(edge, FromOwner { message: ToEdge::State { seq, head, state }, .. }) = effect else {
        return None;
    };
    Some((*edge, *seq, *head, state.epoch()))
}

#[test]
fn an_edge_elsewhere_is_sent_to_the_log_after_the_append() {
    let mut desk = Desk::new();
    desk.step(OwnerInput::FromEdge(ELSEWHERE, ToOwner::Hello)).ask(2, join(2)).append();
    let said = desk.commit();
    assert_eq!(said[1..], [ToEdge::Stored { seq: 4 }, joined_answer(2, 4)], "the events came first");
}

#[test]
fn edges_that_may_not_know_the_owner_receive_its_claim_at_once() {
    let mut desk = Desk::new();
    desk.step(OwnerInput::Announce(vec![ELSEWHERE, EdgeId(3)]));
    let announced = desk.taken().into_iter().filter(|effect| state_in(effect).is_none()).collect::<Vec<_>>();
    let events = [event(Change::Claimed { epoch: 1, node: Uuid::nil() })].into();
    let claim = FromOwner { epoch: 1, message: ToEdge::Committed { first: 2, chain: Some((BEFORE.batch, 8)), events } };
    let sends = [ELSEWHERE, EdgeId(3), EDGE].map(|edge| OwnerEffect::Send(edge, claim.clone()));
    assert_eq!(announced, sends, "and so does the edge on the owner's node");
}

#[test]
fn a_look_that_was_asked_for_says_nothing_when_all_is_well() {
    let mut desk = Desk::new();
    desk.step(OwnerInput::LookAtLog);
    assert_eq!(desk.look(), []);
    assert_eq!(desk.flush().taken(), [], "once");
    desk.ask(2, join(2)).append();
    desk.step(OwnerInput::LookAtLog).flush();
    assert_eq!(desk.taken(), [], "one reading at a time");
    desk.commit();
    assert_eq!(desk.look(), []);
}

const TO: Option<EdgeId> = Some(EdgeId(7));

#[test]
fn an_owner_lets_go_when_its_last_row_is_written() {
    let mut desk = Desk::new();
    desk.frame(ToOwner::Hello).step(OwnerInput::FromEdge(ELSEWHERE, ToOwner::Hello)).look();
    desk.ask(2, join(2)).append();
    desk.ask(3, join(3));
    desk.step(OwnerInput::Retire { to: TO }).flush();
    assert_eq!(desk.taken(), [], "not before the outcome is known");
    desk.commit();
    assert_eq!(kinds(&desk.append()), ["joined"], "the earlier decisions are stored");
    let said = desk.commit();
    assert_eq!(said.last(), Some(&joined_answer(3, 5)));
    let released = FromOwner { epoch: 1, message: ToEdge::Released { to: TO } };
    let farewell = [EDGE, ELSEWHERE].map(|edge| (edge, released.clone())).to_vec();
    assert_eq!(desk.flush().taken(), [OwnerEffect::Retired { to: TO, farewell }]);
    assert!(desk.is_over(), "once");
}

#[test]
fn an_owner_that_lets_go_decides_nothing_more() {
    let mut desk = Desk::hosted();
    let session = desk.attach(1, Participant::Host);
    desk.attach(2, as_player(1));
    desk.frame(ToOwner::Detach { connection: ConnectionId(2), participant: as_player(1), clean: false }).taken();
    let row = desk.ask(2, join(2)).append();
    desk.step(OwnerInput::Retire { to: None });
    let command_id = CommandId { session, number: 1 };
    desk.command(1, Participant::Host, (command_id, Command::StartGame)).ask(3, join(3)).frame(ToOwner::Hello);
    desk.frame(ToOwner::Detach { connection: ConnectionId(1), participant: Participant::Host, clean: true });
    desk.frame(ToOwner::Attach(Attaching {
        connection: ConnectionId(4),
        participant: as_player(1),
        prior: None,
        moves: 0,
    }));
    assert_eq!(desk.taken(), [], "nor is any socket attached or detached");
    desk.now += Duration::from_secs(60);
    desk.step(OwnerInput::Tick).taken();
    assert!(desk.owner.next_deadline() > desk.now, "nor does it wake for overdue participants");
    desk.head = row.head();
    assert_eq!(desk.appended(Committed), [LOOK], "it may have slept");
    desk.head_is(row.head());
    assert_eq!(desk.settle(), None, "a sign of life after this long, and nothing else");
    let out = desk.flush().taken();
    assert!(matches!(out[..], [OwnerEffect::Retired { to: None, .. }]), "{out:?}");
}

#[test]
fn an_owner_that_has_slept_looks_before_it_gives_a_sign_of_life() {
    let mut desk = Desk::hosted();
    desk.attach(1, Participant::Host);
    desk.attach(2, as_player(1));
    desk.settle();
    desk.now += Duration::from_millis(1_900);
    let early = desk.step(OwnerInput::Tick).taken();
    assert!(
        matches!(early[..], [OwnerEffect::Send(_, FromOwner { message: ToEdge::Heartbeat { .. }, .. })]),
        "{early:?}"
    );
    desk.now += Duration::from_secs(30);
    assert_eq!(desk.step(OwnerInput::Tick).taken(), []);
    let said = desk.look();
    assert!(matches!(said[..], [ToEdge::Heartbeat { .. }]), "{said:?}");
}

/// The store's answer arrived while this node slept, and another node may have claimed the game since: edges would take the released
/// frames as current.
#[test]
fn an_answer_of_the_log_that_waited_for_a_silence_is_asked_for_again_once() {
    let silence = Duration::from_millis(2_500);
    for asleep in [silence.saturating_sub(Duration::from_millis(1)), silence, Duration::from_secs(60)] {
        let slept = asleep >= silence;
        let mut desk = Desk::new();
        let row = desk.ask(2, join(2)).append();
        desk.now += asleep;
        let out = desk.appended(Committed);
        assert_eq!(out == [LOOK], slept, "{asleep:?}: {out:?}");
        if slept {
            assert_eq!(desk.head_is(FOREIGN), [OwnerEffect::Fenced]);
        }

        let mut desk = Desk::new();
        desk.step(OwnerInput::FromEdge(ELSEWHERE, ToOwner::Hello));
        assert_eq!(desk.flush().taken(), [LOOK]);
        desk.now += asleep;
        let (head, stored) = (desk.head, FromOwner { epoch: 1, message: ToEdge::Stored { seq: 3 } });
        if slept {
            assert_eq!(desk.head_is(head), [LOOK]);
            desk.now += asleep;
        }
        assert_eq!(
            desk.head_is(head),
            [OwnerEffect::Send(ELSEWHERE, stored)],
            "the answer of a slow store is accepted"
        );
        assert_eq!(row.seq, 3);
    }
}

#[test]
fn an_owner_that_may_have_been_removed_looks_before_it_gives_a_sign_of_life() {
    for lease in [1_000, 2_000, 3_000].map(Duration::from_millis) {
        let mut desk = Desk::living(vec![created(), joined(1)], Liveness::of_lease(lease));
        desk.attach(2, as_player(1));
        desk.settle();
        // It renewed at the beginning, slept from the time of the next renewal on, and wakes when the lease has expired.
        desk.now += lease.saturating_sub(Liveness::renewal(lease));
        assert_eq!(desk.step(OwnerInput::Tick).taken(), [], "lease {lease:?}");
        let said = desk.look();
        assert!(matches!(said[..], [ToEdge::Heartbeat { .. }]), "{said:?}");
    }
}

#[test]
fn rows_that_no_participant_asks_for_are_missed_soon_too() {
    let mut desk = Desk::after(vec![created()]);
    let row = desk.store(2);
    // The database forgets the row before this node renews its place in the list, so the registry reports nothing.
    let missed = (1..=15).find(|_| desk.second_passes() == [LOOK]);
    assert_eq!(missed, Some(10));
    let out = desk.head_is(row.previous);
    assert_eq!(out, [OwnerEffect::Rewound, OwnerEffect::Append(row.clone())]);
    assert_eq!(desk.appended(Committed), [LOOK]);
    assert_eq!(desk.head_is(row.head()), []);
    // The time is counted again after the row was put back.
    let again = (1..=15).find(|_| desk.second_passes() == [LOOK]);
    assert_eq!(again, Some(10));
}

#[test]
fn an_owner_that_writes_does_not_look_and_one_look_is_enough_for_a_while() {
    let mut desk = Desk::after(vec![created()]);
    for number in 2..=20 {
        desk.store(number);
        assert_eq!(desk.second_passes(), []);
    }
    assert_eq!((2..=9).map(|_| desk.second_passes()).find(|out| !out.is_empty()), None);
    assert_eq!(desk.second_passes(), [LOOK]);
    assert_eq!((1..=15).map(|_| desk.second_passes()).find(|out| !out.is_empty()), None, "one reading at a time");
    let head = desk.head;
    assert_eq!(desk.head_is(head), [], "nothing to send");
    assert_eq!((1..=9).map(|_| desk.second_passes()).find(|out| !out.is_empty()), None);
    assert_eq!(desk.second_passes(), [LOOK]);
    desk.head_is(head);
    desk.step(OwnerInput::Retire { to: TO }).flush().taken();
    assert!(desk.is_over());
}

#[test]
fn an_owner_that_lets_go_of_what_is_not_its_any_more_says_no_farewell() {
    let mut desk = Desk::new();
    desk.ask(2, join(2)).append();
    desk.step(OwnerInput::Retire { to: TO });
    assert_eq!(desk.appended(Refused), [LOOK]);
    assert_eq!(desk.head_is(FOREIGN), [OwnerEffect::Fenced]);
    assert!(desk.is_over());
}
