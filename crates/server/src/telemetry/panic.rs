//! A panic becomes one log line with its place, but not its payload, which could contain text of a user.

use std::panic;

/// Replaces the default hook, which prints the payload.
pub fn install_hook() {
    panic::set_hook(Box::new(|info| {
        let thread = std::thread::current();
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, thread = thread.name().unwrap_or_default(), "panic");
        super::metrics::panicked();
    }));
}
