//! Points for speed: the time that an edge measures and passes on, and the time that an owner stores.

use std::time::Duration;

use quizhall_engine::wire::FromPlayer;
use quizhall_engine::{
    Append, ConnectionId, EdgeEffect, EdgeInput, FrameKind, Message, OwnerInput, Participant, ToOwner,
};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_rules::{AnswerText, Change, Command, CommandId, Event, State, TimeLeft};

use crate::desk::{Desk, kinds};
use crate::rim::Rim;
use crate::stage::{as_player, created, event, joined, question};

/// A game that counts speed, with a limit of 20 s for question 1 and none for question 2, and a player in the lobby.
fn lobby() -> Vec<Event> {
    let Change::Created(mut whole) = created().change else { unreachable!("the first event is the creation") };
    whole.quiz.rounds[0].speed_points = true;
    whole.quiz.rounds[0].questions[0].time_limit = Some(20);
    vec![event(Change::Created(whole)), joined(1), joined(2), event(Change::HostReturned)]
}

fn started() -> State {
    let mut state = State::replay(&lobby()).unwrap();
    state.apply(&event(Change::Started));
    state
}

fn answer(text: &str, elapsed: Option<u32>) -> Command {
    Command::SubmitAnswer { question: question(1), answer: AnswerText::parse(text).unwrap(), elapsed }
}

impl Rim {
    fn answers(&mut self, connection: u64, elapsed: Option<u32>) -> Option<Command> {
        self.taken();
        let submit = SubmitAnswer { question_id: question(1).uuid(), answer: "key1".to_owned() };
        let (connection, message) = (ConnectionId(connection), Message::Player(FromPlayer::SubmitAnswer(submit)));
        self.step(EdgeInput::Message { connection, message, closings_written: 0, elapsed });
        self.taken().into_iter().find_map(|effect| match effect {
            EdgeEffect::ToOwner(ToOwner::Command { command, .. }) => Some(command),
            _ => None,
        })
    }
}

#[test]
fn a_question_in_which_speed_counts_is_one_whose_writing_the_socket_notes() {
    let mut rim = Rim::at(started());
    rim.attach(2, as_player(1));
    rim.commit(vec![event(Change::QuestionReleased { question: question(1) })]);
    rim.commit(vec![event(Change::QuestionReleased { question: question(2) })]);
    let kind = |effect| match effect {
        EdgeEffect::Broadcast(_, kind) => Some(kind),
        _ => None,
    };
    let kinds: Vec<_> = rim.taken().into_iter().filter_map(kind).collect();
    assert!(kinds.contains(&FrameKind::Asks(question(1))), "{kinds:?}");
    assert!(!kinds.contains(&FrameKind::Asks(question(2))), "question 2 has no limit");
}

/// A socket that connects later gets the question in the sync messages: no time is measured there.
#[test]
fn the_sync_messages_ask_nothing() {
    let mut state = started();
    state.apply(&event(Change::QuestionReleased { question: question(1) }));
    let mut rim = Rim::at(state);
    let shown = rim.attach(2, as_player(1));
    let sent = |effect: &EdgeEffect| matches!(effect, EdgeEffect::Send(_, _, FrameKind::Queued));
    assert!(shown.iter().any(sent), "it is sent the question");
    assert!(!shown.iter().any(|effect| matches!(effect, EdgeEffect::Send(_, _, FrameKind::Asks(_)))));
}

#[test]
fn the_measured_time_is_sent_with_the_answer_and_each_retransmission() {
    let mut state = started();
    state.apply(&event(Change::QuestionReleased { question: question(1) }));
    let mut rim = Rim::at(state);
    rim.attach(2, as_player(1));
    assert_eq!(rim.answers(2, Some(700)), Some(answer("key1", Some(700))));
    for seconds in 1..=2 {
        let again = rim.tick_at(Duration::from_secs(seconds)).into_iter().find_map(|effect| match effect {
            EdgeEffect::ToOwner(ToOwner::Command { command, .. }) => Some(command),
            _ => None,
        });
        assert!(again.is_none_or(|again| again == answer("key1", Some(700))), "after {seconds} s");
    }
}

/// A desk with question 1 open, and the sessions of the host and of players 1 and 2.
fn asking() -> (Desk, u64, [u64; 2]) {
    let mut desk = Desk::after(lobby());
    let host = desk.attach(1, Participant::Host);
    let players = [1, 2].map(|number| desk.attach(10 + number, as_player(number)));
    desk.settle();
    for (number, command) in [(1, Command::StartGame), (2, Command::ReleaseQuestion { question: question(1) })] {
        desk.command(1, Participant::Host, (CommandId { session: host, number }, command));
        desk.settle();
    }
    (desk, host, players)
}

fn stored(row: &Append) -> Vec<Option<u32>> {
    let elapsed = |event: &Event| match event.change {
        Change::Answered { elapsed, .. } => Some(elapsed),
        _ => None,
    };
    row.events.iter().filter_map(elapsed).collect()
}

impl Desk {
    /// Lets time pass as in a running process.
    fn wait(&mut self, ms: u64) {
        for _ in 0..ms / 100 {
            self.now += Duration::from_millis(100);
            self.step(OwnerInput::Tick).taken();
            self.settle();
        }
    }

    fn answers(&mut self, (number, session): (u64, u64), nth: u64, command: Command) -> Option<Append> {
        self.command(10 + number, as_player(number), (CommandId { session, number: nth }, command));
        self.settle()
    }
}

/// The time left is stored before the host changes it, so another owner knows how long the question has been open.
#[test]
fn the_time_is_stated_before_the_host_changes_it() {
    let (mut desk, host, _) = asking();
    desk.wait(3_000);
    let more = Command::AddTime(TimeLeft { question: Some(question(1)), ms: 60_000 });
    desk.command(1, Participant::Host, (CommandId { session: host, number: 3 }, more));
    let row = desk.settle().unwrap();
    assert_eq!(kinds(&row), ["timer_mark", "timer_set"]);
    let Change::TimerMark { left, .. } = &row.events[0].change else { panic!("not a mark") };
    assert_eq!(left[..], [TimeLeft { question: Some(question(1)), ms: 17_000 }]);
}

#[test]
fn a_process_that_slept_costs_no_player_points() {
    let (mut desk, _, [ann, _]) = asking();
    desk.wait(1_000);
    desk.now += Duration::from_secs(100);
    desk.step(OwnerInput::Tick).taken();
    desk.settle();
    let elapsed = stored(&desk.answers((1, ann), 1, answer("key1", Some(101_000))).unwrap());
    assert_eq!(elapsed, [Some(1_000)]);
}
