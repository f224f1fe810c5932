//! Marking many answers at once, and undoing markings: the exact state is restored. Any mixture of markings, removals and undos is in
//! `against_model.rs`.

use quizhall_rules::{Actor, Change, Command, Event, State};

use crate::stage::{Game, mark_all, overrule, player, question, quiz, release};

/// In review: question 1 is answered by 1 "right", 2 "wrong", 3 "wrong", 4 "other"; 5 has not answered.
fn in_review() -> Game {
    let mut game = Game::new(quiz(2, 2));
    for (number, name) in [(1, "Ann"), (2, "Bob"), (3, "Cleo"), (4, "Dan"), (5, "Eve")] {
        game.joins(number, name);
    }
    game.host(Command::StartGame);
    game.host(release(1));
    for (number, answer) in [(1, "right"), (2, "wrong"), (3, "wrong"), (4, "other")] {
        game.answers(number, 1, answer);
    }
    game.host(Command::EndRound);
    game
}

/// The players whose answer to question 1 counts as right.
fn counting(game: &Game) -> Vec<u8> {
    let counts =
        |number: &u8| game.state.answer_of(player(*number), question(1)).is_some_and(quizhall_rules::Answer::correct);
    (1..=5).filter(counts).collect()
}

#[test]
fn every_answer_with_the_text_counts_and_the_log_holds_no_other_text() {
    let mut game = in_review();
    let change = game.host(mark_all(1, &["wrong", "right", "never given"], true));
    let texts = vec!["wrong".to_owned()];
    assert_eq!(change, Change::AnswersMarked { question: question(1), texts, correct: true, partial: 0 });
    assert_eq!(counting(&game), [1, 2, 3]);
    assert_eq!(game.state.latest_marking(None), Some((question(1), vec![player(2), player(3)])));
    for nothing in [mark_all(1, &["wrong"], true), mark_all(1, &["never given"], false), mark_all(1, &["Wrong"], false)]
    {
        assert_eq!(game.ask(Actor::Host, &nothing), Ok(None));
    }
    assert_eq!(game.state.undoable(None), 1);
}

/// Markings of every kind on top of each other, undone one by one: each time the exact earlier state is restored.
#[test]
fn undoing_restores_each_state_to_the_bit() {
    let mut game = in_review();
    let steps = [
        mark_all(1, &["wrong"], true),
        overrule(3, 1, false),
        overrule(5, 1, true),
        mark_all(1, &["", "wrong", "other"], false),
        overrule(5, 1, true),
        mark_all(1, &["right"], false),
        mark_all(1, &["right", "other"], true),
    ];
    let mut before = Vec::new();
    for step in steps {
        before.push(game.state.clone());
        game.host(step);
    }
    assert_eq!(counting(&game), [1, 4, 5]);
    while let Some(earlier) = before.pop() {
        assert_eq!(game.state.undoable(None), before.len() + 1);
        assert_eq!(game.host(Command::UndoMarking), Change::MarkingUndone { of: None });
        assert!(game.state == earlier, "{} markings are left", before.len());
        assert!(State::replay(&game.log).unwrap() == game.state);
    }
    assert_eq!(game.ask(Actor::Host, &Command::UndoMarking), Ok(None));
    assert_eq!(counting(&game), [1]);
}

#[test]
fn only_the_latest_thousand_can_be_taken_back() {
    let mut game = in_review();
    for number in 0..1_003 {
        game.host(overrule(2, 1, number % 2 == 0));
    }
    assert_eq!(game.state.undoable(None), 1_000);
    for _ in 0..1_000 {
        game.host(Command::UndoMarking);
    }
    assert_eq!(game.ask(Actor::Host, &Command::UndoMarking), Ok(None));
    // The three oldest cannot be undone: right, wrong, right.
    assert_eq!(counting(&game), [1, 2]);
}

/// A log from before these events, and a state from before these fields.
#[test]
fn an_earlier_form_of_the_state_is_read_as_before() {
    let mut game = in_review();
    game.host(Command::Remove { player: player(5) });
    let mut stored: serde_json::Value = serde_json::to_value(&game.state).unwrap();
    let fields = stored.as_object_mut().unwrap();
    assert!(fields.remove("markings").is_some() && fields.remove("host_present").is_some());
    for entry in fields["players"].as_array_mut().unwrap() {
        assert!(entry.as_object_mut().unwrap().remove("connected").is_some());
    }
    let read: State = serde_json::from_value(stored).unwrap();
    assert!(read == game.state);
    assert_eq!(read.connected_count(), 4);
    // An override in an old log can be undone as well.
    let overridden = Change::AnswerOverridden { player: player(2), question: question(1), correct: true };
    game.log.push(Event::new(overridden, None));
    game.state = State::replay(&game.log).unwrap();
    game.host(Command::UndoMarking);
    assert_eq!(counting(&game), [1]);
}
