//! Appeals as sockets see them: only the player and the host receive the outcome.

use quizhall_engine::wire::FromPlayer;
use quizhall_engine::{EdgeEffect, Message};
use quizhall_protocol::from_player::Appeal;
use quizhall_rules::{Change, Device, Event, State};
use serde_json::{Value, json};

use super::{OTHER, PLAIN, V1, by_host, to, to_host, types};
use crate::rim::{ALL, Rim};
use crate::stage::{answered, as_player, command_id, created, event, joined, player, question};

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

fn dismissed() -> Change {
    Change::AppealDismissed { player: player(1), question: question(1) }
}

fn corrected(correct: bool) -> Change {
    Change::MarksCorrected { question: question(1), players: vec![player(1)], correct, partial: 0 }
}

fn by_player(change: Change) -> Event {
    Event::new(change, Some(command_id(100 + V1, 1)))
}

fn status(outcome: &str) -> Value {
    let appeals = json!([{"questionId": question(1).uuid(), "outcome": outcome}]);
    json!({"type": "appeal_status", "payload": {"appeals": appeals}})
}

fn nothing_to_others(effects: &[EdgeEffect]) {
    assert_eq!((to(effects, PLAIN), to(effects, OTHER)), (vec![], vec![]));
}

fn appeals(rim: &mut Rim) {
    let appeal = Appeal { question_id: question(1).uuid(), text: Some("It is so".to_owned()) };
    rim.message(V1, Message::Player(FromPlayer::Appeal(appeal)), ALL).taken();
}

#[test]
fn an_appeal_and_its_dismissal_are_shown_to_the_player_and_to_the_host() {
    let mut rim = Rim::beside(scored());
    appeals(&mut rim);
    let effects = rim.commit(vec![by_player(appealed())]).taken();
    assert_eq!(to(&effects, V1), [status("open")]);
    let host = to_host(&effects);
    assert_eq!(types(&host), ["appeals_update"]);
    let shown = &host[0]["payload"]["appeals"][0];
    assert_eq!(
        (&shown["answer"], &shown["text"], &shown["outcome"]),
        (&json!("near"), &json!("It is so"), &json!("open"))
    );
    nothing_to_others(&effects);
    let effects = rim.commit(vec![by_host(dismissed(), 1)]).taken();
    assert_eq!(to(&effects, V1), [status("dismissed")]);
    assert_eq!(to_host(&effects)[0]["payload"]["appeals"][0]["outcome"], "dismissed");
    nothing_to_others(&effects);
}

#[test]
fn a_correction_decides_an_appeal_behind_the_scores() {
    let mut rim = Rim::beside(scored());
    rim.commit(vec![event(appealed())]).taken();
    let effects = rim.commit(vec![by_host(corrected(true), 1)]).taken();
    assert_eq!(to(&effects, V1), [status("accepted")]);
    assert_eq!(types(&to_host(&effects)), ["board_update", "appeals_update"]);
    assert_eq!(to(&effects, OTHER), [] as [Value; 0], "of the appeal; the scores are sent by another effect");
    let effects = rim.commit(vec![by_host(corrected(false), 2)]).taken();
    assert_eq!(to(&effects, V1), [status("open")]);
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
    assert_eq!(types(&to_host(&effects)), ["game_ended"], "nothing is said of appeals behind the end");
}
