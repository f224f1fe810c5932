//! Structured JSON logs on standard output, one line each.
//!
//! Called once by `main`. `LOG_LEVEL` applies only to our crates: dependencies log only warnings and errors, because
//! their debug lines would contain request lines with `?token=` and frames with answers.

use tracing::Subscriber;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::writer::{LineSink, LogWriter};

/// The crates to which `LOG_LEVEL` applies.
const OURS: [&str; 3] = ["quizhall", "quizhall_engine", "quizhall_rules"];

/// The four levels of `LOG_LEVEL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Only errors.
    Error,
    /// Also degraded states.
    Warn,
    /// Also the life cycle.
    Info,
    /// Also requests and socket messages.
    Debug,
}

/// Keeps the log's thread alive; dropping it writes the remaining lines.
#[must_use = "dropping the guard ends the log"]
pub struct LogGuard(#[allow(dead_code, reason = "held for its Drop")] LogWriter);

/// Starts logging to standard output. Must be called at most once per process; later calls change nothing.
pub fn start(level: LogLevel) -> LogGuard {
    let writer = LogWriter::start(std::io::stdout());
    // An error only means that a subscriber exists already, as in tests.
    let _ = subscriber(level, writer.sink()).try_init();
    LogGuard(writer)
}

/// Starts logging to standard error, only for the log lines of commands: their results are on standard output.
pub fn start_for_command(level: LogLevel) {
    let own = if level >= LogLevel::Info { LevelFilter::INFO } else { LevelFilter::OFF };
    let layer = tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(std::io::stderr);
    let filter = Targets::new().with_target("quizhall::cli", own);
    // An error only means that a subscriber exists already, as in tests.
    let _ = tracing_subscriber::registry().with(filter).with(layer).try_init();
}

/// The subscriber by itself, for tests that read its output.
pub fn subscriber<W>(level: LogLevel, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let layer = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_writer(writer);
    tracing_subscriber::registry().with(filter(level)).with(layer)
}

fn filter(level: LogLevel) -> Targets {
    let (ours, others) = match level {
        LogLevel::Debug => (LevelFilter::DEBUG, LevelFilter::WARN),
        LogLevel::Info => (LevelFilter::INFO, LevelFilter::WARN),
        LogLevel::Warn => (LevelFilter::WARN, LevelFilter::WARN),
        LogLevel::Error => (LevelFilter::ERROR, LevelFilter::ERROR),
    };
    Targets::new().with_default(others).with_targets(OURS.map(|name| (name, ours)))
}

impl<'a> MakeWriter<'a> for LineSink {
    type Writer = super::writer::Line<'a>;

    fn make_writer(&'a self) -> Self::Writer {
        self.line()
    }
}
