//! Just enough Rust to check it: code without comments and literals, paths with `use` trees expanded, functions.
//!
//! Used by the checks. A scanner, not a parser: it may be fooled by macros, never by comments or strings.

mod blank;
mod functions;
mod paths;

pub use blank::code_only;
pub use functions::{Function, functions};
pub use paths::{Mention, mentions, module_of};

/// The line of a byte offset, from 1.
pub fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// Whether a character can be part of a name.
pub fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
