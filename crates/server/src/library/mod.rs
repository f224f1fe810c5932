//! What a host keeps: quizzes in their forms, and the index through which they are searched.
//!
//! Used by `http`, `serve` and the command line. Knows no request and no game.

pub mod index;
pub mod quiz_form;

pub use quiz_form::sample_quiz;

/// Quizzes of one host.
pub const MAX_QUIZZES: u32 = 1_000;
