//! Extra time: a timer ends for each player after that player's percentage of it, and closes with the last.

use quizhall_rules::{
    Actor, Change, Command, Device, Event, Expiry, Moment, Origin, Phase, PlayerId, Refusal, State, TimeLeft,
    TimerLength, decide,
};
use uuid::Uuid;

use crate::stage::{Game, player, question, quiz, release, submit};

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
    game.host(set(Some(1), 40_000));
    game
}

fn set(number: Option<u8>, ms: u64) -> Command {
    Command::SetTimer(TimeLeft { question: number.map(question), ms })
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

fn over(number: Option<u8>, up: u16, (next, ms): (u16, u64)) -> Change {
    Change::TimeOver { left: TimeLeft { question: number.map(question), ms }, up, next }
}

fn may_answer(game: &Game, who: u8, number: u8) -> bool {
    let origin = Origin { actor: Actor::Player(player(who)), command_id: None, at: game.now };
    match decide(&game.state, origin, &submit(number, "anything")) {
        Ok(_) => true,
        Err(refusal) => {
            assert_eq!(refusal, Refusal::UnknownQuestion);
            false
        }
    }
}

fn may(game: &Game) -> [bool; 2] {
    [may_answer(game, ANN, 1), may_answer(game, BOB, 1)]
}

#[test]
fn a_question_is_over_for_each_player_in_turn() {
    let mut game = begun();
    game.now.0 += 10_000;
    assert_eq!((left(&game, ANN), left(&game, BOB)), (Some(30_000), Some(70_000)));
    assert_eq!(expire(&mut game), (41_000, over(Some(1), 100, (200, 39_000))), "a second of grace, and no extra grace");
    assert_eq!((may(&game), left(&game, ANN), left(&game, BOB)), ([false, true], None, Some(39_000)));
    assert!(game.state.is_open(question(1)) && game.state.closed_questions().next().is_none());
    assert!(game.state.closed_questions_for(player(ANN)).eq([question(1)]));
    assert_eq!(expire(&mut game), (81_000, Change::QuestionClosed { question: question(1) }));
    assert_eq!(may(&game), [false, false]);
}

#[test]
fn a_round_is_over_for_questions_that_come_later_too() {
    let mut game = begun();
    game.host(set(None, 10_000));
    assert_eq!(expire(&mut game), (11_000, over(None, 100, (200, 9_000))));
    game.host(release(2));
    assert_eq!([may_answer(&game, ANN, 2), may_answer(&game, BOB, 2)], [false, true]);
    assert_eq!(expire(&mut game), (21_000, Change::RoundEnded));
    assert_eq!(game.state.phase(), Phase::RoundReview);
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
fn time_is_added_for_all_and_the_extra_part_of_it_too() {
    let mut game = begun();
    game.now.0 += 10_000;
    let added = game.host(Command::AddTime(TimeLeft { question: Some(question(1)), ms: 10_000 }));
    let left_now = TimeLeft { question: Some(question(1)), ms: 40_000 };
    assert_eq!(added, Change::TimerSet(TimerLength { left: left_now, of: Some(50_000) }));
    assert_eq!((left(&game, ANN), left(&game, BOB)), (Some(40_000), Some(90_000)));
    expire(&mut game);
    game.host(Command::AddTime(TimeLeft { question: Some(question(1)), ms: 10_000 }));
    assert_eq!((may(&game), left(&game, BOB)), ([false, true], Some(69_000)), "49 s and twice 10 s; Ann's stays over");
    game.host(set(Some(1), 5_000));
    assert_eq!((may(&game), left(&game, BOB)), ([false, true], Some(10_000)));
    assert_eq!(expire(&mut game).1, Change::QuestionClosed { question: question(1) });
}

#[test]
fn another_percent_counts_at_once_and_opens_nothing_again() {
    let mut game = begun();
    game.now.0 += 10_000;
    give(&mut game, ANN, 150);
    assert_eq!((left(&game, ANN), may(&game)), (Some(50_000), [true, true]));
    assert_eq!(expire(&mut game), (41_000, over(Some(1), 100, (150, 19_000))));
    give(&mut game, ANN, 100);
    assert_eq!((may(&game), left(&game, ANN)), ([false, true], None), "less than what is over");
    for percent in [300, 125] {
        give(&mut game, ANN, percent);
        assert_eq!(may(&game), [false, true], "it stays closed for Ann with {percent}");
    }
    give(&mut game, BOB, 100);
    assert_eq!(may(&game), [false, false]);
    assert_eq!(expire(&mut game).1, Change::QuestionClosed { question: question(1) });
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
fn the_question_closes_without_the_last_player_with_extra_time() {
    let mut game = begun();
    expire(&mut game);
    game.host(Command::Remove { player: player(BOB) });
    let body = serde_json::to_string(&game.state).unwrap();
    assert!(!body.contains("\"extra\""), "{body}");
    let (at, change) = expire(&mut game);
    assert!(at <= 42_000, "{at}");
    assert_eq!(change, Change::QuestionClosed { question: question(1) });
}

#[test]
fn a_player_who_left_in_the_lobby_counts_again_on_returning() {
    let mut game = Game::of_two();
    game.now = Moment(NOW);
    give(&mut game, BOB, 200);
    game.service(Command::Leave { player: player(BOB), device: Device::FIRST });
    game.host(Command::StartGame);
    game.host(release(1));
    game.host(set(Some(1), 10_000));
    game.service(Command::Return { player: player(BOB), device: Device::FIRST });
    assert_eq!(expire(&mut game).1, over(Some(1), 100, (200, 9_000)));
    let mut game = Game::of_two();
    game.now = Moment(NOW);
    give(&mut game, BOB, 200);
    game.service(Command::Leave { player: player(BOB), device: Device::FIRST });
    game.host(Command::StartGame);
    game.host(release(1));
    game.host(set(Some(1), 10_000));
    assert_eq!(expire(&mut game).1, Change::QuestionClosed { question: question(1) });
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
fn held_timers_hold_the_extra_time() {
    let mut game = begun();
    expire(&mut game);
    game.host(Command::HoldTimers { held: true });
    game.now.0 += 600_000;
    assert_eq!(left(&game, BOB), Some(39_000));
    game.host(Command::HoldTimers { held: false });
    game.now.0 += 1_000;
    assert_eq!(left(&game, BOB), Some(38_000));
}

#[test]
fn a_player_who_joins_after_the_end_has_no_time_left() {
    let mut game = begun();
    expire(&mut game);
    game.joins(3, "Cleo");
    give(&mut game, 3, 300);
    assert!(!may_answer(&game, 3, 1));
}

#[test]
fn strangers_and_removed_players_are_unknown() {
    let mut game = begun();
    game.host(Command::Remove { player: player(ANN) });
    for who in [player(ANN), PlayerId::from(Uuid::nil())] {
        let command = Command::SetExtraTime { player: who, percent: 150 };
        assert_eq!(game.ask(Actor::Host, &command), Err(Refusal::UnknownPlayer));
    }
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
