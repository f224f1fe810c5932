//! Questions whose answers can be partly right, neither right nor wrong, or right only compared with others.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quizhall_rules::{Actor, Command, Mark, Phase, Question, QuestionKind, Quiz, Refusal, Round, State, mark};

use crate::stage::{Game, mark_all, overrule, player, question, release};

const CHOICES: [&str; 5] = ["Trumpet", "Trombone", "Tuba", "Flute", "Oboe"];

fn asked(kind: QuestionKind, choices: usize, accepted: &[&str], points: u32) -> Question {
    let choices =
        if kind.has_choices() { CHOICES[..choices].iter().map(ToString::to_string).collect() } else { vec![] };
    Question { choices, points, ..Question::new(question(1), kind, "Which?", accepted) }
}

/// A game with one open question, and Ann, Bob and Cleo.
fn game(asked: Question) -> Game {
    let quiz = Quiz { title: "Quiz".into(), rounds: vec![Round::new("", vec![asked])] };
    assert_eq!(quiz.validate(), Ok(()));
    let mut game = Game::new(quiz);
    for (number, name) in (1..).zip(["Ann", "Bob", "Cleo"]) {
        game.joins(number, name);
    }
    game.host(Command::StartGame);
    game.host(release(1));
    game
}

fn poll() -> Game {
    game(asked(QuestionKind::Poll, 3, &[], 0))
}

fn points(game: &Game) -> Vec<(bool, u32)> {
    let result = |who| {
        game.state
            .results_of(player(who))
            .results
            .first()
            .map(|result| (result.correct, result.earned.points.cast_unsigned()))
    };
    (1..=3).filter_map(result).collect()
}

fn show(hidden: &[&str]) -> Command {
    Command::ShowTally { question: question(1), hidden: hidden.iter().map(ToString::to_string).collect() }
}

fn tally(state: &State) -> Vec<(&str, u32)> {
    state
        .tally()
        .into_iter()
        .flat_map(|tally| &tally.entries)
        .map(|entry| (entry.answer.as_str(), entry.count))
        .collect()
}

#[test]
fn wrong_choices_take_away_what_right_ones_earn() {
    let question = asked(QuestionKind::MultiSelect, 5, &["Trumpet", "Trombone", "Tuba"], 1_000);
    let rows = [
        ("Trumpet\nTrombone\nTuba", true, 0),
        ("C b a", true, 0),
        ("Tuba\nTuba\nTrumpet\nTrombone", true, 0),
        ("Trumpet\nTrombone", false, 666),
        ("Trumpet", false, 333),
        ("Trumpet\nFlute", false, 0),
        ("Trumpet\nTrombone\nFlute", false, 333),
        ("Flute\nOboe", false, 0),
        ("ABCDE", false, 333),
        ("a drum", false, 0),
        ("Trumpet\na drum", false, 0),
    ];
    for (answer, correct, partial) in rows {
        assert_eq!(mark(&question, answer), Mark { correct, near_miss: false, partial }, "{answer:?}");
    }
}

#[test]
fn neighbours_in_the_right_order_earn_their_share() {
    let question = asked(QuestionKind::Order, 4, &["Tuba", "Trombone", "Trumpet", "Flute"], 100);
    let rows = [
        ("Tuba\nTrombone\nTrumpet\nFlute", true, 0),
        ("C B A D", true, 0),
        ("Flute\nTuba\nTrombone\nTrumpet", false, 66),
        ("Flute\nTrumpet\nTrombone\nTuba", false, 0),
        ("Trumpet\nFlute\nTuba\nTrombone", false, 66),
        ("Tuba\nTrombone", false, 33),
        ("Tuba\nTrombone\nTuba\nTrombone", false, 0),
        ("first the tuba", false, 0),
    ];
    for (answer, correct, partial) in rows {
        assert_eq!(mark(&question, answer), Mark { correct, near_miss: false, partial }, "{answer:?}");
    }
}

/// The points of an answer by the reference, which compares texts only.
fn naive_points(question: &Question, named: &[&str]) -> u32 {
    let key: Vec<&str> = question.accepted.iter().map(String::as_str).collect();
    let (right, of) = if question.kind == QuestionKind::Order {
        let pairs = |texts: &[&str]| -> Vec<(String, String)> {
            texts.windows(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect()
        };
        let distinct: BTreeSet<_> = named.iter().collect();
        let found = pairs(named).iter().filter(|pair| pairs(&key).contains(pair)).count();
        (if distinct.len() == named.len() { found } else { 0 }, key.len() - 1)
    } else {
        let named: BTreeSet<_> = named.iter().collect();
        let right = named.iter().filter(|name| key.contains(name)).count();
        (right.saturating_sub(named.len() - right), key.len())
    };
    let mut points = 0;
    while u64::from(points + 1) * of as u64 <= u64::from(question.points) * right as u64 {
        points += 1;
    }
    points
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    /// The points of an answer, compared with those of the reference.
    #[test]
    fn partial_points_are_those_of_the_naive_model(
        is_order in any::<bool>(),
        key in Just(vec![0_usize, 1, 2, 3]).prop_shuffle(),
        right in 1..=4_usize,
        worth in 0..=1_000_u32,
        places in proptest::collection::vec(0..4_usize, 1..=4),
    ) {
        let kind = if is_order { QuestionKind::Order } else { QuestionKind::MultiSelect };
        let key = &key[..if is_order { 4 } else { right }];
        let accepted: Vec<&str> = key.iter().map(|place| CHOICES[*place]).collect();
        let question = asked(kind, 4, &accepted, worth);
        let named: Vec<&str> = places.iter().map(|at| CHOICES[*at]).collect();
        let Mark { correct, near_miss, partial } = mark(&question, &named.join("\n"));
        prop_assert_eq!(if correct { worth } else { partial }, naive_points(&question, &named));
        prop_assert!(!near_miss && (correct || worth == 0 || partial < worth));
    }
}

#[test]
fn an_override_takes_all_or_nothing_and_an_undo_gives_the_part_back() {
    let mut game = game(asked(QuestionKind::MultiSelect, 4, &["Trumpet", "Tuba"], 101));
    game.answers(1, 1, "Trumpet");
    game.host(Command::EndRound);
    assert_eq!(points(&game)[0], (false, 50));
    game.host(overrule(1, 1, false));
    assert_eq!(
        (points(&game)[0], game.state.answer_of(player(1), question(1)).unwrap().is_overruled()),
        ((false, 0), true)
    );
    assert_eq!(game.ask(Actor::Host, &overrule(1, 1, false)), Ok(None));
    game.host(overrule(1, 1, true));
    assert_eq!(points(&game)[0], (true, 101));
    game.host(Command::UndoMarking);
    game.host(Command::UndoMarking);
    assert_eq!(
        (points(&game)[0], game.state.answer_of(player(1), question(1)).unwrap().is_overruled()),
        ((false, 50), false)
    );
}

#[test]
fn a_poll_has_votes_and_no_marks() {
    let mut game = poll();
    game.answers(1, 1, "Tuba");
    game.answers(2, 1, "a");
    game.answers(3, 1, "Trumpet\nTuba");
    assert_eq!(tally(&game.state), [], "nothing before the host says so");
    game.host(show(&[]));
    assert_eq!(tally(&game.state), [("Trumpet", 1), ("Trombone", 0), ("Tuba", 1)], "two choices are no vote");
    assert_eq!(game.ask(Actor::Host, &show(&[])), Ok(None));
    game.answers(3, 1, "Tuba");
    assert_eq!(tally(&game.state)[2], ("Tuba", 1), "a tally that is shown stays as it is");
    game.host(show(&[]));
    assert_eq!(tally(&game.state)[2], ("Tuba", 2));

    game.host(Command::EndRound);
    assert_eq!(points(&game), [(false, 0); 3]);
    for refused in [overrule(1, 1, true), mark_all(1, &["Tuba"], true)] {
        assert_eq!(game.ask(Actor::Host, &refused), Err(Refusal::UnknownQuestion));
    }
    game.host(Command::Remove { player: player(1) });
    assert_eq!(tally(&game.state)[2], ("Tuba", 1), "a removed player no longer counts");
    game.host(Command::ReleaseScores);
    assert_eq!(tally(&game.state)[2], ("Tuba", 1));
    game.host(Command::EndGame);
    assert_eq!(tally(&game.state), []);
}

#[test]
fn a_word_cloud_counts_folded_words_and_leaves_out_what_the_host_hides() {
    let mut game = game(asked(QuestionKind::WordCloud, 0, &[], 0));
    game.answers(1, 1, "The Sea!");
    game.answers(2, 1, "  the  sea");
    game.answers(3, 1, "rude");
    game.host(show(&["rude", "never said"]));
    assert_eq!(tally(&game.state), [("the sea", 2)]);
    let stored = serde_json::to_string(game.log.last().unwrap()).unwrap();
    assert!(stored.contains(r#""as":["rude"]"#), "only a tally with omitted texts stores that: {stored}");
    game.answers(3, 1, &"x".repeat(41));
    assert_eq!(game.ask(Actor::Host, &show(&[])), Ok(None), "a text that is too long is not in the cloud");
    game.answers(3, 1, &"x".repeat(40));
    game.host(show(&[]));
    assert_eq!(tally(&game.state).len(), 2);
}

#[test]
fn a_tally_has_fifty_entries() {
    let quiz =
        Quiz { title: "Quiz".into(), rounds: vec![Round::new("", vec![asked(QuestionKind::WordCloud, 0, &[], 0)])] };
    let mut game = Game::new(quiz);
    (1..=60).for_each(|number| game.joins(number, &format!("Player {number}")));
    game.host(Command::StartGame);
    game.host(release(1));
    for number in 1..=60 {
        let word = if number <= 3 { "common".to_owned() } else { format!("word {number:02}") };
        game.answers(number, 1, &word);
    }
    game.host(show(&[]));
    let shown = tally(&game.state);
    assert_eq!((shown.len(), shown[0], shown[49]), (50, ("common", 3), ("word52", 1)));
}

#[test]
fn a_tally_is_of_questions_without_marks_and_of_open_ones() {
    let mut game = Game::in_phase(Phase::Question);
    assert_eq!(game.ask(Actor::Host, &show(&[])), Err(Refusal::UnknownQuestion), "a text question");
    let mut game = Game::new(poll().state.quiz().as_ref().clone());
    game.joins(1, "Ann");
    game.host(Command::StartGame);
    assert_eq!(game.ask(Actor::Host, &show(&[])), Err(Refusal::UnknownQuestion), "not released");
}

#[test]
fn the_nearest_are_right_and_the_next_when_they_are_removed() {
    let mut game = game(asked(QuestionKind::Nearest, 0, &["1"], 100));
    game.answers(1, 1, "0.9");
    game.answers(2, 1, "1,1");
    game.answers(3, 1, "many");
    assert_eq!(game.review().iter().filter(|entry| entry.3).count(), 0, "nothing is right while answers come in");
    game.host(Command::EndRound);
    assert_eq!(points(&game), [(true, 100), (true, 100), (false, 0)], "both are a tenth away");

    game.host(overrule(3, 1, true));
    game.host(Command::Remove { player: player(1) });
    game.host(overrule(2, 1, false));
    assert_eq!(game.review(), [("Bob", "Which?", "1,1", false), ("Cleo", "Which?", "many", true)]);
    game.host(Command::UndoMarking);
    game.host(Command::ReleaseScores);
    assert_eq!(game.board().iter().map(|line| line.1).collect::<Vec<_>>(), [100, 100]);
}

#[test]
fn the_next_player_becomes_the_nearest_until_the_scores_are_out() {
    let mut game = game(asked(QuestionKind::Nearest, 0, &["1000"], 100));
    for (who, answer) in (1..).zip(["999", "1_000", "1.100"]) {
        game.answers(who, 1, answer);
    }
    game.host(Command::EndRound);
    assert_eq!(points(&game), [(true, 100), (false, 0), (false, 0)], "`1_000` is no number");
    game.host(overrule(3, 1, true));
    game.host(Command::Remove { player: player(1) });
    game.host(Command::UndoMarking);
    assert_eq!(game.review()[1], ("Cleo", "Which?", "1.100", true), "1,100 is a reading of it");
    game.host(Command::ReleaseScores);
    game.host(Command::Remove { player: player(3) });
    assert!(State::replay(&game.log).unwrap() == game.state, "marks of a scored round stay");
}
