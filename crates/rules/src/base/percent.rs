//! Percents of a time: the part of every timer that a player has.

/// The percent of a timer that players without extra time have.
pub(crate) const NOMINAL: u16 = 100;

/// A percent of a time in milliseconds.
pub(crate) fn share(ms: u64, percent: u16) -> u64 {
    ms.saturating_mul(percent.into()) / u64::from(NOMINAL)
}

pub(crate) fn nominal() -> u16 {
    NOMINAL
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(crate) fn is_nominal(percent: &u16) -> bool {
    *percent == NOMINAL
}
