//! Coalesces presence events: per participant at most one is stored in [`QUIET`], so that a socket that reconnects in a loop
//! cannot fill the log.
//!
//! Called by `owner`, which decides from the true presence when a deferred change is due. Decides and stores nothing itself.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::ids::{Participant, Time};

/// After a stored presence event no other one of the same participant is stored for this long. The first change after a
/// longer pause is stored at once.
const QUIET: Duration = Duration::from_secs(1);

/// Which participants have a presence event stored a moment ago, and which of those changed since.
#[derive(Debug, Default)]
pub(super) struct Coalescing {
    /// Until when nothing more of a participant is stored. Holds those of the last second or two.
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

    /// Participants whose deferred change is to be decided now.
    pub fn due(&mut self, now: Time) -> Vec<Participant> {
        let mut due = Vec::new();
        while let Some((_, participant)) = self.deferred.first().filter(|(at, _)| *at <= now).copied() {
            self.deferred.pop_first();
            due.push(participant);
        }
        due
    }

    /// All participants with a deferred change, due or not: no later time will do.
    pub fn take_all(&mut self) -> Vec<Participant> {
        let deferred = std::mem::take(&mut self.deferred);
        deferred.into_iter().map(|(_, participant)| participant).collect()
    }

    /// Forgets participants whose quiet time is over.
    pub fn prune(&mut self, now: Time) {
        self.quiet_until.retain(|_, until| now < *until);
    }

    /// When [`Coalescing::due`] has something next.
    pub fn next_deadline(&self) -> Option<Time> {
        self.deferred.first().map(|&(at, _)| at)
    }
}
