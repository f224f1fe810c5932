//! Events are written as serde writes them, and read as serde reads them.

use quizhall_rules::{Change, CommandId, Device, Event};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

fn answered(answer: &str, (correct, near_miss, partial): (bool, bool, u32), command_id: Option<CommandId>) -> Event {
    let (player, question) = (Uuid::from_u128(0x0192_f0c1_2a3b_7c4d_8e5f_6071_8293_a4b5), Uuid::max());
    let (player, question) = (player.into(), question.into());
    let answer = answer.into();
    let elapsed = correct.then_some(partial).filter(|elapsed| *elapsed > 0);
    Event::new(
        Change::Answered { player, question, answer, correct, near_miss, partial, elapsed, device: Device::FIRST },
        command_id,
    )
}

/// A stored event is read by this version, by later ones and by earlier ones.
#[test]
fn an_event_is_written_as_serde_writes_it() {
    let command_ids =
        [None, Some(CommandId { session: 0, number: 1 }), Some(CommandId { session: u64::MAX, number: 7 })];
    let mut events = vec![Event::new(Change::Started, None)];
    for given in ["Bern", "", "\"\\/\t\n\u{1}", "Zürich \u{2028}\u{1F600}", &"x".repeat(1_000)] {
        for marks in [
            (false, false, 0),
            (true, false, 0),
            (false, true, 0),
            (true, true, 0),
            (false, false, 333),
            (true, false, 4_711),
        ] {
            events.extend(command_ids.iter().map(|command_id| answered(given, marks, *command_id)));
        }
    }
    events.push(Event::new(Change::RoundEnded, command_ids[1]));
    assert_eq!(events.len(), 92);
    for event in &events {
        let mut body = Vec::new();
        event.write_json(&mut body);
        assert_eq!(body, serde_json::to_vec(event).unwrap());
        assert_eq!(serde_json::from_slice::<Event>(&body).unwrap(), *event);
    }
}

/// The kind is the first field of what is written, and elsewhere it is read by serde alone.
#[test]
fn an_answer_is_read_as_serde_reads_it() {
    let mut random = StdRng::seed_from_u64(1);
    let id = r#""0192f0c1-2a3b-7c4d-8e5f-607182939abc""#;
    let fields = [
        ("p", [id, id, "7"]),
        ("q", [id, id, r#""no id""#]),
        ("a", [r#""Bern""#, r#""a \" \u00e9""#, "null"]),
        ("d", ["0", "3", "256"]),
        ("ok", ["true", "false", "1"]),
        ("near", ["true", "false", r#""true""#]),
        ("pt", ["7", "0", "-1"]),
        ("el", ["1200", "null", "4294967296"]),
        ("later", ["{\"x\":[1]}", "null", "[]"]),
    ];
    let (mut read, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let strange = random.random_bool(0.3);
        let mut chosen = Vec::new();
        for (at, (name, values)) in fields.iter().enumerate() {
            let value = values[random.random_range(0..if strange { 3 } else { 2 })];
            let times =
                if strange && random.random_bool(0.1) { 2 } else { usize::from(at < 3 || random.random_bool(0.5)) };
            let is_left_out = strange && random.random_bool(0.05);
            chosen.extend(std::iter::repeat_n(format!(r#""{name}":{value}"#), if is_left_out { 0 } else { times }));
        }
        chosen.shuffle(&mut random);
        let kind = r#""t":"answered""#.to_owned();
        if strange && random.random_bool(0.05) {
            chosen.push(kind.clone());
        }
        let written = |fields: &[String]| format!(r#"{{"c":{{{}}},"s":[7,3]}}"#, fields.join(","));
        let first = written(&[std::slice::from_ref(&kind), &*chosen].concat());
        let last = written(&[&*chosen, &[kind]].concat());
        let parsed = |text: &str| serde_json::from_str::<Event>(text).ok();
        assert_eq!(parsed(&first), parsed(&last), "{first}");
        *if parsed(&first).is_some() { &mut read } else { &mut refused } += 1;
    }
    assert!(read > 10_000 && refused > 2_000, "{read} read, {refused} refused");
}

#[test]
fn a_change_of_another_kind_is_read_wherever_its_kind_is() {
    let id = r#""0192f0c1-2a3b-7c4d-8e5f-607182939abc""#;
    let removed = |change: &str| serde_json::from_str::<Change>(change).ok();
    let first = removed(&format!(r#"{{"t":"player_removed","p":{id},"ban":true}}"#));
    assert!(matches!(first, Some(Change::PlayerRemoved { banned: true, .. })));
    assert_eq!(first, removed(&format!(r#"{{"p":{id},"ban":true,"t":"player_removed"}}"#)));
    for wrong in ["{}", r#"{"t":"no_such_change"}"#, r#"{"t":7}"#, r#"{"p":1}"#, r#""answered""#, "[]"] {
        assert_eq!(removed(wrong), None, "{wrong}");
    }
}
