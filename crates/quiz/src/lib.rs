//! A quiz as data, declared once for the rules and for the wire: stored, in the HTTP API, with its limits and its
//! checks.
//!
//! The rules and the protocol use it and re-export its types to everything else. Never knows a message or a database.
//! Of a game it knows only the words in `game`, because the rules and the protocol share them.

pub mod choice;
pub mod number;

mod check;
mod edit;
mod game;
mod ids;
mod kind;
mod media;
mod question;
mod quiz;
mod tags;
mod upload;

pub use check::QuizError;
pub use edit::UnfitEdit;
pub use game::{BoardAfter, CoHostRole, Pace, Phase};
pub use ids::QuestionId;
pub use kind::{QuestionKind, UnknownKind, WireKind};
pub use media::{MediaKind, QuestionMedia};
pub use question::{DEFAULT_POINTS, Question, QuestionBody, QuestionLimits};
pub use quiz::{Quiz, QuizBody, QuizLimits, Round, RoundBody};
pub use upload::{QuizUpload, UploadExtras};
