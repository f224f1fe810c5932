//! Answers and their marks: the key of the game, markings and corrections, appeals, paper, and the host's review.

pub(crate) mod appeals;
pub(crate) mod corrections;
pub(crate) mod groups;
pub(crate) mod key;
pub(crate) mod markings;
pub(crate) mod nearest;
pub(crate) mod paper;
pub(crate) mod review;
pub(crate) mod review_groups;
pub(crate) mod wording;
