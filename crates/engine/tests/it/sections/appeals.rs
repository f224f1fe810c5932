//! Appeals on an edge that jumps over events: the player and the host are sent what came of each.

use quizhall_engine::EdgeEffect;
use quizhall_rules::{Change, Device, State};
use serde_json::{Value, json};

use super::{OTHER, PLAIN, V1, to, to_host, types};
use crate::rim::Rim;
use crate::stage::{answered, as_player, created, event, joined, player, question};

fn scored() -> State {
    let mut log = vec![created(), joined(1), joined(2), joined(3), event(Change::Started)];
    log.push(event(Change::QuestionReleased { question: question(1) }));
    log.extend([answered(1, 1, "near"), answered(3, 1, "key1")]);
    log.extend([Change::RoundEnded, Change::ScoresReleased { held: false }].map(event));
    State::replay(&log).unwrap()
}

fn appealed() -> Change {
    Change::Appealed {
        player: player(1),
        question: question(1),
        text: Some("It is so".to_owned()),
        device: Device::FIRST,
    }
}

fn corrected(correct: bool) -> Change {
    Change::MarksCorrected { question: question(1), players: vec![player(1)], correct, partial: 0 }
}

fn status(outcome: &str) -> Value {
    let appeals = json!([{"questionId": question(1).uuid(), "outcome": outcome}]);
    json!({"type": "appeal_status", "payload": {"appeals": appeals}})
}

fn nothing_to_others(effects: &[EdgeEffect]) {
    assert_eq!((to(effects, PLAIN), to(effects, OTHER)), (vec![], vec![]));
}

#[test]
fn who_connects_or_missed_events_is_sent_what_is_so() {
    let mut rim = Rim::beside(scored());
    let mut state = scored();
    state.apply(&event(appealed()));
    let effects = rim.catch_up(20, state.clone()).taken();
    assert_eq!(to(&effects, V1), [status("open")]);
    assert_eq!(types(&to_host(&effects)), ["appeals_update"]);
    nothing_to_others(&effects);
    assert_eq!(to(&rim.attach_v1(V1 + 5, as_player(1)), V1 + 5).last(), Some(&status("open")));
    state.apply(&event(corrected(true)));
    state.apply(&event(Change::Ended));
    let effects = rim.catch_up(30, state).taken();
    assert_eq!(types(&to_host(&effects)), ["game_ended", "step_update"], "nothing is said of appeals behind the end");
}
