//! The moments of a log, compared with the pictures that a connected screen receives live from an edge.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use quizhall_engine::claim::{ClaimError, Row};
use quizhall_engine::wire::{MomentKind, Picture};
use quizhall_engine::{ConnectionId, EdgeEffect, EdgeInput, Film, Head, Moments, Viewer};
use quizhall_protocol::frame;
use quizhall_rules::{Change, Event, Moment, OnScreens, Screen, ScreenId, Setting, Slide, State, TimeLeft, TokenHash};
use serde_json::Value;
use uuid::Uuid;

use crate::frames::PLAN;
use crate::rim::Rim;
use crate::stage::{answered, created, event, joined, player, question};

const PUB: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
const SOCKET: ConnectionId = ConnectionId(51);
/// The wall clock when the process of the edge began.
const BEGAN_MS: u64 = 1_796_000_000_000;
/// A row is committed up to this long before the edge applies it.
const JITTER_MS: u64 = 30;

/// A game with a screen, as its edge and its log see it.
struct Evening {
    rim: Rim,
    rows: Vec<(Row, Option<u64>)>,
    /// Each picture that the screen received.
    live: Vec<Value>,
    /// The picture of each state.
    states: Vec<Value>,
    jitter: u64,
}

impl Evening {
    /// In the lobby, with two players and a screen that has just connected.
    fn begin() -> Self {
        let screen = ScreenId::from(Uuid::from_u64_pair(5, 1));
        let added = Change::ScreenAdded(Screen { id: screen, token: TokenHash([1; 32]), at_ms: 0 });
        let events = vec![created(), joined(1), joined(2), event(added)];
        let mut rim = Rim::at(State::replay(&events).unwrap());
        rim.now = Duration::from_secs(60);
        rim.step(EdgeInput::AttachViewer(SOCKET, Viewer::Screen(screen), PUB));
        let mut evening = Self { rim, rows: Vec::new(), live: Vec::new(), states: Vec::new(), jitter: 0 };
        evening.store(events);
        evening.take();
        evening
    }

    /// Lets time pass: the edge is woken whenever it has asked for it.
    fn wait(&mut self, ms: u64) -> &mut Self {
        let end = self.rim.now + Duration::from_millis(ms);
        while self.rim.now < end {
            let due = self.rim.edge.next_deadline().unwrap_or(end);
            self.rim.now = due.max(self.rim.now + Duration::from_millis(1)).min(end);
            self.rim.step(EdgeInput::Tick);
            self.take();
        }
        self
    }

    /// A row is committed and reaches the edge.
    fn commit(&mut self, changes: Vec<Change>) -> &mut Self {
        let events: Vec<Event> = changes.into_iter().map(event).collect();
        self.store(events.clone());
        self.rim.commit(events);
        self.take();
        self
    }

    fn store(&mut self, events: Vec<Event>) {
        self.jitter = (self.jitter * 7 + 11) % JITTER_MS;
        let seq = self.rows.last().map_or(0, |(row, _)| row.head.seq + row.events.len() as u64);
        let at = BEGAN_MS + u64::try_from(self.rim.now.as_millis()).unwrap() - self.jitter;
        self.rows.push((Row { head: Head { seq, batch: seq + 1 }, events }, Some(at)));
    }

    fn take(&mut self) {
        for effect in self.rim.taken() {
            if let EdgeEffect::Send(SOCKET, bytes, _) = effect {
                let message: Value = serde_json::from_slice(&frame::payload(&bytes)).unwrap();
                self.live.push(message["payload"].clone());
            }
        }
        let state = self.rim.edge.state().unwrap();
        self.states.push(value(&Picture::of(state, Moment::from(self.rim.now))));
    }

    fn film(&self) -> Film {
        film(&self.rows)
    }
}

fn film(rows: &[(Row, Option<u64>)]) -> Film {
    let mut moments = Moments::new(0..usize::MAX);
    for (row, at) in rows {
        moments.row(row, *at).unwrap();
    }
    moments.finish().unwrap()
}

fn value(picture: &Picture) -> Value {
    serde_json::from_slice(&picture.payload()).unwrap()
}

fn pictures(film: &Film) -> Vec<Value> {
    film.pictures.iter().map(|payload| serde_json::from_slice(payload).unwrap()).collect()
}

/// The picture without its running times, and the times.
fn split(mut picture: Value) -> (Value, Vec<u64>) {
    let mut times = Vec::new();
    stop(&mut picture, &mut times);
    (picture, times)
}

fn stop(value: &mut Value, times: &mut Vec<u64>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "remainingMs" {
                    times.extend(member.as_u64());
                    *member = Value::Null;
                }
                stop(member, times);
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| stop(entry, times)),
        _ => {}
    }
}

/// One picture for each that differs from the one before in more than running times.
fn moments_of(pictures: &[Value]) -> Vec<(Value, Vec<u64>)> {
    let mut moments: Vec<(Value, Vec<u64>)> = pictures.iter().cloned().map(split).collect();
    moments.dedup_by(|later, earlier| later.0 == earlier.0);
    moments
}

/// Every picture of `some` is among `all`, in the same order.
fn is_subsequence(some: &[Value], all: &[Value]) -> bool {
    let mut rest = all.iter();
    some.iter().all(|wanted| rest.any(|picture| split(picture.clone()).0 == split(wanted.clone()).0))
}

fn timer(ms: u64) -> Change {
    Change::TimerSet(TimeLeft { question: Some(question(1)), ms }.into())
}

fn mark(ms: u64) -> Change {
    Change::TimerMark { left: vec![TimeLeft { question: Some(question(1)), ms }], step: None }
}

fn turned(slide: Slide) -> Change {
    Change::Set(Setting::Screens(OnScreens { slide: Some(slide), ..OnScreens::default() }))
}

fn change(event: Event) -> Change {
    event.change
}

#[test]
fn the_moments_of_a_recorded_evening_are_the_pictures_that_a_screen_received() {
    let mut evening = Evening::begin();
    evening.wait(900).commit(vec![Change::HostReturned]);
    evening.wait(1_300).commit(vec![change(joined(3))]);
    evening.wait(700).commit(vec![Change::BreakStarted { ms: 60_000, text: Some("Soon".to_owned()) }]);
    evening.wait(5_000).commit(vec![Change::BreakMark { ms: 55_000 }]);
    evening.wait(700).commit(vec![Change::Started]);
    evening.wait(2_000).commit(vec![Change::QuestionReleased { question: question(1) }, timer(20_000)]);
    evening.wait(3_100).commit(vec![change(answered(1, 1, "key1"))]);
    evening.wait(1_900).commit(vec![mark(15_000)]);
    evening.wait(280).commit(vec![change(answered(2, 1, "wrong")), change(answered(3, 1, "key1"))]);
    let left = vec![TimeLeft { question: Some(question(1)), ms: 13_800 }];
    evening.wait(900).commit(vec![Change::TimerHeld { held: true, left }]);
    evening.wait(4_000).commit(vec![Change::QuestionClosed { question: question(1) }]);
    evening.wait(600).commit(vec![Change::RoundEnded]);
    evening.wait(600).commit(vec![Change::AnswerRevealed { question: question(1) }]);
    evening.wait(600).commit(vec![Change::ScoresReleased { held: false }]);
    evening.wait(600).commit(vec![turned(Slide::Standings(0))]);
    evening.wait(600).commit(vec![Change::Disconnected { player: player(3), device: quizhall_rules::Device::FIRST }]);
    evening.wait(600).commit(vec![Change::Ended]);
    evening.wait(600).commit(vec![turned(Slide::Podium(1))]);
    evening.wait(600).commit(vec![turned(Slide::Winner)]);
    evening.wait(5_000);

    let film = evening.film();
    let (live, replayed) = (moments_of(&evening.live), moments_of(&pictures(&film)));
    assert!(live.len() > 14, "{}", live.len());
    assert_eq!(replayed.len(), film.moments.len(), "each is another picture");
    assert_eq!(replayed.len(), live.len());
    for (replayed, live) in replayed.iter().zip(&live) {
        assert_eq!(replayed.0, live.0);
        assert_eq!(replayed.1.len(), live.1.len());
        for (then, shown) in replayed.1.iter().zip(&live.1) {
            assert!(then.abs_diff(*shown) <= JITTER_MS, "{then} and {shown} ms left");
        }
    }
    let kinds: Vec<MomentKind> = film.moments.iter().map(|moment| moment.kind).collect();
    for kind in [
        MomentKind::Lobby,
        MomentKind::Break,
        MomentKind::Round,
        MomentKind::Question,
        MomentKind::Marking,
        MomentKind::Answer,
        MomentKind::Standings,
        MomentKind::Podium,
        MomentKind::Winner,
    ] {
        assert!(kinds.contains(&kind), "{kind:?} in {kinds:?}");
    }
    let times: Vec<u64> = film.moments.iter().map(|moment| moment.at_ms.unwrap()).collect();
    assert!(times.is_sorted() && times[0] >= BEGAN_MS);
    let of_question = film.moments.iter().filter(|moment| moment.kind == MomentKind::Question);
    assert!(of_question.map(|moment| (moment.round, moment.question)).all(|of| of == (1, Some(question(1)))));
}

#[test]
fn in_a_fast_game_both_are_states_in_order_and_the_last_one_is_always_there() {
    let mut evening = Evening::begin();
    evening.wait(1_000).commit(vec![Change::Started]);
    evening.wait(1_000).commit(vec![Change::QuestionReleased { question: question(1) }, timer(600_000)]);
    for number in 3..203 {
        evening.wait(number * 13 % 61).commit(vec![change(joined(number)), change(answered(number, 1, "x"))]);
    }
    evening.wait(2_000);
    let film = evening.film();
    let replayed = pictures(&film);
    for some in [&evening.live, &replayed] {
        assert!(is_subsequence(some, &evening.states));
        assert_eq!(some.last().unwrap()["questions"][0]["answered"], 200);
    }
    let pauses: Vec<_> = film.moments.windows(2).map(|two| two[1].at_ms.unwrap() - two[0].at_ms.unwrap()).collect();
    assert!(pauses.len() > 15 && pauses.iter().all(|pause| *pause >= 250), "{pauses:?}");
}

#[test]
fn rows_without_a_time_are_moments_without_one() {
    let mut evening = Evening::begin();
    evening.wait(300).commit(vec![Change::Started]);
    let old = evening.rows.len();
    for number in 3..6 {
        evening.wait(10).commit(vec![change(joined(number))]);
    }
    evening.rows.iter_mut().skip(old).for_each(|(_, at)| *at = None);
    evening.wait(300).commit(vec![Change::QuestionReleased { question: question(1) }]);
    let times: Vec<bool> = evening.film().moments.iter().map(|moment| moment.at_ms.is_some()).collect();
    assert_eq!(times, [true, true, false, false, false, true], "each of them, however close they were");

    evening.rows.iter_mut().for_each(|(_, at)| *at = None);
    assert!(evening.film().moments.iter().all(|moment| moment.at_ms.is_none()));
    assert_eq!(evening.film().moments.len(), 6);
}

#[test]
fn a_clock_that_is_set_back_takes_no_time_from_anything() {
    let mut evening = Evening::begin();
    evening.wait(300).commit(vec![Change::Started]);
    evening.wait(300).commit(vec![Change::QuestionReleased { question: question(1) }, timer(20_000)]);
    evening.wait(1_000).commit(vec![change(answered(1, 1, "x"))]);
    if let Some((_, Some(at))) = evening.rows.last_mut() {
        *at -= 3_600_000;
    }
    evening.wait(400).commit(vec![change(answered(2, 1, "x"))]);
    let film = evening.film();
    assert!(film.moments.iter().map(|moment| moment.at_ms).is_sorted());
    let last = pictures(&film).pop().unwrap();
    assert_eq!(last["questions"][0]["answered"], 2);
    assert!(last["questions"][0]["timer"]["remainingMs"].as_u64().unwrap() <= 20_000);
}

/// Everything that runs does so in one of these states.
#[test]
fn running_times_make_no_picture_another_one() {
    let mut state = State::replay(&[created(), joined(1), event(Change::HostReturned)]).unwrap();
    let steps = [
        Change::BreakStarted { ms: 60_000, text: None },
        Change::Started,
        Change::AutopilotSet { plan: Some(PLAN) },
        Change::QuestionReleased { question: question(1) },
        timer(20_000),
        Change::TimerSet(TimeLeft { question: None, ms: 90_000 }.into()),
    ];
    let mut ran = 0;
    for step in steps {
        state.apply_at(&event(step), Moment(1_000));
        let [now, later] = [1_000, 4_000].map(|ms| Picture::of(&state, Moment(ms)));
        ran += usize::from(now != later);
        assert_eq!(now.without_times(), later.without_times());
    }
    assert_eq!(ran, 5, "each step but the start has something that runs");
}

#[test]
fn only_the_pictures_that_were_asked_for_are_kept() {
    let mut evening = Evening::begin();
    evening.wait(300).commit(vec![Change::Started]);
    evening.wait(300).commit(vec![Change::QuestionReleased { question: question(1) }]);
    evening.wait(300).commit(vec![Change::RoundEnded]);
    let all = evening.film();
    for wanted in [0..0, 1..3, 3..64, 64..128] {
        let mut moments = Moments::new(wanted.clone());
        assert!(!moments.has_wanted());
        evening.rows.iter().for_each(|(row, at)| moments.row(row, *at).unwrap());
        assert_eq!(moments.has_wanted(), wanted == (1..3), "{wanted:?}");
        let film = moments.finish().unwrap();
        assert_eq!(film.moments, all.moments);
        let expected = all.pictures.iter().skip(wanted.start).take(wanted.len());
        assert!(film.pictures.iter().eq(expected), "{wanted:?}");
    }
}

#[test]
fn a_log_with_a_gap_is_refused_and_an_empty_one_has_nothing() {
    let mut evening = Evening::begin();
    evening.wait(300).commit(vec![Change::Started]);
    evening.wait(300).commit(vec![Change::RoundEnded]);
    let mut moments = Moments::new(0..1);
    moments.row(&evening.rows[0].0, None).unwrap();
    assert!(matches!(moments.row(&evening.rows[2].0, None), Err(ClaimError::Gap(4))));
    assert!(matches!(Moments::new(0..1).finish(), Err(ClaimError::Empty)));
    let mut late = Moments::new(0..1);
    assert!(matches!(late.row(&evening.rows[1].0, None), Err(ClaimError::Gap(0))));
}
