//! The live games of this node: loads a game when it is used, runs its owner and its edge as tasks, drops it when idle.
//!
//! Called by `http` (joins, host API) and `ws` (attach, messages). The only part that drives the engine with real time, a
//! real store and real sockets; decides nothing about games itself.

mod edge;
mod error;
pub mod live;
pub mod log;
pub mod node;
mod options;
pub mod owner;
mod ownership;
mod placement;
pub mod reading;
mod records;
mod registry;

pub use error::{CommandError, GameError};
pub use live::handle::GameHandle;
pub use live::jobs::{HandOver, Heir};
pub use live::sink::Sink;
pub use node::LOADS;
pub use options::GameOptions;
pub use placement::{PlacedNode, Placement};
pub use quizhall_engine::{ConnectionId, Holder, Liveness, Message, Participant, Seat, Viewer};
pub use reading::LOAD_BYTES;
pub(crate) use registry::held::HOLD_SETTLE;
pub use registry::{GameRegistry, GameStats};
