//! Metrics in the Prometheus text format.
//!
//! Observations are free functions that any part calls and that do nothing before [`Metrics::start`]; gauges are
//! set at the moment of a scrape by `App::metrics_text`. Names and help texts stand in `declared`.

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

/// From 100 µs to 10 s: a commit is a millisecond, a timeout 5 s.
const SECONDS: [f64; 15] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
const COUNTS: [f64; 12] = [1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 500.0, 1_000.0, 5_000.0, 10_000.0, 50_000.0, 100_000.0];
/// Histograms keep every sample until upkeep has put them into buckets.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// The recorder of the process: the metrics library allows one.
static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// What `/metrics` is made of.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    recorder: PrometheusHandle,
    process: Collector,
    runtime: Mutex<RuntimeIntervals>,
}

/// What the sockets look like at the moment of a scrape.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SocketStats {
    /// Open sockets of hosts.
    pub hosts: usize,
    /// Open sockets of players.
    pub players: usize,
    /// Open sockets of screens.
    pub screens: usize,
    /// Bytes waiting, shared frames counted once.
    pub queued_bytes: usize,
    /// How many bytes may wait.
    pub budget_bytes: usize,
    /// How many sockets may be open.
    pub most: usize,
}

/// What the database takes. `None`: this kind of database has no such number, or it could not be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StorageUsage {
    /// Bytes of the database.
    pub database_bytes: Option<u64>,
    /// Bytes of the write-ahead log.
    pub wal_bytes: Option<u64>,
    /// Bytes free on its disk.
    pub free_bytes: Option<u64>,
    /// When the last backup ended well, in seconds of Unix time; 0: never.
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
        // Where a process has several apps, as tests do, none sets a gauge between another's setting and showing it.
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

    /// Sets the gauge of joins on their way.
    pub fn joins_waiting(&self, count: usize) {
        gauge!(name::JOINS_WAITING).set(float(count));
    }

    /// Sets the gauge of the database.
    pub fn database_up(&self, up: bool) {
        gauge!(name::DATABASE_UP).set(if up { 1.0 } else { 0.0 });
    }

    /// Sets the gauges of what the database takes and when it was last cared for; what is not known is left out.
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

/// One append to the log of this store: how long it took, of how many games, with how many events.
pub fn commit_observed(store: &'static str, duration: Duration, rows: usize, events: usize) {
    histogram!(name::COMMIT_DURATION, "store" => store).record(duration.as_secs_f64());
    histogram!(name::COMMIT_ROWS).record(float(rows));
    name::COMMIT_EVENTS.add(events as u64);
}

/// A row that the log refused: another writer has appended, or the answer to an earlier commit was lost.
pub fn append_refused() {
    name::APPENDS_REFUSED.add(1);
}

/// The head of a log was an older row of ours: the database was set back.
pub fn database_rewound() {
    name::DATABASE_REWINDS.add(1);
}

/// The log of a game was found damaged.
pub fn game_damaged() {
    name::GAMES_DAMAGED.add(1);
}

/// The data of so many games were deleted for good.
pub fn games_purged(count: u64) {
    name::GAMES_PURGED.add(count);
}

/// What became of a delivery to a webhook; the outcome is a word of ours such as `delivered`.
pub fn webhook_delivery(outcome: &'static str) {
    name::WEBHOOK_DELIVERIES.add_to(&[("outcome", outcome)], 1);
}

/// A webhook was disabled, because it failed for too long.
pub fn webhook_disabled() {
    name::WEBHOOKS_DISABLED.add(1);
}

/// So many nodes are in the list.
pub fn nodes(count: usize) {
    gauge!(name::NODES).set(float(count));
}

/// This node removed a silent one from the list.
pub fn node_evicted() {
    name::NODES_EVICTED.add(1);
}

/// This node tried to become the owner of a game; the outcome is a word of ours such as `won` or `lost`.
pub fn claim(outcome: &'static str) {
    name::CLAIMS.add_to(&[("outcome", outcome)], 1);
}

/// What became of a snapshot; the outcome is a word of ours such as `stored`.
pub fn snapshot(outcome: &'static str) {
    name::SNAPSHOTS.add_to(&[("outcome", outcome)], 1);
}

/// This node dropped a game because another one owns it by now.
pub fn owner_fenced() {
    name::OWNERS_FENCED.add(1);
}

/// A shared limit did not answer.
pub fn shared_limit_failed() {
    name::LIMITS_LOCAL.add(1);
}

/// A frame between an owner and an edge was lost.
pub fn bus_frame_lost() {
    name::BUS_LOST.add(1);
}

/// So many of them were lost at once.
pub fn bus_frames_lost(count: usize) {
    name::BUS_LOST.add(count as u64);
}

/// So many messages were written to another node at once.
pub fn bus_sent(messages: usize) {
    name::BUS_MESSAGES.add_to(&[("direction", "out")], messages as u64);
    histogram!(name::BUS_BATCH).record(float(messages));
}

/// So many messages came from another node.
pub fn bus_received(messages: usize) {
    name::BUS_MESSAGES.add_to(&[("direction", "in")], messages as u64);
}

/// A message of this node to itself arrived.
pub fn bus_lag(took: Duration) {
    histogram!(name::BUS_LAG).record(took.as_secs_f64());
}

/// An append failed: no client was shown anything of it.
pub fn commit_failed() {
    name::COMMIT_FAILURES.add(1);
}

/// One broadcast: how long it took to hand it to so many sockets.
pub fn broadcast_observed(duration: Duration, recipients: usize) {
    histogram!(name::FANOUT_DURATION).record(duration.as_secs_f64());
    histogram!(name::FANOUT_RECIPIENTS).record(float(recipients));
}

/// So many answers were stored.
pub fn answers_stored(count: usize) {
    name::ANSWERS.add(count as u64);
}

/// An answer was acknowledged, so long after it had come to its game.
pub fn answer_acknowledged(waited: Duration) {
    /// Looked up once: there is one for every answer. The recorder is installed before the first game.
    static HISTOGRAM: LazyLock<Histogram> = LazyLock::new(|| histogram!(name::ANSWER_ACK));
    HISTOGRAM.record(waited.as_secs_f64());
}

/// A client asked to join; the outcome is a word of ours such as `joined` or `name_taken`.
pub fn join_observed(outcome: &'static str) {
    name::JOINS.add_to(&[("outcome", outcome)], 1);
}

/// A request was answered. The route is the pattern, never the path.
pub fn request_observed(route: &str, method: &'static str, status: u16, duration: Duration) {
    let labels = [("route", route.to_owned()), ("method", method.to_owned()), ("status", status.to_string())];
    counter!(name::HTTP_REQUESTS, &labels).increment(1);
    histogram!(name::HTTP_DURATION, &labels).record(duration.as_secs_f64());
}

/// A socket opened.
pub fn socket_opened(role: &'static str) {
    name::SOCKETS_OPENED.add_to(&[("role", role)], 1);
}

/// A socket was refused; the reason is a word of ours.
pub fn socket_refused(reason: &'static str) {
    name::SOCKETS_REFUSED.add_to(&[("reason", reason)], 1);
}

/// The server chose to close a socket.
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

/// A socket was closed before it reached its game; the reason is the first word of the close's reason, and the caller counts the limit, if one was the cause.
pub fn socket_turned_away(code: u16, reason: &'static str) {
    name::SOCKET_CLOSES.add_to_series(&vec![("code", code.to_string()), ("reason", reason.to_owned())], 1);
}

/// A message came over a socket.
pub fn message_received(role: &'static str) {
    /// Looked up once: there is one for every answer. The recorder is installed before the first socket.
    static BY_ROLE: LazyLock<[(&str, Counter); 3]> =
        LazyLock::new(|| name::ROLES.map(|role| (role, name::SOCKET_MESSAGES.handle(&[("role", role)]))));
    if let Some((_, counter)) = BY_ROLE.iter().find(|(known, _)| *known == role) {
        counter.increment(1);
    }
}

/// A connection could not be accepted.
pub fn accept_failed() {
    name::ACCEPT_ERRORS.add(1);
}

/// A connection was accepted.
pub fn connection_opened() {
    gauge!(name::HTTP_CONNECTIONS).increment(1.0);
}

/// A connection has ended.
pub fn connection_closed() {
    gauge!(name::HTTP_CONNECTIONS).decrement(1.0);
}

/// A connection over the limit was turned away.
pub fn connection_refused() {
    name::CONNECTIONS_REFUSED.add(1);
}

/// A limit turned a client away or made it wait.
pub fn limit_reached(limit: Limit) {
    name::LIMITS_REACHED.add_to(&[("kind", limit.as_str())], 1);
}

/// The answers that the interface documents, as route, method and status: their counters begin with 0.
pub fn requests_expected(requests: impl IntoIterator<Item = (String, &'static str, u16)>) {
    for (route, method, status) in requests {
        let labels = [("route", route), ("method", method.to_owned()), ("status", status.to_string())];
        counter!(name::HTTP_REQUESTS, &labels).increment(0);
    }
}

/// Every series of every counter that is there from the start, as `/metrics` writes it; of requests only the name.
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
    // An error means that another library installed a recorder first; ours then renders nothing, and says so below.
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

/// The same of bytes and seconds.
#[allow(clippy::cast_precision_loss, reason = "2^53 bytes are 8 PiB")]
fn precise(value: u64) -> f64 {
    value as f64
}
