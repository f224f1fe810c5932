//! Names in games with `cleanNames`: what a list of words has as obscene, as sexual or as a slur is refused, but for mild words, which many
//! harmless names contain.
//!
//! The list is the library's: nothing here knows a word. Called on joining alone, so what the host calls a player is not checked.

use quizhall_rules::DisplayName;
use rustrict::{CensorStr as _, Type};

/// Whether a game that checks names refuses this one.
pub(super) fn is_unclean(name: &DisplayName) -> bool {
    let kinds = Type::PROFANE | Type::OFFENSIVE | Type::SEXUAL;
    name.as_str().is(kinds & Type::MODERATE_OR_HIGHER)
}
