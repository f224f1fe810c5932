//! A quiz as data, declared once for the rules and for the wire: stored, in the HTTP API, with its limits and its
//! checks.
//!
//! The rules and the protocol use it and re-export its types to everything else. Never knows a game, a message or a
//! database.
//! The roles of co-hosts are here too, because the rules and the protocol share them.

pub mod choice;
pub mod number;

mod check;
mod edit;
mod ids;
mod kind;
mod media;
mod question;
mod quiz;
mod role;
mod tags;
mod upload;

pub use check::QuizError;
pub use edit::UnfitEdit;
pub use ids::QuestionId;
pub use kind::{QuestionKind, UnknownKind, WireKind};
pub use media::{MediaKind, QuestionMedia};
pub use question::{DEFAULT_POINTS, Question, QuestionBody, QuestionLimits};
pub use quiz::{Quiz, QuizBody, QuizLimits, Round, RoundBody};
pub use role::CoHostRole;
pub use upload::{QuizUpload, UploadExtras};
