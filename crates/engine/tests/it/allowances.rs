//! How much an owner lets participants write: an honest game of any size meets no limit, and no one uses up what others need.

use std::time::Duration;

use quizhall_engine::{Append, LOG_PER_SEAT, OwnerInput, RequestId, ToEdge, ToOwner};
use quizhall_rules::{
    Actor, AnswerText, Change, CoHost, Command, CommandId, Device, DisplayName, Event, HostRole, QuestionId, Refusal,
    TokenHash,
};
use uuid::Uuid;

use crate::desk::Desk;
use crate::stage::{as_player, created, event, join, joined, player, question};

const MINUTE: Duration = Duration::from_secs(60);
/// The phones of a game share this many times what one may write.
const COMMON: u64 = 16;

/// A game with both questions open, and the sessions of its players.
fn asking(players: u64) -> (Desk, Vec<u64>) {
    let mut events = vec![created(), event(Change::HostReturned)];
    events.extend((1..=players).map(joined));
    events.push(event(Change::Started));
    events.extend([1, 2].map(|number| event(Change::QuestionReleased { question: question(number) })));
    let mut desk = Desk::after(events);
    let sessions = (1..=players).map(|number| desk.attach(number, as_player(number))).collect();
    desk.settle();
    (desk, sessions)
}

fn co_host() -> Change {
    let (id, label) = (Uuid::from_u128(1).into(), DisplayName::parse("Helper").unwrap());
    Change::CoHostAdded(CoHost { id, role: HostRole::Host, label, token: TokenHash([1; 32]), at_ms: 0 }.into())
}

/// One of the longest answers, in characters that take most bytes.
fn longest(number: u64) -> AnswerText {
    AnswerText::parse(&format!("{number:04}{}", "\u{1F3B2}".repeat(996))).unwrap()
}

/// Gives an answer; whether it is stored.
fn answers(desk: &mut Desk, (number, session): (u64, u64), nth: u64, (of, answer): (QuestionId, AnswerText)) -> bool {
    let command = Command::SubmitAnswer { question: of, answer, elapsed: None };
    desk.command(number, as_player(number), (CommandId { session, number: nth }, command));
    desk.settle().is_some_and(|append| bytes_of_answers(&append) > 0)
}

/// The bytes that answers take in the log.
fn bytes_of_answers(append: &Append) -> u64 {
    let is_answer = |event: &&Event| matches!(event.change, Change::Answered { .. });
    append.events.iter().filter(is_answer).map(|event| serde_json::to_vec(event).unwrap().len() as u64).sum()
}

/// A request of a host; whether it is not refused for what it writes.
fn asks(desk: &mut Desk, actor: Actor, command: Command) -> bool {
    desk.frame(ToOwner::Request { request: RequestId(1), actor, command });
    let too_much = |said: &ToEdge| matches!(said, ToEdge::Answer { result: Err(Refusal::TooMuch), .. });
    if desk.owner.pending() == 0 {
        return !desk.look().iter().any(too_much);
    }
    desk.append();
    !desk.commit().iter().any(too_much)
}

#[test]
fn players_who_answer_at_length_and_hosts_who_mark_and_correct_it_all_meet_no_limit() {
    for players in [1, 60] {
        let (mut desk, sessions) = asking(players);
        for (nth, of) in (1..).zip([1, 2, 1, 2, 1, 2]) {
            for (number, session) in (1..).zip(&sessions) {
                let answer = (question(of), longest(number * 10 + nth));
                assert!(answers(&mut desk, (number, *session), nth, answer), "answer {nth} of {number} of {players}");
            }
        }
        assert!(asks(&mut desk, Actor::Host, Command::EndRound));
        for (correct, of) in [(true, 1), (false, 1), (true, 1), (true, 2)] {
            for first in (1..=players).step_by(16) {
                let nth = if of == 1 { 5 } else { 6 };
                let texts = (first..=players.min(first + 15)).map(|number| longest(number * 10 + nth));
                let texts = texts.map(|text| text.as_str().to_owned()).collect();
                let question = question(of);
                let marks = Command::MarkAnswers { question, texts, correct, half: false, alike: false };
                assert!(asks(&mut desk, Actor::Host, marks), "marks from {first} of {players} on");
            }
        }
    }
}

#[test]
fn a_phone_that_never_stops_writes_what_it_is_allowed() {
    let (mut desk, sessions) = asking(2);
    let (minutes, mut bytes) = (3, 0);
    for nth in 1..=9_000 {
        desk.now = Duration::from_millis(20) * u32::try_from(nth).unwrap();
        desk.step(OwnerInput::Tick).taken();
        let command = Command::SubmitAnswer { question: question(1), answer: longest(nth), elapsed: None };
        desk.command(1, as_player(1), (CommandId { session: sessions[0], number: nth }, command));
        bytes += desk.settle().as_ref().map_or(0, bytes_of_answers);
    }
    let allowed = u64::from(LOG_PER_SEAT) * (minutes + 1);
    assert!((allowed * 8 / 10..=allowed).contains(&bytes), "{bytes} of {allowed}");
}

#[test]
fn phones_that_never_stop_cost_the_others_nothing() {
    let (mut desk, sessions) = asking(60);
    let greedy = |desk: &mut Desk, nth: u64| {
        let of_one = |(number, session): (u64, &u64)| {
            u64::from(answers(desk, (number, *session), nth, (question(1), longest(nth))))
        };
        (1..).zip(&sessions[..30]).map(of_one).sum::<u64>()
    };
    let stored: u64 = (1..=90).map(|nth| greedy(&mut desk, nth)).sum();
    let (bytes, allowed) = (stored * 4_000, 30 * u64::from(LOG_PER_SEAT) / 8 + COMMON * u64::from(LOG_PER_SEAT));
    assert!((allowed / 2..=allowed).contains(&bytes), "{bytes} of {allowed} at one moment");
    assert_eq!(greedy(&mut desk, 91), 0, "they have used up what is common");
    for (number, session) in (31..).zip(&sessions[30..]) {
        for nth in 1..=3 {
            assert!(answers(&mut desk, (number, *session), nth, (question(2), longest(nth))), "{nth} of {number}");
        }
    }
}

/// A co-host who writes without end leaves the host what a game needs, and removals and joins have no limit.
#[test]
fn a_greedy_co_host_is_refused_and_a_minute_later_there_is_room_again() {
    let mut desk = Desk::after(vec![created(), joined(1), event(Change::HostReturned), event(co_host())]);
    let (greedy, long) = (Actor::CoHost(Device(1)), "long ".repeat(20_000));
    let long = Command::StartBreak { ms: 60_000, text: Some(long) };
    let breaks = (0..100).filter(|_| asks(&mut desk, greedy, long.clone())).count();
    assert!((80..100).contains(&breaks), "{breaks} of 100 KB each");
    assert!((0..5).all(|_| asks(&mut desk, Actor::Host, long.clone())), "the host's own part");
    assert!(asks(&mut desk, greedy, Command::Remove { player: player(1) }) && asks(&mut desk, Actor::Service, join(9)));
    desk.now += MINUTE;
    desk.step(OwnerInput::Tick).taken();
    desk.settle();
    assert!(asks(&mut desk, greedy, long));
}
