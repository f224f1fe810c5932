//! What is said at start: one log line for programs, a few lines on standard error for people.
//!
//! Called by `serve`. The set-up link goes to standard error only: it is a secret, and logs are kept.

use std::net::SocketAddr;

use crate::app::App;
use crate::config::Environment;
use crate::telemetry::build;

use super::capacity::Capacity;

/// Fewer than this are a default of the machine rather than a decision: less than one full game.
const FEW_SOCKETS: usize = 1_000;

/// The log lines: what looks like a mistake, then what runs.
pub(super) fn log_start(app: &App, address: SocketAddr, capacity: &Capacity) {
    for warning in app.config.warnings() {
        tracing::warn!("{warning}");
    }
    let is_production = app.config.telemetry.environment == Environment::Production;
    if is_production && app.config.sockets.max_sockets.is_none() && capacity.sockets < FEW_SOCKETS {
        tracing::warn!(sockets = capacity.sockets, "the limit of open files leaves room for few sockets: raise it");
    }
    let sockets = &app.config.sockets;
    let place = match &app.config.listen.unix_socket {
        Some(path) => format!("unix:{}", path.display()),
        None => address.to_string(),
    };
    tracing::info!(
        version = build::VERSION,
        commit = build::COMMIT,
        address = place,
        health_address = app.config.listen.health_addr.map(tracing::field::display),
        environment = ?app.config.telemetry.environment,
        max_sockets = capacity.sockets,
        outbound_budget = capacity.outbound_budget,
        memory = capacity.formula(),
        ping_interval_ms = u64::try_from(sockets.ping_interval.as_millis()).unwrap_or(u64::MAX),
        "listening"
    );
}

/// Where to go now, in three lines.
pub(super) fn say_where(app: &App, address: SocketAddr) {
    let players = app.config.public_url();
    // The host sits at this machine; there, localhost is a secure context for the browser, and no cable is needed.
    let host = match &app.config.listen.public_url {
        None if address.ip().is_unspecified() => format!("http://localhost:{}", address.port()),
        _ => players.clone(),
    };
    eprintln!("Quizhall {} is running.", build::VERSION);
    match app.hosts.set_up_token() {
        Some(token) => {
            eprintln!("  Host:    {host}/setup#{} (works once, to create your account)", token.expose());
        }
        None => eprintln!("  Host:    {host}/host"),
    }
    eprintln!("  Players: {players}");
}
