//! Pace `question`: each question of the quiz is a round, with everything that holds in its round of the quiz; and the time limit
//! that the options of a game give.

use quizhall_rules::{BoardAfter, Command, Pace, PlayOptions, Question, QuestionKind, Quiz, Refusal, Round, State};

use crate::stage::{Game, correct_marks, created, player, question, quiz, release};

fn by_question() -> PlayOptions {
    PlayOptions { pace: Pace::Question, ..PlayOptions::default() }
}

/// The quiz of a game with these options.
fn played(quiz: Quiz, options: PlayOptions) -> Quiz {
    Quiz::clone(Game::with(quiz, options).state.quiz())
}

#[test]
fn without_options_the_quiz_is_played_as_it_was_written() {
    let written = quiz(2, 2);
    assert_eq!(played(written.clone(), PlayOptions::default()), written);
    let state = State::created(&created(written));
    assert_eq!((state.pace(), state.board_after(), state.mark_later()), (Pace::Round, BoardAfter::Question, false));
    assert_eq!(state.section(0), None, "a round of the quiz is no section");
}

#[test]
fn each_question_is_a_round_that_is_named_after_its_section() {
    let mut written = quiz(3, 2);
    written.rounds[0].title = "Science".into();
    written.rounds[1].title = String::new();
    written.rounds[2].questions.pop();
    written.rounds[2].joker = true;
    let state = Game::with(written.clone(), by_question()).state;
    let rounds = state.quiz().rounds.iter().map(|round| (round.title.as_str(), round.questions.len()));
    let titles = [("Science · 1", 1), ("Science · 2", 1), ("", 1), ("", 1), ("Round 2", 1)];
    assert_eq!(rounds.collect::<Vec<_>>(), titles);
    let sections = (0..6).map(|round| state.section(round));
    let sections = sections.map(|it| it.map(|it| (it.index, it.title, it.question_index, it.question_count)));
    let expected = [
        Some((0, "Science", 0, 2)),
        Some((0, "Science", 1, 2)),
        Some((1, "", 0, 2)),
        Some((1, "", 1, 2)),
        Some((2, "Round 2", 0, 1)),
        None,
    ];
    assert_eq!(sections.collect::<Vec<_>>(), expected);
    assert!(!state.quiz().has_jokers(), "no joker is offered");
    assert_eq!(state.quiz().title, written.title);
}

#[test]
fn a_title_stays_within_its_limit() {
    let mut written = quiz(1, 100);
    written.rounds[0].title = "ä".repeat(200);
    let rounds = played(written, by_question()).rounds;
    assert!(rounds.iter().all(|round| round.title.chars().count() == 200), "a title is cut and keeps its number");
    assert!(rounds[98].title.ends_with("ä · 99") && rounds[99].title.ends_with("ä · 100"));
}

#[test]
fn what_holds_in_a_round_of_the_quiz_holds_in_each_of_its_questions() {
    let mut written = quiz(2, 2);
    let round = &mut written.rounds[0];
    (round.time_limit, round.streaks, round.speed_points) = (Some(60), true, true);
    (round.half_points, round.wrong_points) = (true, -50);
    round.questions[1].time_limit = Some(10);
    let rounds = played(written, by_question()).rounds;
    let limits = rounds.iter().map(|round| (round.time_limit, round.questions[0].time_limit));
    assert_eq!(limits.collect::<Vec<_>>(), [(None, Some(60)), (None, Some(10)), (None, None), (None, None)]);
    let of = |round: &Round| (round.streaks, round.speed_points, round.half_points, round.wrong_points);
    let expected =
        [(true, true, true, -50), (true, true, true, -50), (false, false, false, 0), (false, false, false, 0)];
    assert_eq!(rounds.iter().map(of).collect::<Vec<_>>(), expected);
}

#[test]
fn seconds_for_answers_are_the_limit_where_the_quiz_has_none() {
    let mut written = quiz(2, 2);
    written.rounds[0].questions[0].time_limit = Some(10);
    written.rounds[1].time_limit = Some(60);
    let limits = |pace| {
        let options = PlayOptions { pace, answer_seconds: Some(20), ..PlayOptions::default() };
        let rounds = played(written.clone(), options).rounds;
        let limits = |round: &Round| round.questions.iter().map(|asked| asked.time_limit).collect::<Vec<_>>();
        rounds.iter().flat_map(limits).collect::<Vec<_>>()
    };
    assert_eq!(limits(Pace::Round), [Some(10), Some(20), None, None], "the round's own limit is enough");
    assert_eq!(limits(Pace::Question), [Some(10), Some(20), Some(60), Some(60)]);
}

#[test]
fn streaks_and_speed_of_a_game_hold_in_every_round() {
    let options = PlayOptions { streaks: true, speed_points: true, ..PlayOptions::default() };
    let rounds = played(quiz(2, 1), options).rounds;
    assert!(rounds.iter().all(|round| round.streaks && round.speed_points));
}

/// Plays a game question by question with streaks, in which Ann gives these answers; returns it with her points for each question.
fn points_of(written: Quiz, answers: &[&str]) -> (Game, Vec<i64>) {
    let mut game = Game::with(written, PlayOptions { streaks: true, ..by_question() });
    game.joins(1, "Ann");
    game.host(Command::StartGame);
    let mut points = Vec::new();
    for (number, answer) in (1..).zip(answers) {
        if number > 1 {
            game.host(Command::StartNextRound);
        }
        game.host(release(number));
        if !answer.is_empty() {
            game.answers(1, number, answer);
        }
        game.host(Command::EndRound);
        points.push(game.state.results_of(player(1)).round_total);
        game.host(Command::ReleaseScores);
        assert_eq!(score(&game), points.iter().sum::<i64>(), "after question {number}");
    }
    let past: i64 = game.state.all_answers().map(|past| i64::from(past.earned.points)).sum();
    assert_eq!(past, score(&game), "the results have the same points");
    (game, points)
}

fn score(game: &Game) -> i64 {
    game.state.player(player(1)).unwrap().score()
}

#[test]
fn streaks_go_on_through_a_section() {
    let mut with_cloud = quiz(1, 3);
    with_cloud.rounds[0].questions[1] = Question::new(question(2), QuestionKind::WordCloud, "A word?", &[""; 0]);
    let (right, wrong) = ("right", "wrong");
    let cases: [(&str, Quiz, &[&str], &[i64]); 3] = [
        (
            "each section begins anew",
            quiz(2, 3),
            &[right, right, right, right, right, wrong],
            &[100, 220, 360, 400, 550, 0],
        ),
        ("no answer ends one", quiz(1, 3), &[right, "", right], &[100, 0, 300]),
        ("a type without marks does not count", with_cloud, &[right, right, right], &[100, 0, 330]),
    ];
    for (what, written, answers, expected) in cases {
        assert_eq!(points_of(written, answers).1, expected, "{what}");
    }
}

#[test]
fn a_corrected_mark_changes_the_later_questions_of_the_section() {
    let (mut game, points) = points_of(quiz(1, 3), &["right", "wrong", "right"]);
    assert_eq!(points, [100, 0, 300]);
    game.host(correct_marks(2, &["wrong"], true));
    assert_eq!(score(&game), 100 + 220 + 360);
}

#[test]
fn an_edited_question_keeps_the_limit_of_the_quiz() {
    let mut game = Game::with(quiz(1, 2), PlayOptions { answer_seconds: Some(20), ..by_question() });
    let edited = crate::stage::edit(2, "Which one?");
    game.host(edited);
    let asked = game.state.question(question(2)).unwrap();
    assert_eq!((asked.text.as_str(), asked.time_limit), ("Which one?", Some(20)));
    let stored = serde_json::to_value(&game.state).unwrap();
    assert_eq!(stored["quiz"]["rounds"][0]["questions"][1]["time_limit"], serde_json::Value::Null);
    assert_eq!(serde_json::from_value::<State>(stored).unwrap(), game.state, "a snapshot expands it again");
}

#[test]
fn a_question_of_another_round_cannot_be_released() {
    let mut game = Game::with(quiz(1, 2), by_question());
    game.host(Command::StartGame);
    assert_eq!(game.ask(quizhall_rules::Actor::Host, &release(2)), Err(Refusal::UnknownQuestion));
}

#[test]
fn a_game_reads_back_from_its_log_and_without_options_its_first_event_has_none() {
    let plain = serde_json::to_value(created(quiz(1, 1))).unwrap();
    let names = plain.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(names, ["code", "created_at_ms", "game", "host", "join_secret", "quiz", "rule"]);
    let options = PlayOptions { board_after: BoardAfter::Third, mark_later: true, ..by_question() };
    let stored = serde_json::to_string(&quizhall_rules::Created { options, ..created(quiz(1, 1)) }).unwrap();
    assert!(stored.contains(r#""pace":"question","board_after":"third","mark_later":true"#), "{stored}");
    assert_eq!(serde_json::from_str::<quizhall_rules::Created>(&stored).unwrap().options, options);
}
