//! Metrics in the Prometheus text format.
//!
//! Observations are free functions that any part calls and that do nothing before [`Metrics::start`];
//! `App::metrics_text` sets the gauges at the moment of a scrape. `declared` has the names and help texts.

use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use metrics::{Counter, Histogram, counter, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use quizhall_protocol::{Close, CloseCode};
use tokio_metrics::{RuntimeIntervals, RuntimeMonitor};

use super::build;
use super::declared as name;
use super::limits::Limit;

/// From 100 µs to 10 s: a commit takes a millisecond, a timeout 5 s.
const SECONDS: [f64; 15] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
const COUNTS: [f64; 12] = [1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 500.0, 1_000.0, 5_000.0, 10_000.0, 50_000.0, 100_000.0];
/// Histograms keep every sample until upkeep has put it into a bucket.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// The recorder of the process: the metrics library allows only one.
static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// The data of `/metrics`.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    recorder: PrometheusHandle,
    process: Collector,
    runtime: Mutex<RuntimeIntervals>,
}

/// The state of the sockets at the moment of a scrape.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SocketStats {
    /// Open sockets of hosts.
    pub hosts: usize,
    /// Open sockets of players.
    pub players: usize,
    /// Open sockets of screens.
    pub screens: usize,
    /// Waiting bytes, with shared frames counted once.
    pub queued_bytes: usize,
    /// Most bytes that may wait.
    pub budget_bytes: usize,
    /// Most sockets that may be open.
    pub most: usize,
}

/// The storage used by the database. `None`: this kind of database has no such number, or it could not be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StorageUsage {
    /// Bytes of the database.
    pub database_bytes: Option<u64>,
    /// Bytes of the write-ahead log.
    pub wal_bytes: Option<u64>,
    /// Bytes free on its disk.
    pub free_bytes: Option<u64>,
    /// When the last backup succeeded, in seconds of Unix time; 0: never.
    pub last_backup: Option<u64>,
    /// When the write-ahead log was last moved into the file, in seconds of Unix time; 0: not by this process.
    pub last_checkpoint: Option<u64>,
}

impl Metrics {
    /// Installs the recorder, once per process, and starts its upkeep. Must be called inside the runtime.
    pub fn start() -> Self {
        let recorder = RECORDER.get_or_init(install).clone();
        let process = Collector::default();
        process.describe();
        let runtime = Mutex::new(RuntimeMonitor::new(&tokio::runtime::Handle::current()).intervals());
        let inner = Arc::new(Inner { recorder, process, runtime });
        tokio::spawn(upkeep(Arc::downgrade(&inner)));
        Self(inner)
    }

    /// The text exposition format of everything known now, with the gauges that `read` sets.
    pub fn render(&self, read: impl FnOnce(&Self)) -> String {
        // When a process has several apps, as in tests, none sets a gauge between another's setting and rendering it.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        read(self);
        self.0.process.collect();
        self.0.read_runtime();
        self.0.recorder.render()
    }

    /// Sets the gauges of the sockets.
    pub fn sockets(&self, stats: SocketStats) {
        gauge!(name::SOCKETS, "role" => "host").set(float(stats.hosts));
        gauge!(name::SOCKETS, "role" => "player").set(float(stats.players));
        gauge!(name::SOCKETS, "role" => "screen").set(float(stats.screens));
        gauge!(name::SOCKETS_MAX).set(float(stats.most));
        gauge!(name::OUTBOUND_BYTES).set(float(stats.queued_bytes));
        gauge!(name::OUTBOUND_BUDGET).set(float(stats.budget_bytes));
    }

    /// Sets the gauge of the games in one phase (`as_str` of the phase).
    pub fn games(&self, phase: &'static str, count: usize) {
        gauge!(name::GAMES, "phase" => phase).set(float(count));
    }

    /// Sets the gauge of commands that wait for their commit.
    pub fn pending(&self, count: usize) {
        gauge!(name::PENDING).set(float(count));
    }

    /// Sets the gauge of joins that wait or are under way.
    pub fn joins_waiting(&self, count: usize) {
        gauge!(name::JOINS_WAITING).set(float(count));
    }

    /// Sets the gauge of the database.
    pub fn database_up(&self, up: bool) {
        gauge!(name::DATABASE_UP).set(if up { 1.0 } else { 0.0 });
    }

    /// Sets the gauges of the storage and the last maintenance of the database; unknown values are left out.
    pub fn usage(&self, usage: &StorageUsage) {
        let gauges = [
            (name::DATABASE_BYTES, usage.database_bytes),
            (name::WAL_BYTES, usage.wal_bytes),
            (name::FREE_BYTES, usage.free_bytes),
            (name::LAST_BACKUP, usage.last_backup),
            (name::LAST_CHECKPOINT, usage.last_checkpoint),
        ];
        for (name, value) in gauges {
            if let Some(value) = value {
                gauge!(name).set(precise(value));
            }
        }
    }

    /// Sets the gauge of the cache store.
    pub fn cache_up(&self, up: bool) {
        gauge!(name::CACHE_UP).set(if up { 1.0 } else { 0.0 });
    }
}

impl Inner {
    fn read_runtime(&self) {
        let mut runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(interval) = runtime.next() {
            gauge!(name::RUNTIME_WORKERS).set(float(interval.workers_count));
            gauge!(name::RUNTIME_TASKS).set(float(interval.live_tasks_count));
            gauge!(name::RUNTIME_QUEUE).set(float(interval.global_queue_depth));
            gauge!(name::RUNTIME_BUSY).set(interval.busy_ratio());
        }
    }
}

/// Records one append to the log of this store: its duration, its number of games, and its number of events.
pub fn commit_observed(store: &'static str, duration: Duration, rows: usize, events: usize) {
    histogram!(name::COMMIT_DURATION, "store" => store).record(duration.as_secs_f64());
    histogram!(name::COMMIT_ROWS).record(float(rows));
    name::COMMIT_EVENTS.add(events as u64);
}

/// Counts a row that the log refused: another writer has appended, or the answer to an earlier commit was lost.
pub fn append_refused() {
    name::APPENDS_REFUSED.add(1);
}

/// Counts that the head of a log was an older row of ours: the database was set back.
pub fn database_rewound() {
    name::DATABASE_REWINDS.add(1);
}

/// Counts a game whose log was found damaged.
pub fn game_damaged() {
    name::GAMES_DAMAGED.add(1);
}

/// Counts games whose data were deleted for good.
pub fn games_purged(count: u64) {
    name::GAMES_PURGED.add(count);
}

/// Counts the outcome of a delivery to a webhook, one of our words such as `delivered`.
pub fn webhook_delivery(outcome: &'static str) {
    name::WEBHOOK_DELIVERIES.add_to(&[("outcome", outcome)], 1);
}

/// Counts a webhook that was disabled, because it failed for too long.
pub fn webhook_disabled() {
    name::WEBHOOKS_DISABLED.add(1);
}

/// Sets the gauge of nodes in the list.
pub fn nodes(count: usize) {
    gauge!(name::NODES).set(float(count));
}

/// Counts a silent node that this node removed from the list.
pub fn node_evicted() {
    name::NODES_EVICTED.add(1);
}

/// Counts an attempt of this node to become the owner of a game; the outcome is one of our words such as `won` or
/// `lost`.
pub fn claim(outcome: &'static str) {
    name::CLAIMS.add_to(&[("outcome", outcome)], 1);
}

/// Counts the outcome of a snapshot, one of our words such as `stored`.
pub fn snapshot(outcome: &'static str) {
    name::SNAPSHOTS.add_to(&[("outcome", outcome)], 1);
}

/// Counts a game that this node dropped because another one owns it by now.
pub fn owner_fenced() {
    name::OWNERS_FENCED.add(1);
}

/// Counts a shared limit that did not answer.
pub fn shared_limit_failed() {
    name::LIMITS_LOCAL.add(1);
}

/// Counts a game that was to be released to another node.
pub fn handed_over(moved: bool) {
    name::HAND_OVERS.add_to(&[("outcome", if moved { "moved" } else { "kept" })], 1);
}

/// Counts a lost frame between an owner and an edge.
pub fn bus_frame_lost() {
    name::BUS_LOST.add(1);
}

/// Counts several frames that were lost at once.
pub fn bus_frames_lost(count: usize) {
    name::BUS_LOST.add(count as u64);
}

/// Counts messages that were written to another node at once.
pub fn bus_sent(messages: usize) {
    name::BUS_MESSAGES.add_to(&[("direction", "out")], messages as u64);
    histogram!(name::BUS_BATCH).record(float(messages));
}

/// Counts messages that came from another node.
pub fn bus_received(messages: usize) {
    name::BUS_MESSAGES.add_to(&[("direction", "in")], messages as u64);
}

/// Records the time that a message of this node to itself took.
pub fn bus_lag(took: Duration) {
    histogram!(name::BUS_LAG).record(took.as_secs_f64());
}

/// Counts a failed append: no client was shown any of it.
pub fn commit_failed() {
    name::COMMIT_FAILURES.add(1);
}

/// Records one broadcast: the time to hand it to this many sockets.
pub fn broadcast_observed(duration: Duration, recipients: usize) {
    histogram!(name::FANOUT_DURATION).record(duration.as_secs_f64());
    histogram!(name::FANOUT_RECIPIENTS).record(float(recipients));
}

/// Records that an owner took nothing further for this long.
pub fn owner_busy(took: Duration) {
    // Shorter ones delay no one noticeably.
    if took >= Duration::from_millis(1) {
        histogram!(name::OWNER_BUSY).record(took.as_secs_f64());
    }
}

/// Counts stored answers.
pub fn answers_stored(count: u64) {
    name::ANSWERS.add(count);
}

/// Records the time between the arrival of an answer at its game and its acknowledgement.
pub fn answer_acknowledged(waited: Duration) {
    /// Looked up once, because there is one for every answer. The recorder is installed before the first game.
    static HISTOGRAM: LazyLock<Histogram> = LazyLock::new(|| histogram!(name::ANSWER_ACK));
    HISTOGRAM.record(waited.as_secs_f64());
}

/// Counts a request to join; the outcome is one of our words such as `joined` or `name_taken`.
pub fn join_observed(outcome: &'static str) {
    name::JOINS.add_to(&[("outcome", outcome)], 1);
}

/// Records an answered request. The route is the pattern, never the path.
pub fn request_observed(route: &str, method: &'static str, status: u16, duration: Duration) {
    let labels = [("route", route.to_owned()), ("method", method.to_owned()), ("status", status.to_string())];
    counter!(name::HTTP_REQUESTS, &labels).increment(1);
    histogram!(name::HTTP_DURATION, &labels).record(duration.as_secs_f64());
}

/// Counts an opened socket.
pub fn socket_opened(role: &'static str) {
    name::SOCKETS_OPENED.add_to(&[("role", role)], 1);
}

/// Counts a refused socket; the reason is one of our words.
pub fn socket_refused(reason: &'static str) {
    name::SOCKETS_REFUSED.add_to(&[("reason", reason)], 1);
}

/// Counts a socket that the server chose to close.
pub fn socket_closed(close: Close) {
    socket_turned_away(close.code.number(), close.code.reason());
    match close.code {
        CloseCode::RateLimited if close == Close::TOO_MUCH => limit_reached(Limit::LogPerSeat),
        CloseCode::RateLimited => limit_reached(Limit::MessageRate),
        CloseCode::MessageTooBig => limit_reached(Limit::MessageSize),
        CloseCode::SlowConsumer => limit_reached(Limit::OutboundQueue),
        _ => {}
    }
}

/// Counts a socket that was closed before it reached its game. The reason is the first word of the close's reason; the
/// caller counts the limit, if one was the cause.
pub fn socket_turned_away(code: u16, reason: &'static str) {
    name::SOCKET_CLOSES.add_to_series(&vec![("code", code.to_string()), ("reason", reason.to_owned())], 1);
}

/// Counts a message from a socket.
pub fn message_received(role: &'static str) {
    /// Looked up once, because there is one for every answer. The recorder is installed before the first socket.
    static BY_ROLE: LazyLock<[(&str, Counter); 3]> =
        LazyLock::new(|| name::ROLES.map(|role| (role, name::SOCKET_MESSAGES.handle(&[("role", role)]))));
    if let Some((_, counter)) = BY_ROLE.iter().find(|(known, _)| *known == role) {
        counter.increment(1);
    }
}

/// Counts a connection that could not be accepted.
pub fn accept_failed() {
    name::ACCEPT_ERRORS.add(1);
}

/// Counts an accepted connection.
pub fn connection_opened() {
    gauge!(name::HTTP_CONNECTIONS).increment(1.0);
}

/// Counts a connection that has ended.
pub fn connection_closed() {
    gauge!(name::HTTP_CONNECTIONS).decrement(1.0);
}

/// Counts a connection over the limit that was refused.
pub fn connection_refused() {
    name::CONNECTIONS_REFUSED.add(1);
}

/// Counts a limit that refused a client or made it wait.
pub fn limit_reached(limit: Limit) {
    name::LIMITS_REACHED.add_to(&[("kind", limit.as_str())], 1);
}

/// Registers the answers that the interface documents, as route, method and status, so that their counters begin with
/// 0.
pub fn requests_expected(requests: impl IntoIterator<Item = (String, &'static str, u16)>) {
    for (route, method, status) in requests {
        let labels = [("route", route), ("method", method.to_owned()), ("status", status.to_string())];
        counter!(name::HTTP_REQUESTS, &labels).increment(0);
    }
}

/// Every series of every counter that exists from the start, as `/metrics` writes it; for requests only the name.
pub fn counters() -> Vec<String> {
    name::counters()
}

pub(super) fn log_line_dropped() {
    name::LOG_LINES_DROPPED.add(1);
}

pub(super) fn panicked() {
    name::PANICS.add(1);
}

fn install() -> PrometheusHandle {
    let suffix = |text: &str| Matcher::Suffix(text.to_owned());
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(suffix("_seconds"), &SECONDS)
        .and_then(|builder| builder.set_buckets_for_metric(suffix("_rows"), &COUNTS))
        .and_then(|builder| builder.set_buckets_for_metric(suffix("_recipients"), &COUNTS))
        .and_then(|builder| builder.set_buckets_for_metric(suffix("_parcels"), &COUNTS))
        .expect("the lists of buckets are not empty")
        .build_recorder();
    let handle = recorder.handle();
    // An error means that another library installed a recorder first; ours then renders nothing, and the line below
    // says so.
    if metrics::set_global_recorder(recorder).is_err() {
        tracing::warn!("another metrics recorder is installed; /metrics stays empty");
    }
    name::describe();
    gauge!(name::BUILD_INFO, "version" => build::VERSION, "commit" => build::COMMIT).set(1.0);
    handle
}

async fn upkeep(metrics: Weak<Inner>) {
    loop {
        tokio::time::sleep(UPKEEP_EVERY).await;
        let Some(metrics) = metrics.upgrade() else { return };
        metrics.recorder.run_upkeep();
    }
}

/// Exact up to 2^53, far above any count here.
#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn float(count: usize) -> f64 {
    count as f64
}

/// The same for bytes and seconds.
#[allow(clippy::cast_precision_loss, reason = "2^53 bytes are 8 PiB")]
fn precise(value: u64) -> f64 {
    value as f64
}
