//! The inbox of this node: a stream in the store, read until the receiver is dropped, then removed.
//!
//! Used by `RedisBus::receive`. Recovers from every failure, and logs a failure once. Every half second it writes a
//! beat to itself: that creates the stream, which others never do, keeps it from expiring, and shows that the
//! connection works in both directions.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quizhall_engine::EdgeId;
use redis::{Cmd, Value, cmd};
use tokio::sync::{Notify, mpsc};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::dial::{self, Connection, Dialer};
use super::line::{self, Line};
use super::outage::{Outage, Way};
use super::pulse::Pulse;
use super::{encode, stream};
use crate::clock;
use crate::cluster::bus::{BusError, BusMessage, Received};
use crate::telemetry::metrics;

/// Most messages that wait for this node's games; further ones are lost.
const ROOM: usize = 65_536;

/// An entry is a batch of messages…
pub(super) const BATCH: &str = "b";
/// …or a beat.
const BEAT: &str = "p";

/// Most entries of a stream.
pub(super) const BOUND: &[&str] = &["MAXLEN", "=", "4096"];

const EVERY: Duration = Duration::from_millis(500);

/// How long writing a beat may take, including waiting for a connection.
const BEAT_TIMEOUT: Duration = Duration::from_secs(1);

/// The inbox of a node that has failed expires after this.
const EXPIRES_MS: u64 = 60_000;

/// How long the server holds a read without results, and how much longer the answer may take.
const BLOCK_MS: u64 = 1_000;
const READ_TIMEOUT: Duration = Duration::from_secs(2);

/// Most entries of one read.
const COUNT: usize = 16;

/// Read entries are removed with every beat, and after this many entries.
const TRIM: usize = 1_024;

/// The pause after a failure.
const PAUSE: Duration = Duration::from_millis(100);

/// How long removing an inbox may take; otherwise it expires.
const REMOVAL: Duration = Duration::from_secs(2);

/// The position before the first entry of any stream.
const BEGINNING: &str = "0-0";

/// The connections to the store.
pub(super) struct Ways {
    pub(super) dialer: Arc<Dialer>,
    pub(super) outage: Arc<Outage>,
    pub(super) traffic: Arc<Line>,
}

/// The name of a node's stream. The braces let a cluster distribute the nodes, each with all its keys in one place.
pub(super) fn key(node: EdgeId) -> String {
    format!("quizhall:inbox:{{{:016x}}}", node.0)
}

/// Tries to remove a node's stream.
pub(super) async fn remove(line: &Line, node: EdgeId) {
    let removed: Result<(), BusError> = line.command(cmd("UNLINK").arg(key(node)), REMOVAL).await;
    if let Err(error) = removed {
        tracing::debug!(%error, "an inbox is left to expire");
    }
}

/// Reads this node's inbox into the returned channel until its receiver is dropped.
pub(super) fn open(
    ways: Ways,
    me: EdgeId,
    pulse: Arc<Mutex<Pulse>>,
) -> (mpsc::Receiver<Received<BusMessage>>, impl Future<Output = ()>) {
    let (messages, receiver) = mpsc::channel(ROOM);
    let inbox = Inbox {
        ways,
        me,
        key: key(me),
        pulse,
        opened: clock::now(),
        messages,
        place: Mutex::default(),
        much: Notify::new(),
        lost: Notify::new(),
    };
    (receiver, inbox.run())
}

struct Inbox {
    ways: Ways,
    me: EdgeId,
    key: String,
    pulse: Arc<Mutex<Pulse>>,
    /// No node has sent here before this moment.
    opened: Instant,
    messages: mpsc::Sender<Received<BusMessage>>,
    place: Mutex<Place>,
    /// Signals that enough was read to remove it.
    much: Notify,
    /// Signals that written beats do not arrive.
    lost: Notify,
}

/// The progress of reading.
struct Place {
    /// The id of the last entry.
    last: String,
    /// Entries read but not removed.
    read: usize,
}

impl Default for Place {
    fn default() -> Self {
        Self { last: BEGINNING.to_owned(), read: 0 }
    }
}

impl Inbox {
    async fn run(self) {
        tokio::select! {
            () = self.messages.closed() => {}
            () = self.read() => {}
            () = self.beat() => {}
        }
        self.ways.outage.ends(Way::Inbox);
        remove(&self.ways.traffic, self.me).await;
    }

    async fn read(&self) {
        loop {
            let mut connection = line::dial(&self.ways.dialer, &self.ways.outage, Way::Inbox, |_| {}).await;
            let error = tokio::select! {
                error = self.read_from(&mut connection) => error,
                () = self.lost.notified() => {
                    // Another server, or one whose clock went back, gives smaller ids than those already read.
                    *self.place() = Place::default();
                    BusError::Unavailable("what is written does not arrive".to_owned())
                }
            };
            self.ways.outage.begins(Way::Inbox, &error);
            sleep(PAUSE).await;
        }
    }

    async fn read_from(&self, connection: &mut Connection) -> BusError {
        loop {
            let read = self.next();
            let value: Value = match timeout(READ_TIMEOUT, read.query_async(connection)).await {
                Ok(Ok(value)) => value,
                Ok(Err(error)) => return dial::unavailable(&error),
                Err(_) => return dial::silent(),
            };
            self.ways.outage.ends(Way::Inbox);
            for entry in stream::entries(value) {
                self.take(&entry);
                // Decoding a batch takes half a millisecond, and other tasks may be waiting.
                tokio::task::yield_now().await;
            }
        }
    }

    fn next(&self) -> Cmd {
        let mut read = cmd("XREAD");
        read.arg("COUNT").arg(COUNT).arg("BLOCK").arg(BLOCK_MS);
        read.arg("STREAMS").arg(&self.key).arg(&self.place().last);
        read
    }

    fn take(&self, entry: &stream::Entry) {
        let mut place = self.place();
        place.last.clone_from(&entry.id);
        place.read += 1;
        if place.read == TRIM {
            self.much.notify_one();
        }
        drop(place);
        self.pulse().read(clock::now());
        match entry.field.as_str() {
            BATCH => self.deliver(&entry.value),
            BEAT => self.arrived(&entry.value),
            // An entry of a later version, which this one need not understand.
            _ => {}
        }
    }

    fn deliver(&self, batch: &[u8]) {
        let (messages, mut lost) = encode::decode(batch);
        metrics::bus_received(messages.len());
        let sent_after = self.pulse().sent_after().unwrap_or(self.opened);
        for what in messages {
            if self.messages.try_send(Received { what, sent_after }).is_err() {
                lost += 1;
            }
        }
        if lost > 0 {
            metrics::bus_frames_lost(lost);
        }
    }

    fn arrived(&self, number: &[u8]) {
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        let took = number.and_then(|number| self.pulse().arrived(number, clock::now()));
        if let Some(took) = took {
            metrics::bus_lag(took);
        }
    }

    async fn beat(&self) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => self.write_beat().await,
                () = self.much.notified() => self.trim().await,
            }
            if self.pulse().is_broken(clock::now()) {
                self.lost.notify_one();
            }
        }
    }

    async fn write_beat(&self) {
        let number = self.pulse().begin(clock::now());
        let mut beat = redis::pipe();
        beat.cmd("XADD").arg(&self.key).arg(BOUND).arg("*").arg(BEAT).arg(number).ignore();
        beat.cmd("PEXPIRE").arg(&self.key).arg(EXPIRES_MS).ignore();
        let written =
            self.ways.traffic.run(BEAT_TIMEOUT, |mut connection| async move { beat.exec_async(&mut connection).await });
        if let Ok(Ok(())) = written.await {
            self.pulse().written(number, clock::now());
            self.trim().await;
        }
    }

    /// Removes the read entries except the last. Does nothing when none was read: an inbox on another server may have
    /// smaller ids, and none of its entries was read.
    async fn trim(&self) {
        let last = {
            let mut place = self.place();
            if place.read == 0 {
                return;
            }
            place.read = 0;
            place.last.clone()
        };
        let mut trim = cmd("XTRIM");
        trim.arg(&self.key).arg("MINID").arg("=").arg(last);
        // Entries that remain after an error are removed the next time, or by the bound.
        let _: Result<u64, BusError> = self.ways.traffic.command(&trim, BEAT_TIMEOUT).await;
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pulse(&self) -> MutexGuard<'_, Pulse> {
        self.pulse.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
