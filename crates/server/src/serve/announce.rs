//! What is said at start: one log line for programs, a few lines on standard error for people.
//!
//! Called by `serve`. The set-up link goes to standard error only: it is a secret, and logs are kept.

use std::net::SocketAddr;

use crate::app::App;

use super::capacity::Capacity;

/// The log line.
pub(super) fn log_start(app: &App, address: SocketAddr, capacity: &Capacity) {
    let sockets = &app.config.sockets;
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        %address,
        environment = ?app.config.telemetry.environment,
        max_sockets = capacity.sockets,
        outbound_budget = capacity.outbound_budget,
        memory = capacity.formula(),
        ping_interval_ms = u64::try_from(sockets.ping_interval.as_millis()).unwrap_or(u64::MAX),
        "listening"
    );
}

/// Where to go now.
pub(super) fn say_where(app: &App, address: SocketAddr) {
    let url = match &app.config.listen.public_url {
        Some(url) => url.clone(),
        None if address.ip().is_unspecified() => format!("http://localhost:{}", address.port()),
        None => format!("http://{address}"),
    };
    eprintln!("Quizhall {} is open at {url}", env!("CARGO_PKG_VERSION"));
    eprintln!("  Reference: {url}/api/docs");
    if let Some(token) = app.hosts.set_up_token() {
        eprintln!("  There is no host account yet. Whoever opens this link first makes it:");
        eprintln!("  {url}/setup#{}", token.expose());
    }
}
