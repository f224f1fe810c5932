//! Half of the points: given by the host, or for near misses by the round's setting.

use quizhall_rules::{Actor, Change, Command, MarkedBy};

use crate::stage::{Game, halve, mark_all, overrule, question, quiz, release};

/// A game of one question worth 101 points, to which Ann has answered "rigth" and Bob "other"; the round has ended.
fn reviewed(half_points: bool) -> Game {
    let mut quiz = quiz(1, 1);
    (quiz.rounds[0].half_points, quiz.rounds[0].wrong_points) = (half_points, -30);
    quiz.rounds[0].questions[0].points = 101;
    let mut game = Game::new(quiz);
    for (id, name) in [(1, "Ann"), (2, "Bob")] {
        game.joins(id, name);
    }
    game.host(Command::StartGame);
    game.host(release(1));
    game.answers(1, 1, "rigth");
    game.answers(2, 1, "other");
    game.host(Command::EndRound);
    game
}

/// The points of Ann and Bob, and the origin of each mark.
fn earned(game: &Game) -> [(i32, MarkedBy); 2] {
    let answers: Vec<_> = game.state.all_answers().map(|past| (past.earned.points, past.answer.marked_by())).collect();
    answers.try_into().unwrap()
}

#[test]
fn a_near_miss_earns_half_where_the_round_says_so_and_costs_nothing() {
    assert_eq!(earned(&reviewed(true)), [(50, MarkedBy::Key), (-30, MarkedBy::Key)]);
    assert_eq!(earned(&reviewed(false)), [(-30, MarkedBy::Key), (-30, MarkedBy::Key)]);
    let near: Vec<_> = reviewed(true).state.review().map(|entry| entry.answer.near_miss).collect();
    assert_eq!(near, [true, false], "the host is still asked to check");
}

#[test]
fn the_host_gives_half_and_takes_it_back() {
    let mut game = reviewed(false);
    let change = game.host(halve(1, &["other", "never given"]));
    let texts = vec!["other".to_owned()];
    assert_eq!(change, Change::AnswersMarked { question: question(1), texts, correct: false, partial: 50 });
    assert_eq!(earned(&game)[1], (50, MarkedBy::Host));
    assert_eq!(game.ask(Actor::Host, &halve(1, &["other"])), Ok(None), "it has half of the points already");
    game.host(mark_all(1, &["other"], true));
    assert_eq!(earned(&game)[1], (101, MarkedBy::Host));
    game.host(halve(1, &["other"]));
    game.host(overrule(2, 1, false));
    assert_eq!(earned(&game)[1], (-30, MarkedBy::Key));
    for points in [50, 101, 50, -30] {
        game.host(Command::UndoMarking);
        assert_eq!(earned(&game)[1].0, points);
    }
    assert_eq!(earned(&game)[1], (-30, MarkedBy::Key));
}

#[test]
fn half_of_one_point_is_none() {
    let mut quiz = quiz(1, 1);
    quiz.rounds[0].questions[0].points = 1;
    let mut game = Game::new(quiz);
    game.joins(1, "Ann");
    game.host(Command::StartGame);
    game.host(release(1));
    game.answers(1, 1, "other");
    game.host(Command::EndRound);
    assert_eq!(game.ask(Actor::Host, &halve(1, &["other"])), Ok(None));
}
