//! Points for wrong answers: which answers count as wrong, and scores below zero.

use quizhall_rules::{Actor, Command, Question, QuestionKind, Quiz};

use crate::stage::{Game, overrule, player, question, quiz, release};

/// One round of questions worth 100 points each, in which a wrong answer earns -30.
fn costly(per_round: u8) -> Quiz {
    let mut quiz = quiz(1, per_round);
    quiz.rounds[0].wrong_points = -30;
    quiz.rounds[0].questions.iter_mut().for_each(|question| question.points = 100);
    quiz
}

fn earned(game: &Game) -> Vec<i32> {
    game.state.results_of(player(1)).results.iter().map(|result| result.earned.points).collect()
}

#[test]
fn a_wrong_answer_costs_points_and_none_costs_nothing() {
    let mut game = Game::answered(costly(3), &["right", "wrong", ""]);
    assert_eq!(earned(&game), [100, -30, 0]);
    game.host(Command::ReleaseScores);
    assert_eq!(game.board(), [("Ann".into(), 70, 70, 1), ("Bob".into(), 0, 0, 2)]);
}

#[test]
fn a_score_below_zero_ranks_below_one_of_zero() {
    let mut game = Game::answered(costly(1), &["wrong"]);
    game.host(Command::ReleaseScores);
    assert_eq!(game.board(), [("Bob".into(), 0, 0, 1), ("Ann".into(), -30, -30, 2)]);
}

#[test]
fn a_mark_of_the_host_makes_an_answer_wrong_or_right_but_not_one_that_was_not_given() {
    let mut game = Game::answered(costly(3), &["right", "wrong", ""]);
    game.host(overrule(1, 1, false));
    game.host(overrule(1, 2, true));
    game.host(overrule(1, 3, false));
    assert_eq!(earned(&game), [-30, 100, 0]);
    for _ in 0..3 {
        game.host(Command::UndoMarking);
    }
    assert_eq!(earned(&game), [100, -30, 0]);
}

#[test]
fn an_answer_that_is_partly_right_or_not_marked_or_the_only_nearest_costs_nothing() {
    let kinds = [QuestionKind::MultiSelect, QuestionKind::Poll, QuestionKind::WordCloud, QuestionKind::Nearest];
    let mut quiz = costly(4);
    for (number, kind) in (1..).zip(kinds) {
        let accepted: &[&str] = match kind {
            QuestionKind::MultiSelect => &["a", "b"],
            QuestionKind::Nearest => &["10"],
            _ => &[],
        };
        let choices = if kind.has_choices() { ["a", "b", "c"].map(str::to_owned).to_vec() } else { Vec::new() };
        let points = if kind.is_marked() { 100 } else { 0 };
        let asked = Question::new(question(number), kind, "?", accepted);
        quiz.rounds[0].questions[usize::from(number) - 1] = Question { choices, points, ..asked };
    }
    let mut game = Game::new(quiz);
    game.joins(1, "Ann");
    game.joins(2, "Bob");
    game.host(Command::StartGame);
    for (number, answers) in (1..).zip([["a", "c"], ["a", "b"], ["sea", "sea"], ["17", "11"]]) {
        game.host(release(number));
        for (who, answer) in (1..).zip(answers) {
            game.answers(who, number, answer);
        }
    }
    game.host(Command::EndRound);
    assert_eq!(earned(&game), [50, 0, 0, 0], "half of the choices, and a number that is not the nearest");
    let of_bob: Vec<_> = game.state.results_of(player(2)).results.iter().map(|one| one.earned.points).collect();
    assert_eq!(of_bob, [-30, 0, 0, 100]);
}

#[test]
fn a_joker_doubles_what_wrong_answers_cost() {
    let mut quiz = costly(2);
    quiz.rounds[0].joker = true;
    let mut game = Game::new(quiz);
    game.joins(1, "Ann");
    game.ask(Actor::Player(player(1)), &Command::PlayJoker).unwrap();
    game.host(Command::StartGame);
    for (number, answer) in [(1, "right"), (2, "wrong")] {
        game.host(release(number));
        game.answers(1, number, answer);
    }
    game.host(Command::EndRound);
    assert_eq!(earned(&game), [200, -60]);
}

#[test]
fn a_wrong_answer_ends_a_streak_as_before() {
    let mut quiz = costly(3);
    quiz.rounds[0].streaks = true;
    assert_eq!(earned(&Game::answered(quiz, &["right", "wrong", "right"])), [100, -30, 100]);
}
