//! The key, changed by the host during a game: earlier and later answers are marked by it, and the change can be undone.

use quizhall_rules::{Actor, AnswerTexts, Command, Erasure, MarkedBy, Question, QuestionKind, Refusal, State, erase};

use crate::stage::{Game, accept, overrule, player, question, quiz, release};

/// Ann and Bob in a round whose first question is open, and is of this kind.
fn game_with(change: impl Fn(&mut Question)) -> Game {
    let mut asked = quiz(1, 2);
    change(&mut asked.rounds[0].questions[0]);
    let mut game = Game::new(asked);
    game.joins(1, "Ann");
    game.joins(2, "Bob");
    game.host(Command::StartGame);
    game.host(release(1));
    game
}

fn counts(game: &Game, who: u8) -> (bool, MarkedBy) {
    let answer = game.state.answer_of(player(who), question(1)).unwrap();
    (answer.correct(), answer.marked_by())
}

#[test]
fn earlier_and_later_answers_are_marked_by_it() {
    let mut game = game_with(|_| ());
    game.answers(1, 1, "Bärn");
    assert_eq!(counts(&game, 1), (false, MarkedBy::Key));
    game.host(accept(1, "barn!", true));
    game.answers(2, 1, "BARN");
    assert_eq!([counts(&game, 1), counts(&game, 2)], [(true, MarkedBy::ChangedKey); 2]);
    // Another answer of the same player is marked by its own text.
    game.answers(2, 1, "Basel");
    assert_eq!(counts(&game, 2), (false, MarkedBy::Key));
    game.host(accept(1, "right", false));
    game.answers(2, 1, "Right");
    assert_eq!(counts(&game, 2), (false, MarkedBy::ChangedKey));
}

#[test]
fn a_mark_of_the_host_counts_before_it() {
    let mut game = game_with(|_| ());
    game.answers(1, 1, "Bern");
    game.host(accept(1, "Bern", true));
    game.host(Command::EndRound);
    game.host(overrule(1, 1, false));
    assert_eq!(counts(&game, 1), (false, MarkedBy::Host));
    game.host(accept(1, "Bern", false));
    assert_eq!(counts(&game, 1), (false, MarkedBy::ChangedKey), "the host and the key say the same");
    game.host(Command::UndoMarking);
    game.host(Command::UndoMarking);
    assert_eq!(counts(&game, 1), (true, MarkedBy::ChangedKey));
    game.host(Command::UndoMarking);
    assert_eq!(counts(&game, 1), (false, MarkedBy::Key));
}

#[test]
fn a_repeated_change_does_nothing() {
    let mut game = game_with(|_| ());
    game.host(accept(1, "Bern", true));
    assert_eq!(game.ask(Actor::Host, &accept(1, "BERN.", true)), Ok(None));
    assert_eq!(game.state.undoable(None), 1);
}

#[test]
fn a_partly_right_answer_is_right_or_wrong_by_it() {
    let mut game = game_with(|asked| {
        asked.kind = QuestionKind::MultiSelect;
        asked.choices = ["red", "green", "blue"].map(str::to_owned).to_vec();
        asked.accepted = ["red", "green"].map(str::to_owned).to_vec();
    });
    let part = |game: &Game| game.state.answer_of(player(1), question(1)).unwrap().partial_points();
    game.answers(1, 1, "red");
    assert!(part(&game) > 0);
    // The same choice, named by its letter.
    game.host(accept(1, "A", false));
    assert_eq!((part(&game), counts(&game, 1)), (0, (false, MarkedBy::ChangedKey)));
    game.host(accept(1, "red", true));
    assert_eq!((part(&game), counts(&game, 1)), (0, (true, MarkedBy::ChangedKey)));
}

/// As in review: half of the points, rounded down, and nothing of a question that is worth one point.
#[test]
fn a_text_earns_half_where_the_points_have_a_half() {
    let halve = |text: &str| Command::AcceptAnswer {
        question: question(1),
        texts: [text.to_owned()].into_iter().collect(),
        correct: false,
        half: true,
    };
    for (points, half) in [(101, 50), (1, 0)] {
        let mut game = game_with(|asked| asked.points = points);
        let part = |game: &Game, who: u8| game.state.answer_of(player(who), question(1)).unwrap().partial_points();
        game.answers(1, 1, "Bern");
        game.host(halve("bern!"));
        game.answers(2, 1, "BERN");
        assert_eq!([part(&game, 1), part(&game, 2)], [half; 2], "earlier and later answers");
        assert_eq!([counts(&game, 1), counts(&game, 2)], [(false, MarkedBy::ChangedKey); 2]);
        assert_eq!(game.state.answer_groups(question(1))[0].partial, half);
        assert!(!game.state.answer_groups(question(1))[0].is_waiting());
        assert_eq!(game.ask(Actor::Host, &halve("Bern")), Ok(None), "it is so already");
        // A snapshot has it as it is.
        let stored: State = serde_json::from_str(&serde_json::to_string(&game.state).unwrap()).unwrap();
        assert_eq!(stored.answer_of(player(1), question(1)).unwrap().partial_points(), half);
        game.host(accept(1, "Bern", true));
        game.host(Command::UndoMarking);
        assert_eq!(part(&game, 2), half);
        game.host(Command::EndRound);
        game.host(Command::ReleaseScores);
        let scores: Vec<_> = game.state.board().standings.iter().map(|row| row.score).collect();
        assert_eq!(scores, [i64::from(half); 2]);
        assert_eq!(State::replay(&game.log).unwrap(), game.state);
    }
}

#[test]
fn only_a_question_with_a_key_has_one_to_change() {
    for kind in QuestionKind::ALL {
        let mut game = game_with(|asked| {
            asked.kind = *kind;
            asked.choices = ["1", "2"].map(str::to_owned).to_vec();
            asked.accepted = vec!["1".to_owned()];
        });
        let written = if *kind == QuestionKind::Numeric { "2.0" } else { "2" };
        game.answers(1, 1, written);
        let found = game.ask(Actor::Host, &accept(1, "2", true));
        let has_key = !matches!(kind, QuestionKind::Poll | QuestionKind::WordCloud | QuestionKind::Nearest);
        assert_eq!(matches!(found, Ok(Some(_))), has_key, "{kind:?}");
        assert_eq!(matches!(found, Err(Refusal::UnknownQuestion)), !has_key, "{kind:?}");
        assert!(!has_key || counts(&game, 1).0, "{written} is compared as {kind:?}");
    }
}

#[test]
fn a_thousand_texts_are_kept() {
    let mut game = game_with(|_| ());
    let texts = |range: std::ops::Range<u16>| range.map(|number| format!("text {number}")).collect::<AnswerTexts>();
    let all = Command::AcceptAnswer { question: question(1), texts: texts(0..1_000), correct: true, half: false };
    game.host(all);
    assert_eq!(game.ask(Actor::Host, &accept(1, "one more", true)), Err(Refusal::KeyFull));
    assert!(matches!(game.ask(Actor::Host, &accept(1, "text 7", false)), Ok(Some(_))));
}

/// The text of an erased answer is removed, but its mark stays; a text that others gave as well stays for them.
#[test]
fn erasing_leaves_marks_and_no_text() {
    let mut game = game_with(|_| ());
    game.answers(1, 1, "first try");
    game.host(accept(1, "first try", false));
    game.host(accept(1, "secret", true));
    game.answers(1, 1, "Secret!");
    game.answers(2, 1, "shared");
    game.host(accept(1, "shared", true));
    let erased = |who: u8| {
        let mut log = game.log.clone();
        erase(&mut log, Erasure { player: player(who), answers: true }).unwrap();
        let text = serde_json::to_string(&log).unwrap().to_lowercase();
        let state = State::replay(&log).unwrap();
        let right = |who: u8| state.answer_of(player(who), question(1)).unwrap().correct();
        (text, [right(1), right(2)], state.undoable(None))
    };
    let (text, right, undoable) = erased(1);
    assert!(!text.contains("secret!") && !text.contains("first try") && !text.contains(r#"["secret"]"#), "{text}");
    assert_eq!((right, undoable), ([true, true], 3));
    let (text, right, _) = erased(2);
    assert!(!text.contains("shared"), "{text}");
    assert_eq!(right, [true, true]);
}
