//! The quiz of a measured game: questions of 400 bytes on the wire, answers of 13 characters right or wrong, so that every
//! player costs the same and the baseline can be given the very same bytes.

use anyhow::{Context as _, ensure};
use quizhall_protocol::http::games::Game;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};
use quizhall_protocol::shapes::Question;
use quizhall_protocol::to_all::QuestionReleased;
use quizhall_protocol::{QuestionKind, ToAll, WireKind};
use uuid::Uuid;

use crate::users::Key;

/// Characters of a question: with ids, type and points a frame of 406 bytes.
const TEXT: usize = 262;
const POINTS: u32 = 1_000;
/// Seconds, where questions have a time limit.
const TIME_LIMIT: u16 = 300;

/// A quiz of these rounds: for each question the number of its characters.
pub(super) fn of(rounds: &[Vec<usize>]) -> QuizBody {
    let mut numbers = 0..;
    let mut questions = |lengths: &[usize]| -> Vec<QuestionBody> {
        lengths.iter().zip(numbers.by_ref()).map(|(length, number)| question(number, *length)).collect()
    };
    let rounds = rounds.iter().enumerate();
    let rounds = rounds.map(|(at, lengths)| RoundBody::new(format!("Round {}", at + 1), questions(lengths)));
    QuizBody { title: "A measured quiz".to_owned(), rounds: rounds.collect() }
}

/// A round of this many usual questions.
pub(super) fn round(questions: usize) -> Vec<usize> {
    vec![TEXT; questions]
}

/// Gives every question of a round a time limit that is longer than any measurement of it.
pub(super) fn limit(round: &mut RoundBody) {
    round.questions.iter_mut().for_each(|question| question.time_limit = Some(TIME_LIMIT));
}

fn question(number: usize, length: usize) -> QuestionBody {
    QuestionBody {
        points: Some(POINTS),
        ..QuestionBody::new(QuestionKind::Text, text(number, length), &[right(number)])
    }
}

fn text(number: usize, length: usize) -> String {
    let begin = format!("Question {number}: how long is a piece of string, and why? ");
    let text: String = begin.chars().chain("string upon string ".chars().cycle()).take(length - 1).collect();
    format!("{}?", text.trim_end())
}

fn right(number: usize) -> String {
    format!("string-{number:06}")
}

/// Questions of no quiz, for the baseline, and for each the message that releases it: as long as the service's.
pub(super) fn invented(questions: usize) -> Vec<(Key, String)> {
    let of = |number: usize| {
        let key = Key { question: Uuid::from_u128(number as u128 + 1), number, right: right(number) };
        let question = Question {
            id: key.question,
            text: text(number, TEXT),
            kind: WireKind::from(QuestionKind::Text),
            choices: None,
            points: POINTS,
            media: None,
            speed_points: false,
        };
        let message = ToAll::QuestionReleased(QuestionReleased { question });
        (key, serde_json::to_string(&message).expect("wire types have string keys and cannot fail to serialize"))
    };
    (0..questions).map(of).collect()
}

/// The questions of each round as the virtual users have to know them.
pub(super) fn keys(game: &Game) -> anyhow::Result<Vec<Vec<Key>>> {
    let mut number = 0;
    let mut rounds = Vec::new();
    for round in &game.rounds {
        let mut keys = Vec::new();
        for question in &round.questions {
            let right = question.correct_answers.first().context("a question without an answer")?.clone();
            ensure!(right.len() == 13, "answers are of one length");
            keys.push(Key { question: question.id.context("a question without an id")?, number, right });
            number += 1;
        }
        rounds.push(keys);
    }
    Ok(rounds)
}
