//! Extra time: when a timer ends for whom, what an expiry closes, and how it continues under a new owner. `against_model.rs` has
//! whose time ends with whose percentage.

use quizhall_rules::{Actor, Change, Command, Event, Expiry, Moment, State, TimeLeft};
use uuid::Uuid;

use crate::stage::{Game, player, question, quiz, release};

const ANN: u8 = 1;
const BOB: u8 = 2;
const NOW: u64 = 1_000_000;

/// Question 1 is open with a timer of 40 s; Bob has twice the time.
fn begun() -> Game {
    let mut game = Game::new(quiz(2, 2));
    game.now = Moment(NOW);
    game.joins(ANN, "Ann");
    game.joins(BOB, "Bob");
    give(&mut game, BOB, 200);
    game.host(Command::StartGame);
    game.host(release(1));
    game.host(Command::SetTimer(TimeLeft { question: Some(question(1)), ms: 40_000 }));
    game
}

fn give(game: &mut Game, who: u8, percent: u16) {
    let change = game.host(Command::SetExtraTime { player: player(who), percent });
    assert_eq!(change, Change::ExtraTimeSet { player: player(who), percent });
}

/// The milliseconds that a player has left for question 1.
fn left(game: &Game, who: u8) -> Option<u64> {
    let mut left = game.state.time_left_of(player(who), game.now);
    left.find(|left| left.question == Some(question(1))).map(|left| left.ms)
}

fn next_expiry(game: &Game) -> (u64, Expiry) {
    game.state.expiries().map(|(at, expiry)| (at.0 - NOW, expiry)).min_by_key(|(at, _)| *at).unwrap()
}

/// Lets time pass to the end of the next timer, and closes.
fn expire(game: &mut Game) -> (u64, Change) {
    let (at, expiry) = next_expiry(game);
    game.now = Moment(game.now.0.max(at + NOW));
    (at, game.service(Command::Expire(expiry)))
}

#[test]
fn a_question_is_over_for_each_player_in_turn() {
    let mut game = begun();
    game.now.0 += 10_000;
    assert_eq!((left(&game, ANN), left(&game, BOB)), (Some(30_000), Some(70_000)));
    let over = Change::TimeOver { left: TimeLeft { question: Some(question(1)), ms: 39_000 }, up: 100, next: 200 };
    assert_eq!(expire(&mut game), (41_000, over), "a second of grace, and no extra grace");
    assert_eq!((left(&game, ANN), left(&game, BOB)), (None, Some(39_000)));
    assert!(game.state.is_open(question(1)) && game.state.closed_questions().next().is_none());
    assert!(game.state.closed_questions_for(player(ANN)).eq([question(1)]));
    assert_eq!(expire(&mut game), (81_000, Change::QuestionClosed { question: question(1) }));
    assert!(game.state.closed_questions().eq([question(1)]));
}

#[test]
fn the_host_sees_the_time_without_extra_and_how_much_longer_the_longest_runs() {
    let mut game = begun();
    let shown = |game: &Game| game.state.time_left(game.now).map(|(left, extra)| (left.ms, extra)).collect::<Vec<_>>();
    game.now.0 += 10_000;
    assert_eq!(shown(&game), [(30_000, 40_000)]);
    expire(&mut game);
    game.now.0 += 9_000;
    assert_eq!(shown(&game), [(0, 30_000)]);
}

#[test]
fn an_expiry_is_void_once_its_players_have_more_time() {
    let mut game = begun();
    expire(&mut game);
    let expiry = next_expiry(&game).1;
    give(&mut game, BOB, 300);
    assert_eq!(game.ask(Actor::Service, &Command::Expire(expiry)), Ok(None));
    assert_eq!((expire(&mut game).0, left(&game, BOB)), (121_000, None));
    let mut game = begun();
    let before = next_expiry(&game).1;
    give(&mut game, BOB, 300);
    assert_eq!(game.service(Command::Expire(before)).kind(), "time_over", "the end for the others is unchanged");
}

#[test]
fn extra_time_is_marked_and_has_five_seconds_under_a_new_owner() {
    let mut game = begun();
    expire(&mut game);
    game.now.0 += 5_000;
    let mark = game.service(Command::MarkTimers);
    let stated = TimeLeft { question: Some(question(1)), ms: 34_000 };
    assert_eq!(mark, Change::TimerMark { left: vec![stated], step: None });
    let mut read = State::replay(&game.log).unwrap();
    assert!(read == game.state);
    let body = serde_json::to_string(&game.state).unwrap();
    assert!(serde_json::from_str::<State>(&body).unwrap() == game.state, "a snapshot keeps it");
    let claimed = Event::new(Change::Claimed { epoch: 1, node: Uuid::nil() }, None);
    read.apply_at(&claimed, Moment(7));
    let of_bob = |state: &State, at| state.time_left_of(player(BOB), Moment(at)).map(|left| left.ms).next();
    assert_eq!(of_bob(&read, 7), Some(34_000));
    read.apply_at(
        &Event::new(Change::TimerMark { left: vec![TimeLeft { ms: 900, ..stated }], step: None }, None),
        Moment(33_100),
    );
    read.apply_at(&claimed, Moment(40_000));
    assert_eq!(of_bob(&read, 40_000), Some(5_000));
}

#[test]
fn the_autopilot_continues_and_waits_for_the_last_player() {
    let mut game = begun();
    let plan = quizhall_rules::AutopilotPlan { hold_without_host: false, ..crate::changes::PLAN };
    game.host(Command::SetAutopilot(Some(plan)));
    let give = Command::SetExtraTime { player: player(ANN), percent: 125 };
    game.decided_with_id(Actor::Host, Some(crate::stage::command_id(1, 1)), &give).unwrap().unwrap();
    assert!(game.state.autopilot().is_some(), "extra time does not change the course of the round");
    for _ in 0..2 {
        assert_eq!(expire(&mut game).1.kind(), "time_over");
        assert_eq!(game.state.autopilot_step(game.now), None);
    }
    assert_eq!(expire(&mut game).1.kind(), "question_closed");
    assert!(game.state.autopilot_step(game.now).is_some());
}
