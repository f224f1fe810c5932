//! Points for wrong answers: which types have wrong answers. Scores below zero, marks, jokers and streaks are in `against_model.rs`.

use quizhall_rules::{Command, Question, QuestionKind, Quiz};

use crate::stage::{Game, player, question, quiz, release};

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
