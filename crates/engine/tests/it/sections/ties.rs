//! Tie-breaks as sockets see them: a socket with the extension receives their state, a player's also the player's own
//! number, and any other socket nothing.

use bytes::Bytes;
use quizhall_engine::wire::{Boards, FromHost, FromPlayer, Scores};
use quizhall_engine::{ConnectionId, Dialect, EdgeEffect, Message, Participant};
use quizhall_protocol::frame;
use quizhall_protocol::from_player::AnswerTieBreak;
use quizhall_rules::{Change, Device, Event, State};
use serde_json::{Value, json};

use super::{HOST, by_host, received, to_host, types};
use crate::rim::{ALL, Rim};
use crate::stage::{as_player, caught_up, command_id, created, event, joined, player};

/// The sockets of player 1 (with the extension) and player 2 (without it).
const V1: u64 = 2;
const PLAIN: u64 = 3;

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

fn opened() -> Rim {
    let mut rim = Rim::at(standing());
    rim.attach_v1(HOST, Participant::Host);
    rim.attach_v1(V1, as_player(1));
    rim.attach(PLAIN, as_player(2));
    rim.taken();
    rim
}

fn started() -> Change {
    Change::TieBreakStarted { players: vec![player(1), player(2)], text: "How many?".to_owned(), answer: 88 }
}

fn answered(number: u64, answer: i64) -> Event {
    let change = Change::TieBreakAnswered { player: player(1), answer, device: Device::FIRST };
    Event::new(change, Some(command_id(100 + V1, number)))
}

fn to(effects: &[EdgeEffect], connection: u64) -> Vec<Value> {
    let dialect = if connection == PLAIN { Dialect::Interface } else { Dialect::QuizhallV1 };
    received(effects, connection, dialect)
}

fn tied(number: u64, answered: bool) -> Value {
    json!({"playerId": player(number).uuid(), "displayName": format!("Player {number}"), "answered": answered})
}

/// The content of `tie_breaks` with one tie-break.
fn status(answered: bool) -> Value {
    json!({"text": "How many?", "players": [tied(1, answered), tied(2, false)]})
}

fn own(answer: i64) -> Value {
    json!({"type": "tie_break_answer", "payload": {"number": answer}})
}

fn answers(rim: &mut Rim, answer: i64) {
    let message = Message::Player(FromPlayer::AnswerTieBreak(AnswerTieBreak { answer }));
    rim.message(V1, message, ALL).taken();
}

#[test]
fn the_number_is_shown_to_its_player_alone_until_the_end() {
    let mut rim = opened();
    let effects = rim.commit(vec![by_host(started(), 1)]).taken();
    for messages in [to_host(&effects), to(&effects, V1)] {
        assert_eq!(messages, [json!({"type": "tie_breaks", "payload": {"tieBreaks": [status(false)]}})]);
    }
    answers(&mut rim, 85);
    let effects = rim.commit(vec![answered(1, 85)]).taken();
    let shown = json!({"type": "tie_breaks", "payload": {"tieBreaks": [status(true)]}});
    assert_eq!((to_host(&effects), to(&effects, V1)), (vec![shown.clone()], vec![shown, own(85)]));
    answers(&mut rim, 86);
    let effects = rim.commit(vec![answered(2, 86)]).taken();
    assert_eq!(
        (to_host(&effects), to(&effects, V1)),
        (vec![], vec![own(86)]),
        "an answer that is replaced changes nothing for others"
    );
    let places = vec![(player(1), 1), (player(2), 2)];
    let effects = rim.commit(vec![by_host(Change::TieBreakEnded { places }, 2)]).taken();
    let over = &to(&effects, V1)[0]["payload"]["tieBreaks"][0];
    assert_eq!((&over["number"], &over["players"][0]["number"]), (&json!(88), &json!(86)));
    assert_eq!((&over["players"][1]["place"], &over["players"][1]["number"]), (&json!(2), &Value::Null));
    assert!(to(&effects, PLAIN).is_empty());
}

#[test]
fn who_connects_is_sent_it_and_a_plain_socket_is_not() {
    let mut rim = opened();
    rim.commit(vec![by_host(started(), 1), answered(1, 85)]).taken();
    let shown = to(&rim.attach_v1(V1 + 5, as_player(1)), V1 + 5);
    assert_eq!(types(&shown).iter().filter(|kind| kind.starts_with("tie_break")).count(), 2);
    assert_eq!(shown.last(), Some(&own(85)));
    assert_eq!(types(&to(&rim.attach(PLAIN + 5, as_player(2)), PLAIN + 5))[0], "round_leaderboard");
}

#[test]
fn what_changes_nothing_is_confirmed_with_what_is_so() {
    let mut rim = opened();
    rim.extension(FromHost::EndTieBreak);
    let nothing = json!({"type": "tie_breaks", "payload": {"tieBreaks": []}});
    assert_eq!(to_host(&rim.done(1)), [nothing]);
}

/// The names and ranks of a board.
fn ranks(message: &Value) -> Vec<(&str, u64)> {
    let rows = message["payload"]["leaderboard"].as_array().unwrap();
    rows.iter().map(|row| (row["displayName"].as_str().unwrap(), row["rank"].as_u64().unwrap())).collect()
}

#[test]
fn its_end_brings_boards_with_its_ranks_and_plain_sockets_have_its_order_alone() {
    let mut rim = opened();
    rim.commit(vec![by_host(started(), 1)]).taken();
    let places = vec![(player(2), 1), (player(1), 2)];
    let effects = rim.commit(vec![by_host(Change::TieBreakEnded { places }, 2)]).taken();
    let parted = [("Player 2", 1), ("Player 1", 2)];
    let (host, own) = (to_host(&effects), to(&effects, V1));
    assert_eq!((types(&host), ranks(&host[1])), (vec!["tie_breaks", "board_update"], parted.to_vec()));
    assert_eq!(types(&own), ["tie_breaks"], "the scores of players go by way of their own effect");
    let is_standings = |effect: &EdgeEffect| matches!(effect, EdgeEffect::SendScores(Scores::Standings, to) if *to == [(ConnectionId(V1), player(1))]);
    assert!(effects.iter().any(is_standings));
    let end = rim.commit(vec![by_host(Change::Ended, 3)]).taken();
    for (connection, expected) in [(HOST, parted), (V1, parted), (PLAIN, [("Player 2", 1), ("Player 1", 1)])] {
        let received = to(&end, connection);
        let ended = received.iter().find(|message| message["type"] == "game_ended").unwrap();
        assert_eq!(ranks(ended), expected, "to {connection}");
    }
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
    assert_eq!(end(standing()), [vec!["tie_breaks", "board_update"], vec!["tie_breaks", "scoreboard_update"]]);
    let held = [Change::Started, Change::RoundEnded, Change::ScoresReleased { held: true }].map(event);
    let held = State::replay(&[vec![created(), joined(1), joined(2)], held.to_vec()].concat()).unwrap();
    assert_eq!(end(held), [vec!["tie_breaks", "board_update"], vec!["tie_breaks"]]);
}
