//! Boards of tie-breaks: the ranks of a board that is cut, and what a viewer who missed the end is sent.

use bytes::Bytes;
use quizhall_engine::wire::Boards;
use quizhall_engine::{Dialect, Participant};
use quizhall_protocol::frame;
use quizhall_rules::{Change, State};
use serde_json::Value;

use crate::stage::{as_player, caught_up, created, event, joined, player};

/// The standings of this many players without points.
fn standing_of(players: u64) -> State {
    let mut events = vec![created()];
    events.extend((1..=players).map(joined));
    events.extend([Change::Started, Change::RoundEnded, Change::ScoresReleased { held: false }].map(event));
    State::replay(&events).unwrap()
}

fn standing() -> State {
    standing_of(2)
}

fn started() -> Change {
    Change::TieBreakStarted { players: vec![player(1), player(2)], text: "How many?".to_owned(), answer: 88 }
}

/// The names and ranks of a board.
fn ranks(message: &Value) -> Vec<(&str, u64)> {
    let rows = message["payload"]["leaderboard"].as_array().unwrap();
    rows.iter().map(|row| (row["displayName"].as_str().unwrap(), row["rank"].as_u64().unwrap())).collect()
}

#[test]
fn a_board_that_is_cut_has_the_ranks_of_the_whole() {
    let mut state = standing_of(30);
    state.apply(&event(Change::TieBreakStarted {
        players: (1..=30).map(player).collect(),
        text: "How many?".to_owned(),
        answer: 88,
    }));
    let places = (1..=30).map(|number| (player(number), u32::try_from(31 - number).unwrap())).collect();
    state.apply(&event(Change::TieBreakEnded { places }));
    let board = |dialect| Boards::new(&state).frame_for(&state, player(5), dialect);
    let read = |dialect| serde_json::from_slice::<Value>(&frame::payload(&board(dialect))).unwrap();
    let whole = read(Dialect::Interface);
    assert!(ranks(&whole).iter().all(|(_, rank)| *rank == 1));
    let cut = read(Dialect::QuizhallV1);
    let shown: Vec<_> = ranks(&cut).into_iter().map(|(_, rank)| rank).collect();
    assert_eq!(shown, (1..=10).chain(24..=28).collect::<Vec<_>>());
    assert_eq!(ranks(&cut)[12], ("Player 5", 26));
}

#[test]
fn who_missed_its_end_is_sent_the_board_and_held_standings_stay_held() {
    let end = |mut state: State| {
        state.apply(&event(started()));
        let before = state.clone();
        state.apply(&event(Change::TieBreakEnded { places: vec![(player(2), 1), (player(1), 2)] }));
        let sent = |who| caught_up(&before, &state, who, Dialect::QuizhallV1);
        let kind = |bytes: &Bytes| {
            let message: Value = serde_json::from_slice(&frame::payload(bytes)).unwrap();
            message["type"].as_str().unwrap().to_owned()
        };
        [Participant::Host, as_player(1)].map(|who| sent(who).iter().map(kind).collect::<Vec<_>>())
    };
    assert_eq!(
        end(standing()),
        [vec!["tie_breaks", "board_update", "step_update"], vec!["tie_breaks", "scoreboard_update"]]
    );
    let held = [Change::Started, Change::RoundEnded, Change::ScoresReleased { held: true }].map(event);
    let held = State::replay(&[vec![created(), joined(1), joined(2)], held.to_vec()].concat()).unwrap();
    assert_eq!(end(held), [vec!["tie_breaks", "board_update", "step_update"], vec!["tie_breaks"]]);
}
