//! One example of every message, made from the types themselves so that it cannot be wrong.

use quizhall_protocol::from_host::{OverrideAnswer, ReleaseQuestion};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::shapes::{LeaderboardEntry, Player, Question, QuestionResult, ReviewAnswer};
use quizhall_protocol::to_all::{Leaderboard, LobbyUpdate, QuestionReleased};
use quizhall_protocol::to_host::{AnswerCount, OverrideApplied, RoundReview};
use quizhall_protocol::to_player::{AnswerAccepted, RoundScores};
use quizhall_protocol::v1::from_host::{LockGame, MarkAnswers, RemovePlayer};
use quizhall_protocol::v1::to_all::{GameInfo, HostStatus, RoundStarted, StandingsStatus};
use quizhall_protocol::v1::to_host::{
    AnswerMark, AnswersMarked, MarkingUpdate, PlayersAnswered, RoomPlayer, RoomUpdate, SeatStatus,
};
use quizhall_protocol::{FromAnyV1, FromHost, FromHostV1, FromPlayer, QuestionKind};
use quizhall_protocol::{ToAll, ToAllV1, ToHost, ToHostV1, ToPlayer, ToSenderV1};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::messages::Direction;

const ANN: Uuid = Uuid::from_u128(0x0199_5c2e_0a10_7000_8000_0000_0000_0a11);
const BEN: Uuid = Uuid::from_u128(0x0199_5c2e_0a11_7000_8000_0000_0000_0be1);
const ASKED: &str = "Which of these brass instruments is normally played with a slide?";
const QUESTION: Uuid = Uuid::from_u128(0x0199_5c2e_0b00_7000_8000_0000_0000_0001);

/// The whole envelope of a message, as the server would write it.
///
/// # Panics
/// When a message has no example.
pub fn of(direction: Direction, name: &str) -> String {
    let examples = match direction {
        Direction::FromHost => from_host(),
        Direction::FromPlayer => from_player(),
        Direction::ToAll => to_all(),
        Direction::ToHost => to_host(),
        Direction::ToPlayer => to_player(),
        Direction::FromHostV1 => from_host_v1(),
        Direction::FromAnyV1 => texts(&[FromAnyV1::Ping]),
        Direction::ToAllV1 => to_all_v1(),
        Direction::ToHostV1 => to_host_v1(),
        Direction::ToSenderV1 => texts(&[ToSenderV1::Pong]),
    };
    let is_it = |example: &String| serde_json::from_str::<Value>(example).is_ok_and(|example| example["type"] == name);
    examples.into_iter().find(is_it).expect("every message has an example")
}

fn from_host() -> Vec<String> {
    texts(&[
        FromHost::StartGame,
        FromHost::ReleaseQuestion(ReleaseQuestion { question_id: QUESTION }),
        FromHost::EndRound,
        FromHost::OverrideAnswer(OverrideAnswer { player_id: BEN, question_id: QUESTION, correct: true }),
        FromHost::ReleaseScores,
        FromHost::StartNextRound,
        FromHost::EndGame,
    ])
}

fn from_player() -> Vec<String> {
    let answer = "Trombone".to_owned();
    texts(&[FromPlayer::SubmitAnswer(SubmitAnswer { question_id: QUESTION, answer })])
}

fn to_all() -> Vec<String> {
    let players =
        vec![Player { id: ANN, display_name: "Ann".to_owned() }, Player { id: BEN, display_name: "Ben".to_owned() }];
    let question = Question {
        choices: Some(["Trumpet", "Trombone", "Tuba"].map(str::to_owned).to_vec()),
        ..Question::new(QUESTION, QuestionKind::MultipleChoice, ASKED, 1_000)
    };
    texts(&[
        ToAll::LobbyUpdate(LobbyUpdate { players, total: None }),
        ToAll::GameStarted,
        ToAll::QuestionReleased(QuestionReleased { question }),
        ToAll::RoundEnded,
        ToAll::RoundLeaderboard(board(true)),
        ToAll::GameEnded(board(false)),
    ])
}

fn to_host() -> Vec<String> {
    let answer = ReviewAnswer {
        player_id: BEN,
        display_name: "Ben".to_owned(),
        question_id: QUESTION,
        answer: "Tuba".to_owned(),
        correct: false,
        near_miss: false,
    };
    texts(&[
        ToHost::ScoreboardUpdate(AnswerCount { question_id: QUESTION, answer_count: 2 }),
        ToHost::RoundReview(RoundReview { answers: vec![answer], part: None, parts: None }),
        ToHost::OverrideApplied(OverrideApplied { player_id: BEN, question_id: QUESTION, correct: true }),
    ])
}

fn to_player() -> Vec<String> {
    let result = QuestionResult {
        question_id: QUESTION,
        question: ASKED.to_owned(),
        your_answer: "Trombone".to_owned(),
        correct_answer: "Trombone".to_owned(),
        correct: true,
        points: 1_000,
    };
    texts(&[
        ToPlayer::AnswerAccepted(AnswerAccepted { question_id: QUESTION }),
        ToPlayer::RoundScores(RoundScores { results: vec![result], round_total: 1_000 }),
        ToPlayer::ScoreboardUpdate(board(false)),
    ])
}

fn from_host_v1() -> Vec<String> {
    let answers = ["tuba", "The tuba"].map(str::to_owned).to_vec();
    texts(&[
        FromHostV1::MarkAnswers(MarkAnswers { question_id: QUESTION, answers, correct: true }),
        FromHostV1::UndoMarking,
        FromHostV1::LockGame(LockGame { locked: true }),
        FromHostV1::RemovePlayer(RemovePlayer { player_id: BEN }),
        FromHostV1::ReleaseOwnScores,
        FromHostV1::ShowStandings,
    ])
}

fn to_all_v1() -> Vec<String> {
    let title = "Brass".to_owned();
    texts(&[
        ToAllV1::GameInfo(GameInfo { title: "A night at the opera".to_owned() }),
        ToAllV1::RoundStarted(RoundStarted { round: 2, rounds: 3, title, question_count: 8 }),
        ToAllV1::HostStatus(HostStatus { connected: true }),
        ToAllV1::StandingsStatus(StandingsStatus { held: true }),
    ])
}

fn to_host_v1() -> Vec<String> {
    let seat = |id, name: &str, status| RoomPlayer { id, display_name: name.to_owned(), status };
    let players = vec![seat(ANN, "Ann", SeatStatus::Connected), seat(BEN, "Ben", SeatStatus::Disconnected)];
    let marks = vec![AnswerMark { player_id: BEN, correct: true }];
    texts(&[
        ToHostV1::RoomUpdate(RoomUpdate { whole: true, players, total: 2, connected: 1, locked: false }),
        ToHostV1::PlayersAnswered(PlayersAnswered { question_id: QUESTION, player_ids: vec![ANN, BEN] }),
        ToHostV1::AnswersMarked(AnswersMarked { question_id: QUESTION, marks, part: None, parts: None }),
        ToHostV1::MarkingUpdate(MarkingUpdate { undoable: 1 }),
    ])
}

fn board(with_round: bool) -> Leaderboard {
    let entry = |player_id, name: &str, score, rank| LeaderboardEntry {
        player_id,
        display_name: name.to_owned(),
        score,
        rank,
        round_score: with_round.then_some(score),
    };
    Leaderboard { leaderboard: vec![entry(ANN, "Ann", 1_000, 1), entry(BEN, "Ben", 0, 2)] }
}

fn texts(messages: &[impl Serialize]) -> Vec<String> {
    let text = |message| serde_json::to_string(message).expect("wire types have string keys");
    messages.iter().map(text).collect()
}
