//! The desk while answers arrive: which sockets receive `answers_update`, its contents, and how often it is sent.

use std::time::Duration;

use quizhall_engine::wire::FromHost;
use quizhall_engine::{Dialect, EdgeEffect, EdgeInput, Participant};
use quizhall_protocol::from_host::OpenDesk;
use quizhall_rules::{Change, State};
use serde_json::{Value, json};

use super::{HOST, NOTHING, by_host, received, to_host, types};
use crate::rim::Rim;
use crate::stage::{answered, as_player, asking, event, player, question};

const QUARTER: Duration = Duration::from_millis(250);

/// Question 1 is open; host and player 1 have the extension.
fn at(state: State) -> Rim {
    let mut rim = Rim::at(state);
    rim.attach_v1(HOST, Participant::Host);
    rim.attach_v1(2, as_player(1));
    rim.attach(3, as_player(2));
    rim.now = Duration::from_secs(10);
    rim.taken();
    rim
}

/// Sends the host's command with this number. Returns the replies.
fn opens(rim: &mut Rim, open: bool, number: u64) -> Vec<Value> {
    rim.extension(FromHost::OpenDesk(OpenDesk { open }));
    to_host(&rim.done(number))
}

/// The groups of each update that a desk receives, as text and count.
fn groups(effects: &[EdgeEffect]) -> Vec<Value> {
    let updates = to_host(effects).into_iter().filter(|message| message["type"] == "answers_update");
    updates.map(|update| shown(&update)).collect()
}

fn shown(update: &Value) -> Value {
    let groups = update["payload"]["groups"].as_array().unwrap().iter();
    groups.map(|group| json!([group["text"], group["count"]])).collect()
}

#[test]
fn a_desk_is_sent_the_answers_that_came_and_those_that_come() {
    let mut rim = at(asking(4));
    let effects = rim.commit(vec![answered(1, 1, "A Tuba"), answered(2, 1, "key1"), answered(3, 1, "a tuba")]).taken();
    assert_eq!(groups(&effects), NOTHING, "it was not opened");
    let opened = opens(&mut rim, true, 1);
    assert_eq!(types(&opened), ["answers_update", "marking_update"]);
    let all = json!({
        "questionId": question(1).uuid(),
        "total": 2,
        "groups": [
            { "text": "A Tuba", "count": 2, "correct": false },
            { "text": "key1", "count": 1, "correct": true },
        ],
    });
    assert_eq!(opened[0]["payload"], all);
    rim.now += QUARTER;
    let effects = rim.commit(vec![answered(4, 1, "A  tuba!")]).taken();
    assert_eq!(
        types(&to_host(&effects)),
        ["players_answered", "scoreboard_update", "answers_update"],
        "the count goes first"
    );
    assert_eq!(groups(&effects), [json!([["A Tuba", 3], ["key1", 1]])]);
    let change =
        Change::KeyChanged { question: question(1), texts: vec!["a tuba".to_owned()], correct: false, partial: 0 };
    rim.now += QUARTER;
    let effects = rim.commit(vec![by_host(change, 2)]).taken();
    let update = to_host(&effects).pop().unwrap();
    assert_eq!(update["payload"]["groups"][0]["ruled"], true);
    rim.now += QUARTER;
    assert_eq!(groups(&rim.commit(vec![event(Change::MarkingUndone { of: None })]).taken()).len(), 1);
    rim.now += QUARTER;
    let effects = rim.commit(vec![event(Change::PlayerRemoved { player: player(2), banned: false })]).taken();
    assert_eq!(groups(&effects), [json!([["A Tuba", 3]])]);
    rim.now += QUARTER;
    let effects = rim.commit(vec![answered(1, 1, "none"), event(Change::RoundEnded)]).taken();
    let heard = to_host(&effects);
    let order: Vec<_> =
        types(&heard).into_iter().filter(|kind| ["answers_update", "round_ended"].contains(kind)).collect();
    assert_eq!(order, ["answers_update", "round_ended"]);
    assert_eq!(groups(&rim.rest()), NOTHING, "the review has all of it");
}

#[test]
fn no_other_socket_is_sent_any_of_it() {
    let mut rim = at(asking(3));
    opens(&mut rim, true, 1);
    let mut effects = rim.commit(vec![answered(1, 1, "a secret guess")]).taken();
    effects.extend(rim.rest());
    assert_eq!(groups(&effects).len(), 1);
    for (connection, dialect) in [(2, Dialect::QuizhallV1), (3, Dialect::Interface)] {
        let heard = received(&effects, connection, dialect);
        assert!(!format!("{heard:?}").contains("secret"), "{heard:?}");
    }
}

#[test]
fn a_desk_is_open_until_it_is_closed_or_its_socket_is_another() {
    let mut rim = at(asking(3));
    opens(&mut rim, true, 1);
    assert_eq!(types(&opens(&mut rim, false, 2)), ["marking_update"]);
    assert_eq!(groups(&rim.commit(vec![answered(1, 1, "a guess")]).taken()), NOTHING);
    opens(&mut rim, true, 3);
    rim.step(EdgeInput::Detached(quizhall_engine::ConnectionId(HOST), true));
    let later = rim.attach_v1(HOST + 9, Participant::Host);
    assert!(!types(&received(&later, HOST + 9, Dialect::QuizhallV1)).contains(&"answers_update"));
    let mut effects = rim.commit(vec![answered(2, 1, "a guess")]).taken();
    effects.extend(rim.rest());
    let heard = received(&effects, HOST + 9, Dialect::QuizhallV1);
    assert_eq!(types(&heard), ["players_answered", "scoreboard_update"]);
}

#[test]
fn at_most_four_a_second_and_the_last_state_always() {
    let mut rim = at(asking(60));
    opens(&mut rim, true, 1);
    let mut sent = Vec::new();
    for number in 1..=60 {
        sent.extend(groups(&rim.commit(vec![answered(number, 1, "a guess")]).taken()));
        let next = rim.now + Duration::from_millis(25);
        sent.extend(groups(&rim.tick_at(next)));
    }
    assert!((6..=7).contains(&sent.len()), "{} in 1.5 s", sent.len());
    sent.extend(groups(&rim.rest()));
    assert_eq!(sent.last(), Some(&json!([["a guess", 60]])));
    assert_eq!(groups(&rim.rest()), NOTHING);
}

#[test]
fn one_a_second_above_2000_answers_and_500_groups() {
    let mut rim = at(asking(2_002));
    rim.commit((1..=2_001).map(|number| answered(number, 1, &format!("guess {number}"))).collect()).taken();
    let opened = opens(&mut rim, true, 1);
    assert_eq!((&opened[0]["payload"]["total"], shown(&opened[0]).as_array().unwrap().len()), (&json!(2_001), 500));
    rim.now += QUARTER;
    assert_eq!(groups(&rim.commit(vec![answered(2_002, 1, "guess 1")]).taken()).len(), 1);
    rim.commit(vec![answered(1, 1, "guess 2")]).taken();
    let now = rim.now;
    assert_eq!(groups(&rim.tick_at(now + QUARTER * 3)), NOTHING);
    let last = groups(&rim.tick_at(now + QUARTER * 4));
    assert_eq!(last[0][0], json!(["guess 2", 2]));
}

#[test]
fn a_gap_is_caught_up_with() {
    let mut rim = at(asking(3));
    opens(&mut rim, true, 1);
    let mut state = asking(3);
    state.apply(&answered(1, 1, "a guess"));
    let mut effects = rim.catch_up(11, state).taken();
    effects.extend(rim.rest());
    assert_eq!(groups(&effects), [json!([["a guess", 1]])]);
}
