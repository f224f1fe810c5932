//! The quiz of a game with its keys, in its host's view.

use quizhall_protocol::WireKind;
use quizhall_protocol::http::game_options::{GameOptions, Pace};
use quizhall_protocol::http::quizzes::{QuestionBody, RoundBody};
use quizhall_protocol::to_all::Section;
use uuid::Uuid;

/// A quiz, frozen when its game was created.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quiz {
    /// Its title.
    pub title: String,
    /// Its rounds, in order.
    pub rounds: Vec<Round>,
}

/// A round of a quiz.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// Its title; may be empty.
    pub title: String,
    /// The round of the quiz that it comes from, in a game whose rounds are single questions.
    pub section: Option<Section>,
    /// Its questions, in the author's order.
    pub questions: Vec<Question>,
    /// Seconds until it ends by itself.
    pub time_limit: Option<u16>,
    /// Whether right answers in a row earn more.
    pub streaks: bool,
    /// Whether players can play their joker for it.
    pub joker: bool,
    /// The points of a wrong answer.
    pub wrong_points: i32,
}

/// A question with its key.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Its id in the game.
    pub id: Uuid,
    /// The text of the question.
    pub text: String,
    /// Its type.
    pub kind: WireKind,
    /// Its choices; none for types without.
    pub choices: Option<Vec<String>>,
    /// Accepted answers, or the right choices; none where answers are not marked.
    pub accepted: Vec<String>,
    /// Points for a right answer.
    pub points: u32,
    /// The margin of a number.
    pub tolerance: f64,
    /// Seconds until it closes by itself.
    pub time_limit: Option<u16>,
    /// Whether an answer earns more, the sooner it is given.
    pub counts_speed: bool,
    /// Whether near misses earn half of the points.
    pub halves_near_misses: bool,
    /// The explanation of the right answer.
    pub explanation: Option<String>,
}

impl Quiz {
    /// Reads a quiz as the host API shows it; `None` when a question has no id, no points or no key.
    pub fn read(title: &str, rounds: &[RoundBody]) -> Option<Self> {
        let round = |body: &RoundBody| {
            let mut questions = body.questions.iter().map(Question::read).collect::<Option<Vec<_>>>()?;
            for question in &mut questions {
                question.halves_near_misses = body.half_points;
                question.counts_speed = body.speed_points && question.is_marked() && question.time_limit.is_some();
            }
            let RoundBody { time_limit, streaks, joker, wrong_points, .. } = *body;
            let (title, section) = (body.title.clone(), None);
            Some(Round { title, section, questions, time_limit, streaks, joker, wrong_points })
        };
        Some(Self { title: title.to_owned(), rounds: rounds.iter().map(round).collect::<Option<_>>()? })
    }

    /// The quiz that a game plays: read as its author wrote it, with the options of the game applied.
    pub fn played(title: &str, rounds: &[RoundBody], options: &GameOptions) -> Option<Self> {
        let mut bodies = rounds.to_vec();
        for body in &mut bodies {
            body.speed_points |= options.speed_points;
            body.streaks |= options.streaks;
            let limit = options.answer_seconds.filter(|_| body.time_limit.is_none());
            body.questions.iter_mut().for_each(|question| question.time_limit = question.time_limit.or(limit));
        }
        if options.pace == Pace::Round {
            return Self::read(title, &bodies);
        }
        let numbered = (0..).zip(&bodies).flat_map(|(index, body)| {
            (0..).zip(&body.questions).map(move |(question, asked)| {
                let section = Section {
                    index,
                    title: body.title.clone(),
                    question_index: question,
                    question_count: u32::try_from(body.questions.len()).unwrap_or(u32::MAX),
                };
                let limit = asked.time_limit.or(body.time_limit);
                let asked = QuestionBody { time_limit: limit, ..asked.clone() };
                let title = round_title(&section);
                (RoundBody { title, questions: vec![asked], time_limit: None, joker: false, ..body.clone() }, section)
            })
        });
        let (bodies, sections): (Vec<_>, Vec<_>) = numbered.unzip();
        let mut quiz = Self::read(title, &bodies)?;
        for (round, section) in quiz.rounds.iter_mut().zip(sections) {
            round.section = Some(section);
        }
        Some(quiz)
    }

    /// The round with which the streaks that count in a round begin.
    pub(crate) fn streaks_begin(&self, round: usize) -> usize {
        let before = self.rounds[round].section.as_ref().map_or(0, |section| section.question_index as usize);
        round - before
    }

    /// The question with this id.
    pub fn question(&self, id: Uuid) -> Option<&Question> {
        self.rounds.iter().flat_map(|round| &round.questions).find(|question| question.id == id)
    }
}

impl Question {
    /// Reads a question as the host API shows it; `None` when it has no id, no points or no key.
    pub fn read(body: &QuestionBody) -> Option<Self> {
        let question = Self {
            id: body.id?,
            text: body.text.clone(),
            kind: body.kind.clone(),
            choices: body.choices.clone(),
            accepted: body.correct_answers.clone(),
            points: body.points?,
            tolerance: body.tolerance.unwrap_or(0.0),
            time_limit: body.time_limit,
            counts_speed: false,
            halves_near_misses: false,
            explanation: body.explanation.clone(),
        };
        (question.is_marked() != question.accepted.is_empty()).then_some(question)
    }
}

/// The title of a round that is a question, for clients that do not know sections.
fn round_title(section: &Section) -> String {
    if section.title.is_empty() || section.question_count == 1 {
        return section.title.clone();
    }
    let number = format!(" · {}", section.question_index + 1);
    let most = 200 - number.chars().count();
    section.title.chars().take(most).collect::<String>() + &number
}
