//! Names in games with `cleanNames`: names that the word list has as obscene, as sexual or as a slur are refused. Mild
//! words are allowed, because many harmless names contain them.
//!
//! The list comes from a library; this file contains no words. It is called only on joining, so a name that the host
//! gives a player is not checked.

use quizhall_rules::DisplayName;
use rustrict::{CensorStr as _, Type};

/// Whether a game that checks names refuses this one.
pub(in crate::http) fn is_unclean(name: &DisplayName) -> bool {
    let kinds = Type::PROFANE | Type::OFFENSIVE | Type::SEXUAL;
    name.as_str().is(kinds & Type::MODERATE_OR_HIGHER)
}
