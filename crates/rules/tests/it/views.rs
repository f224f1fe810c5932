//! The contents of the export, and whom a question was asked. The review and the results of players are in `against_model.rs`.

use quizhall_rules::{Command, PastAnswer, Phase, State};

use crate::stage::{Game, overrule, player, question, release};

#[test]
fn the_history_holds_every_round_without_removed_players() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    game.host(Command::StartNextRound);
    game.host(release(4));
    game.answers(2, 4, "right");
    let line = |past: PastAnswer<'_>| {
        (past.round, past.question.id, past.player.id, past.answer.correct(), past.earned.points, past.scored)
    };
    let history = |state: &State| state.all_answers().map(line).collect::<Vec<_>>();
    let expected = [
        (0, question(1), player(1), true, 100, true),
        (0, question(1), player(2), false, 0, true),
        (1, question(4), player(2), true, 400, false),
    ];
    assert_eq!(history(&game.state), expected);
    game.host(Command::Remove { player: player(1) });
    assert_eq!(history(&game.state), expected[1..]);
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
