//! Streaks: the additional points for right answers in a row. What ends a streak, by answers and marks, is in `against_model.rs`.

use quizhall_rules::{Command, Question, QuestionKind, Quiz};

use crate::stage::{Game, player, question, quiz, release};

/// Rounds of questions worth 100 points each, all with streaks.
fn streaky(rounds: u8, per_round: u8) -> Quiz {
    let mut quiz = quiz(rounds, per_round);
    for round in &mut quiz.rounds {
        round.streaks = true;
        for question in &mut round.questions {
            question.points = 100;
        }
    }
    quiz
}

/// The points of player 1 for each question, and the part of them for the streak.
fn earned(game: &Game) -> Vec<(i32, u32)> {
    let results = game.state.results_of(player(1)).results;
    results.iter().map(|result| (result.earned.points, result.earned.for_streak)).collect()
}

#[test]
fn each_further_right_answer_earns_a_tenth_more_up_to_a_half() {
    let mut game = Game::answered(streaky(1, 8), &["right"; 8]);
    let expected = [(100, 0), (110, 10), (120, 20), (130, 30), (140, 40), (150, 50), (150, 50), (150, 50)];
    assert_eq!(earned(&game), expected);
    game.host(Command::ReleaseScores);
    assert_eq!(game.board()[0], ("Ann".into(), 1_050, 1_050, 1));
}

#[test]
fn a_question_without_marks_neither_continues_a_streak_nor_ends_one() {
    let mut quiz = streaky(1, 3);
    let poll = Question::new(question(2), QuestionKind::WordCloud, "Where to?", &[] as &[&str]);
    quiz.rounds[0].questions[1] = poll;
    for answer in ["the sea", ""] {
        let game = Game::answered(quiz.clone(), &["right", answer, "right"]);
        assert_eq!(earned(&game), [(100, 0), (0, 0), (110, 10)]);
    }
}

#[test]
fn a_streak_ends_with_its_round_and_counts_only_where_the_quiz_says_so() {
    let mut quiz = streaky(2, 2);
    quiz.rounds[1].streaks = false;
    let mut game = Game::answered(quiz, &["right", "right"]);
    game.host(Command::ReleaseScores);
    game.host(Command::StartNextRound);
    for number in [3, 4] {
        game.host(release(number));
        game.answers(1, number, "right");
    }
    game.host(Command::EndRound);
    assert_eq!(earned(&game), [(100, 0), (100, 0)]);
    let of_all: Vec<_> = game.state.all_answers().map(|past| past.earned.points).collect();
    assert_eq!(of_all, [100, 110, 100, 100]);
}

#[test]
fn points_of_a_streak_are_rounded_down_and_the_largest_ones_fit() {
    let mut quiz = streaky(1, 6);
    quiz.rounds[0].questions[1].points = 19;
    quiz.rounds[0].questions[5].points = Question::LIMITS.points;
    let game = Game::answered(quiz, &["right"; 6]);
    assert_eq!((earned(&game)[1], earned(&game)[5]), ((20, 1), (1_500_000, 500_000)));
}
