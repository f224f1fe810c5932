//! The bus between nodes on Redis or Valkey (6.2 or later): one bounded stream per node as its inbox.
//!
//! Used by `serve` and `cluster`. Everything reconnects automatically; messages under way are lost, counted, and
//! repaired by the engine. There are three connections: for messages to others, for questions (limits, probes), and for
//! reading messages.

pub mod address;
mod dial;
pub mod encode;
mod inbox;
mod line;
mod outage;
mod outbox;
pub mod pulse;
mod shared_limits;
mod stream;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quizhall_engine::EdgeId;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::timeout;

use self::address::Address;
use self::dial::Dialer;
use self::inbox::Ways;
use self::line::Line;
use self::outage::{Outage, Way};
use self::outbox::Outbox;
use self::pulse::Pulse;
use self::shared_limits::RedisLimits;
use super::{BusError, BusMessage, Received, Remote, SharedLimits};
use crate::clock;

/// How long a probe waits.
const PROBE: Duration = Duration::from_millis(900);

/// The connection to Redis or Valkey for all uses in the service. Cheap to clone.
#[derive(Clone)]
pub struct RedisBus(Arc<Inner>);

struct Inner {
    runtime: Handle,
    dialer: Arc<Dialer>,
    outage: Arc<Outage>,
    traffic: Arc<Line>,
    questions: Arc<Line>,
    outbox: Arc<Outbox>,
    limits: Arc<RedisLimits>,
    /// The pulse of the inbox that was opened last.
    pulse: Mutex<Arc<Mutex<Pulse>>>,
}

/// Whether [`RedisBus::open`] would accept `url`; touches no network, but reads the file of `?ca=`.
///
/// # Errors
/// [`BusError::Unusable`] with a sentence about the fault, which repeats nothing of the URL. The sentence has no
/// subject, because it follows the name of the setting.
pub fn check_url(url: &str) -> Result<(), BusError> {
    Address::parse(url).map(drop)
}

impl RedisBus {
    /// Prepares the connection without waiting for the server; until it is there, every use fails. Must be called
    /// inside the runtime.
    ///
    /// # Errors
    /// [`BusError::Unusable`] when the URL cannot be parsed.
    pub fn open(url: &str) -> Result<Self, BusError> {
        let runtime = Handle::current();
        let dialer = Arc::new(Dialer::new(url)?);
        let outage = Arc::<Outage>::default();
        let line = |way| Arc::new(Line::open(&runtime, Arc::clone(&dialer), Arc::clone(&outage), way));
        let (traffic, questions) = (line(Way::Traffic), line(Way::Questions));
        Ok(Self(Arc::new(Inner {
            outbox: Outbox::new(Arc::clone(&traffic), runtime.clone()),
            limits: Arc::new(RedisLimits::new(Arc::clone(&questions), shared_limits::TIMEOUT)),
            pulse: Mutex::default(),
            runtime,
            dialer,
            outage,
            traffic,
            questions,
        })))
    }

    /// Whether the server accepts writes and answers now; within a second.
    pub async fn probe(&self) -> Result<(), BusError> {
        self.0.questions.command(&line::probe(), PROBE).await
    }

    /// Opens this node's inbox and reads it until the receiver is dropped; then the inbox is deleted. Every half second
    /// the node writes a message to itself, so that a broken connection is noticed and replaced, and its delay is
    /// known.
    pub fn receive(&self, me: EdgeId) -> mpsc::Receiver<Received<BusMessage>> {
        let inner = &self.0;
        let pulse = Arc::<Mutex<Pulse>>::default();
        *inner.pulse.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&pulse);
        let ways = Ways {
            dialer: Arc::clone(&inner.dialer),
            outage: Arc::clone(&inner.outage),
            traffic: Arc::clone(&inner.traffic),
        };
        let (messages, reading) = inbox::open(ways, me, pulse);
        inner.runtime.spawn(reading);
        messages
    }

    /// How long the last message to itself took; `None` when none has arrived for 1.5 s.
    pub fn lag(&self) -> Option<Duration> {
        let pulse = Arc::clone(&self.0.pulse.lock().unwrap_or_else(PoisonError::into_inner));
        let pulse = pulse.lock().unwrap_or_else(PoisonError::into_inner);
        pulse.lag(clock::now())
    }

    /// The sender of messages to other nodes.
    pub fn remote(&self) -> Arc<dyn Remote> {
        Arc::clone(&self.0.outbox) as Arc<dyn Remote>
    }

    /// Waits until all sent messages are written or lost, but at most `time_limit`: for the end of a process.
    pub async fn flush(&self, time_limit: Duration) {
        // Messages not written by then are lost, as they could be at any other time.
        let _ = timeout(time_limit, self.0.outbox.flush()).await;
    }

    /// The shared allowances; an answer or an error comes within a quarter of a second.
    pub fn limits(&self) -> Arc<dyn SharedLimits> {
        Arc::clone(&self.0.limits) as Arc<dyn SharedLimits>
    }

    /// The same for callers that prefer to wait `time_limit` for an answer.
    pub fn slow_limits(&self, time_limit: Duration) -> Arc<dyn SharedLimits> {
        Arc::new(RedisLimits::new(Arc::clone(&self.0.questions), time_limit))
    }
}
