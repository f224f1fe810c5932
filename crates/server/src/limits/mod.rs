//! How often something may happen, and how much of it at once: for an address, an account, a game, a participant.
//!
//! Used by `auth`, `ws`, `media`, `webhooks` and `http`. Everything that counts over time is a [`Bucket`], alone or by key in a
//! [`Throttle`]; a [`SharedThrottle`] asks the other nodes as well. [`Lanes`] bound what is under way at once. Never knows a request.

mod address_limit;
mod bucket;
mod join_limits;
mod keyed;
mod known;
mod lanes;
mod reconnects;
mod shared_throttle;
mod sign_in_limits;
mod throttle;
mod upgrade_limits;

pub use address_limit::{AddressLimit, site_of};
pub use bucket::Bucket;
pub use join_limits::{JoinLimits, JoinQueueFull};
pub use keyed::Keyed;
pub use known::Known;
pub use lanes::{Full, InLane, Lanes};
pub use reconnects::{ParticipantKey, TooMany};
pub use shared_throttle::{Allowances, Allowed, SharedThrottle, Subject};
pub(crate) use sign_in_limits::{NotAdmitted, SignInLimits};
pub use throttle::{AddressKey, Throttle};
pub(crate) use upgrade_limits::BRAKE;
pub use upgrade_limits::{NotNow, UpgradeLimits};
