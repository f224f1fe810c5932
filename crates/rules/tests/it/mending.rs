//! The host's changes other than marks: edited questions and renamed players. What a withdrawn question is worth is in
//! `against_model.rs`.

use quizhall_rules::{Actor, Command, Phase, QuestionEdit, QuestionKind, Quiz, Refusal, State};

use crate::stage::{Game, edit, overrule, player, question, quiz, release};

fn choices(number: u8, choices: &[&str]) -> Command {
    let choices = Some(choices.iter().map(|choice| (*choice).to_owned()).collect());
    Command::EditQuestion(QuestionEdit { question: question(number), text: None, choices, accepted: None }.into())
}

fn withdraw(number: u8) -> Command {
    Command::WithdrawQuestion { question: question(number) }
}

fn rename(who: u8, name: &str) -> Command {
    Command::RenamePlayer { player: player(who), name: name.to_owned() }
}

fn replays(game: &Game) {
    assert!(State::replay(&game.log).unwrap() == game.state);
    let text = serde_json::to_string(&game.state).unwrap();
    assert!(serde_json::from_str::<State>(&text).unwrap() == game.state);
}

/// Question 1 with choices, of which those in `right` are right.
fn of_kind(kind: QuestionKind, offered: &[&str], right: &[&str]) -> Quiz {
    let mut quiz = quiz(1, 2);
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let asked = &mut quiz.rounds[0].questions[0];
    (asked.kind, asked.choices, asked.accepted) = (kind, owned(offered), owned(right));
    quiz
}

#[test]
fn the_right_choices_follow_the_edited_ones() {
    let cases: [(_, &[&str], &[&str], &[&str]); 3] = [
        (QuestionKind::MultipleChoice, &["b"], &["x", "y", "z"], &["y"]),
        (QuestionKind::MultiSelect, &["c", "a"], &["b", "c", "a"], &["a", "b"]),
        (QuestionKind::Order, &["b", "c", "a"], &["c", "a", "b"], &["a", "b", "c"]),
    ];
    for (kind, right, edited, wanted) in cases {
        let mut game = Game::new(of_kind(kind, &["a", "b", "c"], right));
        game.joins(1, "Ann");
        game.host(choices(1, edited));
        let asked = game.state.question(question(1)).unwrap();
        assert!(
            asked.choices == edited && asked.accepted == wanted,
            "{kind:?}: {:?} {:?}",
            asked.choices,
            asked.accepted
        );
        game.host(Command::StartGame);
        game.host(release(1));
        game.answers(1, 1, &wanted.join("\n"));
        assert!(game.state.answer_of(player(1), question(1)).unwrap().correct(), "{kind:?}");
        assert!(!game.state.is_corrected(question(1)), "it was edited before its release");
        replays(&game);
    }
}

#[test]
fn words_that_no_question_may_have_are_refused() {
    let mut game = Game::new(of_kind(QuestionKind::MultipleChoice, &["a", "b"], &["a"]));
    game.joins(1, "Ann");
    for unfit in [&["x"][..], &["x", "y", "z"], &["x", "x"], &["x", " "], &[]] {
        assert_eq!(game.ask(Actor::Host, &choices(1, unfit)), Err(Refusal::UnfitChoices), "{unfit:?}");
    }
    assert_eq!(game.ask(Actor::Host, &choices(2, &["x", "y"])), Err(Refusal::UnfitChoices), "for a text question");
    for unfit in ["", " ", "a\u{7}", &"a".repeat(2_001)] {
        assert_eq!(game.ask(Actor::Host, &edit(1, unfit)), Err(Refusal::UnfitText), "{unfit:?}");
    }
    assert_eq!(game.ask(Actor::Host, &edit(9, "What?")), Err(Refusal::UnknownQuestion));
    game.host(Command::StartGame);
    game.host(release(1));
    assert_eq!(game.ask(Actor::Host, &choices(1, &["x", "y"])), Err(Refusal::UnfitChoices), "they are shown");
    assert_eq!(game.ask(Actor::Host, &choices(1, &["a", "b"])), Ok(None));
    game.host(edit(1, "What else?"));
    assert!(game.state.is_corrected(question(1)));
    game.answers(1, 1, "a");
    assert!(game.state.answer_of(player(1), question(1)).unwrap().correct(), "the key is unchanged");
    replays(&game);
}

#[test]
fn the_autopilot_continues_without_a_withdrawn_question() {
    let mut game = Game::of_two();
    game.host(Command::StartGame);
    game.host(release(1));
    let plan = quizhall_rules::AutopilotPlan { hold_without_host: false, ..crate::changes::PLAN };
    game.host(Command::SetAutopilot(Some(plan)));
    assert!(game.state.autopilot_step(game.now).is_none());
    game.host(withdraw(1));
    assert_eq!(game.state.autopilot_step(game.now).map(|(_, ms)| ms), Some(10_000));
    assert_eq!(game.state.autopilot(), Some(plan));
    game.host(edit(2, "What?"));
    game.host(rename(1, "Anna"));
    assert_eq!(game.state.autopilot(), Some(plan), "it is not stopped");
    replays(&game);
}

#[test]
fn a_name_is_checked_as_on_joining_and_free_again_afterwards() {
    let mut game = Game::of_two();
    for name in [" ", "Host"] {
        assert_eq!(game.ask(Actor::Host, &rename(1, name)), Err(Refusal::UnfitName), "{name}");
    }
    assert_eq!(game.ask(Actor::Host, &rename(1, " Ann ")), Ok(None));
    game.host(rename(1, "ANN"));
    game.host(rename(1, "Zoe"));
    game.joins(3, "Ann");
    assert_eq!(game.state.renamed_players().map(|player| player.display_name.as_str()).collect::<Vec<_>>(), ["Zoe"]);
    replays(&game);
    game.host(Command::Remove { player: player(1) });
    assert_eq!(game.state.renamed_players().count(), 0);
    game.host(rename(2, "Zoe"));
    replays(&game);
}

#[test]
fn boards_show_the_new_name_and_are_in_its_order() {
    let mut game = Game::in_phase(Phase::RoundReview);
    game.host(overrule(2, 1, true));
    game.host(Command::ReleaseScores);
    let names = |game: &Game| game.board().into_iter().map(|line| line.0).collect::<Vec<_>>();
    assert_eq!(names(&game), ["Ann", "Bob"]);
    game.host(rename(1, "Zoe"));
    assert_eq!(names(&game), ["Bob", "Zoe"]);
    game.host(rename(2, "Zora"));
    assert_eq!(names(&game), ["Zoe", "Zora"]);
    game.host(Command::EndGame);
    assert_eq!(names(&game), ["Zoe", "Zora"]);
    replays(&game);
}

fn accepted(number: u8, accepted: &[&str]) -> Command {
    let accepted = Some(accepted.iter().map(|answer| (*answer).to_owned()).collect());
    Command::EditQuestion(QuestionEdit { question: question(number), text: None, choices: None, accepted }.into())
}

#[test]
fn the_accepted_answers_of_an_unreleased_question_can_change() {
    let mut game = Game::in_phase(Phase::Question);
    game.host(accepted(2, &["Bern", "Berne"]));
    assert_eq!(game.state.question(question(2)).unwrap().accepted, ["Bern", "Berne"]);
    assert_eq!(game.ask(Actor::Host, &accepted(2, &["Bern", "Berne"])), Ok(None), "the same once more");
    game.host(release(2));
    game.answers(1, 2, "berne");
    game.answers(2, 2, "right");
    let correct = |who| game.state.answer_of(player(who), question(2)).unwrap().correct();
    assert_eq!((correct(1), correct(2)), (true, false));
    assert!(!game.state.is_corrected(question(2)), "it was edited before its release");
    replays(&game);
}

#[test]
fn accepted_answers_are_those_of_a_quiz_and_of_a_question_that_no_one_has_seen() {
    let mut game = Game::in_phase(Phase::Question);
    let refused = |game: &mut Game, command: Command| game.ask(Actor::Host, &command);
    assert_eq!(refused(&mut game, accepted(1, &["Bern"])), Err(Refusal::UnfitAccepted), "it was released");
    assert_eq!(refused(&mut game, accepted(2, &[])), Err(Refusal::UnfitAccepted), "none");
    assert_eq!(refused(&mut game, accepted(2, &["a\nb"])), Err(Refusal::UnfitAccepted), "two lines");
    assert_eq!(refused(&mut game, accepted(99, &["Bern"])), Err(Refusal::UnknownQuestion));
    let nothing = QuestionEdit { question: question(2), text: None, choices: None, accepted: None };
    assert_eq!(refused(&mut game, Command::EditQuestion(nothing.into())), Err(Refusal::UnfitText), "nothing to edit");
    let mut game = Game::new(of_kind(QuestionKind::MultipleChoice, &["a", "b", "c"], &["a"]));
    assert_eq!(refused(&mut game, accepted(1, &["d"])), Err(Refusal::UnfitAccepted), "no choice");
    game.host(accepted(1, &["c"]));
    assert_eq!(game.state.question(question(1)).unwrap().accepted, ["c"]);
    let both = |accepted: &str| {
        let (choices, accepted) = (["x", "y", "z"].map(str::to_owned).to_vec(), vec![accepted.to_owned()]);
        let edit = QuestionEdit { question: question(1), text: None, choices: Some(choices), accepted: Some(accepted) };
        Command::EditQuestion(edit.into())
    };
    assert_eq!(refused(&mut game, both("c")), Err(Refusal::UnfitAccepted), "a choice that is not there");
    game.host(both("x"));
    assert_eq!(game.state.question(question(1)).unwrap().accepted, ["x"]);
}
