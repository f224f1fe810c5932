//! Stories of gaps, and of games so big that messages of the extension are shortened or split.

use std::time::Duration;

use quizhall_engine::{Dialect, EdgeEffect, Participant};
use quizhall_rules::{Change, Device, Event, Setting, State};
use serde_json::{Value, json};

use super::{HOST, NOTHING, by_host, marked, received, to_host, types};
use crate::rim::Rim;
use crate::stage::{answered, as_player, asking, event, joined, lobby, player};

/// The edge misses these events and gets the whole state instead.
fn over_a_gap(from: State, missed: &[Event]) -> (Vec<Value>, Vec<Value>) {
    let mut rim = Rim::at(from.clone());
    rim.attach_v1(HOST, Participant::Host);
    rim.attach_v1(2, as_player(1));
    rim.taken();
    let mut state = from;
    for event in missed {
        state.apply(event);
    }
    let mut effects = rim.catch_up(10 + missed.len() as u64, state).taken();
    effects.extend(rim.rest());
    (to_host(&effects), received(&effects, 2, Dialect::QuizhallV1))
}

#[test]
fn a_gap_is_caught_up_with() {
    let away = [
        event(Change::HostReturned),
        event(Change::Disconnected { player: player(2), device: Device::FIRST }),
        answered(3, 1, "x"),
    ];
    let (host, player_1) = over_a_gap(asking(3), &away);
    assert_eq!(types(&host), ["host_status", "players_answered", "scoreboard_update", "room_update"]);
    assert_eq!((&host[3]["payload"]["whole"], &host[3]["payload"]["connected"]), (&json!(true), &json!(2)));
    assert_eq!(types(&player_1), ["host_status"]);

    let mut review = asking(3);
    for event in [answered(1, 1, "same"), answered(2, 1, "same"), event(Change::RoundEnded)] {
        review.apply(&event);
    }
    let (host, player_1) = over_a_gap(review, &[event(marked(true))]);
    assert_eq!((types(&host), types(&player_1)), (vec!["round_review", "marking_update"], vec![]));
    assert_eq!(host[0]["payload"]["answers"][1]["correct"], true);
    assert_eq!(host[1]["payload"]["undoable"], 1);

    let (host, player_1) = over_a_gap(lobby(1), &[event(Change::Started), event(Change::Set(Setting::Locked(true)))]);
    assert_eq!(types(&host), ["game_started", "round_started", "step_update", "room_update"]);
    assert_eq!(types(&player_1), ["game_started", "round_started"]);
    assert_eq!(over_a_gap(lobby(1), &[event(Change::Claimed { epoch: 2, node: uuid::Uuid::nil() })]).0, NOTHING);
}

#[test]
fn a_huge_game_is_sent_in_numbers_and_listed_again_when_it_is_small_enough() {
    let mut rim = Rim::at(asking(1_999));
    rim.attach_v1(HOST, Participant::Host);
    rim.rest();
    rim.now = Duration::from_secs(1);
    rim.commit(vec![joined(2_000)]).taken();
    rim.rest();
    rim.now = Duration::from_secs(3);
    let payload = |effects: &[EdgeEffect]| {
        to_host(effects).iter().find(|message| message["type"] == "room_update").unwrap()["payload"].clone()
    };
    let over = payload(&rim.commit(vec![joined(2_001)]).taken());
    assert_eq!((&over["total"], &over["players"], &over["whole"]), (&json!(2_001), &json!([]), &json!(true)));
    let shown = to_host(&rim.commit(vec![answered(1, 1, "x")]).taken());
    assert_eq!(types(&shown), ["scoreboard_update"], "no player is named");
    rim.commit(vec![joined(2_002)]).taken();
    assert_eq!(rim.edge.next_deadline(), Some(Duration::from_secs(4)), "once a second");
    rim.rest();
    rim.commit(vec![event(Change::PlayerRemoved { player: player(2_002), banned: false })]).taken();
    let mut effects = rim.rest();
    effects.extend(rim.commit(vec![event(Change::PlayerRemoved { player: player(2_001), banned: false })]).taken());
    effects.extend(rim.rest());
    let whole: Vec<_> = to_host(&effects).into_iter().filter(|message| message["payload"]["whole"] == true).collect();
    assert_eq!(whole.last().unwrap()["payload"]["players"].as_array().unwrap().len(), 2_000);
    let named = to_host(&effects).into_iter().filter(|message| message["type"] == "players_answered").count();
    assert_eq!(named, 1, "with who has answered meanwhile");
}

#[test]
fn a_big_group_marking_comes_in_parts() {
    let players = 1_001;
    let mut rim = Rim::at(asking(players));
    rim.attach_v1(HOST, Participant::Host);
    rim.commit((1..=players).map(|number| answered(number, 1, "same")).collect()).taken();
    rim.commit(vec![event(Change::RoundEnded)]).taken();
    let shown = to_host(&rim.commit(vec![by_host(marked(true), 1)]).taken());
    assert_eq!(types(&shown), ["answers_marked", "answers_marked", "marking_update"]);
    let part = |at: usize| {
        let payload = &shown[at]["payload"];
        (payload["marks"].as_array().unwrap().len(), payload["part"].as_u64(), payload["parts"].as_u64())
    };
    assert_eq!((part(0), part(1)), ((1_000, Some(1), Some(2)), (1, Some(2), Some(2))));
}

/// A venue that lost its network reconnects all at once; each return is an event between two connects.
#[test]
fn shared_sync_messages_are_encoded_once() {
    let mut state = asking(3);
    for change in [Change::RoundEnded, Change::ScoresReleased { held: false }] {
        state.apply(&event(change));
    }
    for number in 1..=3 {
        state.apply(&event(Change::Disconnected { player: player(number), device: Device::FIRST }));
    }
    let mut rim = Rim::at(state);
    let mut board_for = |number: u64| {
        let shown = rim.attach(10 + number, as_player(number));
        let EdgeEffect::Send(_, frame, _) = &shown[0] else { panic!("{shown:?}") };
        rim.commit(vec![event(Change::Connected { player: player(number), device: Device::FIRST })]).taken();
        frame.as_ptr()
    };
    let first = board_for(1);
    assert_eq!((board_for(2), board_for(3)), (first, first));
}

/// The ids in all `players_answered` messages to a host, repetitions included.
fn named(effects: &[EdgeEffect]) -> Vec<Value> {
    let messages = to_host(effects).into_iter().filter(|message| message["type"] == "players_answered");
    messages.flat_map(|message| message["payload"]["playerIds"].as_array().unwrap().clone()).collect()
}

/// For a moment there is one player too many for a list, so briefly that the host is never informed. No player who
/// answers during it is lost.
#[test]
fn a_player_who_answers_while_the_list_is_too_long_for_a_moment_is_named() {
    let mut rim = Rim::at(asking(2_000));
    rim.attach_v1(HOST, Participant::Host);
    rim.now = Duration::from_secs(1);
    // Sent at once; later messages wait.
    let mut effects = rim.commit(vec![event(Change::Set(Setting::Locked(true)))]).taken();
    effects.extend(rim.commit(vec![joined(2_001), answered(1, 1, "x")]).taken());
    effects.extend(rim.commit(vec![event(Change::PlayerRemoved { player: player(2_001), banned: false })]).taken());
    effects.extend(rim.rest());
    assert_eq!(named(&effects), [json!(player(1).uuid())]);
}

#[test]
fn a_list_that_begins_again_names_every_player_once() {
    for over_a_gap in [false, true] {
        let state = {
            let mut state = asking(2_001);
            state.apply(&answered(1, 1, "x"));
            state
        };
        let mut rim = Rim::at(state.clone());
        assert_eq!(named(&rim.attach_v1(HOST, Participant::Host)), NOTHING);
        rim.now = Duration::from_secs(1);
        let mut effects = rim.commit(vec![answered(2, 1, "x")]).taken();
        rim.rest();
        assert_eq!(named(&effects), NOTHING, "there is no list");
        // Numbers have just been sent, so the list has to wait.
        rim.commit(vec![event(Change::Set(Setting::Locked(true)))]).taken();
        let changes = [event(Change::PlayerRemoved { player: player(2_001), banned: false }), answered(3, 1, "x")];
        if over_a_gap {
            let mut state = state.clone();
            for event in [answered(2, 1, "x"), event(Change::Set(Setting::Locked(true)))].iter().chain(&changes) {
                state.apply(event);
            }
            effects.extend(rim.catch_up(rim.seq + 2, state).taken());
        } else {
            effects.extend(changes.into_iter().flat_map(|event| rim.commit(vec![event]).taken()));
        }
        effects.extend(rim.rest());
        assert_eq!(named(&effects), [1, 2, 3].map(|number| json!(player(number).uuid())), "over a gap: {over_a_gap}");
    }
}
