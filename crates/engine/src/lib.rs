//! Hosting a game, sans-IO: the owner decides and commits, edges hold the sockets, and everything is `step(now, input) → effects`.
//!
//! Used by the server's game tasks and by the simulation in this crate's tests, which tests it with every fault. It knows no runtime,
//! no database and no socket: time comes in as an argument, effects go out as values.

pub mod claim;
pub mod edge;
pub mod frames;
pub mod ids;
pub mod liveness;
pub mod log;
pub mod media;
pub mod members;
pub mod moments;
pub mod owner;
pub mod reading;
pub mod route;
mod sampling;
pub mod sections;
pub mod snapshot;
pub mod wire;

pub use edge::{BUNDLE_FROM, Edge, EdgeEffect, EdgeInput, EdgeOptions, Message, OwnerHere, StoredState};
pub use frames::{Attaching, FromOwner, GivenAnswers, Outcome, ToEdge, ToOwner};
pub use ids::{ConnectionId, EdgeId, Holder, Participant, READ_AHEAD, RequestId, Seat, Time, Viewer};
pub use liveness::Liveness;
pub use log::{Append, AppendOutcome, Head};
pub use members::{Member, Members, MembersEffect, MembersInput};
pub use moments::{Film, Moments};
pub use owner::{LOG_PER_SEAT, Owner, OwnerEffect, OwnerInput, OwnerOptions};
pub use reading::{LogRow, Reading, Wanted};
pub use route::{Claimed, Place, Record, Route, RouteEffect, RouteInput};
pub use snapshot::{Ahead, SNAPSHOT_AT_END, SNAPSHOT_EVERY, SNAPSHOT_FORMAT, Snapshot};
pub use wire::{Closing, Dialect, FrameKind};
