//! Loads a game: from the newest snapshot that belongs to the log and the rows after it, or from all rows. Sans-IO: it states
//! what it needs next and receives it page by page, so that memory holds only the state and one page.
//!
//! Driven by the server (`games/reading/mod.rs`) and by the simulation. **The check of the position**: a page that follows a
//! snapshot or another page begins with the row before it, and that row must have the same place, id and length. A log that was
//! set back or replaced in the meantime fails the check; then an older snapshot is tried, or the beginning.

use std::sync::Arc;

use quizhall_rules::{Change, Event, ReplayError, State};

use crate::claim::{Claim, ClaimError, Row};
use crate::log::Head;
use crate::snapshot::{Ahead, Snapshot};

/// How many times a load begins again because the log changed meanwhile.
const RESTARTS: u32 = 4;

/// A row of a log as a store returns it.
pub trait LogRow {
    /// Its place and id.
    fn head(&self) -> Head;
    /// How many events it holds.
    fn count(&self) -> u64;
    /// Passes its events to `apply` in order; `false` when they cannot be read. Some may have been passed before that.
    fn replay(&self, apply: &mut dyn FnMut(&Event)) -> bool;
}

impl LogRow for Row {
    fn head(&self) -> Head {
        self.head
    }

    fn count(&self) -> u64 {
        self.events.len() as u64
    }

    fn replay(&self, apply: &mut dyn FnMut(&Event)) -> bool {
        self.events.iter().for_each(apply);
        true
    }
}

/// What a reading needs next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The rows that have complete snapshots, newest first: [`Reading::heads`].
    Heads,
    /// The snapshot of the state after this row: [`Reading::snapshot`].
    Snapshot(Head),
    /// The rows beginning with the one that starts with this event, as many as fit into a page: [`Reading::page`].
    Page {
        /// The first event of the first row.
        from: u64,
    },
    /// Nothing: [`Reading::finish`].
    Nothing,
}

/// A load under way.
#[derive(Debug)]
pub struct Reading {
    wanted: Wanted,
    /// Snapshots that have not been tried yet, oldest first.
    untried: Vec<Head>,
    skipped: usize,
    restarts: u32,
    so_far: Option<SoFar>,
    failed: Option<ClaimError>,
}

/// The part of the log that was read.
#[derive(Debug)]
struct SoFar {
    state: State,
    head: Head,
    next_seq: u64,
    ahead: Ahead,
}

/// The reason why a page cannot be used.
enum Fault {
    /// It does not follow what was read before: the snapshot or the previous page belongs to another log.
    Elsewhere,
    /// The log itself cannot be read.
    Log(ClaimError),
}

impl Default for Reading {
    fn default() -> Self {
        Self::new()
    }
}

impl Reading {
    /// A load that has read nothing yet.
    pub fn new() -> Self {
        Self { wanted: Wanted::Heads, untried: Vec::new(), skipped: 0, restarts: 0, so_far: None, failed: None }
    }

    /// The next request of the reading.
    pub fn wanted(&self) -> Wanted {
        self.wanted
    }

    /// How many snapshots were tried and could not be used, plus how many times the log changed during the reading.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// The answer to [`Wanted::Heads`]; an empty list is always allowed.
    pub fn heads(&mut self, mut newest_first: Vec<Head>) {
        newest_first.reverse();
        self.untried = newest_first;
        self.begin();
    }

    /// The answer to [`Wanted::Snapshot`]; `None` when it is missing, damaged or of another format.
    pub fn snapshot(&mut self, snapshot: Option<Snapshot>) {
        let Wanted::Snapshot(asked) = self.wanted else { return };
        match snapshot.filter(|snapshot| snapshot.head == asked) {
            Some(Snapshot { head, next_seq, state }) => {
                let state = Arc::unwrap_or_clone(state);
                self.so_far = Some(SoFar { ahead: Ahead::of(&state), state, head, next_seq });
                self.wanted = Wanted::Page { from: head.seq };
            }
            None => self.skip(),
        }
    }

    /// The answer to [`Wanted::Page`]: rows in order, at least two of them unless the log has fewer from there on; `ends`
    /// when it is known that the log ended after them.
    pub fn page<R: LogRow>(&mut self, rows: &[R], ends: bool) {
        let Wanted::Page { .. } = self.wanted else { return };
        let new = match self.confirm(rows) {
            Ok(new) => new,
            Err(fault) => return self.fault(fault),
        };
        for row in new {
            if let Err(error) = self.take(row) {
                return self.fault(Fault::Log(error));
            }
        }
        self.wanted = match &self.so_far {
            Some(so_far) if !ends && rows.len() > 1 => Wanted::Page { from: so_far.head.seq },
            _ => Wanted::Nothing,
        };
    }

    /// The state that was read; called once [`Wanted::Nothing`] is needed.
    pub fn finish(self) -> Result<Claim, ClaimError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let SoFar { state, head, next_seq, ahead } = self.so_far.ok_or(ClaimError::Empty)?;
        Ok(Claim::new((state, head, next_seq), ahead))
    }

    /// The check of the position: the rows that follow what was read before.
    fn confirm<'a, R: LogRow>(&self, rows: &'a [R]) -> Result<&'a [R], Fault> {
        let Some(so_far) = &self.so_far else { return Ok(rows) };
        let (first, rest) = rows.split_first().ok_or(Fault::Elsewhere)?;
        let same = first.head() == so_far.head && first.head().seq.checked_add(first.count()) == Some(so_far.next_seq);
        if same { Ok(rest) } else { Err(Fault::Elsewhere) }
    }

    fn take<R: LogRow>(&mut self, row: &R) -> Result<(), ClaimError> {
        let (head, count) = (row.head(), row.count());
        let expected = self.so_far.as_ref().map_or(0, |so_far| so_far.next_seq);
        if head.seq != expected {
            return Err(ClaimError::Gap(expected));
        }
        let (mut applied, mut weight) = (0, 0);
        let so_far = &mut self.so_far;
        let read = row.replay(&mut |event| {
            (applied, weight) = (applied + 1, weight + event.change.weight());
            match (&mut *so_far, &event.change) {
                (Some(so_far), _) => so_far.state.apply(event),
                (None, Change::Created(created)) => {
                    let state = State::created(created);
                    *so_far = Some(SoFar { state, head, next_seq: 0, ahead: Ahead::default() });
                }
                (None, _) => {}
            }
        });
        if !read || applied != count {
            return Err(ClaimError::Unreadable(head.seq));
        }
        let so_far = so_far.as_mut().ok_or(ReplayError::NotCreated)?;
        so_far.head = head;
        so_far.next_seq += count;
        so_far.ahead.events += weight;
        Ok(())
    }

    fn fault(&mut self, fault: Fault) {
        match fault {
            Fault::Elsewhere => self.skip(),
            Fault::Log(error) => {
                self.failed = Some(error);
                self.wanted = Wanted::Nothing;
            }
        }
    }

    /// Discards what was read so far, because it cannot be used.
    fn skip(&mut self) {
        self.skipped += 1;
        self.begin();
    }

    /// Begins from the newest snapshot that was not tried, or from the first row.
    fn begin(&mut self) {
        self.so_far = None;
        self.wanted = match self.untried.pop() {
            Some(head) => Wanted::Snapshot(head),
            None if self.restarts == RESTARTS => {
                self.failed = Some(ClaimError::Moved);
                Wanted::Nothing
            }
            None => {
                self.restarts += 1;
                Wanted::Page { from: 0 }
            }
        };
    }
}

impl Claim {
    /// Replays a whole log, oldest row first.
    pub fn read(rows: &[Row]) -> Result<Self, ClaimError> {
        let mut reading = Reading::new();
        reading.heads(Vec::new());
        while reading.wanted() != Wanted::Nothing {
            reading.page(rows, true);
        }
        reading.finish()
    }
}
