//! The quiz as a game plays it: as its author wrote it, with the options of the game applied. One pure function, and what follows
//! from it about the rounds of the game.

use std::sync::Arc;

use quizhall_quiz::{Pace, Question, Quiz, Round};

use crate::base::options::PlayOptions;

/// The round of the quiz that a round of the game comes from, in a game whose rounds are single questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// Its place in the quiz, from 0.
    pub index: usize,
    /// Its title; may be empty.
    pub title: &'a str,
    /// The place of the question in it, from 0.
    pub question_index: usize,
    /// How many questions it has.
    pub question_count: usize,
}

/// The quiz that is played. It is the same one where no option shapes it.
pub(crate) fn played(written: &Arc<Quiz>, options: &PlayOptions) -> Arc<Quiz> {
    let &PlayOptions { pace, answer_seconds, speed_points, streaks, .. } = options;
    if pace == Pace::Round && answer_seconds.is_none() && !speed_points && !streaks {
        return Arc::clone(written);
    }
    let of_round = |round: &Round| {
        let mut round = round.clone();
        round.speed_points |= speed_points;
        round.streaks |= streaks;
        for question in round.questions.iter_mut().filter(|_| round.time_limit.is_none()) {
            question.time_limit = question.time_limit.or(answer_seconds);
        }
        match pace {
            Pace::Round => vec![round],
            Pace::Question => each_question(round),
        }
    };
    Arc::new(Quiz { title: written.title.clone(), rounds: written.rounds.iter().flat_map(of_round).collect() })
}

/// The section of a round (from 0) of a game whose rounds are single questions.
pub(crate) fn section(written: &Quiz, round: usize) -> Option<Section<'_>> {
    let mut question_index = round;
    for (index, section) in written.rounds.iter().enumerate() {
        let question_count = section.questions.len();
        if question_index < question_count {
            return Some(Section { index, title: &section.title, question_index, question_count });
        }
        question_index -= question_count;
    }
    None
}

/// A round for each question, with everything that holds in its round of the quiz. The time limit of the round is that of each
/// question without its own. A joker would double a single question, so none is offered.
fn each_question(round: Round) -> Vec<Round> {
    let Round { title, questions, time_limit, streaks, speed_points, joker: _, wrong_points, half_points } = round;
    let count = questions.len();
    let of_question = |(at, question): (usize, Question)| {
        let question = Question { time_limit: question.time_limit.or(time_limit), ..question };
        let title = title_of(&title, at, count);
        let rest = Round::new(title, vec![question]);
        Round { streaks, speed_points, wrong_points, half_points, ..rest }
    };
    questions.into_iter().enumerate().map(of_question).collect()
}

/// "Science · 3": the title of the section and the number of the question in it, within the length of a title. A section without a
/// title gives rounds without one, and a section of one question needs no number.
fn title_of(section: &str, at: usize, count: usize) -> String {
    if section.is_empty() || count == 1 {
        return section.to_owned();
    }
    let number = format!(" · {}", at + 1);
    let room = Quiz::LIMITS.title - number.chars().count();
    section.chars().take(room).chain(number.chars()).collect()
}
