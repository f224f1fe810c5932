//! A value that is dropped when a TCP connection has ended, whether as HTTP or as a WebSocket.

use std::any::Any;
use std::sync::Arc;

/// Put into every request's extensions by `serve`; a socket keeps it, so that its place stays counted.
#[derive(Clone)]
pub struct Held(#[allow(dead_code, reason = "held for its Drop")] Arc<dyn Any + Send + Sync>);

impl Held {
    /// Holds `thing` until the last clone is dropped.
    pub fn new(thing: impl Any + Send + Sync) -> Self {
        Self(Arc::new(thing))
    }
}
