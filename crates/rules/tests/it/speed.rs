//! Points for speed: how much more an early answer earns. Which time counts, with changed answers, held timers, added and extra time,
//! is in `against_model.rs`.

use quizhall_rules::{Actor, Change, Command, Event, Moment, Question, QuestionKind, Quiz, State};
use uuid::Uuid;

use crate::stage::{Game, player, question, quiz, release, submit};

/// Questions worth 100 points each with a limit of 20 s, in rounds that count speed.
fn fast(rounds: u8, per_round: u8) -> Quiz {
    let mut quiz = quiz(rounds, per_round);
    for round in &mut quiz.rounds {
        round.speed_points = true;
        for question in &mut round.questions {
            (question.points, question.time_limit) = (100, Some(20));
        }
    }
    quiz
}

/// A game in which question 1 has just been released, with Ann and Bob.
fn asked(quiz: Quiz) -> Game {
    let mut game = Game::new(quiz);
    game.joins(1, "Ann");
    game.joins(2, "Bob");
    game.host(Command::StartGame);
    game.host(release(1));
    game
}

fn at(number: u8, answer: &str, measured: u32) -> Command {
    let Command::SubmitAnswer { question, answer, .. } = submit(number, answer) else {
        unreachable!("the command is an answer")
    };
    Command::SubmitAnswer { question, answer, elapsed: Some(measured) }
}

/// Sends an answer to question 1 for which the edge measured this many milliseconds.
fn answers(game: &mut Game, who: u8, command: &Command) {
    game.ask(Actor::Player(player(who)), command).unwrap().unwrap();
}

/// A player's points for question 1: all of them, and the part for speed.
fn earned(game: &Game, who: u8) -> (i32, i32) {
    let earned = game.state.results_of(player(who)).results[0].earned;
    (earned.points, earned.for_speed.cast_signed())
}

fn elapsed(game: &Game, who: u8) -> Option<u32> {
    game.state.answer_of(player(who), question(1)).unwrap().elapsed
}

#[test]
fn a_right_answer_earns_the_share_of_its_points_that_was_left_of_the_time() {
    let cases = [
        (0, 100),
        (100, 100),
        (101, 99),
        (1_000, 95),
        (10_000, 50),
        (19_900, 1),
        (19_901, 0),
        (20_000, 0),
        (50_000, 0),
    ];
    for (ms, points) in cases {
        let mut game = asked(fast(1, 1));
        game.now = Moment(60_000);
        answers(&mut game, 1, &at(1, "right", ms));
        answers(&mut game, 2, &at(1, "wrong", ms));
        assert_eq!((earned(&game, 1), earned(&game, 2)), ((100 + points, points), (0, 0)), "after {ms} ms");
        game.host(Command::EndRound);
        game.host(Command::ReleaseScores);
        assert_eq!(game.board()[0].1, i64::from(100 + points), "the board says the same");
    }
}

/// A question worth one point, as most are: an answer in the first half of the time earns another point.
#[test]
fn points_are_whole_ones() {
    let mut quiz = fast(1, 1);
    quiz.rounds[0].questions[0].points = 1;
    for (ms, points) in [(0, 2), (10_000, 2), (10_001, 1), (20_000, 1)] {
        let mut game = asked(quiz.clone());
        game.now = Moment(60_000);
        answers(&mut game, 1, &at(1, "right", ms));
        assert_eq!(earned(&game, 1).0, points, "after {ms} ms");
    }
    quiz.rounds[0].questions[0].points = Question::LIMITS.points;
    let mut game = asked(quiz);
    answers(&mut game, 1, &at(1, "right", 0));
    assert_eq!(earned(&game, 1), (2_000_000, 1_000_000), "the largest number fits");
}

#[test]
fn a_partly_right_answer_earns_the_share_of_its_part() {
    let mut quiz = fast(1, 1);
    let choices = ["Red", "Blue", "Green"].map(str::to_owned).to_vec();
    let several = Question::new(question(1), QuestionKind::MultiSelect, "Which?", &["Red", "Blue"]);
    quiz.rounds[0].questions[0] = Question { choices, points: 100, time_limit: Some(20), ..several };
    let mut game = asked(quiz);
    game.now = Moment(5_000);
    answers(&mut game, 1, &at(1, "Red", 5_000));
    assert_eq!(earned(&game, 1), (88, 38), "50 of 100, and three quarters of 50");
}

#[test]
fn a_streak_and_speed_are_each_counted_only_from_the_points() {
    let mut quiz = fast(1, 2);
    quiz.rounds[0].streaks = true;
    let mut game = asked(quiz);
    answers(&mut game, 1, &at(1, "right", 0));
    game.host(release(2));
    answers(&mut game, 1, &at(2, "right", 0));
    let earned: Vec<_> = game.state.results_of(player(1)).results.iter().map(|result| result.earned).collect();
    assert_eq!((earned[0].points, earned[0].for_streak, earned[0].for_speed), (200, 0, 100));
    assert_eq!((earned[1].points, earned[1].for_streak, earned[1].for_speed), (210, 10, 100));
}

/// No time is stored where it earns nothing: without the option, without a limit of the question, or without marks.
#[test]
fn other_games_keep_their_logs() {
    let of = |change: &dyn Fn(&mut Quiz)| {
        let mut quiz = fast(1, 1);
        change(&mut quiz);
        let mut game = asked(quiz);
        answers(&mut game, 1, &at(1, "right", 5));
        (elapsed(&game, 1), game.state.counts_speed(question(1)))
    };
    assert_eq!(of(&|_| {}), (Some(0), true));
    assert_eq!(of(&|quiz| quiz.rounds[0].speed_points = false), (None, false));
    assert_eq!(of(&|quiz| quiz.rounds[0].questions[0].time_limit = None), (None, false));
    assert_eq!(of(&|quiz| quiz.rounds[0].time_limit = Some(60)), (Some(0), true));
    let poll = |quiz: &mut Quiz| {
        let asked = Question::new(question(1), QuestionKind::WordCloud, "Where to?", &[] as &[&str]);
        quiz.rounds[0].questions[0] = Question { time_limit: Some(20), ..asked };
    };
    assert_eq!(of(&poll), (None, false));
}

/// A process that replays the log continues from the last statement of the time left: an outage costs no player points.
#[test]
fn another_owner_continues_from_the_last_mark() {
    let mut game = asked(fast(1, 1));
    game.now = Moment(6_000);
    game.service(Command::MarkTimers);
    game.now = Moment(9_000);
    let log: Vec<Event> = game.log.clone();
    let mut read = State::replay(&log).unwrap();
    read.restart_timers(Moment(1_000_000));
    let claim = Event::new(Change::Claimed { epoch: 2, node: Uuid::nil() }, None);
    read.apply_at(&claim, Moment(1_000_000));
    let mut game = Game { state: read, log, now: Moment(1_001_000) };
    answers(&mut game, 1, &submit(1, "right"));
    answers(&mut game, 2, &at(1, "right", 900_000));
    assert_eq!((elapsed(&game, 1), elapsed(&game, 2)), (Some(7_000), Some(7_000)));
}
