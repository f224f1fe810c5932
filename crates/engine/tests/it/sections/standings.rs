//! Standings that are held: clients with the extension do not receive them in any way until the host shows them.

use quizhall_engine::{Dialect, EdgeEffect, Participant};
use quizhall_protocol::frame;
use quizhall_rules::{Change, Round, State};
use serde_json::{Value, json};

use super::{HOST, received, reviewing, types};
use crate::rim::Rim;
use crate::stage::{as_player, created, event, joined};

const HELD: Change = Change::ScoresReleased { held: true };
const SHOWN: Change = Change::ScoresReleased { held: false };
/// The sockets of player 1 (with the extension) and player 2 (without it).
const V1: u64 = 2;
const PLAIN: u64 = 3;

/// All messages that a socket receives, including the scores, which are rendered late.
fn sent(rim: &Rim, effects: &[EdgeEffect], (connection, dialect): (u64, Dialect)) -> Vec<Value> {
    let mut messages = Vec::new();
    for effect in effects {
        match effect {
            EdgeEffect::SendScores(part, players) => {
                let own = players.iter().filter(|(to, _)| to.0 == connection);
                let runs = own.filter_map(|(connection, player)| rim.edge.scores(*connection, *player, *part));
                messages.extend(runs.flat_map(|run| read(&run)));
            }
            effect => messages.extend(received(std::slice::from_ref(effect), connection, dialect)),
        }
    }
    messages
}

/// All messages of a run of short frames and long ones.
fn read(run: &bytes::Bytes) -> Vec<Value> {
    let mut rest = run.clone();
    let mut messages = Vec::new();
    while !rest.is_empty() {
        let length = match rest[1] {
            126 => 4 + usize::from(u16::from_be_bytes([rest[2], rest[3]])),
            short => 2 + usize::from(short),
        };
        let one = rest.split_to(length);
        messages.push(serde_json::from_slice(&frame::payload(&one)).unwrap());
    }
    messages
}

fn to_v1(rim: &Rim, effects: &[EdgeEffect]) -> Vec<Value> {
    sent(rim, effects, (V1, Dialect::QuizhallV1))
}

fn to_plain(rim: &Rim, effects: &[EdgeEffect]) -> Vec<Value> {
    sent(rim, effects, (PLAIN, Dialect::Interface))
}

fn after(changes: &[Change]) -> State {
    let mut state = reviewing().edge.state().unwrap().clone();
    for change in changes {
        state.apply(&event(change.clone()));
    }
    state
}

/// The messages that a player with the extension, a plain player and the host receive when the edge skips events that
/// it has not seen.
fn jump(before: &[Change], over: &[Change]) -> [Vec<String>; 3] {
    let mut rim = Rim::at(after(before));
    rim.attach_v1(V1, as_player(1));
    rim.attach(PLAIN, as_player(2));
    rim.attach_v1(HOST, Participant::Host);
    rim.rest();
    let all: Vec<Change> = before.iter().chain(over).cloned().collect();
    rim.seq += over.len() as u64;
    let effects = rim.catch_up(rim.seq, after(&all)).taken();
    let kinds = |messages: Vec<Value>| types(&messages).into_iter().map(str::to_owned).collect();
    [
        kinds(to_v1(&rim, &effects)),
        kinds(to_plain(&rim, &effects)),
        kinds(received(&effects, HOST, Dialect::QuizhallV1)),
    ]
}

#[test]
fn an_edge_that_jumps_over_events_keeps_them_back_too() {
    let [v1, plain, host] = jump(&[], &[HELD]);
    assert_eq!(v1, ["standings_status", "round_scores"]);
    assert_eq!(plain[0], "round_leaderboard");
    assert_eq!(host, ["standings_status", "round_leaderboard", "step_update"]);
    let [v1, plain, host] = jump(&[HELD], &[SHOWN]);
    assert_eq!(v1, ["standings_status", "round_leaderboard", "scoreboard_update"]);
    assert_eq!((plain.len(), host), (0, vec!["standings_status".to_owned(), "step_update".to_owned()]));
    let [v1, ..] = jump(&[], &[HELD, SHOWN]);
    assert_eq!(v1[0], "round_leaderboard");
    for [v1, plain, host] in [jump(&[HELD], &[Change::Ended]), jump(&[], &[HELD, Change::Ended])] {
        assert_eq!([v1, plain, host].concat(), ["game_ended", "game_ended", "game_ended", "step_update"]);
    }
}

/// A game whose phones wait for the screen, in review.
fn waiting(changes: &[Change]) -> State {
    let mut state = serde_json::to_value(after(&[])).unwrap();
    state["phones_after_screen"] = json!(true);
    let mut state: State = serde_json::from_value(state).unwrap();
    for change in changes {
        state.apply(&event(change.clone()));
    }
    state
}

#[test]
fn an_edge_that_jumps_over_events_keeps_all_scores_from_phones_that_wait() {
    let jump = |before: &[Change], over: &[Change]| {
        let mut rim = Rim::at(waiting(before));
        rim.attach_v1(V1, as_player(1));
        rim.rest();
        let all: Vec<Change> = before.iter().chain(over).cloned().collect();
        rim.seq += over.len() as u64;
        let effects = rim.catch_up(rim.seq, waiting(&all)).taken();
        types(&to_v1(&rim, &effects)).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(jump(&[], &[HELD]), ["standings_status"]);
    // The player's own scores and the current board are one run of frames.
    assert_eq!(jump(&[HELD], &[SHOWN]), ["standings_status", "round_leaderboard", "round_scores"]);
    assert_eq!(jump(&[HELD], &[Change::Ended]), ["game_ended"]);
}

/// Scores are rendered after the whole frame has been applied.
#[test]
fn scores_of_a_round_show_nothing_of_a_later_one_whose_standings_are_held() {
    let mut log = vec![created(), joined(1), joined(2), event(Change::Started), event(Change::RoundEnded)];
    let Change::Created(whole) = &mut log[0].change else { panic!("not the creation") };
    let second = Round { questions: Vec::new(), ..whole.quiz.rounds[0].clone() };
    whole.quiz.rounds.push(second);
    let mut rim = Rim::at(State::replay(&log).unwrap());
    rim.attach_v1(V1, as_player(1));
    rim.attach(PLAIN, as_player(2));
    rim.taken();
    let frame = [SHOWN, Change::NextRoundStarted, Change::RoundEnded, HELD].map(event);
    let effects = rim.commit(frame.to_vec()).taken();
    let has = |messages: &[Value], wanted: &str| messages.iter().any(|message| message["type"] == wanted);
    let v1 = to_v1(&rim, &effects);
    assert!(has(&v1, "round_scores") && !has(&v1, "scoreboard_update"), "{v1:?}");
    assert!(has(&to_plain(&rim, &effects), "scoreboard_update"), "as ever");
}
