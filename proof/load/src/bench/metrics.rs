//! The few figures of `/metrics` that a bench reads.

use anyhow::Context as _;
use quizhall_client::Endpoint;
use quizhall_client::transport::Request;

/// Counters of the service, as they stand.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counters {
    /// Appends to the log: each is one sync to disk.
    pub commits: f64,
    /// Seconds they took.
    pub commit_seconds: f64,
    /// Events in them.
    pub events: f64,
    /// Answers stored.
    pub answers: f64,
    /// Bytes that wait for slow sockets, at that moment.
    pub waiting: f64,
}

impl Counters {
    /// Reads them.
    pub async fn read(endpoint: &Endpoint) -> anyhow::Result<Self> {
        let response = Request::new("GET", "/metrics").send(endpoint).await.context("/metrics")?;
        Ok(Self::parse(&response.text()))
    }

    /// The difference to earlier values.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            commits: self.commits - earlier.commits,
            commit_seconds: self.commit_seconds - earlier.commit_seconds,
            events: self.events - earlier.events,
            answers: self.answers - earlier.answers,
            waiting: self.waiting,
        }
    }

    /// These and others together.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            commits: self.commits + other.commits,
            commit_seconds: self.commit_seconds + other.commit_seconds,
            events: self.events + other.events,
            answers: self.answers + other.answers,
            waiting: self.waiting + other.waiting,
        }
    }

    /// The counters in this text of `/metrics`.
    pub fn parse(text: &str) -> Self {
        let sum = |name: &str| -> f64 {
            let of = |line: &str| {
                let rest = line.strip_prefix(name)?;
                let here = rest.starts_with([' ', '{']);
                rest.rsplit_once(' ').filter(|_| here)?.1.parse::<f64>().ok()
            };
            text.lines().filter_map(of).sum()
        };
        Self {
            commits: sum("quizhall_commit_duration_seconds_count"),
            commit_seconds: sum("quizhall_commit_duration_seconds_sum"),
            events: sum("quizhall_commit_events_total"),
            answers: sum("quizhall_answers_total"),
            waiting: sum("quizhall_outbound_queue_bytes"),
        }
    }
}
