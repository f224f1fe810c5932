//! Observations of a socket's client: silence, unfinished messages, and how long a ping and its pong take.
//!
//! Written by `reader` and `reaper`, read by `reaper` and, for points for speed, by `connection`. Decides nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::moment::{Moment, SharedMoment};

/// How long a question may wait for a client to read it without using up the client's time. A client decides by itself
/// when it reads and when it answers a ping, so this is the most that it can gain by waiting.
pub(super) const MOST_ON_THE_WAY: Duration = Duration::from_secs(2);

/// The values that the reaper checks.
pub(super) struct Watch {
    /// When the client last sent anything.
    pub(super) received: SharedMoment,
    /// Since when a message is unfinished.
    pub(super) begun: SharedMoment,
    /// Whether the task is not reading because the game has too much to do: then the client's silence is not its fault.
    pub(super) paused: AtomicBool,
    pub(super) pinged: SharedMoment,
    /// When the unanswered ping was sent; [`Moment::NEVER`] when there is none.
    pub(super) awaits_pong: SharedMoment,
    /// The longest measured round trip in microseconds; 0 when there is none.
    pub(super) round_trip: AtomicU64,
    pub(super) ping_due: SharedMoment,
    /// When the host's token ends.
    pub(super) expires: Moment,
}

impl Watch {
    /// The values of a socket that opens now, with the moments of its first ping and of the end of its token.
    pub(super) fn begin(now: Moment, ping_due: Moment, expires: Moment) -> Self {
        Self {
            received: SharedMoment::at(now),
            begun: SharedMoment::default(),
            paused: AtomicBool::new(false),
            pinged: SharedMoment::default(),
            awaits_pong: SharedMoment::default(),
            round_trip: AtomicU64::new(0),
            ping_due: SharedMoment::at(ping_due),
            expires,
        }
    }

    pub(super) fn note_ping(&self, now: Moment) {
        self.pinged.set(now);
        self.awaits_pong.set(now);
    }

    /// A pong has come. A pong that answers no ping says nothing about the connection.
    pub(super) fn note_pong(&self, now: Moment) {
        let pinged = self.awaits_pong.get();
        if !pinged.is_never() {
            self.awaits_pong.set(Moment::NEVER);
            let micros = u64::try_from(now.since(pinged).as_micros()).unwrap_or(u64::MAX);
            self.round_trip.fetch_max(micros.max(1), Ordering::Relaxed);
        }
    }

    /// How long a question may have been under way to this client without its time running: the longest measured round
    /// trip, but at most [`MOST_ON_THE_WAY`], which also applies when none was measured.
    pub(super) fn most_on_the_way(&self) -> Duration {
        match self.round_trip.load(Ordering::Relaxed) {
            0 => MOST_ON_THE_WAY,
            micros => Duration::from_micros(micros).min(MOST_ON_THE_WAY),
        }
    }

    pub(super) fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::Relaxed);
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }
}
