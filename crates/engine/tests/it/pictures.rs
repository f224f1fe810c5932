//! What the picture of the screens says about the round and the course of the game.

use quizhall_engine::wire::screen_update;
use quizhall_protocol::frame;
use quizhall_rules::{AutopilotPlan, Change, Moment, OnScreens, Pace, Screen, ScreenId, Setting, State, TokenHash};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::frames::PLAN;
use crate::stage::{asking, created, event, joined, question};

/// The picture at a moment, in milliseconds.
fn picture(state: &State, at: u64) -> Value {
    let frame = screen_update(state, Moment(at));
    let message: Value = serde_json::from_slice(&frame::payload(&frame)).unwrap();
    message["payload"].clone()
}

/// A game of two questions in one round of the quiz, in which a wrong answer costs 25 points.
fn playing(pace: Pace) -> State {
    let mut created = created();
    let Change::Created(whole) = &mut created.change else { panic!("not the creation") };
    whole.options.pace = pace;
    let round = &mut whole.quiz.rounds[0];
    (round.title, round.wrong_points) = ("Science".to_owned(), -25);
    State::replay(&[created, joined(1), event(Change::HostReturned), event(Change::Started)]).unwrap()
}

#[test]
fn the_round_says_what_a_wrong_answer_costs_and_of_which_section_it_is() {
    let mut state = playing(Pace::Question);
    let science = |index| json!({"index": 0, "title": "Science", "questionIndex": index, "questionCount": 2});
    let round = &picture(&state, 0)["round"];
    assert_eq!((&round["section"], &round["wrongPoints"]), (&science(0), &json!(-25)));
    for change in [Change::RoundEnded, Change::ScoresReleased { held: false }, Change::NextRoundStarted] {
        state.apply(&event(change));
    }
    assert_eq!(picture(&state, 0)["round"]["section"], science(1));
    let by_round = picture(&playing(Pace::Round), 0);
    assert_eq!(by_round["round"], json!({"number": 1, "of": 1, "title": "Science", "wrongPoints": -25}));
    assert_eq!(picture(&asking(1), 0)["round"].get("wrongPoints"), None, "it costs nothing");
}

#[test]
fn the_next_step_of_the_autopilot_is_shown_while_no_question_is_open() {
    let mut state = playing(Pace::Question);
    assert_eq!(picture(&state, 0).get("step"), None, "no autopilot runs");
    let plan = Some(AutopilotPlan { break_for: 10, ..PLAN });
    state.apply_at(&event(Change::AutopilotSet { plan }), Moment(1_000));
    let step = |remaining, running| json!({"next": "release", "remainingMs": remaining, "running": running});
    assert_eq!(picture(&state, 1_000)["step"], step(10_000, true));
    assert_eq!(picture(&state, 4_000)["step"], step(7_000, true));
    state.apply_at(&event(Change::HostLeft), Moment(5_000));
    assert_eq!(picture(&state, 9_000)["step"], step(10_000, false), "it waits for the host");
    state.apply_at(&event(Change::HostReturned), Moment(10_000));
    state.apply_at(&event(Change::QuestionReleased { question: question(1) }), Moment(11_000));
    assert_eq!(picture(&state, 11_000).get("step"), None, "the question has a timer");
    state.apply_at(&event(Change::QuestionClosed { question: question(1) }), Moment(12_000));
    let shown = picture(&state, 12_000);
    assert_eq!(shown["step"]["next"], "reveal_answer");
    assert!(!shown.to_string().contains("key1"), "{shown}");
}

#[test]
fn a_darkened_screen_says_so_until_the_next_step() {
    let mut state = asking(1);
    state.apply(&event(added_screen()));
    state.apply(&event(Change::Set(Setting::Screens(OnScreens { blank: true, ..OnScreens::default() }))));
    assert_eq!(picture(&state, 0)["blank"], true);
    state.apply(&event(Change::RoundEnded));
    assert_eq!(picture(&state, 0).get("blank"), None);
}

fn added_screen() -> Change {
    Change::ScreenAdded(Screen { id: ScreenId::from(Uuid::from_u64_pair(5, 1)), token: TokenHash([1; 32]), at_ms: 0 })
}
