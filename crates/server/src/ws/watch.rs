//! What is known of a socket's client from when it speaks: silence, unfinished messages, and how long a ping and its pong take.
//!
//! Written by `reader` and `reaper`, read by `reaper` and, for points for speed, by `connection`. Decides nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::timing::{Moment, SharedMoment};

/// For how long a question may wait for a client to read at no cost: a client decides itself when it reads and when it answers a
/// ping, so this is what it can gain by waiting.
pub(super) const MOST_ON_THE_WAY: Duration = Duration::from_secs(2);

/// What the reaper looks at.
pub(super) struct Watch {
    /// When the client last said anything.
    pub(super) received: SharedMoment,
    /// Since when a message is unfinished.
    pub(super) begun: SharedMoment,
    /// Whether the task is not reading because the game has too much to do: then silence is ours.
    pub(super) paused: AtomicBool,
    pub(super) pinged: SharedMoment,
    /// When the ping was sent whose pong has not come; [`Moment::NEVER`] when there is none.
    pub(super) awaits_pong: SharedMoment,
    /// The longest round trip that was measured, microseconds; 0 when none was.
    pub(super) round_trip: AtomicU64,
    pub(super) ping_due: SharedMoment,
    /// When the host's token ends.
    pub(super) expires: Moment,
}

impl Watch {
    /// Of a socket that opens now, whose first ping is due then and whose token ends then.
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

    /// A ping was sent.
    pub(super) fn note_ping(&self, now: Moment) {
        self.pinged.set(now);
        self.awaits_pong.set(now);
    }

    /// A pong has come. One that answers no ping says nothing of the line.
    pub(super) fn note_pong(&self, now: Moment) {
        let pinged = self.awaits_pong.get();
        if !pinged.is_never() {
            self.awaits_pong.set(Moment::NEVER);
            let micros = u64::try_from(now.since(pinged).as_micros()).unwrap_or(u64::MAX);
            self.round_trip.fetch_max(micros.max(1), Ordering::Relaxed);
        }
    }

    /// How long a question may have been on its way to this client without its time running: the longest round trip that was
    /// measured, and [`MOST_ON_THE_WAY`] at most and where none was.
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
