//! Checks that whatever has run out is closed soon while there is no fault (invariant 10).
//!
//! Checked with the log: a node without sockets is sent no events, so it is possible that no replica has all of them.

use std::time::Duration;

use quizhall_rules::{Change, Moment, State};

use super::World;
use super::store::Store;

/// How late a question may be closed while there is no fault.
const LATE: Duration = Duration::from_secs(8);

/// The state after the events of the log that were followed so far; timers count from the time when each was stored.
#[derive(Debug, Default)]
pub struct Followed(Option<(State, usize)>);

impl Followed {
    fn up_to(&mut self, store: &Store) -> Option<&State> {
        if self.0.is_none() {
            let Some(Change::Created(created)) = store.events.first().map(|event| &event.change) else { return None };
            self.0 = Some((State::created(created), 1));
        }
        let (state, next) = self.0.as_mut()?;
        for (place, event) in store.events.iter().enumerate().skip(*next) {
            let stored_at = store.stored_at(place as u64)?;
            state.apply_at(event, stored_at.into());
            *next = place + 1;
        }
        Some(state)
    }
}

impl World {
    /// While there is no fault, a timer that has run out is closed soon.
    pub fn check_overdue(&mut self) {
        let Some(node) = self.owning_node().filter(|node| !self.nodes[*node].paused) else { return };
        let settled = self.healed_at.max(self.owner_since).max(self.nodes[node].resumed_at);
        let calm = self.healed && self.agenda.now > settled + LATE && !self.store.is_set_back();
        let Some(state) = self.followed.up_to(&self.store).filter(|_| calm) else { return };
        let late = Moment::from(self.agenda.now.saturating_sub(LATE));
        if state.expiries().any(|(closes_at, _)| closes_at < late) {
            self.fail("10: what has run out is not closed".to_owned());
        }
    }
}
