//! The number of players who have answered, as phones receive it: delayed, rarely, and never so that the number
//! identifies a player.

use std::time::Duration;

use quizhall_engine::{EdgeEffect, FrameKind};
use quizhall_protocol::Dialect;
use quizhall_rules::{Change, Device, TimeLeft};
use serde_json::{Value, json};

use super::{PLAIN, V1, by_host, received};
use crate::rim::Rim;
use crate::stage::{answered, as_player, asking, event, player, question};

/// The host and player 1 have the extension, player 2 does not.
fn playing(players: u64) -> Rim {
    Rim::beside_two(asking(players))
}

fn sent(effects: &[EdgeEffect]) -> Vec<Value> {
    let messages = received(effects, V1, Dialect::QuizhallV1).into_iter();
    messages.filter(|message| message["type"] == "answered_status").collect()
}

fn status(of_question: u64, answered: u32, of: u32) -> Value {
    let payload = json!({"questionId": question(of_question).uuid(), "answered": answered, "of": of});
    json!({"type": "answered_status", "payload": payload})
}

fn at(rim: &mut Rim, seconds: f64) -> Vec<Value> {
    let effects = rim.tick_at(Duration::from_secs_f64(seconds));
    assert!(received(&effects, PLAIN, Dialect::Interface).iter().all(|message| message["type"] != "answered_status"));
    sent(&effects)
}

#[test]
fn phones_are_sent_it_a_second_after_an_answer() {
    let mut rim = playing(5);
    assert_eq!(sent(&rim.commit(vec![answered(3, 1, "x")]).taken()), [] as [Value; 0], "not while it is given");
    assert_eq!(at(&mut rim, 0.9), [] as [Value; 0]);
    rim.commit(vec![answered(4, 1, "x"), answered(3, 1, "y")]).taken();
    assert_eq!(at(&mut rim, 1.0), [status(1, 2, 5)], "all of the second in one, a changed answer once");
    rim.commit(vec![answered(4, 1, "z")]).taken();
    assert_eq!(at(&mut rim, 2.0), [] as [Value; 0], "the number is the same");
    rim.now = Duration::from_secs(3);
    let shown = received(&rim.attach_v1(9, as_player(5)), 9, Dialect::QuizhallV1);
    assert!(shown.contains(&status(1, 2, 5)), "a phone that comes back is sent it too: {shown:?}");
    rim.commit(vec![event(Change::QuestionReleased { question: question(2) })]).taken();
    assert_eq!(at(&mut rim, 4.5), [] as [Value; 0], "of the newest question, once it has an answer");
    rim.commit(vec![answered(1, 1, "x"), answered(1, 2, "x")]).taken();
    assert_eq!(at(&mut rim, 6.0), [status(2, 1, 5)]);
    rim.commit(vec![answered(2, 2, "x"), event(Change::RoundEnded)]).taken();
    assert_eq!(at(&mut rim, 8.0), [] as [Value; 0]);
}

#[test]
fn who_is_away_without_an_answer_is_not_waited_for() {
    let mut rim = playing(6);
    let gone = |number| event(Change::Disconnected { player: player(number), device: Device::FIRST });
    rim.commit(vec![answered(3, 1, "x"), gone(3), gone(4)]).taken();
    assert_eq!(at(&mut rim, 1.0), [status(1, 1, 5)]);
}

/// In a game of four, the number and one's own answer would reveal too much. In a game of 201, the room has its screen.
#[test]
fn a_game_of_few_or_of_very_many_is_sent_nothing() {
    for (players, expected) in [(4, None), (5, Some(5)), (200, Some(200)), (201, None)] {
        let mut rim = playing(players);
        rim.commit(vec![answered(3, 1, "x")]).taken();
        let sent = at(&mut rim, 1.0);
        assert_eq!(sent.first().map(|message| message["payload"]["of"].as_u64().unwrap()), expected, "{players}");
    }
}

/// At that time only players with extra time can still answer.
#[test]
fn nothing_is_sent_of_a_question_that_is_closed_for_some() {
    let mut rim = playing(6);
    let left = |ms| TimeLeft { question: Some(question(1)), ms };
    rim.commit(vec![by_host(Change::ExtraTimeSet { player: player(1), percent: 200 }, 1)]).taken();
    rim.commit(vec![by_host(Change::TimerSet(left(30_000).into()), 2), answered(3, 1, "x")]).taken();
    assert_eq!(at(&mut rim, 1.0), [status(1, 1, 6)]);
    rim.now = Duration::from_secs(31);
    rim.commit(vec![event(Change::TimeOver { left: left(29_000), up: 100, next: 200 }), answered(1, 1, "x")]).taken();
    assert_eq!(at(&mut rim, 33.0), [] as [Value; 0]);
}

/// Two hundred phones answer within ten seconds, twenty a second.
#[test]
fn a_phone_is_sent_at_most_one_number_a_second_however_many_answer() {
    let mut rim = playing(200);
    let (mut frames, mut bytes, mut last) = (0, 0, Value::Null);
    for tick in 0..=220_u32 {
        rim.now = Duration::from_millis(50) * tick;
        if (1..=200).contains(&tick) {
            rim.commit(vec![answered(tick.into(), 1, "x")]).taken();
        }
        let effects = rim.tick_at(rim.now);
        let sizes = effects.iter().filter_map(|effect| match effect {
            EdgeEffect::Broadcast(message, FrameKind::Replace(_)) => {
                message.of(quizhall_engine::wire::Recipient::Player).map(bytes::Bytes::len)
            }
            _ => None,
        });
        bytes += sizes.sum::<usize>();
        let sent = sent(&effects);
        frames += sent.len();
        last = sent.into_iter().next_back().unwrap_or(last);
    }
    assert!((9..=11).contains(&frames), "{frames} numbers in ten seconds");
    assert!(bytes <= 11 * 130, "{bytes} bytes for each phone");
    assert_eq!(last, status(1, 200, 200), "the last one is right");
}
