//! Coalesces presence events: per participant at most one is stored in [`QUIET`], so that a socket that reconnects in a loop
//! cannot fill the log.
//!
//! Called by `owner`, which decides from the real presence when a deferred change is due. Decides and stores nothing itself.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::ids::{Participant, Time};

/// After a stored presence event, no other one of the same participant is stored for this long. The first change after a
/// longer pause is stored at once.
const QUIET: Duration = Duration::from_secs(1);

/// The participants with a recently stored presence event, and those of them that changed since.
#[derive(Debug, Default)]
pub(super) struct Coalescing {
    /// The time until which no further event of a participant is stored. Contains the entries of the last second or two.
    quiet_until: BTreeMap<Participant, Time>,
    /// Participants that changed meanwhile, by the end of their quiet time.
    deferred: BTreeSet<(Time, Participant)>,
}

impl Coalescing {
    /// Whether a change of this participant has to wait. If so, it is due again from [`Coalescing::due`].
    pub fn defers(&mut self, now: Time, participant: Participant) -> bool {
        let Some(&until) = self.quiet_until.get(&participant).filter(|until| now < **until) else { return false };
        self.deferred.insert((until, participant));
        true
    }

    /// A presence event of this participant was stored.
    pub fn stored(&mut self, now: Time, participant: Participant) {
        self.quiet_until.insert(participant, now + QUIET);
    }

    /// The participants whose deferred change must be decided now.
    pub fn due(&mut self, now: Time) -> Vec<Participant> {
        let mut due = Vec::new();
        while let Some((_, participant)) = self.deferred.first().filter(|(at, _)| *at <= now).copied() {
            self.deferred.pop_first();
            due.push(participant);
        }
        due
    }

    /// All participants with a deferred change, due or not, because they cannot be decided later.
    pub fn take_all(&mut self) -> Vec<Participant> {
        let deferred = std::mem::take(&mut self.deferred);
        deferred.into_iter().map(|(_, participant)| participant).collect()
    }

    /// Removes participants whose quiet time is over.
    pub fn prune(&mut self, now: Time) {
        self.quiet_until.retain(|_, until| now < *until);
    }

    /// When [`Coalescing::due`] next returns a participant.
    pub fn next_deadline(&self) -> Option<Time> {
        self.deferred.first().map(|&(at, _)| at)
    }
}
