//! What operators see: logs (`log`), metrics (`metrics`), panics (`panic`), repeated log lines (`recurring`), and the
//! identity of the build (`build`).
//!
//! Used by everything; imports from the service only its settings, its clock and the table of close codes. Never sees a
//! token, an answer or a name.

pub mod build;
mod declared;
mod limits;
pub mod log;
pub mod metrics;
pub mod panic;
mod recurring;
pub mod writer;

pub use limits::Limit;
pub use log::LogLevel;
pub use metrics::{Metrics, SocketStats, StorageUsage};
pub use recurring::Recurring;
