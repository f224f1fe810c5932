//! What operators see: logs (`log`), metrics (`metrics`), panics (`panic`).
//!
//! Used by everything; imports nothing of the service but its settings. Never sees a token, an answer or a name.

mod declared;
pub mod log;
pub mod metrics;
pub mod panic;
mod writer;

pub use metrics::{Metrics, SocketStats};
