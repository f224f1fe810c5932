//! Commands that cross a closing. A refused one closes its socket only when its client could know that the target was closed.

use quizhall_engine::wire::{FromHost, FromPlayer};
use quizhall_engine::{ConnectionId, EdgeEffect, Message, Participant, ToEdge};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_rules::{Change, Refusal, State};

use crate::rim::Rim;
use crate::stage::{as_player, asking, command_id, event, question};

/// Both questions are open.
fn both_open() -> State {
    let mut state = asking(1);
    state.apply(&event(Change::QuestionReleased { question: question(2) }));
    state
}

fn answer_to(number: u64) -> Message {
    let submit = SubmitAnswer { question_id: question(number).uuid(), answer: "late".to_owned() };
    Message::Player(FromPlayer::SubmitAnswer(submit))
}

fn closed(number: u64) -> Change {
    Change::QuestionClosed { question: question(number) }
}

/// Sends a command when this many closings are written to its socket; whether the refusal closes the socket.
fn closes(rim: &mut Rim, connection: u64, message: Message, written: u32) -> bool {
    rim.message(connection, message, written).taken();
    let (command_id, seq) = (command_id(100 + connection, 1), rim.seq);
    let connection = ConnectionId(connection);
    rim.say(ToEdge::Refused { connection, command_id, refusal: Refusal::WrongPhase, seq });
    rim.taken().iter().any(|effect| matches!(effect, EdgeEffect::Close(..)))
}

#[test]
fn a_command_is_forgiven_until_the_closing_of_its_target_is_written() {
    let end = || Message::Host(FromHost::EndRound);
    let (one, both) = ([closed(1), Change::RoundEnded], [closed(1), closed(2)]);
    let ends = [Change::RoundEnded, Change::RoundEnded, Change::RoundEnded];
    // What is closed, the command, and whether it closes the socket when none of the closings is written, one, and so on.
    let cases: [(&[Change], Message, &[bool]); 9] = [
        (&[], answer_to(1), &[false]),
        (&both, answer_to(1), &[false, true, true]),
        (&both, answer_to(2), &[false, false, true]),
        (&both, answer_to(3), &[true, true, true]),
        (&both, end(), &[true, true, true]),
        (&one, answer_to(1), &[false, false, true]),
        (&one, answer_to(2), &[false, false, true]),
        (&one, end(), &[false, false, true]),
        (&ends, end(), &[false, false, false, true]),
    ];
    for (changes, message, expected) in cases {
        let who = if matches!(message, Message::Host(_)) { Participant::Host } else { as_player(1) };
        for (written, expected) in (0..).zip(expected) {
            let mut rim = Rim::at(both_open());
            rim.attach_v1(1, who);
            for change in changes {
                rim.commit(vec![event(change.clone())]).taken();
            }
            let is_closed = closes(&mut rim, 1, message.clone(), written);
            assert_eq!(is_closed, *expected, "{message:?} behind {written} of {changes:?}");
        }
    }
}

#[test]
fn an_answer_that_was_on_its_way_when_the_round_ended_is_forgiven() {
    let mut rim = Rim::at(both_open());
    rim.attach(1, as_player(1));
    rim.answer(1, "too late").taken();
    rim.commit(vec![event(Change::RoundEnded)]);
    assert_eq!(rim.refuse(1, Refusal::WrongPhase), []);
}

#[test]
fn a_socket_knows_the_closings_that_it_was_sent_and_no_other() {
    let mut rim = Rim::at(both_open());
    rim.attach(1, as_player(1));
    rim.commit(vec![event(closed(1))]).taken();
    assert!(!closes(&mut rim, 1, answer_to(1), 0), "a plain socket is sent none");
    rim.attach_v1(2, as_player(1));
    assert!(closes(&mut rim, 2, answer_to(1), 1), "the sync messages of a later socket have it");
}
