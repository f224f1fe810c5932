//! The events of an honest game of any size are within the allowances, and the events of one phone do not use up another's.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use quizhall_rules::{Change, Device, PlayerId, QuestionId};
use uuid::Uuid;

use super::*;

/// Bytes of the longest answer.
const LONGEST: usize = 4_000;
const KIB: u64 = 1 << 10;

fn phone(number: u64) -> Participant {
    Participant::Player(PlayerId::from(Uuid::from_u64_pair(1, number)))
}

fn answer(bytes: usize) -> Event {
    let change = Change::Answered {
        player: PlayerId::from(Uuid::nil()),
        device: Device(1),
        question: QuestionId::from(Uuid::nil()),
        answer: Arc::from("ä".repeat(bytes / 2)),
        correct: true,
        near_miss: true,
        partial: 1_000_000,
        elapsed: Some(u32::MAX),
    };
    Event::new(change, Some((u64::MAX, u64::MAX).into()))
}

fn marked(texts: usize) -> Event {
    let texts = (0..texts).map(|number| format!("{number:04000}")).collect();
    let question = QuestionId::from(Uuid::nil());
    Event::new(Change::AnswersMarked { question, texts, correct: true, partial: 0 }, None)
}

/// How many of these events a participant can store until `until`, trying every 20 ms.
fn stored(allowances: &mut LogAllowances, who: (Participant, usize), event: &Event, until: Time) -> u64 {
    let times = (0..).map(|step| Duration::from_millis(20) * step).take_while(|now| *now < until);
    times.filter(|now| allowances.take(*now, who, bytes_of(event))).count() as u64
}

#[test]
fn bytes_of_answers_are_not_counted_too_low() {
    for event in [answer(0), answer(LONGEST)] {
        assert!(bytes_of(&event) >= serde_json::to_vec(&event).unwrap().len() as u64);
    }
    let quoted = Change::Suggested {
        player: PlayerId::from(Uuid::nil()),
        device: Device(1),
        question: QuestionId::from(Uuid::nil()),
        answer: Arc::from("\"\\\n\t".repeat(250)),
    };
    let event = Event::new(quoted, Some((u64::MAX, u64::MAX).into()));
    assert!(bytes_of(&event) >= serde_json::to_vec(&event).unwrap().len() as u64);
}

#[test]
fn many_players_who_answer_at_length_and_correct_themselves_twice_meet_no_limit() {
    for players in [1, 60, 2_000] {
        let (mut allowances, event) = (LogAllowances::new(LOG_PER_SEAT), answer(LONGEST));
        // Three questions at once, in each of two minutes.
        for minute in 0..2 {
            for _ in 0..9 {
                for number in 0..players {
                    let now = MINUTE * minute;
                    let count = usize::try_from(players).unwrap();
                    assert!(
                        allowances.take(now, (phone(number), count), bytes_of(&event)),
                        "{players} in minute {minute}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_hosts_of_many_players_can_mark_all_answers_and_correct_that_twice() {
    let event = marked(16);
    for players in [1, 60, 2_000] {
        let mut allowances = LogAllowances::new(LOG_PER_SEAT);
        let mut marks = || {
            (0..players).step_by(16).all(|_| allowances.take(MINUTE, (Participant::Host, players), bytes_of(&event)))
        };
        let whole = (0..3).all(|_| marks());
        assert!(whole, "{players}");
    }
}

#[test]
fn a_phone_that_never_stops_writes_what_it_is_allowed() {
    let mut allowances = LogAllowances::new(LOG_PER_SEAT);
    let event = answer(LONGEST);
    let minutes = 5;
    let bytes = stored(&mut allowances, (phone(1), 100), &event, MINUTE * minutes) * bytes_of(&event);
    let allowed = u64::from(LOG_PER_SEAT) * u64::from(minutes + 1);
    assert!((allowed - 16 * KIB..=allowed).contains(&bytes), "{bytes} of {allowed}");
}

#[test]
fn a_hundred_phones_that_never_stop_cost_the_others_nothing() {
    let (mut allowances, event) = (LogAllowances::new(LOG_PER_SEAT), answer(LONGEST));
    let mut bytes = 0;
    for step in 0..300_u32 {
        let now = Duration::from_millis(200) * step;
        for number in 0..100 {
            bytes += u64::from(allowances.take(now, (phone(number), 200), bytes_of(&event))) * bytes_of(&event);
        }
        if step % 100 == 99 {
            for number in 100..200 {
                assert!((0..3).all(|_| allowances.take(now, (phone(number), 200), bytes_of(&event))));
            }
            assert!(allowances.take(now, (Participant::Host, 200), bytes_of(&marked(16))));
        }
    }
    let own = 100 * u64::from(LOG_PER_SEAT) / OWN_PART;
    let allowed = 2 * (own + COMMON * u64::from(LOG_PER_SEAT));
    assert!(bytes <= allowed && bytes > allowed / 2, "{bytes} of {allowed} in the first minute");
}

#[test]
fn a_greedy_co_host_leaves_the_host_what_a_game_needs() {
    let mut allowances = LogAllowances::new(LOG_PER_SEAT);
    let greedy = Participant::CoHost(Device(1));
    while allowances.take(MINUTE, (greedy, 10), bytes_of(&marked(16))) {}
    assert!((0..10).all(|_| allowances.take(MINUTE, (Participant::Host, 10), bytes_of(&marked(16)))));
}

#[test]
fn participants_who_have_not_written_lately_are_forgotten() {
    let (mut allowances, event) = (LogAllowances::new(LOG_PER_SEAT), answer(LONGEST));
    for number in 0..FEW as u64 {
        assert!(allowances.take(Time::ZERO, (phone(number), FEW), bytes_of(&event)));
    }
    assert!(allowances.take(MINUTE, (phone(0), FEW), bytes_of(&event)));
    assert_eq!(allowances.seats.len(), 1);
}
