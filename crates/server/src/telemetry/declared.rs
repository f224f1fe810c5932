//! Every metric of the service, declared once: its name, its help text in `/metrics`, and the series of a counter.
//!
//! Used only by `metrics`. Never a game code, a name or an id as a label: they leak, and their number has no bound.

use quizhall_protocol::CloseCode;

use super::limits::Limit;

/// The labels of one series of a metric.
pub(super) type Labels = Vec<(&'static str, String)>;

/// A counter with every series it can have, so that each exists with 0 from the start: a rate over a series that
/// appears with its first event misses that event.
pub(super) struct Counter {
    name: &'static str,
    series: fn() -> Vec<Labels>,
}

impl Counter {
    /// Adds to a counter without labels.
    pub(super) fn add(&self, count: u64) {
        self.add_to(&[], count);
    }

    /// Adds to the series with these labels, which must be declared.
    pub(super) fn add_to(&self, labels: &[(&'static str, &'static str)], count: u64) {
        debug_assert!(self.has(labels), "{} has no series {labels:?} in telemetry/declared.rs", self.name);
        ::metrics::counter!(self.name, labels).increment(count);
    }

    /// Adds to a series with labels that are made at run time.
    pub(super) fn add_to_series(&self, labels: &Labels, count: u64) {
        ::metrics::counter!(self.name, labels).increment(count);
    }

    /// The handle of one series, for very frequent events.
    pub(super) fn handle(&self, labels: &[(&'static str, &'static str)]) -> ::metrics::Counter {
        debug_assert!(self.has(labels), "{} has no series {labels:?} in telemetry/declared.rs", self.name);
        ::metrics::counter!(self.name, labels)
    }

    fn zero(&self) {
        for labels in (self.series)() {
            ::metrics::counter!(self.name, &labels).increment(0);
        }
    }

    fn has(&self, labels: &[(&'static str, &'static str)]) -> bool {
        let same = |(one, other): (&(&str, &str), &(&str, String))| one.0 == other.0 && one.1 == other.1;
        (self.series)().iter().any(|known| known.len() == labels.len() && labels.iter().zip(known).all(same))
    }

    fn texts(&self) -> Vec<String> {
        let text = |labels: Labels| match labels.as_slice() {
            [] => self.name.to_owned(),
            some => {
                let labels: Vec<String> = some.iter().map(|(label, value)| format!("{label}=\"{value}\"")).collect();
                format!("{}{{{}}}", self.name, labels.join(","))
            }
        };
        (self.series)().into_iter().map(text).collect()
    }
}

macro_rules! declare {
    ($($kind:ident $name:ident = $text:literal $(by $series:expr)?, $help:literal;)*) => {
        $(declare!(@item $kind $name = $text, $help $(, $series)?);)*

        /// Registers every help text, and every counter with 0.
        pub(super) fn describe() {
            $(declare!(@describe $kind $text, $help);)*
            $(declare!(@zero $kind $name);)*
        }

        /// Every series of every counter except those of [`HTTP_REQUESTS`], as `/metrics` writes it.
        pub(super) fn counters() -> Vec<String> {
            let mut all = Vec::new();
            $(declare!(@texts $kind $name, all);)*
            all
        }
    };
    (@item counter $name:ident = $text:literal, $help:literal) => { declare!(@item counter $name = $text, $help, none); };
    (@item counter $name:ident = $text:literal, $help:literal, $series:expr) => {
        #[doc = $help] pub(super) const $name: Counter = Counter { name: $text, series: $series };
    };
    (@item $kind:ident $name:ident = $text:literal, $help:literal) => { #[doc = $help] pub(super) const $name: &str = $text; };
    (@describe counter $text:literal, $help:literal) => { ::metrics::describe_counter!($text, $help) };
    (@describe requests $text:literal, $help:literal) => { ::metrics::describe_counter!($text, $help) };
    (@describe gauge $text:literal, $help:literal) => { ::metrics::describe_gauge!($text, $help) };
    (@describe histogram $text:literal, $help:literal) => { ::metrics::describe_histogram!($text, $help) };
    (@zero counter $name:ident) => { $name.zero() };
    (@zero $kind:ident $name:ident) => {};
    (@texts counter $name:ident, $all:ident) => { $all.extend($name.texts()) };
    (@texts $kind:ident $name:ident, $all:ident) => {};
}

/// The single series without labels.
fn none() -> Vec<Labels> {
    vec![Labels::new()]
}

/// A series for each value of one label.
fn each(label: &'static str, values: &[&str]) -> Vec<Labels> {
    values.iter().map(|value| vec![(label, (*value).to_owned())]).collect()
}

fn closes() -> Vec<Labels> {
    let labels = |code: &CloseCode| vec![("code", code.number().to_string()), ("reason", code.reason().to_owned())];
    CloseCode::ALL.iter().map(labels).collect()
}

/// The role of a socket's client.
pub(super) const ROLES: [&str; 3] = ["host", "player", "screen"];
/// Why a socket was not opened.
const REFUSALS: &[&str] = &[
    "origin",
    "handshake",
    "full",
    "too_fast",
    "draining",
    "damaged",
    "unauthorized",
    "forbidden",
    "not_found",
    "conflicting",
    "unavailable",
    "busy",
    "reconnects",
    "game_too_fast",
    "address",
];
/// The outcome of a join.
const JOINED: &[&str] = &["joined", "refused", "limited", "failed"];
/// The outcome of a snapshot.
const SNAPSHOT: &[&str] = &["stored", "failed", "dropped"];
/// The outcome of an attempt to own a game.
const CLAIMED: &[&str] = &["won", "given", "lost", "unknown", "impossible"];

/// The outcome of releasing a game to another node.
const HANDED_OVER: &[&str] = &["moved", "kept"];

/// The outcome of an attempt to call a webhook, and of deliveries that are no longer attempted.
const DELIVERED: &[&str] = &["delivered", "failed", "refused", "given_up", "dropped"];

declare! {
    gauge BUILD_INFO = "quizhall_build_info", "Always 1; version and commit are its labels.";
    gauge DATABASE_UP = "quizhall_database_up", "1 while the last probe of the database succeeded.";
    gauge CACHE_UP = "quizhall_cache_up", "1 while the last probe of the cache store succeeded, or there is none.";
    gauge DATABASE_BYTES = "quizhall_database_bytes", "Size of the database: of its file, or as PostgreSQL reports it.";
    gauge WAL_BYTES = "quizhall_database_wal_bytes", "Size of the write-ahead log of the database file.";
    gauge FREE_BYTES = "quizhall_disk_free_bytes", "Room on the disk of the database file, for this service's user.";
    gauge LAST_BACKUP = "quizhall_last_backup_timestamp_seconds", "When `quizhall backup` last succeeded, in Unix time; 0: never.";
    gauge LAST_CHECKPOINT = "quizhall_last_checkpoint_timestamp_seconds", "When this process last moved the whole write-ahead log into the database file, in Unix time; 0: never.";
    counter LOG_LINES_DROPPED = "quizhall_log_lines_dropped_total", "Log lines lost because standard output was not read.";
    counter LIMITS_REACHED = "quizhall_limits_reached_total" by || each("kind", Limit::NAMES), "Times that a limit refused a client or made it wait, by kind of limit.";
    counter PANICS = "quizhall_panics_total", "Panics, contained or not. Each is a bug.";

    requests HTTP_REQUESTS = "quizhall_http_requests_total", "HTTP requests answered, by route, method and status; the documented ones exist with 0 from the start.";
    histogram HTTP_DURATION = "quizhall_http_request_duration_seconds", "Time to answer a request, by route, method and status.";
    gauge HTTP_CONNECTIONS = "quizhall_connections", "Open TCP connections, sockets included.";
    counter ACCEPT_ERRORS = "quizhall_accept_errors_total", "Connections that could not be accepted, such as for want of descriptors.";
    counter CONNECTIONS_REFUSED = "quizhall_connections_refused_total", "Connections over the limit, closed or answered 503.";

    gauge SOCKETS = "quizhall_sockets", "Open sockets of games, by role.";
    gauge SOCKETS_MAX = "quizhall_sockets_max", "The most sockets that may be open.";
    counter SOCKETS_OPENED = "quizhall_sockets_opened_total" by || each("role", &ROLES), "Sockets opened, by role.";
    counter SOCKETS_REFUSED = "quizhall_sockets_refused_total" by || each("reason", REFUSALS), "Sockets refused, by reason.";
    counter SOCKET_CLOSES = "quizhall_socket_closes_total" by closes, "Closes chosen by the server, by close code.";
    counter SOCKET_MESSAGES = "quizhall_socket_messages_total" by || each("role", &ROLES), "Messages received over sockets, by role.";
    gauge OUTBOUND_BYTES = "quizhall_outbound_queue_bytes", "Bytes waiting for slow sockets, shared frames counted once.";
    gauge OUTBOUND_BUDGET = "quizhall_outbound_budget_bytes", "The most bytes that may wait; beyond it the slowest sockets are closed.";

    gauge GAMES = "quizhall_games", "Live games on this node, by phase.";
    gauge PENDING = "quizhall_commands_pending", "Commands that wait for their commit.";
    gauge JOINS_WAITING = "quizhall_joins_waiting", "Joins that wait for their turn or are being stored.";
    counter ANSWERS = "quizhall_answers_total", "Answers stored, changed answers included.";
    histogram ANSWER_ACK = "quizhall_answer_ack_seconds", "Time from an answer's arrival at its game to the writing of its acknowledgement.";
    counter JOINS = "quizhall_joins_total" by || each("outcome", JOINED), "Players asking to join, by outcome.";

    counter GAMES_PURGED = "quizhall_games_purged_total", "Games whose data were deleted for good.";

    counter WEBHOOK_DELIVERIES = "quizhall_webhook_deliveries_total" by || each("outcome", DELIVERED), "Attempts to call webhooks, by outcome: delivered, failed, refused (the settings do not allow the address); and deliveries without a further attempt, given up after the last one or dropped because there was nothing to send.";
    counter WEBHOOKS_DISABLED = "quizhall_webhooks_disabled_total", "Webhooks disabled because every delivery failed for too long.";

    histogram OWNER_BUSY = "quizhall_owner_busy_seconds", "Time for which the owner of a game took nothing further, if it was a millisecond or more.";
    histogram COMMIT_DURATION = "quizhall_commit_duration_seconds", "Time of one append to the log, sync to disk included, by store.";
    histogram COMMIT_ROWS = "quizhall_commit_rows", "Games in one append.";
    counter COMMIT_EVENTS = "quizhall_commit_events_total", "Events committed.";
    counter BUS_LOST = "quizhall_bus_frames_lost_total", "Frames between owners and edges that found no room or no receiver.";
    histogram BUS_LAG = "quizhall_bus_lag_seconds", "Time a message of this node to itself takes through the cache store, measured twice a second.";
    counter BUS_MESSAGES = "quizhall_bus_parcels_total" by || each("direction", &["in", "out"]), "Messages exchanged with other nodes, by direction.";
    histogram BUS_BATCH = "quizhall_bus_batch_parcels", "Messages written to another node at once.";
    counter COMMIT_FAILURES = "quizhall_commit_failures_total", "Appends that failed or whose outcome had to be read back.";
    counter APPENDS_REFUSED = "quizhall_appends_refused_total", "Rows that the log refused because another writer had appended.";
    counter DATABASE_REWINDS = "quizhall_database_rewinds_total", "Times the database was found set back to an earlier state. Each needs attention.";

    counter GAMES_DAMAGED = "quizhall_games_damaged_total", "Games whose log was found damaged. Each needs attention.";

    gauge NODES = "quizhall_nodes", "Nodes in the list, as this one last read it.";
    counter NODES_EVICTED = "quizhall_nodes_buried_total", "Silent nodes that this one removed from the list.";
    counter SNAPSHOTS = "quizhall_snapshots_total" by || each("outcome", SNAPSHOT), "Snapshots of games, by outcome: stored, failed, or dropped because too much waited.";
    counter CLAIMS = "quizhall_claims_total" by || each("outcome", CLAIMED), "Attempts to become the owner of a game, by outcome; given: another node suits clearly better, and is to own it.";
    counter HAND_OVERS = "quizhall_hand_overs_total" by || each("outcome", HANDED_OVER), "Games that this node was to release to another one, because it stops or an operator ordered it, by outcome.";
    counter OWNERS_FENCED = "quizhall_owners_fenced_total", "Games dropped because another node owns them by now.";
    counter LIMITS_LOCAL = "quizhall_shared_limit_failures_total", "Shared limits that did not answer: only this node's own applied for a second.";

    histogram FANOUT_DURATION = "quizhall_fanout_duration_seconds", "Time to hand one broadcast to all its sockets.";
    histogram FANOUT_RECIPIENTS = "quizhall_fanout_recipients", "Sockets of one broadcast.";

    gauge RUNTIME_WORKERS = "quizhall_runtime_workers", "Threads that run tasks.";
    gauge RUNTIME_TASKS = "quizhall_runtime_tasks", "Tasks alive.";
    gauge RUNTIME_QUEUE = "quizhall_runtime_global_queue_depth", "Tasks ready to run that no thread has taken.";
    gauge RUNTIME_BUSY = "quizhall_runtime_busy_ratio", "Share of the time since the last scrape that the threads were busy, 0 to 1.";
}
