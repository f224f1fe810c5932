//! One question: its stored form, its form for the author over HTTP, its limits and its check.
//!
//! Only this file declares the fields of a question. What a participant may see of it is decided where it is shown: the
//! engine builds `question_released`.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::check::{Check, check_time_limit, count, ensure, line, lines};
use crate::kind::{QuestionKind, UnknownKind, WireKind};
use crate::media::QuestionMedia;
use crate::tags::{TAG, TAGS, check_tags};
use crate::{QuestionId, number};

/// The limits of a question; the web app's are generated from them.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct QuestionLimits {
    /// Most code points of the text, of the explanation and of the note for the host.
    pub text: usize,
    /// Most choices.
    pub choices: usize,
    /// Most code points of a choice, and of an accepted answer.
    pub choice: usize,
    /// Most accepted answers.
    pub answers: usize,
    /// Most points.
    pub points: u32,
    /// Most code points of all choices together, with a line break between two: an answer that may name several can
    /// name all.
    pub together: usize,
    /// Most code points of an answer that a word cloud shows.
    pub word: usize,
    /// Most characters of an answer that are compared, counted after its letters are decomposed: three for each of the
    /// longest answer.
    pub folded: usize,
    /// Most code points of the alternative text of a picture or a sound.
    pub alt: usize,
    /// Most tags, also of a quiz.
    pub tags: usize,
    /// Most code points of a tag.
    pub tag: usize,
}

/// Points of a question whose author named none; 0 when its answers are not marked.
pub const DEFAULT_POINTS: u32 = 1_000;

/// One question with its key, as the log stores it. `Debug` shows neither text nor key.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Given by the server; unique within the quiz.
    pub id: QuestionId,
    /// The text of the question.
    pub text: String,
    /// How it is answered and marked.
    pub kind: QuestionKind,
    /// The choices offered, in the order shown; empty for kinds without choices.
    pub choices: Vec<String>,
    /// The key: every right answer. For `multi_select` the right choices, for `order` all choices in the right order;
    /// empty when answers are not marked.
    pub accepted: Vec<String>,
    /// What a right answer earns, 0 to 1,000,000.
    pub points: u32,
    /// How far a `numeric` answer may be off, inclusive; otherwise 0.
    pub tolerance: f64,
    /// Its picture or its sound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<QuestionMedia>,
    /// After how many seconds the question closes by itself, counted from its release; `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<u16>,
    /// The words by which its author finds it; no player receives them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The text that is shown with the right answer once the answer is revealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// A note that only the host is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_note: Option<String>,
}

/// A question with its key; shown only to the quiz's owner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct QuestionBody {
    /// Identifies the question in its history. The server keeps the id that a client sends, and gives one to a question
    /// without an id and to one with the id of an earlier question of the quiz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// 1 to 2,000 characters.
    pub text: String,
    /// `text`, `multiple_choice`, `true_false`, `numeric`, `multi_select`, `order`, `poll`, `word_cloud` or `nearest`.
    #[serde(rename = "type")]
    #[ts(as = "String")]
    #[schema(value_type = String)]
    pub kind: WireKind,
    /// 2 to 20 choices of 1 to 300 characters (`multiple_choice`, `multi_select`, `order`, `poll`), in the order shown; of
    /// `multi_select` and `order` at most 1,000 characters in all. `true_false` has `True` and `False` unless it names two others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// 1 to 50 accepted answers; the first is the one that is shown. A number is read as players write it: `1,665` is
    /// 1665 and 1.665, except when `tolerance` exceeds the smaller one. For `multi_select` the right choices, for
    /// `order` every choice in the right order; for `nearest` one number. `poll` and `word_cloud` have none, and the
    /// field may be left out.
    #[serde(default)]
    pub correct_answers: Vec<String>,
    /// 0 to 1,000,000; 1,000 when absent. Of `poll` and `word_cloud` 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// `numeric` only: how far off an answer may be; 0 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// A picture or a sound, shown or played with the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<QuestionMedia>,
    /// 5 to 600: after how many seconds the question closes by itself, counted from its release. Absent: only with the round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<u16>,
    /// Up to 20 tags of 1 to 40 characters without a comma, each once; absent when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub tags: Vec<String>,
    /// 1 to 2,000 characters, shown with the right answer once that is revealed, and in results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// 1 to 2,000 characters that only the host is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_note: Option<String>,
}

impl Question {
    /// The limits that [`crate::Quiz::validate`] checks.
    pub const LIMITS: QuestionLimits = QuestionLimits {
        text: 2_000,
        choices: 20,
        choice: 300,
        answers: 50,
        points: 1_000_000,
        together: 1_000,
        word: 40,
        folded: 3_072,
        alt: 300,
        tags: TAGS,
        tag: TAG,
    };

    /// A question with these accepted answers and the defaults of everything that its author may leave out.
    pub fn new(id: QuestionId, kind: QuestionKind, text: impl Into<String>, accepted: &[impl AsRef<str>]) -> Self {
        Self {
            id,
            text: text.into(),
            kind,
            choices: default_choices(kind),
            accepted: owned(accepted),
            points: default_points(kind),
            tolerance: 0.0,
            media: None,
            time_limit: None,
            tags: Vec::new(),
            explanation: None,
            host_note: None,
        }
    }

    /// The correct answer as it is shown: the first accepted one; several choices one per line; empty when answers are
    /// not marked.
    pub fn shown_key(&self) -> String {
        if self.kind.is_of_several_choices() {
            return self.accepted.join("\n");
        }
        self.accepted.first().cloned().unwrap_or_default()
    }

    /// Every field is named here, so that none can be forgotten.
    pub(crate) fn check(&self, place: &str) -> Check {
        let Self {
            id: _,
            text,
            kind,
            choices,
            accepted,
            points,
            tolerance,
            media,
            time_limit,
            tags,
            explanation,
            host_note,
        } = self;
        let field = |name: &str| format!("{place}.{name}");
        lines(&field("text"), text, Self::LIMITS.text)?;
        check_choices(&field("choices"), *kind, choices)?;
        check_accepted(&field("correctAnswers"), self, accepted)?;
        ensure(*points <= Self::LIMITS.points, || field("points"), "must be at most 1,000,000")?;
        ensure(kind.is_marked() || *points == 0, || field("points"), "must be 0 for this type")?;
        check_time_limit(*time_limit, || field("timeLimit"))?;
        check_tags(&field("tags"), tags)?;
        for (name, written) in [("explanation", explanation), ("hostNote", host_note)] {
            written.as_ref().map_or(Ok(()), |written| lines(&field(name), written, Self::LIMITS.text))?;
        }
        ensure(tolerance.is_finite() && *tolerance >= 0.0, || field("tolerance"), "must be a number from 0")?;
        let fits = *tolerance == 0.0 || *kind == QuestionKind::Numeric;
        ensure(fits, || field("tolerance"), "is for numeric questions only")?;
        media.as_ref().map_or(Ok(()), |media| media.check(&field("media")))
    }
}

impl QuestionBody {
    /// A question without any optional part.
    pub fn new(kind: QuestionKind, text: impl Into<String>, correct_answers: &[impl AsRef<str>]) -> Self {
        Self {
            id: None,
            text: text.into(),
            kind: kind.into(),
            choices: None,
            correct_answers: owned(correct_answers),
            points: None,
            tolerance: None,
            media: None,
            time_limit: None,
            tags: Vec::new(),
            explanation: None,
            host_note: None,
        }
    }

    /// The question to be stored under this id, with every default.
    pub(crate) fn into_question(self, id: QuestionId) -> Result<Question, UnknownKind> {
        let Self { id: _, text, kind, choices, correct_answers, points, tolerance, media, time_limit, tags, .. } = self;
        let kind = kind.known()?;
        Ok(Question {
            id,
            text,
            kind,
            choices: choices.unwrap_or_else(|| default_choices(kind)),
            accepted: correct_answers,
            points: points.unwrap_or_else(|| default_points(kind)),
            tolerance: tolerance.unwrap_or_default(),
            media,
            time_limit,
            tags,
            explanation: self.explanation,
            host_note: self.host_note,
        })
    }
}

/// The question as its author sees it, with every default written out.
impl From<&Question> for QuestionBody {
    fn from(question: &Question) -> Self {
        Self {
            id: Some(question.id.uuid()),
            text: question.text.clone(),
            kind: question.kind.into(),
            choices: (!question.choices.is_empty()).then(|| question.choices.clone()),
            correct_answers: question.accepted.clone(),
            points: Some(question.points),
            tolerance: (question.kind == QuestionKind::Numeric).then_some(question.tolerance),
            media: question.media.clone(),
            time_limit: question.time_limit,
            tags: question.tags.clone(),
            explanation: question.explanation.clone(),
            host_note: question.host_note.clone(),
        }
    }
}

impl fmt::Debug for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Question").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

fn default_points(kind: QuestionKind) -> u32 {
    if kind.is_marked() { DEFAULT_POINTS } else { 0 }
}

/// The choices of a question whose author gave none.
fn default_choices(kind: QuestionKind) -> Vec<String> {
    if kind == QuestionKind::TrueFalse { owned(&["True", "False"]) } else { Vec::new() }
}

fn owned(texts: &[impl AsRef<str>]) -> Vec<String> {
    texts.iter().map(|text| text.as_ref().to_owned()).collect()
}

fn check_choices(place: &str, kind: QuestionKind, choices: &[String]) -> Check {
    if !kind.has_choices() {
        return ensure(choices.is_empty(), || place.into(), "must be absent for this type");
    }
    if kind == QuestionKind::TrueFalse {
        ensure(choices.len() == 2, || place.into(), "must have exactly 2 entries")?;
    } else {
        count(place, choices.len(), 2, Question::LIMITS.choices)?;
    }
    let mut seen = HashSet::new();
    for (at, choice) in choices.iter().enumerate() {
        let place = format!("{place}[{at}]");
        line(&place, choice, Question::LIMITS.choice)?;
        ensure(seen.insert(choice.trim()), || place, "must differ from the other choices")?;
    }
    let together: usize = choices.iter().map(|choice| choice.chars().count() + 1).sum();
    let fits = !kind.is_of_several_choices() || together <= Question::LIMITS.together + 1;
    ensure(fits, || place.into(), "must have at most 1,000 characters in all")
}

fn check_accepted(place: &str, question: &Question, accepted: &[String]) -> Check {
    if !question.kind.is_marked() {
        return ensure(accepted.is_empty(), || place.into(), "must be empty for this type");
    }
    count(place, accepted.len(), 1, Question::LIMITS.answers)?;
    let mut seen = HashSet::new();
    for (at, accepted) in accepted.iter().enumerate() {
        let place = format!("{place}[{at}]");
        line(&place, accepted, Question::LIMITS.choice)?;
        if question.kind.is_number() {
            ensure(number::readings(accepted).next().is_some(), || place, "must be a number")?;
        } else if question.kind.has_choices() {
            let offered = question.choices.iter().any(|choice| choice.trim() == accepted.trim());
            ensure(offered, || place.clone(), "must be one of the choices")?;
            let is_new = seen.insert(accepted.trim()) || !question.kind.is_of_several_choices();
            ensure(is_new, || place, "must differ from the other answers")?;
        }
    }
    let is_single = question.kind != QuestionKind::Nearest || accepted.len() == 1;
    ensure(is_single, || place.into(), "must have exactly 1 entry")?;
    let is_whole = question.kind != QuestionKind::Order || accepted.len() == question.choices.len();
    ensure(is_whole, || place.into(), "must have every choice once")
}
