//! What the host shows, and what players earn besides marks: tallies, revealed answers, tie-breaks, streaks, jokers, settings.

pub(crate) mod adjustments;
pub(crate) mod joker;
pub(crate) mod reveal;
pub(crate) mod scoring;
pub(crate) mod settings;
pub(crate) mod slides;
pub(crate) mod streaks;
pub(crate) mod tally;
pub(crate) mod tie_breaks;
