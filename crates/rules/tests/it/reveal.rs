//! The counts beside revealed answers, and scores that phones show only after the screen. What is revealed when is in
//! `against_model.rs`.

use quizhall_rules::{Change, Command, Phase, QuestionKind, State};

use crate::stage::{Game, created, player, question, quiz, release};

fn reveal(number: u8) -> Command {
    Command::RevealAnswer { question: question(number) }
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
