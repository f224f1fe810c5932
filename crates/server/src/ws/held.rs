//! What must live exactly as long as a TCP connection, whoever serves it by then.

use std::any::Any;
use std::sync::Arc;

/// Put into every request's extensions by `serve`; a socket keeps it, so that its place stays counted.
#[derive(Clone)]
pub struct Held(#[allow(dead_code, reason = "held for its Drop")] Arc<dyn Any + Send + Sync>);

impl Held {
    /// Holds `thing` until the last clone is gone.
    pub fn new(thing: impl Any + Send + Sync) -> Self {
        Self(Arc::new(thing))
    }
}
