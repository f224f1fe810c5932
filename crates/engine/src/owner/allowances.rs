//! How many bytes each participant may add to the log of the game per minute, so that no client fills the disk.
//!
//! Called by `owner` for each event that a command of a participant would store. Events of the service have other bounds: joins
//! are limited by the places of the game, presence by `coalescing`, and timers by the pause between their marks. Every phone has
//! a share that no other phone can use up. Beyond it, all phones of a game share one common allowance, and its hosts another one.
//! The owner keeps the allowances only in memory, so a later owner begins with full ones.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Duration;

use foldhash::fast::FixedState;
use quizhall_rules::{Change, Event};

use crate::ids::{Participant, Time};

/// The bytes that a phone may add per minute by default: more than the longest answers to all questions of the largest
/// round.
pub const LOG_PER_SEAT: u32 = 512 << 10;
/// The divisor for the phone's own part of it: several of the longest answers a minute, each corrected twice.
const OWN_PART: u64 = 8;
/// The common allowance of a game's phones, in allowances of one phone. That of the hosts is as large.
const COMMON: u64 = 16;
/// The own part of a host's device, in allowances of one phone.
const OF_HOST: u64 = 2;
/// The part of a phone's allowance that each player adds to that of the hosts, as a divisor: hosts mark what the players write.
const PER_PLAYER: u64 = 16;
const MINUTE: Duration = Duration::from_secs(60);
/// The most bytes of an answer in the log besides its text.
const ANSWER: u64 = 256;
/// The number of participants below which nothing is swept.
const FEW: usize = 1_024;

/// The allowances of one game.
#[derive(Debug)]
pub(super) struct LogAllowances {
    per_seat: u64,
    /// The first phones of players by their slots: a bundle has thousands of them.
    phones: Vec<Seat>,
    seats: HashMap<Participant, Seat, FixedState>,
    of_players: Used,
    of_hosts: Used,
    sweep_at: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Seat {
    own: Used,
    beyond: Used,
}

/// The use of an allowance: it is full again at this time.
#[derive(Debug, Clone, Copy, Default)]
struct Used(Time);

/// Bytes per minute.
struct Allowed {
    own: u64,
    beyond: u64,
    common: u64,
}

impl LogAllowances {
    pub fn new(per_seat: u32) -> Self {
        let (of_players, of_hosts) = (Used::default(), Used::default());
        Self {
            per_seat: per_seat.into(),
            phones: Vec::new(),
            seats: HashMap::default(),
            of_players,
            of_hosts,
            sweep_at: FEW,
        }
    }

    /// Whether this participant may store an event of this size now, in a game with this number of players. If so, counts its bytes.
    /// The first phone of a player has [`Self::take_of_player`].
    pub fn take(&mut self, now: Time, (participant, players): (Participant, usize), bytes: u64) -> bool {
        self.sweep(now);
        let allowed = self.allowed(participant, players);
        let common = if participant.as_host().is_some() { &mut self.of_hosts } else { &mut self.of_players };
        self.seats.entry(participant).or_default().take(now, bytes, &allowed, common)
    }

    /// The same for the first phone of the player of a slot.
    pub fn take_of_player(&mut self, now: Time, slot: u32, bytes: u64) -> bool {
        let (allowed, slot) = (self.allowed_of_phone(), slot as usize);
        if self.phones.len() <= slot {
            self.phones.resize(slot + 1, Seat::default());
        }
        self.phones[slot].take(now, bytes, &allowed, &mut self.of_players)
    }

    /// Touches the memory of that phone.
    pub fn read_ahead(&self, slot: u32) {
        black_box(self.phones.get(slot as usize).map(|seat| seat.own.0));
    }

    fn allowed_of_phone(&self) -> Allowed {
        let own = self.per_seat / OWN_PART;
        Allowed { own, beyond: self.per_seat - own, common: self.per_seat * COMMON }
    }

    fn allowed(&self, participant: Participant, players: usize) -> Allowed {
        if participant.as_host().is_none() {
            return self.allowed_of_phone();
        }
        let common = self.per_seat * COMMON + self.per_seat / PER_PLAYER * players as u64;
        Allowed { own: self.per_seat * OF_HOST, beyond: common, common }
    }

    /// Removes participants whose allowances are full, once the number of entries has doubled since the last time.
    fn sweep(&mut self, now: Time) {
        if self.seats.len() >= self.sweep_at {
            self.seats.retain(|_, seat| seat.own.0 > now || seat.beyond.0 > now);
            self.sweep_at = FEW.max(self.seats.len() * 2);
        }
    }
}

impl Seat {
    fn take(&mut self, now: Time, bytes: u64, allowed: &Allowed, common: &mut Used) -> bool {
        if let Some(own) = self.own.after(now, bytes, allowed.own) {
            self.own = own;
            return true;
        }
        let beyond = self.beyond.after(now, bytes, allowed.beyond);
        let Some((beyond, all)) = beyond.zip(common.after(now, bytes, allowed.common)) else { return false };
        (self.beyond, *common) = (beyond, all);
        true
    }
}

impl Used {
    /// The allowance after these bytes are used too; `None` if a minute does not allow them.
    fn after(self, now: Time, bytes: u64, per_minute: u64) -> Option<Self> {
        let minute = u64::try_from(MINUTE.as_nanos()).unwrap_or(u64::MAX);
        let takes = Duration::from_nanos(minute.saturating_mul(bytes) / per_minute.max(1));
        let whole_at = self.0.max(now) + takes;
        (whole_at <= now + MINUTE).then_some(Self(whole_at))
    }
}

/// The bytes of an event in the log.
pub(super) fn bytes_of(event: &Event) -> u64 {
    match &event.change {
        Change::Answered { answer, .. } | Change::Suggested { answer, .. } => bytes_of_answer(answer),
        _ => serde_json::to_vec(event).map_or(ANSWER, |json| json.len() as u64),
    }
}

/// The bytes of an answer in the log, also in a bundle: answers are most events, so it is an upper bound that is cheap to compute.
pub(super) fn bytes_of_answer(text: &str) -> u64 {
    let escaped = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\' | ..b' ')).count();
    ANSWER + (text.len() + escaped) as u64
}
