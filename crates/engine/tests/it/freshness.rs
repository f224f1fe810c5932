//! An edge whose owner is silent or has moved: the state that sockets are shown, and when the log is read.

mod elsewhere;
mod reading;
mod unknown;

use std::time::Duration;

use quizhall_engine::wire::FromPlayer;
use quizhall_engine::{
    Ahead, Attaching, ConnectionId, Dialect, EdgeEffect, EdgeInput, EdgeOptions, FrameKind, FromOwner, Liveness,
    Message, Participant, RequestId, StoredState, Time, ToEdge, ToOwner,
};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_rules::{Actor, Change, Event, State};
use uuid::Uuid;

use crate::rim::{OPTIONS, Rim};
use crate::stage::{as_player, asking, event, join, player, question, synced};

/// The last moment at which a frame of the owner that arrived at zero still counts.
const NEARLY: Time = Duration::from_millis(2_499);
const SILENT: Time = Duration::from_millis(2_500);
/// The pause between two readings of the log.
const PAUSE: Duration = Duration::from_secs(2);
const READ: EdgeEffect = EdgeEffect::ReadState;

impl Rim {
    /// Connects a socket; the effects, except its attachment.
    fn come(&mut self, connection: u64, participant: Participant) -> Vec<EdgeEffect> {
        self.step(EdgeInput::Attach(ConnectionId(connection), participant.into(), Dialect::Interface));
        let mut out = self.taken();
        out.retain(|effect| !matches!(effect, EdgeEffect::ToOwner(ToOwner::Attach(_))));
        out
    }

    fn read(&mut self, read: Option<(u64, State)>) -> Vec<EdgeEffect> {
        let stored = read.map(|(seq, state)| Box::new(StoredState { seq, head: None, ahead: Ahead::default(), state }));
        self.step(EdgeInput::StateRead(stored)).taken()
    }

    fn tail(&mut self, first: u64, events: Vec<Event>) -> Vec<EdgeEffect> {
        self.step(EdgeInput::TailRead { first, rows: Vec::new(), events }).taken()
    }

    fn wait(&self) -> Option<Duration> {
        self.edge.next_deadline().map(|at| at.saturating_sub(self.now))
    }
}

/// An edge whose owner has sent nothing since zero, with one socket that connected too late to be shown the replica.
fn silent(state: State) -> Rim {
    let mut rim = Rim::at(state);
    rim.now = SILENT;
    assert_eq!(rim.come(1, as_player(1)), [READ], "nothing is shown");
    rim
}

fn shown(connection: u64, state: &State, participant: Participant) -> Vec<EdgeEffect> {
    sent(connection, synced(state, participant, Dialect::Interface))
}

fn sent(connection: u64, frames: Vec<bytes::Bytes>) -> Vec<EdgeEffect> {
    let send = |frame| EdgeEffect::Send(ConnectionId(connection), frame, FrameKind::Queued);
    frames.into_iter().map(send).collect()
}

/// The same game after one more question.
fn later() -> State {
    let mut state = asking(1);
    state.apply(&event(Change::QuestionReleased { question: question(2) }));
    state
}

fn claimed(mut state: State, epoch: u64) -> State {
    state.apply(&claim(epoch));
    state
}

fn claim(epoch: u64) -> Event {
    event(Change::Claimed { epoch, node: Uuid::nil() })
}

/// The node slept while the log was read for a new socket, or the store is that slow.
#[test]
fn a_reading_that_came_late_is_done_again_and_then_believed() {
    for next_takes in [1, 5] {
        let mut rim = silent(asking(1));
        rim.now += Duration::from_secs(5);
        let late = rim.read(Some((10, asking(1))));
        assert_eq!(late, [READ], "nothing is shown");
        rim.now += Duration::from_secs(next_takes);
        let effects = rim.read(Some((11, later())));
        assert_eq!(effects, shown(1, &later(), as_player(1)));
    }
}

/// The same on an edge that has no replica yet: every socket is new there.
#[test]
fn a_first_reading_that_came_late_is_done_again() {
    let long = Duration::from_secs(60);
    let mut rim = Rim::empty(EdgeOptions { command_timeout: long, linger: long, ..OPTIONS });
    assert_eq!(rim.come(1, as_player(1)), []);
    assert!(rim.tick_at(SILENT).contains(&READ));
    rim.now += Duration::from_secs(5);
    assert_eq!(rim.read(Some((10, asking(1)))), [READ], "nothing is shown");
    rim.now += Duration::from_secs(5);
    assert_eq!(rim.read(Some((11, later()))), shown(1, &later(), as_player(1)));
}

#[test]
fn a_socket_that_connects_while_the_owner_sends_frames_is_shown_the_replica() {
    let mut rim = Rim::at(asking(1));
    rim.now = NEARLY;
    assert_eq!(rim.come(1, as_player(1)), shown(1, &asking(1), as_player(1)));
}

/// A node renewed its lease, its edge received frames of the owner until the next renewal was due, and then the node slept.
/// When it wakes, it may have been removed from the list; a new socket connects before the edge learns of that.
#[test]
fn a_node_that_wakes_when_its_lease_is_over_shows_nothing_before_it_has_read() {
    for lease in [1_000, 2_000, 3_000, 60_000].map(Duration::from_millis) {
        let options =
            EdgeOptions { command_timeout: PAUSE, linger: PAUSE, liveness: Liveness::of_lease(lease), ..OPTIONS };
        let mut rim = Rim::with(asking(1), options);
        rim.now = Liveness::renewal(lease);
        rim.say(ToEdge::Heartbeat { seq: 10 }).taken();
        rim.now = lease;
        assert_eq!(rim.come(1, as_player(1)), [READ], "lease {lease:?}");
        assert_eq!(rim.read(Some((11, later()))), shown(1, &later(), as_player(1)));
    }
}

/// A node slept, and its unread frames are older than that: a sign of life, an answer, or events.
#[test]
fn frames_from_before_a_silence_neither_make_the_replica_recent_nor_end_the_wait() {
    let release = || event(Change::QuestionReleased { question: question(2) });
    let belated = |rim: &mut Rim, message| {
        rim.step(EdgeInput::FromOwnerLate(FromOwner { epoch: 1, message }));
        rim.taken()
    };
    for word in [ToEdge::Heartbeat { seq: 10 }, ToEdge::Stored { seq: 10 }] {
        let mut rim = Rim::at(asking(1));
        rim.now = SILENT;
        assert_eq!(belated(&mut rim, word.clone()), []);
        assert_eq!(rim.come(1, as_player(1)), [READ], "nothing is shown after {word:?}");
        assert_eq!(belated(&mut rim, word), [], "nor now");
        assert_eq!(rim.read(Some((11, later()))), shown(1, &later(), as_player(1)));
    }
    let mut rim = silent(asking(2));
    let effects = belated(&mut rim, ToEdge::Committed { first: 10, chain: None, events: [release()].into() });
    let is_sent = |effect: &EdgeEffect| matches!(effect, EdgeEffect::Send(..) | EdgeEffect::Broadcast(..));
    assert!(!effects.iter().any(is_sent), "{effects:?}");
    assert_eq!(rim.edge.seq(), 11, "the event is applied nevertheless");
    assert_eq!(rim.tail(11, Vec::new()), shown(1, &later_of(2), as_player(1)), "the state of the log is shown");
}

/// The owner sends frames but cannot answer, because its store is slow. A frame about events that the edge does not have does not
/// make the replica more recent.
#[test]
fn frames_about_more_than_the_replica_has_count_as_silence() {
    let ahead = [
        ToEdge::Heartbeat { seq: 11 },
        ToEdge::Committed { first: 11, chain: None, events: [event(Change::Started)].into() },
    ];
    for word in ahead {
        let mut rim = Rim::at(asking(1));
        rim.now = NEARLY;
        rim.say(word).taken();
        rim.now = SILENT;
        assert_eq!(rim.come(1, as_player(1)), [READ], "nothing is shown");
        let mut out = rim.read(Some((11, later())));
        out.retain(|effect| matches!(effect, EdgeEffect::Send(..)));
        assert_eq!(out, shown(1, &later(), as_player(1)));
    }
}

#[test]
fn a_socket_that_comes_in_silence_is_shown_what_the_log_has() {
    let mut rim = silent(asking(2));
    assert_eq!(rim.come(2, as_player(2)), [], "the log is being read already");
    let first = shown(1, &asking(2), as_player(1)).into_iter().chain([READ]);
    assert_eq!(rim.read(Some((10, asking(2)))), first.collect::<Vec<_>>(), "the log had nothing newer");
    let second = rim.read(Some((10, asking(2))));
    assert_eq!(
        second,
        shown(2, &asking(2), as_player(2)),
        "the first reading may be older than what this client saw on another node"
    );
    let mut rim = silent(asking(1));
    assert_eq!(rim.read(Some((11, later()))), shown(1, &later(), as_player(1)), "and nothing older");
    assert_eq!(rim.read(Some((11, later()))), [], "once");
}

#[test]
fn without_the_log_what_was_committed_earlier_is_better_than_nothing() {
    let mut rim = silent(asking(1));
    assert_eq!(rim.read(None), shown(1, &asking(1), as_player(1)));
    assert_eq!(rim.read(None), [], "once");
}

#[test]
fn a_socket_that_waited_and_went_is_shown_nothing() {
    let mut rim = silent(asking(1));
    rim.step(EdgeInput::Detached(ConnectionId(1), true)).taken();
    assert_eq!(rim.read(Some((11, later()))), []);
}

#[test]
fn a_frame_of_the_owner_that_the_replica_is_up_to_date_ends_the_wait() {
    let sync = shown(1, &asking(1), as_player(1));
    for word in [ToEdge::Heartbeat { seq: 10 }, ToEdge::Stored { seq: 10 }, ToEdge::Stored { seq: 9 }] {
        assert_eq!(silent(asking(1)).say(word).taken(), sync);
    }
    let mut rim = silent(asking(1));
    let out = rim.commit(vec![event(Change::QuestionReleased { question: question(2) })]).taken();
    assert_eq!(out[..sync.len()], sync, "first the earlier state");
    assert!(out.len() > sync.len(), "then the changes");
    assert_eq!(rim.read(Some((11, later()))), [], "the log has nothing more");
}

#[test]
fn a_frame_about_more_than_the_replica_has_does_not_end_the_wait() {
    for word in [
        ToEdge::Heartbeat { seq: 11 },
        ToEdge::Stored { seq: 11 },
        ToEdge::Attached { connection: ConnectionId(1), participant: as_player(1), session: 7 },
    ] {
        let mut rim = silent(asking(1));
        let out = rim.say(word).taken();
        assert!(out.iter().all(|effect| *effect == EdgeEffect::ToOwner(ToOwner::Hello)), "{out:?}");
        assert_eq!(rim.read(Some((11, later()))), shown(1, &later(), as_player(1)));
    }
    let mut rim = silent(asking(1));
    rim.step(EdgeInput::FromOwner(FromOwner { epoch: 0, message: ToEdge::Heartbeat { seq: 10 } }));
    assert_eq!(rim.taken(), [], "nor does an owner of the past");
}

/// The owner may be alive and send frames to others, but know nothing of this edge.
#[test]
fn in_silence_the_edge_attaches_its_sockets_again_and_numbers_of_a_session_the_owner_still_knows_go_on() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    let answered = |rim: &mut Rim| match rim.step(submit("an answer")).taken().as_slice() {
        [EdgeEffect::ToOwner(ToOwner::Command { command_id, .. })] => *command_id,
        other => panic!("{other:?}"),
    };
    let command_id = answered(&mut rim);
    rim.say(ToEdge::Done { connection: ConnectionId(1), command_id, seq: 10 }).taken();
    let named = ToOwner::Attach(Attaching {
        connection: ConnectionId(1),
        participant: as_player(1),
        prior: Some(101),
        moves: 0,
    });
    let named = [READ, EdgeEffect::ToOwner(ToOwner::Hello), EdgeEffect::ToOwner(named)];
    assert_eq!(rim.tick_at(SILENT)[..3], named);
    assert!(rim.tick_at(SILENT + Duration::from_millis(500)).contains(&named[2]), "until it answers");
    rim.say(ToEdge::Attached { connection: ConnectionId(1), participant: as_player(1), session: 101 }).taken();
    let next = answered(&mut rim);
    assert_eq!((next.session, next.number), (101, command_id.number + 1), "a used number would mean another command");
}

#[test]
fn unanswered_frames_are_sent_again_at_once_when_the_owner_has_moved() {
    let mut rim = Rim::at(asking(2));
    rim.attach(1, as_player(1));
    rim.attach(2, as_player(2));
    rim.taken();
    rim.step(EdgeInput::Detached(ConnectionId(2), true));
    let answer = SubmitAnswer { question_id: question(1).uuid(), answer: "key1".to_owned() };
    let message = Message::Player(FromPlayer::SubmitAnswer(answer));
    rim.step(EdgeInput::Message { connection: ConnectionId(1), message, closings_written: u32::MAX, elapsed: None });
    rim.step(EdgeInput::Request(RequestId(4), Actor::Service, join(3)));
    let mut said = rim.taken();
    assert_eq!(said.len(), 3);
    assert_eq!(rim.tick_at(Duration::from_millis(499)), [], "not due");
    let mut again = rim.step(EdgeInput::OwnerMoved).taken();
    said.push(EdgeEffect::ToOwner(ToOwner::Hello));
    for effects in [&mut said, &mut again] {
        effects.sort_by_key(|effect| format!("{effect:?}"));
    }
    assert_eq!(again, said, "the whole state, and who is connected");
    assert!(rim.edge.state().unwrap().player(player(2)).is_some());
    assert_eq!(rim.tick_at(Duration::from_millis(998)), [], "and again after the usual pause");
    assert_eq!(rim.tick_at(Duration::from_millis(999)).len(), 5, "and the log is read");
}

#[test]
fn an_edge_with_nothing_unanswered_greets_an_owner_that_has_moved() {
    let mut rim = Rim::at(asking(1));
    assert_eq!(rim.step(EdgeInput::OwnerMoved).taken(), [EdgeEffect::ToOwner(ToOwner::Hello)]);
    assert_eq!(rim.wait(), Some(Duration::from_millis(500)), "until it answers");
    rim.say(ToEdge::Stored { seq: 10 });
    assert_eq!((rim.taken(), rim.wait()), (vec![], None));
}

#[test]
fn an_owner_that_speaks_and_does_not_answer_is_not_waited_for() {
    let mut rim = Rim::at(asking(3));
    rim.come(1, as_player(1));
    let hello = || EdgeEffect::ToOwner(ToOwner::Hello);
    assert_eq!(rim.say(ToEdge::Heartbeat { seq: 11 }).taken(), [hello()]);
    assert_eq!(rim.come(2, as_player(2)), shown(2, &asking(3), as_player(2)), "it may yet answer");
    let said = rim.tick_at(Duration::from_millis(500));
    assert!(said.contains(&hello()) && said.contains(&READ), "{said:?}");
    rim.say(ToEdge::Heartbeat { seq: 11 }).taken();
    assert_eq!(rim.come(3, as_player(3)), [], "the owner may be cut off from the log, and the replica old");
    assert_eq!(rim.read(Some((10, asking(3)))), [READ], "that reading had begun before the socket connected");
    assert_eq!(rim.read(Some((10, asking(3)))), shown(3, &asking(3), as_player(3)));
    assert_eq!(rim.come(4, as_player(3))[2..], shown(4, &asking(3), as_player(3)), "the log has answered");
}

fn submit(text: &str) -> EdgeInput {
    let answer = SubmitAnswer { question_id: question(1).uuid(), answer: text.to_owned() };
    let message = Message::Player(FromPlayer::SubmitAnswer(answer));
    EdgeInput::Message { connection: ConnectionId(1), message, closings_written: u32::MAX, elapsed: None }
}

/// [`later`] with this many players.
fn later_of(players: u64) -> State {
    let mut state = asking(players);
    state.apply(&event(Change::QuestionReleased { question: question(2) }));
    state
}
