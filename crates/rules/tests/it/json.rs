//! Events are written as serde writes them.

use quizhall_rules::{Change, CommandId, Device, Event};
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
