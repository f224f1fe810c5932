//! A quiz as its author wrote it and as a game freezes it: rounds of questions, in both forms, with the limits of the
//! whole.
//!
//! [`Quiz`] is serialized into the log's first event, [`QuizBody`] into the HTTP API and the rows of quizzes.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::check::{QuizError, check_time_limit, count, ensure, line};
use crate::question::{Question, QuestionBody};

/// The limits of a quiz, apart from those of its questions; the web app's are generated from them.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuizLimits {
    /// Most code points of a title.
    pub title: usize,
    /// Most rounds.
    pub rounds: usize,
    /// Most questions of a round.
    pub questions_per_round: usize,
    /// Most questions of all rounds.
    pub questions: usize,
    /// The shortest time limit of a question or a round, in seconds.
    pub time_limit_least: u16,
    /// The longest one.
    pub time_limit_most: u16,
    /// The most that a wrong answer can cost.
    pub wrong_points_most: i32,
}

/// A whole quiz. Limits: see [`Quiz::validate`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quiz {
    /// The host's name for it.
    pub title: String,
    /// The rounds, in the order in which they are played.
    pub rounds: Vec<Round>,
}

/// One round: questions that are reviewed and scored together.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Round {
    /// May be empty.
    pub title: String,
    /// In the author's order; the host releases them in any order.
    pub questions: Vec<Question>,
    /// After how many seconds the round ends by itself; `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<u16>,
    /// Whether right answers in a row earn more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub streaks: bool,
    /// Whether right answers to questions with a time limit earn more, the sooner they are given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub speed_points: bool,
    /// Whether a player can double what this round earns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub joker: bool,
    /// Points for a wrong answer, never more than 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wrong_points: i32,
    /// Whether near misses earn half of the points.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub half_points: bool,
}

/// A quiz as its author writes it; also the format of `quizhall quiz import|export`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct QuizBody {
    /// 1 to 200 characters.
    pub title: String,
    /// 1 to 50 rounds, together at most 500 questions.
    pub rounds: Vec<RoundBody>,
}

/// A round of a quiz.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct RoundBody {
    /// At most 200 characters; may be empty.
    #[serde(default)]
    pub title: String,
    /// 1 to 100 questions.
    pub questions: Vec<QuestionBody>,
    /// 5 to 600: after how many seconds the round ends by itself. Absent: only when the host ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time_limit: Option<u16>,
    /// Whether right answers in a row earn more: the second one 10 % of the points of its question, each further one 10
    /// % more, at most 50 %. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub streaks: bool,
    /// Whether a right answer to a question with a time limit earns more: the share of its points that equals the share
    /// of the time limit that was left. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub speed_points: bool,
    /// Whether players can play their joker for it, one in each game, which doubles the points of the round. Absent:
    /// false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub joker: bool,
    /// -1,000,000 to 0: the points for a wrong answer; no answer, and any answer to `poll`, `word_cloud` and `nearest`,
    /// earns 0. Absent: 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wrong_points: i32,
    /// Whether a near miss earns half of the points, rounded down. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub half_points: bool,
}

impl Quiz {
    /// The limits of the whole that [`Quiz::validate`] checks.
    pub const LIMITS: QuizLimits = QuizLimits {
        title: 200,
        rounds: 50,
        questions_per_round: 100,
        questions: 500,
        time_limit_least: 5,
        time_limit_most: 600,
        wrong_points_most: 1_000_000,
    };

    /// Whether a round can be doubled by a joker.
    pub fn has_jokers(&self) -> bool {
        self.rounds.iter().any(|round| round.joker)
    }

    /// Checks every limit ([`Quiz::LIMITS`], [`Question::LIMITS`]) and that ids are distinct, choices differ, and
    /// accepted answers are choices or numbers if the kind requires them.
    ///
    /// # Errors
    /// The first violation.
    pub fn validate(&self) -> Result<(), QuizError> {
        let limits = Self::LIMITS;
        line("title", &self.title, limits.title)?;
        count("rounds", self.rounds.len(), 1, limits.rounds)?;
        let total: usize = self.rounds.iter().map(|round| round.questions.len()).sum();
        let mut ids = HashSet::new();
        for (at, round) in self.rounds.iter().enumerate() {
            let place = format!("rounds[{at}]");
            if !round.title.is_empty() {
                line(&format!("{place}.title"), &round.title, limits.title)?;
            }
            check_time_limit(round.time_limit, || format!("{place}.timeLimit"))?;
            let fits = (-limits.wrong_points_most..=0).contains(&round.wrong_points);
            ensure(fits, || format!("{place}.wrongPoints"), "must be from -1,000,000 to 0")?;
            count(&format!("{place}.questions"), round.questions.len(), 1, limits.questions_per_round)?;
            for (at, question) in round.questions.iter().enumerate() {
                let place = format!("{place}.questions[{at}]");
                question.check(&place)?;
                ensure(ids.insert(question.id), || format!("{place}.id"), "must be unique in the quiz")?;
            }
        }
        let problem = format!("must have at most {} questions in all", limits.questions);
        ensure(total <= limits.questions, || "rounds".into(), &problem)
    }
}

impl Round {
    /// A round of these questions, with the defaults of everything that its author may leave out.
    pub fn new(title: impl Into<String>, questions: Vec<Question>) -> Self {
        Self { title: title.into(), questions, ..Self::default() }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(points: &i32) -> bool {
    *points == 0
}

impl RoundBody {
    /// A round of these questions without any optional part.
    pub fn new(title: impl Into<String>, questions: Vec<QuestionBody>) -> Self {
        Self { title: title.into(), questions, ..Self::default() }
    }
}

/// The round as its author sees it.
impl From<&Round> for RoundBody {
    fn from(round: &Round) -> Self {
        let &Round { ref title, ref questions, time_limit, streaks, speed_points, joker, wrong_points, half_points } =
            round;
        let questions = questions.iter().map(QuestionBody::from).collect();
        Self { title: title.clone(), questions, time_limit, streaks, speed_points, joker, wrong_points, half_points }
    }
}

impl QuizBody {
    /// The quiz to be stored; `id` gives each question its id, and receives the one in the body. Checks no limits.
    ///
    /// # Errors
    /// The first question whose kind this version does not know.
    pub fn into_quiz(self, mut id: impl FnMut(Option<Uuid>) -> Uuid) -> Result<Quiz, QuizError> {
        let mut rounds = Vec::with_capacity(self.rounds.len());
        for (at, round) in self.rounds.into_iter().enumerate() {
            let mut questions = Vec::with_capacity(round.questions.len());
            for (number, body) in round.questions.into_iter().enumerate() {
                let id = id(body.id).into();
                questions.push(body.into_question(id).map_err(|unknown| QuizError {
                    field: format!("rounds[{at}].questions[{number}].type"),
                    problem: unknown.to_string(),
                })?);
            }
            let RoundBody { title, time_limit, streaks, speed_points, joker, wrong_points, half_points, questions: _ } =
                round;
            rounds.push(Round {
                title,
                questions,
                time_limit,
                streaks,
                speed_points,
                joker,
                wrong_points,
                half_points,
            });
        }
        Ok(Quiz { title: self.title, rounds })
    }
}

/// The quiz as its author sees it, with every default written out.
impl From<&Quiz> for QuizBody {
    fn from(quiz: &Quiz) -> Self {
        Self { title: quiz.title.clone(), rounds: quiz.rounds.iter().map(RoundBody::from).collect() }
    }
}
