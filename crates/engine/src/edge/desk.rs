//! The desk of a host who marks while answers arrive: the changes that the host's socket has not been sent yet
//! (`answers_update`).
//!
//! A socket opens its desk with `open_desk`, which the owner acknowledges without an event. Committed events fill it; the pacing
//! empties it.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::{Phase, QuestionId, State};

use crate::ids::Time;
use crate::wire::{self, marks};

/// At most 4 updates a second, and one a second with very many answers, because grouping them takes long.
const PAUSE: Duration = Duration::from_millis(250);
const LONG_PAUSE: Duration = Duration::from_secs(1);
const MANY_ANSWERS: usize = 2_000;

#[derive(Debug, Default)]
pub(super) struct Desk {
    open: bool,
    /// Questions whose groups changed. Bounded by the questions of a round.
    changed: BTreeSet<QuestionId>,
    due: Time,
}

impl Desk {
    /// The socket opened its desk, or closed it.
    pub fn set_open(&mut self, open: bool) {
        self.open = open;
        self.changed.clear();
    }

    pub fn changed(&mut self, question: QuestionId) {
        if self.open {
            self.changed.insert(question);
        }
    }

    /// After missed events or the removal of a player, all groups count as changed.
    pub fn all_changed(&mut self, state: &State) {
        state.released().for_each(|question| self.changed(question.id));
    }

    /// The next deadline, without the questions in `counted`, whose count is sent first.
    pub fn next_deadline(&self, counted: &BTreeSet<QuestionId>) -> Option<Time> {
        self.changed.difference(counted).next().map(|_| self.due)
    }

    /// `answers_update` of each question that changed and has its count out, with the key by which it replaces an unsent one; due or
    /// not with `all`.
    pub fn due(&mut self, now: Time, all: bool, state: &State, counted: &BTreeSet<QuestionId>) -> Vec<(u64, Bytes)> {
        if !self.open || state.phase() != Phase::Question {
            self.changed.clear();
            return Vec::new();
        }
        let ready: Vec<QuestionId> = self.changed.difference(counted).copied().collect();
        if ready.is_empty() || (!all && self.due > now) {
            return Vec::new();
        }
        let answers: usize = state.released().map(|question| state.answer_count(question.id)).sum();
        self.due = now + if answers > MANY_ANSWERS { LONG_PAUSE } else { PAUSE };
        self.changed.retain(|question| counted.contains(question));
        ready.into_iter().filter_map(|question| update(state, question)).collect()
    }
}

fn update(state: &State, question: QuestionId) -> Option<(u64, Bytes)> {
    let is_marked = state.question(question).is_some_and(|asked| asked.kind.has_key());
    is_marked.then(|| (wire::groups_key(question), marks::answers_update(question, &state.answer_groups(question))))
}

/// The messages for a socket that opens its desk.
pub(super) fn all(state: &State) -> Vec<Bytes> {
    let released = state.released().filter(|_| state.phase() == Phase::Question);
    let groups = released.map(|question| (question.id, state.answer_groups(question.id)));
    let answered = groups.filter(|(_, groups)| !groups.is_empty());
    answered.map(|(question, groups)| marks::answers_update(question, &groups)).collect()
}
