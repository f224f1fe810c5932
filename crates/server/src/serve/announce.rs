//! The output at start: one log line for programs, a few lines on standard error for people.
//!
//! Called by `serve`. The set-up link goes only to standard error: it is a secret, and logs are kept.

use std::net::SocketAddr;

use crate::app::App;
use crate::telemetry::build;

use super::capacity::Capacity;

/// The log lines: probable mistakes first, then the running service.
pub(super) fn log_start(app: &App, address: SocketAddr, capacity: &Capacity) {
    for warning in app.config.warnings(capacity.sockets) {
        tracing::warn!("{warning}");
    }
    let (sockets, storage) = (&app.config.sockets, &app.config.storage);
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
        database_connections = storage.is_postgres().then(|| storage.options.most_connections()),
        max_sockets = capacity.sockets,
        outbound_budget = capacity.outbound_budget,
        memory = capacity.formula(),
        ping_interval_ms = u64::try_from(sockets.ping_interval.as_millis()).unwrap_or(u64::MAX),
        "listening"
    );
}

/// The addresses to open, in three lines.
pub(super) fn say_where(app: &App, address: SocketAddr) {
    let players = app.config.public_url();
    // The host sits at this machine, where localhost is a secure context for the browser and needs no network.
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
