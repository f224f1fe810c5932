//! Options of games in the table: which of them a game uses, and what nodes of an earlier version know.

use std::collections::BTreeSet;

use quizhall_rules::{
    AutopilotPlan, BoardAfter, CommandRow, Created, LOG_VERSION, MarkingRule, OptionRow, Pace, Question, QuestionKind,
    Seal, SealHash, Teams,
};

use crate::stage::{created, question, quiz};

fn names(game: &Created) -> BTreeSet<&'static str> {
    game.option_rows().map(|option| option.name).collect()
}

/// A game whose first round and its first question are changed.
fn with(change: impl FnOnce(&mut Created)) -> BTreeSet<&'static str> {
    let mut game = created(quiz(2, 2));
    change(&mut game);
    names(&game)
}

#[test]
fn a_plain_game_uses_no_option() {
    assert_eq!(names(&created(quiz(2, 2))), BTreeSet::new());
}

#[test]
fn every_option_is_found() {
    let plan = AutopilotPlan { answer_for: 20, ..crate::changes::PLAN };
    let found = [
        with(|game| game.options.phones_after_screen = true),
        with(|game| game.options.clean_names = true),
        with(|game| game.options.teams = Some(Teams { devices: 2, captain_only: false })),
        with(|game| game.quiz.rounds[1].time_limit = Some(30)),
        with(|game| game.quiz.rounds[0].streaks = true),
        with(|game| game.quiz.rounds[0].speed_points = true),
        with(|game| game.quiz.rounds[0].joker = true),
        with(|game| game.options.pace = Pace::Question),
        with(|game| game.options.board_after = BoardAfter::Section),
        with(|game| game.options.close_when_answered = true),
        with(|game| game.options.mark_later = true),
        with(|game| game.options.autopilot = Some(plan)),
        with(|game| game.quiz.rounds[0].wrong_points = -1),
        with(|game| game.quiz.rounds[0].half_points = true),
        with(|game| game.sealed = Some(Seal { seal: SealHash([1; 32]), leaves: Vec::new() }.into())),
    ];
    assert!(found.iter().all(|names| names.len() == 1), "{found:?}");
    assert_eq!(found.iter().flatten().collect::<BTreeSet<_>>().len(), found.len(), "{found:?}");
    assert_eq!(with(|game| game.quiz.rounds[1].questions[1].time_limit = Some(30)), found[3], "the same of a question");
    assert_eq!(with(|game| game.options.answer_seconds = Some(30)), found[3], "the same of the game");
    assert_eq!(with(|game| game.options.streaks = true), found[4], "the same of the game");
    assert_eq!(with(|game| game.options.speed_points = true), found[5], "the same of the game");
}

#[test]
fn the_types_of_the_first_version_are_no_option() {
    let of = |kind| with(|game| game.quiz.rounds[0].questions[0] = Question::new(question(1), kind, "Which?", &["1"]));
    let plain = QuestionKind::ALL.iter().filter(|kind| of(**kind).is_empty()).map(|kind| kind.as_str());
    assert_eq!(plain.collect::<Vec<_>>(), ["text", "multiple_choice", "true_false", "numeric"]);
}

#[test]
fn what_came_after_the_oldest_node_is_unknown() {
    let next = LOG_VERSION + 1;
    let command = CommandRow { since: next, ..CommandRow::ADD_SCREEN };
    let option = OptionRow { name: "something new", since: next };
    assert!(!command.is_known_to(LOG_VERSION) && !option.is_known_to(LOG_VERSION));
    assert!(command.is_known_to(next) && option.is_known_to(next));
    assert!(CommandRow::ADD_SCREEN.is_known_to(LOG_VERSION) && CommandRow::ADD_SCREEN.is_known_to(next));
}

#[test]
fn new_games_get_the_newest_rule_that_every_node_knows() {
    assert_eq!(MarkingRule::known_to(LOG_VERSION), MarkingRule::LATEST);
    assert_eq!(MarkingRule::known_to(0), MarkingRule::First);
}
