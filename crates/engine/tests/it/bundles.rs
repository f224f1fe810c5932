//! Answers that travel together: what an edge collects and sends, what an owner makes of it, and what the edge shows when they are
//! stored.

use std::time::Duration;

use quizhall_engine::wire;
use quizhall_engine::{
    Append, Attaching, ConnectionId, EdgeEffect, EdgeId, EdgeInput, EdgeOptions, FrameKind, FromOwner, GivenAnswers,
    Outcome, OwnerEffect, OwnerInput, Participant, ToEdge, ToOwner,
};
use quizhall_rules::{
    AnswerText, Bundle, BundleRow, Change, Command, CommandId, Event, MarkedText, Refusal, Rows, SentRow,
};

use crate::desk::{Desk, EPOCH};
use crate::rim::{OPTIONS, Rim};
use crate::stage::{answered, as_player, asking, created, event, joined, question, submit};

const PLAYERS: u64 = 4;
/// Answers wait for at most this long.
const WAIT: Duration = Duration::from_millis(4);
/// A session of an edge of these tests is 100 above the number of its socket; those of owners begin after this.
const GIVEN: u64 = 1 << 32;

/// An edge with a socket of each player, in a game in which answers travel together. Its owner has epoch 1.
fn edge() -> Rim {
    let mut rim = Rim::with(asking(PLAYERS), EdgeOptions { bundle_from: 3, ..OPTIONS });
    for number in 1..=PLAYERS {
        rim.attach(number, as_player(number));
        let (connection, participant) = (ConnectionId(number), as_player(number));
        rim.say(ToEdge::Attached { connection, participant, session: GIVEN + number });
    }
    rim.taken();
    rim
}

fn to_owner(effects: Vec<EdgeEffect>) -> Vec<ToOwner> {
    let frame = |effect| match effect {
        EdgeEffect::ToOwner(frame) => Some(frame),
        _ => None,
    };
    effects.into_iter().filter_map(frame).collect()
}

/// The answers in the frames: the number of the player, of the command and the text; `true` when they came together.
fn answers_in(frames: &[ToOwner]) -> Vec<(u64, u64, String, bool)> {
    let mut answers = Vec::new();
    for frame in frames {
        match frame {
            ToOwner::Answers(given) => answers.extend(given.rows.0.iter().map(|row| {
                let text = given.texts[row.text as usize].as_str().to_owned();
                (u64::from(row.session), u64::from(row.number), text, true)
            })),
            ToOwner::Command { command_id, command: Command::SubmitAnswer { answer, .. }, .. } => {
                answers.push((command_id.session - GIVEN, command_id.number, answer.as_str().to_owned(), false));
            }
            other => panic!("no answer: {other:?}"),
        }
    }
    answers
}

fn alone(number: u64, text: &str) -> (u64, u64, String, bool) {
    (number, 1, text.to_owned(), false)
}

fn together(number: u64, text: &str) -> (u64, u64, String, bool) {
    (number, 1, text.to_owned(), true)
}

/// A bundle of the owner: players by their numbers, each with the text that it gave.
fn bundle(answers: &[(u64, &str)]) -> Event {
    let text = |(_, text): &(u64, &str)| MarkedText {
        text: (*text).into(),
        correct: text.starts_with("key"),
        near_miss: false,
        partial: 0,
    };
    let row = |(place, (number, _)): (usize, &(u64, &str))| BundleRow {
        slot: u32::try_from(*number).unwrap() - 1,
        sent: SentRow {
            session: u32::try_from(*number).unwrap(),
            number: 1,
            text: u32::try_from(place).unwrap(),
            elapsed: None,
        },
    };
    let rows = Rows(answers.iter().enumerate().map(row).collect());
    let texts = answers.iter().map(text).collect();
    event(Change::Answers(Bundle { question: question(1), epoch: 1, texts, rows }.into()))
}

fn acknowledged(effects: &[EdgeEffect]) -> Vec<u64> {
    let is_acknowledgement = |effect: &EdgeEffect| match effect {
        EdgeEffect::Send(connection, frame, FrameKind::Queued) if *frame == wire::answer_accepted(question(1)) => {
            Some(connection.0)
        }
        _ => None,
    };
    effects.iter().filter_map(is_acknowledgement).collect()
}

#[test]
fn answers_wait_for_others_while_earlier_ones_are_unanswered() {
    let mut rim = edge();
    rim.answer(1, "key1");
    assert_eq!(answers_in(&to_owner(rim.taken())), [alone(1, "key1")], "the first one waits for none");
    rim.answer(2, "no").answer(3, "no").answer(4, "yes");
    assert_eq!(rim.taken(), []);
    assert_eq!(rim.edge.next_deadline(), Some(rim.now + WAIT));
    let sent = to_owner(rim.tick_at(rim.now + WAIT));
    assert_eq!(answers_in(&sent), [together(2, "no"), together(3, "no"), together(4, "yes")]);
    let [ToOwner::Answers(given)] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!((given.texts.len(), given.epoch, given.question), (2, 1, question(1)), "a text is there once");
}

#[test]
fn answers_go_at_once_when_the_earlier_ones_are_answered() {
    let mut rim = edge();
    rim.answer(1, "key1").answer(2, "no").answer(3, "yes").taken();
    let mut first = answered(1, 1, "key1");
    first.command_id = Some(CommandId { session: GIVEN + 1, number: 1 });
    let effects = rim.commit(vec![first]).taken();
    assert_eq!(acknowledged(&effects), [1]);
    assert_eq!(answers_in(&to_owner(effects)), [together(2, "no"), together(3, "yes")]);
}

#[test]
fn answers_travel_by_themselves_while_a_node_cannot_read_bundles() {
    let mut rim = edge();
    rim.edge.set_oldest_log(1);
    rim.answer(1, "key1").answer(2, "no");
    assert_eq!(answers_in(&to_owner(rim.taken())), [alone(1, "key1"), alone(2, "no")]);
}

#[test]
fn small_games_have_no_bundles() {
    let mut rim = Rim::at(asking(PLAYERS));
    for number in 1..=PLAYERS {
        rim.attach(number, as_player(number));
        let (connection, participant) = (ConnectionId(number), as_player(number));
        rim.say(ToEdge::Attached { connection, participant, session: GIVEN + number });
        rim.taken();
        rim.answer(number, "no");
        assert_eq!(answers_in(&to_owner(rim.taken())), [alone(number, "no")]);
    }
}

#[test]
fn the_first_answer_after_one_over_another_edge_travels_by_itself() {
    let mut rim = edge();
    // Player 2 answered over another edge.
    let mut elsewhere = answered(2, 1, "old");
    elsewhere.command_id = Some(CommandId { session: GIVEN + 77, number: 3 });
    rim.commit(vec![elsewhere]).taken();
    rim.answer(1, "key1").answer(2, "no").answer(3, "yes");
    assert_eq!(answers_in(&to_owner(rim.taken())), [alone(1, "key1"), alone(2, "no")]);
    assert_eq!(answers_in(&to_owner(rim.tick_at(rim.now + WAIT))), [alone(3, "yes")], "no other has come");
}

#[test]
fn what_is_unanswered_is_retransmitted_together() {
    let mut rim = edge();
    rim.answer(1, "key1").answer(2, "no").answer(3, "yes").taken();
    rim.tick_at(rim.now + WAIT);
    rim.commit(vec![bundle(&[(2, "no")])]).taken();
    let due = rim.now + Duration::from_secs(2);
    let mut again = Vec::new();
    while rim.now < due {
        let next = rim.edge.next_deadline().unwrap().max(rim.now + Duration::from_millis(1));
        again.extend(to_owner(rim.tick_at(next)));
    }
    assert_eq!(answers_in(&again)[..2], [together(1, "key1"), together(3, "yes")]);
}

/// They keep the sessions of the earlier owner, so that each is the same command.
#[test]
fn a_new_owner_is_sent_what_is_unanswered_together() {
    let mut rim = edge();
    rim.answer(1, "key1").answer(2, "no").answer(3, "yes").taken();
    rim.step(EdgeInput::FromOwner(FromOwner { epoch: 2, message: ToEdge::Heartbeat { seq: 10 } }));
    let mut sent = to_owner(rim.taken());
    sent.retain(|frame| matches!(frame, ToOwner::Answers(_) | ToOwner::Command { .. }));
    let [ToOwner::Answers(given)] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!((given.epoch, given.given_by), (2, Some(1)));
    let mut answers = answers_in(&sent);
    answers.sort_unstable();
    assert_eq!(answers, [together(1, "key1"), together(2, "no"), together(3, "yes")], "also what was collected");
    assert_eq!(to_owner(rim.tick_at(rim.now + WAIT)), [], "and nothing twice");
}

#[test]
fn a_new_owner_takes_the_answers_over_sessions_of_the_one_before() {
    let (mut desk, _) = owner();
    let before = CommandId::session_of(EPOCH - 1, 7);
    let attaching = |number: u64| Attaching {
        connection: ConnectionId(20 + number),
        participant: as_player(number),
        prior: Some(before + number),
        moves: 0,
    };
    desk.frame(ToOwner::AttachMany((1..=PLAYERS).map(attaching).collect())).taken();
    let rows = vec![row(8, 3, 0), row(10, 1, 1), row(99, 1, 1)];
    let frame = GivenAnswers { given_by: Some(EPOCH - 1), ..given(rows) };
    let append = desk.frame(ToOwner::Answers(frame.clone())).append();
    assert_eq!(stored(&append), [texts(&[(0, "key1"), (2, "no")])]);
    let Change::Answers(bundle) = &append.events[0].change else { panic!("no bundle") };
    assert_eq!(bundle.epoch, EPOCH - 1, "the ids of the commands stay");
    desk.commit();
    desk.frame(ToOwner::Answers(frame));
    let said = desk.look();
    let [ToEdge::Outcomes { rows, .. }] = &said[..] else { panic!("{said:?}") };
    assert_eq!(rows.iter().map(|(connection, ..)| connection.0).collect::<Vec<_>>(), [21, 23], "a retransmission");
}

#[test]
fn a_stored_bundle_acknowledges_the_answers_that_came_from_here() {
    let mut rim = edge();
    rim.answer(1, "key1").answer(2, "no").answer(3, "yes").answer(4, "yes").taken();
    rim.tick_at(rim.now + WAIT);
    // Player 3's row is that of an earlier command.
    let stored = bundle(&[(1, "key1"), (2, "no"), (4, "yes")]);
    let effects = rim.commit(vec![stored.clone()]).taken();
    assert_eq!(acknowledged(&effects), [1, 2, 4]);
    assert_eq!(rim.edge.seq(), 11, "one entry of the log");
    let mut state = asking(PLAYERS);
    state.apply(&stored);
    assert_eq!(rim.edge.state().unwrap().answer_count(question(1)), 3);
    assert!(rim.edge.state().unwrap().answer_of(crate::stage::player(1), question(1)).unwrap().correct());
    assert_eq!(state.answer_count(question(1)), 3);
    // Their sockets are free for the next command.
    rim.answer(1, "later");
    assert!(rim.edge.waiting() >= 2);
}

/// An owner whose question 1 is open, with a socket of each player, and the numbers of their sessions.
fn owner() -> (Desk, Vec<u32>) {
    let events = [created(), joined(1), joined(2), joined(3), joined(4), event(Change::HostReturned)];
    let released = [event(Change::Started), event(Change::QuestionReleased { question: question(1) })];
    let mut desk = Desk::after(events.into_iter().chain(released).collect());
    let given = |session: u64| CommandId { session, number: 1 }.given_by(EPOCH).unwrap().0;
    let sessions = (1..=PLAYERS).map(|number| given(desk.attach(number, as_player(number)))).collect();
    (desk, sessions)
}

fn row(session: u32, number: u32, text: u32) -> SentRow {
    SentRow { session, number, text, elapsed: None }
}

fn given(rows: Vec<SentRow>) -> GivenAnswers {
    let texts = ["key1", "no", "yes"].map(|text| AnswerText::parse(text).unwrap()).to_vec();
    GivenAnswers { epoch: EPOCH, given_by: None, question: question(1), texts, rows: Rows(rows) }
}

/// The rows of the bundles in an append, by slots and texts.
fn stored(append: &Append) -> Vec<Vec<(u32, String)>> {
    let rows = |event: &Event| match &event.change {
        Change::Answers(bundle) => {
            let text = |row: &BundleRow| bundle.texts[row.sent.text as usize].text.to_string();
            Some(bundle.rows.0.iter().map(|row| (row.slot, text(row))).collect())
        }
        _ => None,
    };
    append.events.iter().filter_map(rows).collect()
}

fn texts(rows: &[(u32, &str)]) -> Vec<(u32, String)> {
    rows.iter().map(|(slot, text)| (*slot, (*text).to_owned())).collect()
}

#[test]
fn an_owner_stores_answers_as_one_event() {
    let (mut desk, sessions) = owner();
    let rows = vec![row(sessions[2], 1, 0), row(sessions[0], 1, 1), row(sessions[1], 1, 0)];
    let append = desk.frame(ToOwner::Answers(given(rows.clone()))).append();
    assert_eq!(stored(&append), [texts(&[(2, "key1"), (0, "no"), (1, "key1")])]);
    assert_eq!((desk.owner.pending(), desk.owner.pending_commands()), (1, 3));
    let Change::Answers(bundle) = &append.events[0].change else { panic!("no bundle") };
    assert!(bundle.texts.len() == 2 && bundle.texts[0].correct && !bundle.texts[1].correct, "marked once each");
    let said = desk.commit();
    assert!(matches!(said[..], [ToEdge::Committed { .. }]), "the event is the reply: {said:?}");
    // The same frame again is answered and changes nothing.
    desk.frame(ToOwner::Answers(given(rows)));
    let [ToEdge::Outcomes { seq: 10, rows }] = &desk.look()[..] else { panic!("no outcomes") };
    let done: Vec<_> = rows.iter().map(|(connection, _, outcome)| (connection.0, *outcome)).collect();
    assert_eq!(done, [(3, Outcome::Done), (1, Outcome::Done), (2, Outcome::Done)]);
}

#[test]
fn one_bad_row_refuses_only_itself() {
    let (mut desk, sessions) = owner();
    // A text that is not there, a session that no one has, a phone of another edge, and one that counts.
    let rows = vec![row(sessions[0], 1, 9), row(99, 1, 0), row(sessions[1], 1, 1)];
    let append = desk.frame(ToOwner::Answers(given(rows))).append();
    assert_eq!(stored(&append), [texts(&[(1, "no")])]);
    let said = desk.commit();
    let refused = |reply: &ToEdge| match reply {
        ToEdge::Refused { connection, refusal, seq, .. } => Some((connection.0, *refusal, *seq)),
        _ => None,
    };
    assert_eq!(said.iter().filter_map(refused).collect::<Vec<_>>(), [(1, Refusal::UnknownQuestion, 10)]);
}

#[test]
fn rows_of_other_edges_replaced_sockets_and_other_owners_are_dropped() {
    let (mut desk, sessions) = owner();
    let rows = || vec![row(sessions[0], 1, 1), row(sessions[1], 1, 1)];
    desk.step(OwnerInput::FromEdge(EdgeId(7), ToOwner::Answers(given(rows()))));
    desk.frame(ToOwner::Answers(GivenAnswers { epoch: EPOCH + 1, ..given(rows()) }));
    desk.frame(ToOwner::Answers(GivenAnswers { epoch: EPOCH - 1, ..given(rows()) }));
    assert!(desk.settle().is_none(), "nothing is stored");
    // Player 1 has a newer socket.
    desk.attach(11, as_player(1));
    desk.settle();
    let append = desk.frame(ToOwner::Answers(given(rows()))).append();
    assert_eq!(stored(&append), [texts(&[(1, "no")])]);
}

#[test]
fn answers_after_the_close_are_refused_and_those_before_it_count() {
    let (mut desk, sessions) = owner();
    desk.frame(ToOwner::Answers(given(vec![row(sessions[0], 1, 0), row(sessions[1], 1, 1)])));
    let host = desk.attach(9, Participant::Host);
    desk.command(9, Participant::Host, (CommandId { session: host, number: 1 }, Command::EndRound));
    desk.frame(ToOwner::Answers(given(vec![row(sessions[2], 1, 0), row(sessions[3], 1, 0)])));
    let append = desk.append();
    assert_eq!(stored(&append), [texts(&[(0, "key1"), (1, "no")])]);
    let said = desk.commit();
    let [.., ToEdge::Outcomes { seq: 11, rows }] = &said[..] else { panic!("no outcomes: {said:?}") };
    let refused: Vec<_> = rows.iter().map(|(connection, _, outcome)| (connection.0, *outcome)).collect();
    assert_eq!(refused, [3, 4].map(|connection| (connection, Outcome::Refused(Refusal::WrongPhase))));
}

#[test]
fn outcomes_that_come_together_are_those_of_each_socket() {
    let mut rim = edge();
    rim.commit(vec![answered(1, 1, "key1")]);
    rim.answer(1, "key1").answer(2, "no").answer(3, "yes").answer(4, "yes").taken();
    rim.tick_at(rim.now + WAIT);
    let row = |number, outcome| (ConnectionId(number), CommandId { session: GIVEN + number, number: 1 }, outcome);
    let rows = vec![row(1, Outcome::Done), row(2, Outcome::Refused(Refusal::Ended)), row(4, Outcome::Outdated)];
    let early = ToEdge::Outcomes { seq: 12, rows: rows.clone() };
    assert!(acknowledged(&rim.say(early).taken()).is_empty(), "its events are missing here");
    let effects = rim.say(ToEdge::Outcomes { seq: 11, rows }).taken();
    assert_eq!(acknowledged(&effects), [1]);
    let closed = |effect: &EdgeEffect| match effect {
        EdgeEffect::Close(connection, _) => Some(connection.0),
        _ => None,
    };
    assert_eq!(effects.iter().filter_map(closed).collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn a_new_owner_is_sent_all_sockets_in_one_frame_when_every_node_reads_it() {
    for (oldest_log, is_one) in [(2, true), (1, false)] {
        let mut rim = edge();
        rim.edge.set_oldest_log(oldest_log);
        rim.step(EdgeInput::FromOwner(FromOwner { epoch: 2, message: ToEdge::Heartbeat { seq: 10 } }));
        let mut sockets = Vec::new();
        let mut frames = 0;
        for frame in to_owner(rim.taken()) {
            match frame {
                ToOwner::AttachMany(many) => sockets.extend(many),
                ToOwner::Attach(socket) => sockets.push(socket),
                _ => continue,
            }
            frames += 1;
        }
        sockets.sort_unstable_by_key(|socket| socket.connection);
        let attaching = |number| Attaching {
            connection: ConnectionId(number),
            participant: as_player(number),
            prior: Some(GIVEN + number),
            moves: 0,
        };
        assert_eq!(sockets, [1, 2, 3, 4].map(attaching));
        assert_eq!(frames, if is_one { 1 } else { 4 });
        // Commands go over the new sessions.
        let of = |number| (ConnectionId(number), as_player(number), (2 << 32) + number);
        rim.step(EdgeInput::FromOwner(FromOwner { epoch: 2, message: ToEdge::AttachedMany(vec![of(3), of(9)]) }));
        rim.taken();
        rim.answer(3, "yes").answer(4, "no");
        let sent = to_owner(rim.taken());
        let [ToOwner::Command { command_id, .. }] = &sent[..] else { panic!("{sent:?}") };
        assert_eq!(command_id.session, (2 << 32) + 3, "only this socket has a session");
    }
}

#[test]
fn an_owner_gives_sessions_to_sockets_that_come_together() {
    let (mut desk, _) = owner();
    let attaching = |number, connection| Attaching {
        connection: ConnectionId(connection),
        participant: as_player(number),
        prior: None,
        moves: 0,
    };
    // Player 2 has a newer socket than this one, and player 3 gets a newer one.
    desk.frame(ToOwner::AttachMany(vec![attaching(1, 1), attaching(2, 0), attaching(3, 30), attaching(4, 4)]));
    let said = desk.taken();
    let [OwnerEffect::Send(_, FromOwner { message: ToEdge::AttachedMany(attached), .. })] = &said[..] else {
        panic!("{said:?}")
    };
    assert_eq!(attached.iter().map(|(connection, ..)| connection.0).collect::<Vec<_>>(), [1, 30, 4]);
    let said = desk.look();
    let replaced = |message: &ToEdge| match message {
        ToEdge::Replaced { connection } => Some(connection.0),
        _ => None,
    };
    assert_eq!(said.iter().filter_map(replaced).collect::<Vec<_>>(), [0, 3]);
}

#[test]
fn an_answer_after_one_over_another_edge_is_decided_by_itself() {
    let (mut desk, sessions) = owner();
    // Player 2 answered over another edge, and attaches here again.
    let elsewhere =
        ToOwner::Attach(Attaching { connection: ConnectionId(50), participant: as_player(2), prior: None, moves: 0 });
    desk.step(OwnerInput::FromEdge(EdgeId(7), elsewhere));
    let session = match &desk.taken()[..] {
        [.., OwnerEffect::Send(_, FromOwner { message: ToEdge::Attached { session, .. }, .. })] => *session,
        other => panic!("no session: {other:?}"),
    };
    let command = ToOwner::Command {
        connection: ConnectionId(50),
        participant: as_player(2),
        command_id: CommandId { session, number: 1 },
        seen: None,
        epoch: Some(EPOCH),
        command: submit(1, "yes"),
    };
    desk.step(OwnerInput::FromEdge(EdgeId(7), command));
    desk.settle();
    let back = desk.attach(60, as_player(2));
    desk.settle();
    let (back, _) = CommandId { session: back, number: 1 }.given_by(EPOCH).unwrap();
    let rows = vec![row(sessions[0], 1, 0), row(back, 1, 1), row(sessions[2], 1, 0), row(sessions[3], 1, 0)];
    let append = desk.frame(ToOwner::Answers(given(rows))).append();
    assert_eq!(stored(&append), [texts(&[(0, "key1")]), texts(&[(2, "key1"), (3, "key1")])]);
    let said = desk.commit();
    // Its command was delayed for as long as the edge says nothing of the answer over the other edge.
    assert!(
        said.iter().any(|reply| matches!(reply, ToEdge::Outdated { connection: ConnectionId(60), .. })),
        "{said:?}"
    );
}
