//! Time: timers, extra time, breaks between rounds, the autopilot, and points for speed.

pub(crate) mod answered;
pub(crate) mod autopilot;
pub(crate) mod breaks;
pub(crate) mod closings;
pub(crate) mod extra_time;
pub(crate) mod game_clock;
pub(crate) mod span;
pub(crate) mod speed;
pub(crate) mod steps;
pub(crate) mod timers;
