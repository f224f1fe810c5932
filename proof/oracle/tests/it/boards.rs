//! Boards: ranks, ties, their players, and the cut.

use quizhall_oracle::{Fact, Form, Game, Mark, Reader};
use quizhall_protocol::FromHost;
use quizhall_protocol::to_all::Leaderboard;
use uuid::Uuid;

use crate::small_game::{answer, asking, host, id, small_game};

fn rows(game: &Game) -> Vec<(&str, i64, u32)> {
    game.board.rows.iter().map(|row| (row.display_name.as_str(), row.score, row.rank)).collect()
}

#[test]
fn ranks_are_shared_and_skipped_and_ties_go_by_name() {
    let mut game = asking(&["Dora", "Cora", "Bela", "Ada"]);
    for (player, number, text) in [(1, 1, "b"), (2, 0, "a"), (3, 0, "a"), (4, 0, "wrong")] {
        answer(&mut game, player, number, text);
    }
    host(&mut game, &FromHost::EndRound);
    host(&mut game, &FromHost::ReleaseScores);
    assert_eq!(rows(&game), [("Dora", 1_000, 1), ("Bela", 500, 2), ("Cora", 500, 2), ("Ada", 0, 4)]);
    game.apply(&Fact::Removed(id(1))).unwrap();
    assert_eq!(rows(&game), [("Bela", 500, 1), ("Cora", 500, 1), ("Ada", 0, 3)]);
}

#[test]
fn points_are_added_up_over_rounds_and_the_rounds_own_are_shown_beside() {
    let mut game = asking(&["A", "B"]);
    answer(&mut game, 1, 0, "a");
    for command in [FromHost::EndRound, FromHost::ReleaseScores, FromHost::StartNextRound] {
        host(&mut game, &command);
    }
    let question = game.question(0).id;
    game.apply(&Fact::Released(question)).unwrap();
    answer(&mut game, 1, 0, "c");
    host(&mut game, &FromHost::EndRound);
    host(&mut game, &FromHost::ReleaseScores);
    assert_eq!((rows(&game)[0], game.board.rows[0].round_score), (("A", 570, 1), Some(70)));
}

#[test]
fn who_left_the_lobby_is_on_the_board_once_they_have_answered() {
    let mut game = small_game(&["A", "B", "C"]);
    for player in [2, 3] {
        game.apply(&Fact::Left(id(player))).unwrap();
    }
    host(&mut game, &FromHost::StartGame);
    let question = game.question(0).id;
    game.apply(&Fact::Released(question)).unwrap();
    game.apply(&Fact::Answered(id(3), question, "x".to_owned(), Mark::WRONG)).unwrap();
    host(&mut game, &FromHost::EndRound);
    host(&mut game, &FromHost::ReleaseScores);
    assert_eq!(rows(&game), [("A", 0, 1), ("C", 0, 1)]);
}

#[test]
fn a_big_board_is_cut_and_a_players_own_row_follows() {
    for (reader, players, shown, own) in [
        (Reader::Other, 200, 200, 200),
        (Reader::Other, 201, 100, 101),
        (Reader::PlayerV1, 20, 20, 20),
        (Reader::PlayerV1, 21, 10, 13),
    ] {
        let names: Vec<String> = (1..=players).map(|number| format!("{number:03}")).collect();
        let mut game = small_game(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for command in [FromHost::StartGame, FromHost::EndRound, FromHost::ReleaseScores] {
            host(&mut game, &command);
        }
        let (last, first) = (Form::Running(id(players), reader), Form::Running(id(1), reader));
        let (round, end) = (Form::Round(reader), Form::Final(reader));
        let board = |form| game.board.shown(form);
        let entries = |form| board(form).leaderboard.len();
        assert_eq!((entries(round), entries(end), entries(first)), (shown, shown, shown));
        assert_eq!(entries(Form::Results), names.len());
        let expected = (own, id(players));
        let mut other = board(last);
        assert_eq!((other.leaderboard.len(), other.leaderboard.last().unwrap().player_id), expected);
        assert_eq!(other.total.is_some(), reader == Reader::PlayerV1 && players == 21);
        for form in [round, end, last, first, Form::Results] {
            assert_eq!(game.board.compare(form, &board(form)), Ok(()));
        }
        assert!(game.board.compare(end, &board(round)).is_err(), "the points of the round are too much");
        assert!(game.board.compare(round, &board(end)).is_err(), "and missing here");
        other.leaderboard.last_mut().unwrap().player_id = Uuid::nil();
        assert!(game.board.compare(last, &other).is_err());
        other.leaderboard.pop();
        assert!(game.board.compare(last, &other).is_err());
        let counted = Leaderboard { total: Some(7), ..board(last) };
        assert!(game.board.compare(last, &counted).is_err());
    }
}
