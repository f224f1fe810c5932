//! An edge with screens: what they are shown, how often, and what closes them.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use quizhall_engine::wire::{CloseCode, screen_update};
use quizhall_engine::{Ahead, ConnectionId, EdgeEffect, EdgeInput, EdgeOptions, Participant, StoredState, Viewer};
use quizhall_protocol::frame;
use quizhall_rules::{Change, Device, Moment, OnScreens, Phase, Screen, ScreenId, Setting, Slide, State, TokenHash};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::rim::{LINGER, OPTIONS, Rim};
use crate::stage::{answered, asking, event, lobby, player, question};

const PAUSE: Duration = Duration::from_millis(250);
const PUB: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

fn screen(number: u8) -> ScreenId {
    ScreenId::from(Uuid::from_u64_pair(5, number.into()))
}

fn viewer(number: u8) -> Viewer {
    Viewer::Screen(screen(number))
}

fn added(number: u8) -> Change {
    Change::ScreenAdded(Screen { id: screen(number), token: TokenHash([number; 32]), at_ms: 0 })
}

/// A question is open; two players are in the game, and this many screens have tokens.
fn with_screens(count: u8) -> Rim {
    let mut state = asking(2);
    (1..=count).for_each(|number| state.apply(&event(added(number))));
    Rim::at(state)
}

impl Rim {
    fn attach_screen(&mut self, number: u8) -> Vec<Value> {
        self.step(EdgeInput::AttachViewer(id(number), viewer(number), PUB));
        pictures(&self.taken(), number)
    }
}

fn id(number: u8) -> ConnectionId {
    ConnectionId(50 + u64::from(number))
}

fn pictures(effects: &[EdgeEffect], number: u8) -> Vec<Value> {
    let payload = |bytes: &bytes::Bytes| -> Value { serde_json::from_slice(&frame::payload(bytes)).unwrap() };
    let of_it = |effect: &EdgeEffect| match effect {
        EdgeEffect::Send(to, bytes, _) if *to == id(number) => Some(payload(bytes)["payload"].clone()),
        _ => None,
    };
    effects.iter().filter_map(of_it).collect()
}

#[test]
fn a_screen_is_shown_the_picture_and_the_owner_receives_nothing_of_it() {
    let mut rim = with_screens(1);
    rim.step(EdgeInput::AttachViewer(id(1), viewer(1), PUB));
    let effects = rim.taken();
    assert!(!effects.iter().any(|effect| matches!(effect, EdgeEffect::ToOwner(_))), "{effects:?}");
    let [picture] = &pictures(&effects, 1)[..] else { panic!("not one picture") };
    assert_eq!((&picture["phase"], &picture["questions"][0]["number"]), (&json!("question"), &json!(1)));
    assert_eq!(rim.edge.socket_count(), 1);
    rim.step(EdgeInput::Detached(id(1), true));
    assert!(rim.taken().is_empty());
    assert_eq!((rim.edge.socket_count(), rim.edge.departing()), (0, 0));
}

/// The screen connected to a node whose replica may be old, and the log has the removal.
#[test]
fn a_screen_whose_token_the_log_takes_away_is_closed_and_shown_nothing() {
    let mut rim = with_screens(2);
    rim.edge.set_owner_here(None);
    assert!(rim.attach_screen(1).is_empty() && rim.attach_screen(2).is_empty(), "both wait for the log");
    let events = vec![event(Change::ScreenRemoved { screen: screen(1) })];
    let effects = rim.step(EdgeInput::TailRead { first: 10, rows: Vec::new(), events }).taken();
    assert!(effects.contains(&EdgeEffect::Close(id(1), CloseCode::Unauthorized.into())), "{effects:?}");
    assert!(pictures(&effects, 1).is_empty(), "{effects:?}");
    // The second screen connected while the log was being read.
    let effects = rim.step(EdgeInput::TailRead { first: 11, rows: Vec::new(), events: Vec::new() }).taken();
    assert_eq!(pictures(&effects, 2).len(), 1);
}

/// The first screen needs no later reading, because nothing was being read when it connected; the second one does.
#[test]
fn screens_that_came_before_the_state_are_all_shown_it() {
    let mut rim = Rim::empty(OPTIONS);
    assert!(rim.attach_screen(1).is_empty());
    rim.now += Duration::from_secs(1);
    assert!(rim.tick_at(rim.now).contains(&EdgeEffect::ReadState));
    assert!(rim.attach_screen(2).is_empty());
    // The log could not be read, and is read again.
    rim.step(EdgeInput::StateRead(None));
    rim.now += Duration::from_secs(1);
    assert!(rim.tick_at(rim.now).contains(&EdgeEffect::ReadState));
    let mut state = asking(2);
    (1..=2).for_each(|number| state.apply(&event(added(number))));
    let effects = rim
        .step(EdgeInput::StateRead(Some(Box::new(StoredState { seq: 12, head: None, ahead: Ahead::default(), state }))))
        .taken();
    for number in 1..=2 {
        assert!(!pictures(&effects, number).is_empty(), "screen {number}: {effects:?}");
    }
}

#[test]
fn a_second_socket_of_a_screen_takes_the_place_of_the_first() {
    let mut rim = with_screens(1);
    rim.attach_screen(1);
    rim.step(EdgeInput::AttachViewer(ConnectionId(90), viewer(1), PUB));
    assert!(rim.taken().contains(&EdgeEffect::Close(id(1), CloseCode::Replaced.into())));
}

fn spectator(number: u8) -> EdgeInput {
    spectator_at(number, PUB)
}

fn spectator_at(number: u8, address: IpAddr) -> EdgeInput {
    EdgeInput::AttachViewer(id(number), Viewer::Spectator(Uuid::from_u64_pair(6, number.into())), address)
}

/// A question is open; two players are in the game, a screen has a token, and spectators may watch.
fn watched() -> State {
    let mut state = asking(2);
    for change in [added(1), allowed(true)] {
        state.apply(&event(change));
    }
    state
}

fn allowed(spectators: bool) -> Change {
    Change::Set(Setting::Spectators(spectators))
}

#[test]
fn spectators_watch_for_as_long_as_the_host_lets_them() {
    let mut rim = Rim::at(watched());
    let screen = rim.attach_screen(1);
    assert_eq!(pictures(&rim.step(spectator(2)).taken(), 2), screen, "the same picture");
    rim.now += PAUSE;
    let shown = rim.commit(vec![answered(1, 1, "x")]).taken();
    assert_eq!((pictures(&shown, 2).len(), pictures(&shown, 1)), (1, pictures(&shown, 2)));
    rim.now += PAUSE;
    let effects = rim.commit(vec![event(allowed(false))]).taken();
    assert_eq!(closes(&effects), [(id(2), CloseCode::Unauthorized)]);
    let late = rim.step(spectator(3)).taken();
    assert_eq!(late, [EdgeEffect::Close(id(3), CloseCode::Unauthorized.into())], "its handshake was earlier");
}

#[test]
fn a_spectator_too_many_is_to_come_back_later_and_one_that_leaves_makes_room() {
    let mut rim = Rim::with(watched(), EdgeOptions { most_spectators: 2, ..OPTIONS });
    for number in [3, 4] {
        assert_eq!(pictures(&rim.step(spectator(number)).taken(), number).len(), 1);
    }
    let [EdgeEffect::Close(to, close)] = rim.step(spectator(5)).taken()[..] else { panic!("it was let in") };
    assert_eq!((to, close.code, close.retry), (id(5), CloseCode::TryAgainLater, Some((30, 60))));
    assert_eq!(rim.attach_screen(1).len(), 1, "screens are counted separately");
    rim.step(EdgeInput::Detached(id(3), true)).taken();
    assert_eq!(pictures(&rim.step(spectator(6)).taken(), 6).len(), 1);
}

#[test]
fn one_address_leaves_a_quarter_of_the_places_of_spectators_to_others() {
    let mut rim = Rim::with(watched(), EdgeOptions { most_spectators: 8, ..OPTIONS });
    let home = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1));
    for number in 1..=6 {
        assert_eq!(pictures(&rim.step(spectator(number)).taken(), number).len(), 1, "{number}");
    }
    assert_eq!(closes(&rim.step(spectator(7)).taken()), [(id(7), CloseCode::TryAgainLater)]);
    assert_eq!(pictures(&rim.step(spectator_at(8, home)).taken(), 8).len(), 1, "another address");
    rim.step(EdgeInput::Detached(id(1), true)).taken();
    assert_eq!(closes(&rim.step(spectator(9)).taken()), [], "a place in its share is free again");
    // A spectator who connects again replaces the own socket, and takes no further place.
    rim.step(EdgeInput::AttachViewer(ConnectionId(99), Viewer::Spectator(Uuid::from_u64_pair(6, 9)), PUB));
    assert_eq!(closes(&rim.taken()), [(id(9), CloseCode::Replaced)]);
}

/// A lobby of 200 names in which players continuously come and go.
#[test]
fn changes_without_end_cost_each_viewer_few_bytes_and_the_last_picture_always_comes() {
    let mut state = lobby(200);
    state.apply(&event(added(1)));
    let mut rim = Rim::at(state);
    let size = |effects: &[EdgeEffect]| -> usize {
        let of_it = |effect: &EdgeEffect| match effect {
            EdgeEffect::Send(to, bytes, _) if *to == id(1) => Some(bytes.len()),
            _ => None,
        };
        effects.iter().filter_map(of_it).sum()
    };
    rim.step(EdgeInput::AttachViewer(id(1), viewer(1), PUB));
    let whole = size(&rim.taken());
    assert!(whole > 12_000, "{whole}");
    rim.now += Duration::from_secs(9);
    let mut sent = Vec::new();
    for tenth in 0..300 {
        rim.now += Duration::from_millis(100);
        let (player, of) = (player(tenth % 7 + 1), Device::FIRST);
        for change in [Change::Left { player, device: of }, Change::Returned { player, device: of }] {
            rim.commit(vec![event(change)]);
            sent.push(size(&rim.taken()));
        }
    }
    assert!(sent[0] > 0, "the first one comes at once");
    let all: usize = sent.iter().sum();
    assert!(all < 30 * 12_000 + 36_000 + 2 * whole, "{all} bytes in 30 s");
    assert!(all > 30 * 12_000 - whole, "and the allowance is used: {all}");
    rim.commit(vec![event(Change::Started)]);
    // The edge has other deadlines, too.
    let latest = rim.now + Duration::from_millis(1_500);
    let mut last = Vec::new();
    for _ in 0..20 {
        let due = rim.edge.next_deadline().unwrap().max(rim.now);
        last.extend(pictures(&rim.tick_at(due), 1));
        if !last.is_empty() {
            break;
        }
    }
    assert!(rim.now <= latest, "{:?} instead of {latest:?}", rim.now);
    assert_eq!(last[0]["phase"], "question");
}

fn closes(effects: &[EdgeEffect]) -> Vec<(ConnectionId, CloseCode)> {
    let close = |effect: &EdgeEffect| match effect {
        EdgeEffect::Close(connection, close) => Some((*connection, close.code)),
        _ => None,
    };
    effects.iter().filter_map(close).collect()
}

#[test]
fn screens_stay_for_the_podium_and_go_in_the_end() {
    let mut rim = with_screens(1);
    rim.attach(1, Participant::Host);
    rim.attach_screen(1);
    for change in [Change::RoundEnded, Change::ScoresReleased { held: false }, Change::Ended] {
        rim.commit(vec![event(change)]);
    }
    let closes = |effects: &[EdgeEffect]| -> Vec<ConnectionId> {
        let closed = |effect: &EdgeEffect| match effect {
            EdgeEffect::Close(id, _) => Some(*id),
            _ => None,
        };
        effects.iter().filter_map(closed).collect()
    };
    let now = rim.now;
    assert_eq!(closes(&rim.tick_at(now + LINGER)), [ConnectionId(1)]);
    assert_eq!(closes(&rim.tick_at(now + LINGER * 30)), [id(1)]);
}

/// Twenty screens receive a whole round. No frame has a key before the first answer is revealed, and then only the revealed key; no
/// frame names the player who gave an answer.
#[test]
fn no_key_reaches_any_of_twenty_screens_before_it_is_shown() {
    let mut rim = with_screens(20);
    let mut frames: Vec<String> =
        (1..=20).flat_map(|number| rim.attach_screen(number)).map(|sent| sent.to_string()).collect();
    let steps = [
        answered(1, 1, "canary of Ann"),
        event(Change::RoundEnded),
        event(Change::AnswerRevealed { question: question(1) }),
    ];
    for (at, step) in steps.into_iter().enumerate() {
        rim.now += PAUSE;
        rim.commit(vec![step]);
        let effects = rim.taken();
        let sent: Vec<_> =
            (1..=20).flat_map(|number| pictures(&effects, number)).map(|sent| sent.to_string()).collect();
        assert_eq!(sent.len(), 20);
        frames.extend(sent.clone());
        if at < 2 {
            assert!(frames.iter().all(|text| !text.contains("key1") && !text.contains("key2")), "{frames:?}");
        } else {
            assert!(sent.iter().all(|text| text.contains("key1")));
        }
    }
    assert!(
        frames.iter().all(|text| !text.contains("canary") && !text.contains("key2") && !text.contains("Question 2"))
    );
}

fn picture(state: &State) -> Value {
    let frame = screen_update(state, Moment::default());
    let message: Value = serde_json::from_slice(&frame::payload(&frame)).unwrap();
    message["payload"].clone()
}

/// The slides of a game of one round, as the host turns them.
#[test]
fn each_slide_shows_itself_and_nothing_behind_it() {
    let mut state = asking(2);
    for done in [
        answered(1, 1, "key1"),
        answered(2, 1, "wrong"),
        event(Change::RoundEnded),
        event(Change::ScoresReleased { held: true }),
    ] {
        state.apply(&done);
    }
    let mut turn = |slide| {
        let screens = OnScreens { slide, ..OnScreens::default() };
        state.apply(&event(Change::Set(Setting::Screens(screens))));
        picture(&state)["show"].clone()
    };
    let asked = turn(None);
    assert_eq!((&asked["kind"], &asked["answer"]), (&json!("question"), &json!("key1")));
    assert_eq!(asked["right"], json!({"count": 1, "of": 2}));
    assert_eq!(turn(Some(Slide::Podium(0))), json!({"kind": "podium", "places": [], "whole": false}));
    assert_eq!(turn(Some(Slide::Winner))["place"]["names"][0]["displayName"], "Player 1");
    assert_eq!(turn(Some(Slide::Podium(1)))["whole"], true, "without points there is no second place");
    let rows = turn(Some(Slide::Standings(0)))["rows"].clone();
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    for nothing in [Slide::Question(7), Slide::Standings(3), Slide::Next] {
        assert_eq!(turn(Some(nothing)), Value::Null, "{nothing:?}");
    }
}

/// An open tie-break is shown before any slide, and one that has ended is a slide; until then no number is shown.
#[test]
fn a_tie_break_shows_its_numbers_once_it_is_over() {
    let mut state = asking(2);
    let players = vec![player(1), player(2)];
    for done in [
        event(Change::RoundEnded),
        event(Change::ScoresReleased { held: true }),
        event(Change::TieBreakStarted { players, text: "How many?".to_owned(), answer: 88 }),
        event(Change::TieBreakAnswered { player: player(2), answer: 85, device: Device::FIRST }),
    ] {
        state.apply(&done);
    }
    let tied = |number: u64, answered: bool| json!({"playerId": player(number).uuid(), "displayName": format!("Player {number}"), "answered": answered});
    let open = json!({"kind": "tie_break", "text": "How many?", "players": [tied(1, false), tied(2, true)]});
    assert_eq!(picture(&state)["show"], open);
    state.apply(&event(Change::TieBreakEnded { places: vec![(player(1), 2), (player(2), 1)] }));
    assert_eq!(picture(&state)["show"]["kind"], "question", "the earlier slide");
    let mut turn = |slide| {
        state.apply(&event(Change::Set(Setting::Screens(OnScreens { slide: Some(slide), ..OnScreens::default() }))));
        picture(&state)["show"].clone()
    };
    let over = turn(Slide::TieBreak);
    assert_eq!((&over["number"], &over["players"][0]["number"]), (&json!(88), &json!(85)));
    assert_eq!((&over["players"][1]["place"], &over["players"][1]["number"]), (&json!(2), &Value::Null));
    let ranks =
        turn(Slide::Standings(0))["rows"].as_array().unwrap().iter().map(|row| row["rank"].clone()).collect::<Vec<_>>();
    assert_eq!(ranks, [1, 2]);
}

/// The slide that is shown until the host turns one.
#[test]
fn the_slides_begin_where_the_host_has_to_begin() {
    for (held, kind) in [(true, "question"), (false, "winner")] {
        let mut state = asking(2);
        for done in [answered(1, 1, "key1"), event(Change::RoundEnded), event(Change::ScoresReleased { held })] {
            state.apply(&done);
        }
        assert_eq!(picture(&state)["show"]["kind"], kind);
        state.apply(&event(Change::Ended));
        assert_eq!((state.phase(), &picture(&state)["show"]["whole"]), (Phase::Ended, &json!(true)));
    }
}
