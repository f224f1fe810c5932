//! Boards: the cut of a big one, and the differences that are found. Ranks and scores are compared with the engine in its simulation.

use quizhall_oracle::{Form, Reader};
use quizhall_protocol::FromHost;
use quizhall_protocol::to_all::Leaderboard;
use uuid::Uuid;

use crate::small_game::{host, id, small_game};

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
