//! Kinds of questions that the interface lacks, in a game of one question.

use quizhall_oracle::{Fact, Game, Mark, Question, Quiz, Round, Worth};
use quizhall_protocol::{Dialect, QuestionKind, ServerMessage, ToAll};
use uuid::Uuid;

use crate::small_game::id;

/// The question is open and three players are present.
fn asking(kind: QuestionKind, accepted: &[&str]) -> Game {
    let choices = ["Red", "Green", "Blue"].map(str::to_owned).to_vec();
    let question = Question {
        id: Uuid::from_u128(9),
        text: "Which?".to_owned(),
        kind: kind.into(),
        choices: kind.has_choices().then_some(choices),
        accepted: accepted.iter().map(ToString::to_string).collect(),
        points: 100,
        tolerance: 0.0,
        counts_speed: false,
        halves_near_misses: false,
        time_limit: None,
        explanation: None,
    };
    let rounds = vec![Round {
        title: String::new(),
        section: None,
        time_limit: None,
        streaks: false,
        joker: false,
        wrong_points: 0,
        questions: vec![question],
    }];
    let mut game = Game::new(Quiz { title: "Kinds".to_owned(), rounds });
    for (number, name) in (1..).zip(["Ann", "Ben", "Cleo"]) {
        game.apply(&Fact::Joined(id(number), name.to_owned())).unwrap();
    }
    game.apply(&Fact::Started).unwrap();
    game.apply(&Fact::Released(Uuid::from_u128(9))).unwrap();
    game
}

fn answer(game: &mut Game, player: u128, text: &str) {
    let mark = game.question(0).mark_of(text);
    game.apply(&Fact::Answered(id(player), game.question(0).id, text.to_owned(), mark)).unwrap();
}

fn points(game: &Game) -> Vec<(bool, i32)> {
    let result = |player| game.scores(id(player)).results.first().map(|result| (result.correct, result.points));
    (1..=3).filter_map(result).collect()
}

#[test]
fn parts_of_the_points() {
    let question = |kind, accepted: &[&str]| asking(kind, accepted).question(0).clone();
    let several = question(QuestionKind::MultiSelect, &["Red", "Blue"]);
    let part = |partial| Mark { partial, ..Mark::WRONG };
    for (text, mark) in
        [("Red\nBlue", Mark::RIGHT), ("c, a", Mark::RIGHT), ("Red", part(50)), ("A B", part(0)), ("x", part(0))]
    {
        assert_eq!(several.mark_of(text), mark, "{text:?}");
    }
    let order = question(QuestionKind::Order, &["Blue", "Red", "Green"]);
    for (text, mark) in
        [("Blue\nRed\nGreen", Mark::RIGHT), ("CAB", Mark::RIGHT), ("A B C", part(50)), ("B A C", part(0))]
    {
        assert_eq!(order.mark_of(text), mark, "{text:?}");
    }
}

#[test]
fn the_nearest_are_right_and_the_next_after_a_removal() {
    let mut game = asking(QuestionKind::Nearest, &["10"]);
    for (player, text) in [(1, "9"), (2, "20"), (3, "none")] {
        answer(&mut game, player, text);
    }
    assert_eq!(points(&game), [(false, 0); 3]);
    game.apply(&Fact::RoundEnded).unwrap();
    assert_eq!(points(&game), [(true, 100), (false, 0), (false, 0)]);
    game.apply(&Fact::Removed(id(1))).unwrap();
    assert_eq!(points(&game)[1], (true, 100));
}

#[test]
fn a_marking_that_is_taken_back_leaves_who_is_the_nearest_by_then() {
    let mut game = asking(QuestionKind::Nearest, &["10"]);
    for (player, text) in [(1, "9"), (2, "20"), (3, "30")] {
        answer(&mut game, player, text);
    }
    game.apply(&Fact::RoundEnded).unwrap();
    let texts = vec!["20".to_owned(), "30".to_owned()];
    game.apply(&Fact::Marked(game.question(0).id, texts, Worth::RIGHT)).unwrap();
    game.apply(&Fact::Removed(id(1))).unwrap();
    game.apply(&Fact::MarkingUndone).unwrap();
    assert_eq!(points(&game)[1..], [(true, 100), (false, 0)], "the second has become the nearest");
}

#[test]
fn a_tally_is_of_the_moment_when_it_is_shown() {
    let mut game = asking(QuestionKind::Poll, &[]);
    answer(&mut game, 1, "Blue");
    answer(&mut game, 2, "a");
    let question = game.question(0).id;
    game.apply(&Fact::TallyShown(question, Vec::new())).unwrap();
    let counts = |game: &Game| -> Vec<u32> {
        let Some(ServerMessage::All(ToAll::Tally(tally))) = game.shown_tally() else { panic!("no tally") };
        tally.entries.iter().map(|entry| entry.count).collect()
    };
    assert_eq!(counts(&game), [1, 0, 1]);
    answer(&mut game, 3, "Blue");
    assert_eq!(counts(&game), [1, 0, 1]);
    game.apply(&Fact::TallyShown(question, vec!["Red".to_owned()])).unwrap();
    assert_eq!(counts(&game), [0, 2]);
    game.apply(&Fact::RoundEnded).unwrap();
    game.apply(&Fact::Overridden(id(1), question, true)).expect_err("there is no mark to overrule");
}

#[test]
fn a_plain_socket_is_sent_a_type_of_the_interface() {
    let shown = |kind, accepted: &[&str]| {
        let question = asking(kind, accepted).question(0).released(Dialect::Interface);
        (question.kind.as_str().to_owned(), question.text, question.choices.is_some())
    };
    let lettered = || "Which?\n\nA: Red\nB: Green\nC: Blue".to_owned();
    assert_eq!(shown(QuestionKind::MultiSelect, &["Red"]), ("text".to_owned(), lettered(), false));
    assert_eq!(shown(QuestionKind::Order, &["Red"]), ("text".to_owned(), lettered(), false));
    assert_eq!(shown(QuestionKind::Poll, &[]), ("multiple_choice".to_owned(), "Which?".to_owned(), true));
    assert_eq!(shown(QuestionKind::WordCloud, &[]), ("text".to_owned(), "Which?".to_owned(), false));
    assert_eq!(shown(QuestionKind::Nearest, &["1"]), ("numeric".to_owned(), "Which?".to_owned(), false));
}
