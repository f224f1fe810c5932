//! Points by hand on an edge: what each socket is sent of them, and what who connects or missed events is sent.

use quizhall_engine::{EdgeEffect, Participant};
use quizhall_rules::{AdjustmentId, Change, State};
use serde_json::{Value, json};

use super::{HOST, NOTHING, PLAIN, V1, by_host, to, to_host, types};
use crate::rim::Rim;
use crate::stage::{answered, created, event, joined, player, question};

fn asking() -> State {
    let mut log = vec![created(), joined(1), joined(2), joined(3), event(Change::Started)];
    log.push(event(Change::QuestionReleased { question: question(1) }));
    log.push(answered(1, 1, "key1"));
    State::replay(&log).unwrap()
}

fn scored(held: bool) -> State {
    let mut state = asking();
    for change in [Change::RoundEnded, Change::ScoresReleased { held }] {
        state.apply(&event(change));
    }
    state
}

fn adjusted(points: i32) -> Change {
    Change::PointsAdjusted { player: player(1), round: 0, points, reason: Some("A phone".into()) }
}

fn undone() -> Change {
    Change::AdjustmentUndone { player: player(1), round: 0, number: 1 }
}

fn update(state: &State, points: Option<i32>) -> Value {
    let one = |points: i32| {
        let id = AdjustmentId::of(state.game(), 1).uuid();
        json!({"adjustmentId": id, "playerId": player(1).uuid(), "round": 1, "points": points, "reason": "A phone"})
    };
    let adjustments: Vec<_> = points.map(one).into_iter().collect();
    json!({"type": "adjustments_update", "payload": {"adjustments": adjustments}})
}

/// The players to whom scores are sent. The frames are made when they are sent.
fn scores(effects: &[EdgeEffect]) -> Vec<u64> {
    let sockets = effects.iter().filter_map(|effect| match effect {
        EdgeEffect::SendScores(_, sockets) => Some(sockets.iter().map(|(connection, _)| connection.0)),
        _ => None,
    });
    sockets.flatten().collect()
}

#[test]
fn before_the_release_only_the_host_is_sent_anything() {
    let mut rim = Rim::beside(asking());
    let effects = rim.commit(vec![by_host(adjusted(-5), 1)]).taken();
    assert_eq!(to_host(&effects), [update(&asking(), Some(-5))]);
    assert_eq!((to(&effects, V1), to(&effects, PLAIN), scores(&effects)), (vec![], vec![], vec![]));
    let effects = rim.commit(vec![by_host(undone(), 2)]).taken();
    assert_eq!(to_host(&effects), [update(&asking(), None)]);
}

#[test]
fn after_the_release_boards_follow_as_far_as_they_are_shown() {
    for held in [false, true] {
        let mut rim = Rim::beside(scored(held));
        let effects = rim.commit(vec![by_host(adjusted(-5), 1)]).taken();
        assert_eq!(types(&to_host(&effects)), ["board_update", "adjustments_update"]);
        assert_eq!(to(&effects, PLAIN), NOTHING, "a plain socket sees it on the next board");
        assert_eq!(scores(&effects), [V1, super::OTHER]);
    }
}

#[test]
fn who_connects_or_missed_events_is_sent_what_is_so() {
    let mut rim = Rim::beside(scored(false));
    let mut state = scored(false);
    state.apply(&event(adjusted(7)));
    let effects = rim.catch_up(20, state.clone()).taken();
    assert_eq!(types(&to_host(&effects)), ["board_update", "adjustments_update"]);
    let connected = rim.attach_v1(HOST + 10, Participant::Host);
    assert!(to(&connected, HOST + 10).contains(&update(&state, Some(7))));
    // Other points with the same sum are other results of the player.
    for change in [undone(), adjusted(7)] {
        state.apply(&event(change));
    }
    assert!(!rim.catch_up(30, state.clone()).taken().is_empty());
    state.apply(&event(Change::Ended));
    let effects = rim.catch_up(40, state).taken();
    assert!(!types(&to_host(&effects)).contains(&"adjustments_update"), "the results have them");
}
