//! The result of marking an answer.

/// The result of marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// It counts as right.
    pub correct: bool,
    /// It counts as wrong, but is within one edit per five letters of a right one, or differs from it by spaces, separators, a
    /// leading article or the word for `&`. Only for `text`.
    pub near_miss: bool,
    /// The points that it earns although it does not count as right; 0 when it does. Only for `multi_select`, for `order`, and
    /// for near misses in a round with `halfPoints`.
    pub partial: u32,
}

impl Mark {
    pub(super) const RIGHT: Self = Self { correct: true, near_miss: false, partial: 0 };
    pub(super) const WRONG: Self = Self { correct: false, near_miss: false, partial: 0 };
}
