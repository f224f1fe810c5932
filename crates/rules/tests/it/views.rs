//! The host's review, a player's own results, and the contents of the export.

use quizhall_rules::{Actor, Command, Phase};

use crate::stage::{Game, overrule, player, question, quiz, release};

fn three() -> Game {
    let mut game = Game::new(quiz(2, 3));
    for (number, name) in [(1, "Ann"), (2, "Bob"), (3, "Cleo")] {
        game.joins(number, name);
    }
    game.host(Command::StartGame);
    game
}

#[test]
fn the_review_is_by_release_then_by_first_arrival() {
    let mut game = three();
    game.host(release(2));
    game.host(release(1));
    game.answers(3, 1, "right");
    game.answers(1, 2, "wrong");
    game.answers(2, 2, "right");
    game.answers(1, 2, "right");
    let released: Vec<_> = game.state.released().map(|question| question.id).collect();
    assert_eq!(released, [question(2), question(1)]);
    // Ann changed her answer, and kept her place.
    let expected = [
        ("Ann", "Question 2?", "right", true),
        ("Bob", "Question 2?", "right", true),
        ("Cleo", "Question 1?", "right", true),
    ];
    assert_eq!(game.review(), expected);
    assert_eq!(game.state.answer_count(question(2)), 2);
    assert_eq!(game.state.answer_count(question(1)), 1);
    assert_eq!(game.state.answer_count(question(3)), 0);
    assert_eq!(game.state.answered_by(player(1)), [question(2)]);
    assert_eq!(game.state.answered_by(player(3)), [question(1)]);
    game.host(Command::EndRound);
    assert_eq!(game.review(), expected);
}

#[test]
fn a_changed_answer_counts_once_and_the_last_one_counts() {
    let mut game = three();
    game.host(release(1));
    for answer in ["right", "wrong", "right", "wrong"] {
        game.answers(1, 1, answer);
        assert_eq!(game.state.answer_count(question(1)), 1);
    }
    for step in [Command::EndRound, Command::ReleaseScores] {
        game.host(step);
    }
    assert_eq!(game.state.results_of(player(1)).round_total, 0);
}

#[test]
fn a_player_gets_one_result_per_released_question() {
    let mut game = three();
    for number in [3, 1] {
        game.host(release(number));
    }
    game.answers(1, 1, "right");
    game.answers(2, 3, "RIGHT!");
    game.answers(2, 1, "no");
    game.host(Command::EndRound);
    let results = game.state.results_of(player(1));
    let shown: Vec<_> = results.results.iter().map(|r| (r.question.id, r.answer, r.correct, r.earned.points)).collect();
    assert_eq!(shown, [(question(3), "", false, 0), (question(1), "right", true, 100)]);
    assert_eq!(results.round_total, 100);
    assert_eq!(game.state.results_of(player(2)).round_total, 300);
    assert_eq!(game.state.results_of(player(3)).round_total, 0);
    assert_eq!(game.state.results_of(player(9)).results.len(), 2);
}

#[test]
fn an_override_goes_both_ways_and_needs_no_answer() {
    let mut game = three();
    game.host(release(1));
    game.answers(1, 1, "right");
    game.answers(2, 1, "wrong");
    game.host(Command::EndRound);
    assert_eq!(game.ask(Actor::Host, &overrule(1, 1, true)), Ok(None), "it is marked like this");
    game.host(overrule(1, 1, false));
    game.host(overrule(2, 1, true));
    game.host(overrule(3, 1, false));
    assert_eq!(game.ask(Actor::Host, &overrule(3, 1, false)), Ok(None), "said before");
    let expected = [
        ("Ann", "Question 1?", "right", false),
        ("Bob", "Question 1?", "wrong", true),
        ("Cleo", "Question 1?", "", false),
    ];
    assert_eq!(game.review(), expected);
    assert_eq!(game.state.answer_count(question(1)), 3);
    game.host(overrule(1, 1, true));
    game.host(overrule(3, 1, true));
    game.host(Command::ReleaseScores);
    assert_eq!(game.board(), ["Ann", "Bob", "Cleo"].map(|name| (name.into(), 100, 100, 1)));
    let answer = game.state.answer_of(player(3), question(1)).unwrap();
    assert_eq!((&*answer.text, answer.marked_correct, answer.overridden), ("", false, Some(true)));
}

#[test]
fn a_near_miss_is_flagged_and_counts_as_wrong() {
    let mut game = three();
    game.host(release(1));
    game.answers(1, 1, "rigth");
    let answer = game.state.answer_of(player(1), question(1)).unwrap();
    assert_eq!((answer.correct(), answer.near_miss), (false, true));
}

#[test]
fn a_removed_player_is_in_no_list() {
    let mut game = Game::in_phase(Phase::RoundReview);
    assert_eq!(game.state.answer_count(question(1)), 2);
    game.host(Command::Remove { player: player(1) });
    assert_eq!(game.review(), [("Bob", "Question 1?", "wrong", false)]);
    assert_eq!(game.state.answer_count(question(1)), 1);
    assert!(game.state.answer_of(player(1), question(1)).is_none());
    assert!(game.state.answered_by(player(1)).is_empty());
    assert_eq!(game.state.results_of(player(1)).round_total, 0);
    assert_eq!(game.state.all_answers().count(), 1);
    assert_eq!(game.state.players().count(), 1);
}

#[test]
fn the_history_holds_every_round() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    game.host(Command::StartNextRound);
    game.host(release(4));
    game.answers(2, 4, "right");
    let line = |past: quizhall_rules::PastAnswer<'_>| {
        (past.round, past.question.id, past.player.id, past.answer.correct(), past.earned.points, past.scored)
    };
    let history: Vec<_> = game.state.all_answers().map(line).collect();
    let expected = [
        (0, question(1), player(1), true, 100, true),
        (0, question(1), player(2), false, 0, true),
        (1, question(4), player(2), true, 400, false),
    ];
    assert_eq!(history, expected);
}

#[test]
fn a_player_who_joined_after_the_end_of_a_round_could_not_answer_it() {
    let mut game = Game::in_phase(Phase::Question);
    let asked = |game: &Game, round| {
        game.state.asked_in(round).map(|(question, players)| (question.id, players)).collect::<Vec<_>>()
    };
    let late = |game: &Game| game.state.latecomers().map(|player| player.id).collect::<Vec<_>>();
    game.joins(3, "Cleo");
    assert_eq!(asked(&game, 0), [(question(1), 3)], "while it is open, every player can");
    assert!(late(&game).is_empty());
    game.host(release(2));
    game.host(Command::EndRound);
    game.joins(4, "Dan");
    game.joins(5, "Eva");
    assert_eq!(asked(&game, 0), [(question(1), 3), (question(2), 3)]);
    assert_eq!(late(&game), [player(4), player(5)]);
    game.host(overrule(4, 2, true));
    assert_eq!(asked(&game, 0), [(question(1), 3), (question(2), 4)], "a credit counts");
    game.service(Command::Remove { player: player(4) });
    game.service(Command::Remove { player: player(1) });
    assert_eq!(asked(&game, 0), [(question(1), 2), (question(2), 2)], "removed players are in no number");
    assert_eq!(late(&game), [player(5)]);
    game.host(Command::ReleaseScores);
    game.host(Command::StartNextRound);
    game.host(release(3));
    assert!(late(&game).is_empty());
    assert_eq!((asked(&game, 0)[0].1, asked(&game, 1)), (2, vec![(question(3), 3)]));
    assert!(asked(&game, 2).is_empty());
}

#[test]
fn a_mark_that_was_changed_back_overrules_nothing() {
    let mut game = Game::in_phase(Phase::RoundReview);
    let overruled = |game: &Game| game.state.answer_of(player(1), question(1)).unwrap().is_overruled();
    assert!(!overruled(&game));
    game.host(overrule(1, 1, false));
    assert!(overruled(&game));
    game.host(overrule(1, 1, true));
    assert!(!overruled(&game));
    game.joins(3, "Cleo");
    game.host(overrule(3, 1, true));
    assert!(game.state.answer_of(player(3), question(1)).unwrap().is_overruled(), "a credit is not what marking said");
}

#[test]
fn a_new_round_starts_with_nothing_open() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    game.host(Command::StartNextRound);
    assert_eq!((game.state.round(), game.state.phase()), (1, Phase::Question));
    assert_eq!(game.state.released().count(), 0);
    assert_eq!(game.state.review().count(), 0);
    assert_eq!(game.state.answer_count(question(1)), 0);
    assert!(!game.state.is_released(question(1)));
    assert!(game.state.results_of(player(1)).results.is_empty());
    assert!(game.state.question(question(1)).is_some(), "still a question of the quiz");
}
