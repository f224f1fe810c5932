//! The people and the question of the examples in the tables.

use quizhall_quiz::QuestionKind;
use uuid::Uuid;

use super::to_all::Leaderboard;
use super::to_screen::ScreenQuestion;
use crate::shapes::{LeaderboardEntry, Question};

pub(super) const ANN: Uuid = Uuid::from_u128(0x0199_5c2e_0a10_7000_8000_0000_0000_0a11);
pub(super) const BEN: Uuid = Uuid::from_u128(0x0199_5c2e_0a11_7000_8000_0000_0000_0be1);
pub(super) const GAME: Uuid = Uuid::from_u128(0x0199_5c2e_0900_7000_8000_0000_0000_9a3e);
pub(super) const QUESTION: Uuid = Uuid::from_u128(0x0199_5c2e_0b00_7000_8000_0000_0000_0001);

pub(super) fn question() -> Question {
    let text = "Which of these brass instruments is normally played with a slide?";
    Question {
        choices: Some(["Trumpet", "Trombone", "Tuba"].map(str::to_owned).to_vec()),
        ..Question::new(QUESTION, QuestionKind::MultipleChoice, text, 1_000)
    }
}

pub(super) fn screen_question() -> ScreenQuestion {
    let Question { id, text, kind, choices, points, .. } = question();
    ScreenQuestion {
        id,
        number: 1,
        text,
        kind,
        choices: choices.unwrap_or_default(),
        points,
        speed_points: false,
        media: None,
        answered: 17,
        of: 23,
        closed: false,
        corrected: false,
        withdrawn: false,
        timer: None,
    }
}

pub(super) fn board(with_round: bool) -> Leaderboard {
    let entry = |player_id, name: &str, score, rank| LeaderboardEntry {
        player_id,
        display_name: name.to_owned(),
        score,
        rank,
        round_score: with_round.then_some(score),
    };
    Leaderboard { leaderboard: vec![entry(ANN, "Ann", 1_000, 1), entry(BEN, "Ben", 0, 2)], total: None }
}
