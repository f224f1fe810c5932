//! Right answers that the host reveals, and scores that phones show only after the screen.

use quizhall_rules::{Actor, Change, Command, Phase, QuestionKind, Refusal, State};

use crate::stage::{Game, created, player, question, quiz, release};

fn reveal(number: u8) -> Command {
    Command::RevealAnswer { question: question(number) }
}

fn revealed(state: &State) -> Vec<String> {
    state.revealed().map(|revealed| revealed.question.text.clone()).collect()
}

#[test]
fn revealed_answers_are_kept_in_their_order_until_the_next_round() {
    let mut game = Game::in_phase(Phase::Question);
    game.host(release(2));
    assert_eq!(game.ask(Actor::Host, &reveal(1)), Err(Refusal::WrongPhase), "answers still come");
    game.host(Command::EndRound);
    assert_eq!(game.host(reveal(2)), Change::AnswerRevealed { question: question(2) });
    game.host(Command::ReleaseScores);
    game.host(reveal(1));
    assert_eq!(revealed(&game.state), ["Question 2?", "Question 1?"]);
    assert_eq!(game.ask(Actor::Host, &reveal(1)), Ok(None), "it is revealed already");
    for number in [3, 99] {
        assert_eq!(game.ask(Actor::Host, &reveal(number)), Err(Refusal::UnknownQuestion));
    }
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
    game.host(Command::StartNextRound);
    assert!(revealed(&game.state).is_empty());
}

#[test]
fn the_end_of_the_game_forgets_what_was_revealed() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    game.host(reveal(1));
    game.host(Command::EndGame);
    assert!(revealed(&game.state).is_empty());
}

#[test]
fn a_question_that_was_not_released_is_not_revealed() {
    let mut game = Game::in_phase(Phase::RoundReview);
    assert_eq!(game.ask(Actor::Host, &reveal(2)), Err(Refusal::UnknownQuestion));
}

/// The host can change marks of a revealed question until the scores are released.
#[test]
fn marking_continues_after_a_reveal() {
    let mut game = Game::in_phase(Phase::RoundReview);
    game.host(reveal(1));
    game.host(crate::stage::overrule(2, 1, true));
    game.host(Command::UndoMarking);
    game.host(Command::ReleaseScores);
    assert_eq!(game.board()[0].1, 100);
}

#[test]
fn the_choices_of_the_players_are_counted_without_those_who_were_removed() {
    let mut of_choices = quiz(1, 2);
    let asked = &mut of_choices.rounds[0].questions[0];
    (asked.kind, asked.accepted) = (QuestionKind::MultipleChoice, vec!["red".to_owned()]);
    asked.choices = ["red", "blue"].map(str::to_owned).to_vec();
    let mut game = Game::new(of_choices);
    for (number, name) in [(1, "Ann"), (2, "Bob")] {
        game.joins(number, name);
    }
    for command in [Command::StartGame, release(1), release(2)] {
        game.host(command);
    }
    game.answers(1, 1, "red");
    game.answers(2, 1, "B");
    for command in [Command::EndRound, reveal(1), reveal(2)] {
        game.host(command);
    }
    let counts = |state: &State| -> Vec<Vec<(String, u32)>> {
        let entries = |tally: Vec<quizhall_rules::TallyEntry>| tally.into_iter().map(|e| (e.answer, e.count)).collect();
        state.revealed().map(|revealed| entries(revealed.tally)).collect()
    };
    let of = |red, blue| vec![vec![("red".to_owned(), red), ("blue".to_owned(), blue)], Vec::new()];
    assert_eq!(counts(&game.state), of(1, 1));
    game.host(Command::Remove { player: player(2) });
    assert_eq!(counts(&game.state), of(1, 0));
}

#[test]
fn each_release_holds_the_scores_where_phones_wait_for_the_screen() {
    let mut created = created(quiz(2, 1));
    created.options.phones_after_screen = true;
    let mut game = Game::new(quiz(2, 1));
    game.state = State::created(&created);
    game.log[0].change = Change::Created(created.into());
    game.joins(1, "Ann");
    for _ in 0..2 {
        let begin = if game.state.phase() == Phase::Lobby { Command::StartGame } else { Command::StartNextRound };
        for command in [begin, Command::EndRound] {
            game.host(command);
        }
        assert_eq!(game.host(Command::ReleaseScores), Change::ScoresReleased { held: true });
        assert_eq!(game.host(Command::ShowStandings), Change::ScoresReleased { held: false });
    }
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
    assert!(game.state.are_phones_after_screen() && !Game::of_two().state.are_phones_after_screen());
}
