//! The rows of the options that a game has from its start: its own, and those of its quiz. No command brings them.

use quizhall_quiz::{Question, QuestionKind, Quiz, Round};

use crate::base::{BoardAfter, Pace, PlayOptions};
use crate::event::Created;

/// An option that changes how a game is played, so that every node has to know it.
#[derive(Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// What a sentence calls it.
    pub name: &'static str,
    /// The [`LOG_VERSION`](super::LOG_VERSION) in which it came.
    pub since: u32,
}

impl OptionRow {
    /// Whether nodes down to this version of the log can play a game with it.
    pub const fn is_known_to(&self, oldest: u32) -> bool {
        self.since <= oldest
    }
}

type Row = &'static OptionRow;

const PACE: Row = &OptionRow { name: "games question by question", since: 1 };
const BOARD_AFTER: Row = &OptionRow { name: "standings after some questions", since: 1 };
const CLOSE_WHEN_ANSWERED: Row = &OptionRow { name: "questions that close when all have answered", since: 1 };
const MARK_LATER: Row = &OptionRow { name: "marks that are set later", since: 1 };
const AUTOPILOT: Row = &OptionRow { name: "an autopilot from the start", since: 1 };
const PHONES_AFTER_SCREEN: Row = &OptionRow { name: "phones that wait for the screen", since: 1 };
const CLEAN_NAMES: Row = &OptionRow { name: "the check of names", since: 1 };
const TEAMS: Row = &OptionRow { name: "teams", since: 1 };
const TIME_LIMITS: Row = &OptionRow { name: "time limits", since: 1 };
const STREAKS: Row = &OptionRow { name: "streaks", since: 1 };
const SPEED_POINTS: Row = &OptionRow { name: "points for speed", since: 1 };
const JOKERS: Row = &OptionRow { name: "jokers", since: 1 };
const WRONG_POINTS: Row = &OptionRow { name: "points for wrong answers", since: 1 };
const HALF_POINTS: Row = &OptionRow { name: "half of the points for near misses", since: 1 };
const SEALED: Row = &OptionRow { name: "sealed quizzes", since: 2 };
const FURTHER_TYPES: Row = &OptionRow { name: "a type of question", since: 1 };

impl Created {
    /// The options that the game uses, some of them several times. Every field is named, here and below, so that none can be
    /// forgotten. A field that a node may ignore without harm has no row.
    pub fn option_rows(&self) -> impl Iterator<Item = Row> {
        let Self {
            game: _,
            host: _,
            code: _,
            quiz: Quiz { title: _, rounds },
            join_secret: _,
            created_at_ms: _,
            options,
            // Chosen by the oldest version of the log, and so known everywhere.
            rule: _,
            sealed,
        } = self;
        used([(sealed.is_some(), SEALED)]).chain(options.rows()).chain(rounds.iter().flat_map(of_round))
    }
}

impl PlayOptions {
    /// The options that differ from the default.
    pub fn rows(&self) -> impl Iterator<Item = Row> + use<> {
        let &Self {
            pace,
            board_after,
            answer_seconds,
            close_when_answered,
            mark_later,
            autopilot,
            speed_points,
            streaks,
            phones_after_screen,
            clean_names,
            teams,
        } = self;
        used([
            (pace != Pace::Round, PACE),
            (board_after != BoardAfter::Question, BOARD_AFTER),
            (answer_seconds.is_some(), TIME_LIMITS),
            (close_when_answered, CLOSE_WHEN_ANSWERED),
            (mark_later, MARK_LATER),
            (autopilot.is_some(), AUTOPILOT),
            (speed_points, SPEED_POINTS),
            (streaks, STREAKS),
            (phones_after_screen, PHONES_AFTER_SCREEN),
            (clean_names, CLEAN_NAMES),
            (teams.is_some(), TEAMS),
        ])
    }
}

fn of_round(round: &Round) -> impl Iterator<Item = Row> {
    let Round { title: _, questions, time_limit, streaks, speed_points, joker, wrong_points, half_points } = round;
    let own = [
        (time_limit.is_some(), TIME_LIMITS),
        (*streaks, STREAKS),
        (*speed_points, SPEED_POINTS),
        (*joker, JOKERS),
        (*wrong_points != 0, WRONG_POINTS),
        (*half_points, HALF_POINTS),
    ];
    used(own).chain(questions.iter().flat_map(of_question))
}

fn of_question(question: &Question) -> impl Iterator<Item = Row> + use<> {
    let Question {
        id: _,
        text: _,
        kind,
        choices: _,
        accepted: _,
        points: _,
        tolerance: _,
        media: _,
        time_limit,
        tags: _,
        explanation: _,
        host_note: _,
    } = question;
    used([(time_limit.is_some(), TIME_LIMITS)]).chain(of_kind(*kind))
}

/// `None` of the types that every version has.
const fn of_kind(kind: QuestionKind) -> Option<Row> {
    match kind {
        QuestionKind::Text | QuestionKind::MultipleChoice | QuestionKind::TrueFalse | QuestionKind::Numeric => None,
        QuestionKind::MultiSelect
        | QuestionKind::Order
        | QuestionKind::Poll
        | QuestionKind::WordCloud
        | QuestionKind::Nearest => Some(FURTHER_TYPES),
    }
}

fn used<const N: usize>(options: [(bool, Row); N]) -> impl Iterator<Item = Row> {
    options.into_iter().filter(|(is_used, _)| *is_used).map(|(_, row)| row)
}
