//! Games of earlier versions: their logs name no rule of marking, and a replay gives the marks of those versions.

use quizhall_rules::{Change, Command, Question, QuestionKind, State};

use crate::stage::{Game, accept, player, question, quiz, release};

/// Ann and Bob in a round whose first question is open and of this kind; the game is created by this version, or by an earlier one.
fn game(is_earlier: bool, asked: Question) -> Game {
    let mut quiz = quiz(1, 2);
    quiz.rounds[0].questions[0] = Question { id: question(1), ..asked };
    let mut game = Game::new(quiz);
    if is_earlier {
        let mut created = serde_json::to_value(&game.log[0]).unwrap();
        assert_eq!(created["c"].as_object_mut().unwrap().remove("rule"), Some("second".into()));
        game.log[0] = serde_json::from_value(created).unwrap();
        game.state = State::replay(&game.log).unwrap();
    }
    game.joins(1, "Ann");
    game.joins(2, "Bob");
    game.host(Command::StartGame);
    game.host(release(1));
    game
}

fn of_kind(kind: QuestionKind, accepted: &[&str]) -> Question {
    Question::new(question(1), kind, "Which?", accepted)
}

fn counts(state: &State, who: u8) -> bool {
    state.answer_of(player(who), question(1)).is_some_and(quizhall_rules::Answer::correct)
}

/// The log holds the changed key in the form in which it was compared then.
#[test]
fn a_changed_key_of_an_earlier_version_marks_what_it_marked() {
    let mut earlier = game(true, of_kind(QuestionKind::Text, &["Pascal"]));
    earlier.answers(1, 1, "C#");
    let changed = earlier.host(accept(1, "C#!", true));
    assert_eq!(
        changed,
        Change::KeyChanged { question: question(1), texts: vec!["c".to_owned()], correct: true, partial: 0 }
    );
    earlier.answers(2, 1, "C");
    assert_eq!([counts(&earlier.state, 1), counts(&earlier.state, 2)], [true, true]);
    let replayed = State::replay(&earlier.log).unwrap();
    assert!(replayed == earlier.state);
    let stored = serde_json::to_string(&replayed).unwrap();
    assert!(!stored.contains("\"rule\""), "a state of an earlier version is stored as before");
    assert!(serde_json::from_str::<State>(&stored).unwrap() == replayed);

    let mut new = game(false, of_kind(QuestionKind::Text, &["Pascal"]));
    new.answers(1, 1, "C#");
    new.host(accept(1, "C#!", true));
    new.answers(2, 1, "C");
    assert_eq!([counts(&new.state, 1), counts(&new.state, 2)], [true, false]);
    let stored = serde_json::to_string(&new.state).unwrap();
    assert!(serde_json::from_str::<State>(&stored).unwrap() == new.state, "and keeps its rule");
    assert!(State::replay(&new.log).unwrap() == new.state);
}

#[test]
fn a_word_cloud_counts_as_it_counted() {
    let entries = |is_earlier| {
        let mut game = game(is_earlier, of_kind(QuestionKind::WordCloud, &[]));
        game.answers(1, 1, "C#");
        game.answers(2, 1, "C");
        game.host(Command::ShowTally { question: question(1), hidden: ["b".to_owned()].into_iter().collect() });
        assert!(State::replay(&game.log).unwrap() == game.state);
        let shown = game.state.tally().unwrap();
        shown.entries.iter().map(|entry| (entry.answer.clone(), entry.count)).collect::<Vec<_>>()
    };
    assert_eq!(entries(true), [("c".to_owned(), 2)]);
    assert_eq!(entries(false), [("c".to_owned(), 1), ("c#".to_owned(), 1)]);
}

/// Digits and dashes that an earlier version did not read are not read in its log either: the nearest answer stays the same.
#[test]
fn numbers_are_read_as_they_were_read() {
    for (given, far) in [("৪২", "50"), ("–42", "-50")] {
        let right = |is_earlier| {
            let accepted = far.replace("50", "42");
            let mut game = game(is_earlier, of_kind(QuestionKind::Nearest, &[&accepted]));
            game.answers(1, 1, given);
            game.answers(2, 1, far);
            game.host(Command::EndRound);
            game.host(Command::ReleaseScores);
            assert!(State::replay(&game.log).unwrap() == game.state);
            [counts(&game.state, 1), counts(&game.state, 2)]
        };
        assert_eq!((right(true), right(false)), ([false, true], [true, false]), "{given}");
        let mut earlier = game(true, of_kind(QuestionKind::Numeric, &["7"]));
        earlier.answers(1, 1, given);
        let changed = earlier.host(accept(1, given, true));
        assert_eq!(
            changed,
            Change::KeyChanged { question: question(1), texts: vec![given.to_owned()], correct: true, partial: 0 }
        );
    }
}
