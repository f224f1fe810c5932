//! Every metric of the service, declared once: its name and the help text `/metrics` shows.
//!
//! Used by `metrics` only. Never a game code, a name or an id as a label: they leak, and they never end.

macro_rules! declare {
    ($($kind:ident $name:ident = $text:literal, $help:literal;)*) => {
        $(#[doc = $help] pub(super) const $name: &str = $text;)*

        /// Tells the recorder every help text.
        pub(super) fn describe() {
            $(declare!(@$kind $text, $help);)*
        }
    };
    (@counter $text:literal, $help:literal) => { ::metrics::describe_counter!($text, $help) };
    (@gauge $text:literal, $help:literal) => { ::metrics::describe_gauge!($text, $help) };
    (@histogram $text:literal, $help:literal) => { ::metrics::describe_histogram!($text, $help) };
}

declare! {
    gauge BUILD_INFO = "quizhall_build_info", "Always 1; the version is its label.";
    gauge DATABASE_UP = "quizhall_database_up", "1 while the last probe of the database succeeded.";
    gauge CACHE_UP = "quizhall_cache_up", "1 while the last probe of the cache store succeeded, or there is none.";
    counter PANICS = "quizhall_panics_total", "Panics, contained or not. Each is a bug.";

    counter HTTP_REQUESTS = "quizhall_http_requests_total", "HTTP requests answered, by route, method and status.";
    histogram HTTP_DURATION = "quizhall_http_request_duration_seconds", "Time to answer a request, by route, method and status.";
    gauge HTTP_CONNECTIONS = "quizhall_connections", "Open TCP connections, sockets included.";
    counter ACCEPT_ERRORS = "quizhall_accept_errors_total", "Connections that could not be accepted, such as for want of descriptors.";
    counter LIMITS_REACHED = "quizhall_limits_reached_total", "Times that a limit held somebody off or closed a connection, by kind.";
    counter CONNECTIONS_REFUSED = "quizhall_connections_refused_total", "Connections over the limit, closed or answered 503.";

    gauge SOCKETS = "quizhall_sockets", "Open sockets of games, by role.";
    counter SOCKETS_OPENED = "quizhall_sockets_opened_total", "Sockets opened, by role.";
    counter SOCKETS_REFUSED = "quizhall_sockets_refused_total", "Sockets refused, by reason.";
    counter SOCKET_CLOSES = "quizhall_socket_closes_total", "Closes chosen by the server, by close code.";
    counter SOCKET_MESSAGES = "quizhall_socket_messages_total", "Messages received over sockets, by role.";
    gauge OUTBOUND_BYTES = "quizhall_outbound_queue_bytes", "Bytes waiting for slow sockets, shared frames counted once.";
    gauge OUTBOUND_BUDGET = "quizhall_outbound_budget_bytes", "The most bytes that may wait; past it the slowest sockets are closed.";

    gauge GAMES = "quizhall_games", "Live games on this node, by phase.";
    gauge PENDING = "quizhall_commands_pending", "Commands that wait for their commit.";
    gauge JOINS_WAITING = "quizhall_joins_waiting", "Joins that wait for their turn or are being stored.";
    counter ANSWERS = "quizhall_answers_total", "Answers stored, changed answers included.";
    counter JOINS = "quizhall_joins_total", "Players asking to join, by outcome.";

    histogram COMMIT_DURATION = "quizhall_commit_duration_seconds", "Time of one append to the log, sync to disk included, by store.";
    histogram COMMIT_ROWS = "quizhall_commit_rows", "Games in one append.";
    counter COMMIT_EVENTS = "quizhall_commit_events_total", "Events committed.";
    counter BUS_LOST = "quizhall_bus_frames_lost_total", "Frames between owners and edges that found no room or no receiver.";
    histogram BUS_LAG = "quizhall_bus_lag_seconds", "Time a parcel of this node to itself takes through the cache store, measured twice a second.";
    counter BUS_PARCELS = "quizhall_bus_parcels_total", "Parcels exchanged with other nodes, by direction.";
    histogram BUS_BATCH = "quizhall_bus_batch_parcels", "Parcels written to another node at once.";
    counter COMMIT_FAILURES = "quizhall_commit_failures_total", "Appends that failed or whose outcome had to be read back.";
    counter APPENDS_REFUSED = "quizhall_appends_refused_total", "Rows that the log refused because it had grown otherwise.";
    counter DATABASE_REWINDS = "quizhall_database_rewinds_total", "Times the database was found set back to an earlier state. Each wants a look.";

    gauge NODES = "quizhall_nodes", "Nodes in the list, as this one last read it.";
    counter NODES_BURIED = "quizhall_nodes_buried_total", "Silent nodes that this one struck off the list.";
    counter CLAIMS = "quizhall_claims_total", "Attempts to become the owner of a game, by outcome.";
    counter SNAPSHOTS = "quizhall_snapshots_total", "Snapshots of games, by outcome: stored, failed, or dropped because too much waited.";
    counter OWNERS_FENCED = "quizhall_owners_fenced_total", "Games dropped because another node owns them by now.";
    counter LIMITS_LOCAL = "quizhall_shared_limit_failures_total", "Shared limits that did not answer: this node's own held alone for a second.";

    histogram FANOUT_DURATION = "quizhall_fanout_duration_seconds", "Time to hand one broadcast to all its sockets.";
    histogram FANOUT_RECIPIENTS = "quizhall_fanout_recipients", "Sockets of one broadcast.";

    gauge RUNTIME_WORKERS = "quizhall_runtime_workers", "Threads that run tasks.";
    gauge RUNTIME_TASKS = "quizhall_runtime_tasks", "Tasks alive.";
    gauge RUNTIME_QUEUE = "quizhall_runtime_global_queue_depth", "Tasks ready to run that no thread has taken.";
    gauge RUNTIME_BUSY = "quizhall_runtime_busy_ratio", "Share of the time since the last scrape that the threads were busy, 0 to 1.";
}
