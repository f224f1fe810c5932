//! The database of a world: rows behind the chain's EXISTS clause, and every way in which a write can go wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_engine::claim::Row;
use quizhall_engine::{Append, AppendOutcome, Head, Time};
use quizhall_rules::{Change, Event};

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::mutation::Mutation;
use super::reference::Reference;

/// A row on its way.
#[derive(Debug)]
pub struct Write {
    pub node: usize,
    pub run: u64,
    pub append: Append,
    /// Whether somebody hears of the outcome.
    pub replies: bool,
    /// The store lied about it: it is lost when its writer dies first.
    pub lazy: bool,
}

#[derive(Debug, Default)]
pub struct Store {
    rows: BTreeMap<u64, Row>,
    /// All events in order: what is durable.
    pub events: Vec<Event>,
    /// The same, folded.
    pub truth: Reference,
    pub stalled_until: Time,
}

impl Store {
    pub fn begin(&mut self, first: Row) {
        self.keep(first).expect("the creation is legal");
    }

    pub fn rows(&self) -> Vec<Row> {
        self.rows.values().cloned().collect()
    }

    pub fn head(&self) -> Option<Head> {
        self.rows.values().next_back().map(|row| row.head)
    }

    /// The statement of "The log is the lock"; whether a row was inserted. Without the chain a row goes to the end.
    fn insert(&mut self, append: &Append, chained: bool) -> Result<bool, String> {
        let behind = self.rows.get(&append.previous.seq).is_some_and(|row| row.head == append.previous);
        if chained && (!behind || self.rows.contains_key(&append.seq)) {
            return Ok(false);
        }
        let claims = matches!(append.events[0].change, Change::Claimed { .. });
        if append.epoch != self.truth.epoch + u64::from(claims) {
            return Err(format!("1: a row of epoch {} in epoch {}", append.epoch, self.truth.epoch));
        }
        let head = Head { seq: self.events.len() as u64, batch: append.batch };
        if chained && head != append.head() {
            return Err(format!("1: row {} does not follow event {}", append.seq, head.seq));
        }
        self.keep(Row { head, events: append.events.to_vec() })?;
        Ok(true)
    }

    fn keep(&mut self, row: Row) -> Result<(), String> {
        for event in &row.events {
            self.truth.apply(event).map_err(|what| format!("1, 9: {what}"))?;
            self.events.push(event.clone());
        }
        self.rows.insert(row.head.seq, row);
        Ok(())
    }
}

impl World {
    /// Somebody on a node asks for a row to be written; its fate is drawn.
    pub fn submit(&mut self, node: usize, run: u64, append: Append) {
        let reached = self.reaches_store();
        let mut write = Write { node, run, append, replies: true, lazy: false };
        if self.mutation == Some(Mutation::AckBeforeCommit) {
            write.replies = false;
            write.lazy = true;
            self.agenda.after(Duration::from_micros(100), What::Appended(node, run, AppendOutcome::Committed));
            let later = self.dice.millis(1, 400);
            return self.agenda.at(reached + later, What::Execute(write));
        }
        let fate = if self.healed { 1_000 } else { self.dice.range(0, 1_000) };
        let trouble = self.dice.millis(20, 1_500);
        match fate {
            0..25 => {
                self.coverage.note(Kind::CommitReplyLost);
                write.replies = false;
                self.unknown(node, run, reached + trouble);
                self.agenda.at(reached, What::Execute(write));
            }
            25..45 => {
                self.coverage.note(Kind::CommitFailed);
                self.unknown(node, run, reached + trouble);
            }
            45..60 => {
                self.coverage.note(Kind::CommitLate);
                write.replies = false;
                self.unknown(node, run, reached + Duration::from_millis(2));
                self.agenda.at(reached + trouble, What::Execute(write));
            }
            60..75 => {
                self.coverage.note(Kind::AppendSlow);
                let slow = self.dice.millis(3_000, 7_000);
                self.agenda.at(reached + slow, What::Execute(write));
            }
            _ => self.agenda.at(reached, What::Execute(write)),
        }
    }

    fn unknown(&mut self, node: usize, run: u64, at: Time) {
        let success = self.mutation == Some(Mutation::AmbiguousIsSuccess);
        let outcome = if success { AppendOutcome::Committed } else { AppendOutcome::Unknown };
        self.agenda.at(at, What::Appended(node, run, outcome));
    }

    pub fn execute(&mut self, write: &Write) {
        if write.lazy && !self.is_running(write.node, write.run) {
            return;
        }
        let chained = self.mutation != Some(Mutation::NoExists);
        let first = self.store.events.len();
        let inserted = match self.store.insert(&write.append, chained) {
            Ok(inserted) => inserted,
            Err(broken) => return self.fail(broken),
        };
        self.trace.note(self.agenda.now, "row", &[write.append.seq, write.append.epoch, u64::from(inserted)]);
        for event in &self.store.events[first..] {
            self.trace.detail(|| told(event));
            let kind = match event.change {
                Change::Left { .. } => Kind::LeftLobby,
                Change::HostLeft => Kind::HostAway,
                Change::Disconnected { .. } => Kind::PlayerAway,
                Change::AnswersMarked { .. } => Kind::AnswersMarked,
                Change::MarkingUndone => Kind::MarkingUndone,
                _ => continue,
            };
            self.coverage.note(kind);
        }
        if !write.replies {
            return;
        }
        let mut outcome = AppendOutcome::Committed;
        if !inserted && self.mutation != Some(Mutation::NoFence) {
            self.coverage.note(Kind::AppendRefused);
            outcome = AppendOutcome::Refused;
        }
        let back = self.dice.micros(100, 2_000);
        self.agenda.after(back, What::Appended(write.node, write.run, outcome));
    }

    pub fn read_head(&mut self, node: usize, run: u64) {
        let unread = !self.healed && self.dice.chance(200);
        if unread {
            self.coverage.note(Kind::HeadUnread);
        }
        let head = if unread { None } else { self.store.head() };
        let back = self.dice.micros(100, 3_000);
        self.agenda.after(back, What::HeadRead(node, run, head));
    }

    /// When something sent to the store now is executed.
    pub fn reaches_store(&mut self) -> Time {
        let way = self.dice.micros(150, 4_000);
        (self.agenda.now + way).max(self.store.stalled_until)
    }
}

/// An event for the trace; what shows itself without its answer shows it here.
fn told(event: &Event) -> String {
    match &event.change {
        Change::Answered { player, question, answer, .. } => {
            format!("{:?} answers {:?}: `{answer}`, {:?}", player, question, event.stamp)
        }
        change => format!("{change:?}, {:?}", event.stamp),
    }
}
