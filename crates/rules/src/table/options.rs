//! The rows of the options that a game has from its start: its own, and those of its quiz. No command brings them.

use quizhall_quiz::{Question, QuestionKind, Quiz, Round};

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

const PHONES_AFTER_SCREEN: Row = &OptionRow { name: "phones that wait for the screen", since: 1 };
const CLEAN_NAMES: Row = &OptionRow { name: "the check of names", since: 1 };
const TEAMS: Row = &OptionRow { name: "teams", since: 1 };
const TIME_LIMITS: Row = &OptionRow { name: "time limits", since: 1 };
const STREAKS: Row = &OptionRow { name: "streaks", since: 1 };
const SPEED_POINTS: Row = &OptionRow { name: "points for speed", since: 1 };
const JOKERS: Row = &OptionRow { name: "jokers", since: 1 };
const WRONG_POINTS: Row = &OptionRow { name: "points for wrong answers", since: 1 };
const HALF_POINTS: Row = &OptionRow { name: "half of the points for near misses", since: 1 };
const FURTHER_TYPES: Row = &OptionRow { name: "a type of question", since: 1 };

impl Created {
    /// The options that the game uses, some of them several times. Every field is named, here and below, so that none can be
    /// forgotten. A field that a node may ignore without harm has no row.
    pub fn options(&self) -> impl Iterator<Item = Row> {
        let Self {
            game: _,
            host: _,
            code: _,
            quiz: Quiz { title: _, rounds },
            join_secret: _,
            created_at_ms: _,
            phones_after_screen,
            clean_names,
            teams,
            // Chosen by the oldest version of the log, and so known everywhere.
            rule: _,
        } = self;
        let own = [(*phones_after_screen, PHONES_AFTER_SCREEN), (*clean_names, CLEAN_NAMES), (teams.is_some(), TEAMS)];
        used(own).chain(rounds.iter().flat_map(of_round))
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
