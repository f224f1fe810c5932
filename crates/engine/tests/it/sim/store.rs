//! The log of a world: rows after the chain's EXISTS clause, every fault of a write, and a database that forgets acknowledged
//! rows.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_engine::claim::Row;
use quizhall_engine::{Append, AppendOutcome, EdgeId, EdgeInput, Head, Time};
use quizhall_rules::{Change, Event, PlayerId};

use super::World;
use super::agenda::What;
use super::bundles;
use super::coverage::Kind;
use super::database::Registry;
use super::mutation::Mutation;
use super::reference::Reference;

/// A row that was sent is written within this time, or never: the longest stall plus the slowest append.
const LATEST_WRITE: Duration = Duration::from_secs(16);

/// A row under way.
#[derive(Debug)]
pub struct Write {
    pub node: usize,
    pub run: u64,
    pub append: Append,
    /// Whether the outcome is reported.
    pub replies: bool,
    /// The store reported it too early: it is lost if its writer dies first.
    pub lazy: bool,
}

#[derive(Debug, Default)]
pub struct Store {
    rows: BTreeMap<u64, Row>,
    /// Rows that the database has forgotten and an owner remembers.
    forgotten: BTreeMap<u64, Row>,
    /// The other tables; below, their states before each row.
    pub registry: Registry,
    earlier: BTreeMap<u64, Registry>,
    /// When each row first became durable.
    times: BTreeMap<u64, Time>,
    /// All events that were ever durable, in order: none of them may be lost.
    pub events: Vec<Event>,
    /// The same with each answer of a bundle by itself, and the place of each in the log.
    pub singles: Vec<(usize, Event)>,
    joined: Vec<PlayerId>,
    /// The state that follows from these events.
    pub truth: Reference,
    pub stalled_until: Time,
    set_back_at: Time,
    /// The time since which no row has been forgotten.
    whole_since: Time,
}

impl Store {
    pub fn begin(&mut self, first: Row) {
        self.keep(Time::ZERO, first).expect("the creation is legal");
    }

    pub fn rows(&self) -> Vec<Row> {
        self.rows.values().cloned().collect()
    }

    /// The rows from the one that begins with this event.
    pub fn rows_from(&self, seq: u64) -> Vec<Row> {
        self.rows.range(seq..).map(|(_, row)| row.clone()).collect()
    }

    /// Whether this row is, or was, in the log.
    pub fn knows(&self, head: Head) -> bool {
        [&self.rows, &self.forgotten].iter().any(|rows| rows.get(&head.seq).is_some_and(|row| row.head == head))
    }

    pub fn head(&self) -> Option<Head> {
        self.rows.values().next_back().map(|row| row.head)
    }

    /// The rest of the log for an edge with this many events, up to this last row when it is known; `None` when there is none, or
    /// when the log does not continue from there.
    pub fn behind(&self, next: u64, head: Option<Head>) -> Option<EdgeInput> {
        let tail: Vec<&Row> = self.rows.range(next..).map(|(_, row)| row).collect();
        let is_here = |head: Head| self.rows.get(&head.seq).is_some_and(|row| row.head == head);
        let follows = next > 0 && tail.first().is_none_or(|row| row.head.seq == next) && head.is_none_or(is_here);
        follows.then(|| {
            let rows = tail.iter().filter(|_| head.is_some()).map(|row| row.head).collect();
            let events = tail.into_iter().flat_map(|row| row.events.iter().cloned()).collect();
            EdgeInput::TailRead { first: next, rows, events }
        })
    }

    /// The time since which the log has held the event with this number.
    pub fn stored_at(&self, seq: u64) -> Option<Time> {
        self.times.range(seq..).next().map(|(_, at)| *at)
    }

    /// When the last row became durable.
    pub fn committed_at(&self) -> Time {
        self.times.last_key_value().map_or(Time::ZERO, |(_, at)| *at)
    }

    /// The last moment at which acknowledged rows were missing: now, while they are.
    pub fn set_back_until(&self, now: Time) -> Time {
        if self.is_set_back() { now } else { self.whole_since }
    }

    /// The time since which acknowledged rows are missing.
    pub fn set_back_since(&self) -> Option<Time> {
        self.is_set_back().then_some(self.set_back_at)
    }

    /// Whether acknowledged rows are missing now.
    pub fn is_set_back(&self) -> bool {
        !self.forgotten.is_empty()
    }

    /// Executes the statement of "The log is the lock"; returns whether a row was inserted. Without the chain, a row is added at the end.
    fn insert(&mut self, now: Time, append: &Append, chained: bool) -> Result<bool, String> {
        let behind = self.rows.get(&append.previous.seq).is_some_and(|row| row.head == append.previous);
        if chained && (!behind || self.rows.contains_key(&append.seq)) {
            return Ok(false);
        }
        if let Some((&seq, row)) = self.forgotten.first_key_value() {
            if row.head != append.head() || row.events[..] != append.events[..] {
                return Err(format!("2: event {seq} and those behind it were acknowledged and are lost"));
            }
            let (_, row) = self.forgotten.pop_first().expect("it was there");
            self.store(now, row);
            return Ok(true);
        }
        let claims = matches!(append.events[0].change, Change::Claimed { .. });
        if append.epoch != self.truth.epoch + u64::from(claims) {
            return Err(format!("1: a row of epoch {} in epoch {}", append.epoch, self.truth.epoch));
        }
        let head = Head { seq: self.events.len() as u64, batch: append.batch };
        if chained && head != append.head() {
            return Err(format!("1: row {} does not follow event {}", append.seq, head.seq));
        }
        self.keep(now, Row { head, events: append.events.to_vec() })?;
        Ok(true)
    }

    fn keep(&mut self, now: Time, row: Row) -> Result<(), String> {
        for event in &row.events {
            self.truth.apply(event).map_err(|what| format!("1, 9: {what}"))?;
            self.joined.extend(bundles::joins(&event.change));
            let place = self.events.len();
            self.singles.extend(bundles::singles(event, &self.joined).into_iter().map(|single| (place, single)));
            self.events.push(event.clone());
        }
        self.store(now, row);
        Ok(())
    }

    fn store(&mut self, now: Time, row: Row) {
        let mut earlier = self.registry.clone();
        earlier.at = now;
        self.earlier.insert(row.head.seq, earlier);
        self.rows.insert(row.head.seq, row);
    }

    /// How many of its last rows the database may forget. The newest owner must remember all of them, and must be in the list now and have
    /// been in it then, silent at neither time: a node that has just slept through its lease may be evicted at any moment, and the rows
    /// that only it remembers would be lost with its games. Its claim is among them only when no owner is left that could write after the
    /// row before that: an earlier owner that has not noticed yet would find its log unchanged.
    pub fn forgettable(&self, now: Time, owner: EdgeId, alone: bool) -> usize {
        let claims = |row: &Row| matches!(row.events[0].change, Change::Claimed { .. });
        let mut most = self.rows.values().rev().position(claims).unwrap_or_default();
        let claimed = self.rows.values().rev().nth(most).and_then(|row| self.times.get(&row.head.seq));
        most += usize::from(alone && claimed.is_some_and(|claimed| now > *claimed + LATEST_WRITE));
        let there = |seq: &&u64| {
            self.earlier.get(seq).is_some_and(|then| then.owner == Some(owner) && then.has_renewal_of(then.at, owner))
        };
        if self.is_set_back() || !self.registry.has_renewal_of(now, owner) {
            0
        } else {
            self.rows.keys().rev().take(most).take_while(there).count()
        }
    }

    /// Sets the whole database back to its state before the last `rows` rows.
    pub fn forget(&mut self, now: Time, rows: usize) {
        self.set_back_at = now;
        for _ in 0..rows {
            let Some((seq, row)) = self.rows.pop_last() else { return };
            self.registry = self.earlier.remove(&seq).expect("it was noted with the row");
            self.forgotten.insert(seq, row);
        }
    }
}

impl World {
    /// An owner or a claim of a node sends a row; its outcome is drawn.
    pub fn submit(&mut self, node: usize, run: u64, append: Append) {
        if !self.reaches_database(node) {
            let tried = if self.weather.store_down { self.dice.millis(1, 40) } else { self.dice.millis(1_000, 5_000) };
            return self.unknown(node, run, self.agenda.now + tried);
        }
        let reached = self.reaches_store();
        let mut write = Write { node, run, append, replies: true, lazy: false };
        if self.mutation == Some(Mutation::AckBeforeCommit) {
            write.replies = false;
            write.lazy = true;
            let epoch = self.store.truth.epoch;
            let lie = What::Appended(node, run, AppendOutcome::Committed, epoch);
            self.agenda.after(Duration::from_micros(100), lie);
            let later = self.dice.millis(1, 400);
            return self.agenda.at(reached + later, What::Execute(write));
        }
        let fate = if self.is_calm() { 1_000 } else { self.dice.range(0, 1_000) };
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
        self.agenda.at(at, What::Appended(node, run, outcome, self.store.truth.epoch));
    }

    pub fn execute(&mut self, write: &Write) {
        if write.lazy && !self.is_running(write.node, write.run) {
            return;
        }
        if !self.reaches_database(write.node) {
            if write.replies {
                let tried = self.dice.millis(100, 5_000);
                self.unknown(write.node, write.run, self.agenda.now + tried);
            }
            return;
        }
        let chained = self.mutation != Some(Mutation::NoExists);
        let first = self.store.events.len();
        let was_set_back = self.store.is_set_back();
        let mut were_held = self.store.truth.standings_held;
        let mut append = write.append.clone();
        if self.mutation == Some(Mutation::ExtraTimeIgnored) {
            append.events = append.events.iter().map(without_extra_time).collect();
        }
        let inserted = match self.store.insert(self.agenda.now, &append, chained) {
            Ok(inserted) => inserted,
            Err(broken) => return self.fail(broken),
        };
        if inserted {
            if self.store.forgotten.is_empty() && was_set_back {
                self.store.whole_since = self.agenda.now;
            }
            self.store.times.entry(write.append.seq).or_insert(self.agenda.now);
        }
        self.trace.note(self.agenda.now, "row", &[write.append.seq, write.append.epoch, u64::from(inserted)]);
        for event in &self.store.events[first..] {
            self.trace.detail(|| described(event));
            let kind = kind_of(event, were_held);
            were_held |= matches!(event.change, Change::ScoresReleased { held: true });
            let of_step = event.is_step.then_some(match event.change {
                Change::Set(_) => Kind::PictureShown,
                _ => Kind::StepTaken,
            });
            for kind in kind.into_iter().chain(of_step) {
                self.coverage.note(kind);
            }
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
        self.agenda.after(back, What::Appended(write.node, write.run, outcome, self.store.truth.epoch));
    }

    pub fn read_head(&mut self, node: usize, run: u64) {
        let unread = !self.is_calm() && self.dice.chance(100);
        if unread {
            self.coverage.note(Kind::HeadUnread);
        }
        let head = if unread || !self.reaches_database(node) { None } else { self.store.head() };
        let back = self.dice.micros(100, 3_000);
        self.agenda.after(back, What::HeadRead(node, run, head, self.store.truth.epoch));
    }
}

/// An event for the trace; an answer is shown with its text, which its own format hides.
fn described(event: &Event) -> String {
    match &event.change {
        Change::Answered { player, question, answer, .. } => {
            format!("{:?} answers {:?}: `{answer}`, {:?}", player, question, event.command_id)
        }
        change => format!("{change:?}, {:?}", event.command_id),
    }
}

/// The event of an owner that closes a timer for all players when it is over for some.
fn without_extra_time(event: &Event) -> Event {
    let change = match &event.change {
        Change::TimeOver { left, .. } => {
            left.question.map_or(Change::RoundEnded, |question| Change::QuestionClosed { question })
        }
        other => other.clone(),
    };
    Event { change, ..event.clone() }
}

/// The kind that the coverage counts for an event; `were_held`: whether the standings were held before it.
fn kind_of(event: &Event, were_held: bool) -> Option<Kind> {
    let kind = match event.change {
        Change::Left { .. } => Kind::LeftLobby,
        Change::Suggested { .. } => Kind::Suggested,
        Change::HostLeft => Kind::HostAway,
        Change::Disconnected { .. } => Kind::PlayerAway,
        Change::AnswersMarked { .. } => Kind::AnswersMarked,
        Change::KeyChanged { .. } => Kind::KeyChanged,
        Change::MarksCorrected { .. } => Kind::MarksCorrected,
        Change::PointsAdjusted { .. } => Kind::PointsAdjusted,
        Change::AdjustmentUndone { .. } => Kind::AdjustmentUndone,
        Change::Appealed { .. } => Kind::Appealed,
        Change::AppealDismissed { .. } => Kind::AppealDismissed,
        Change::QuestionEdited(_) => Kind::QuestionEdited,
        Change::QuestionWithdrawn { .. } => Kind::QuestionWithdrawn,
        Change::PlayerRenamed { .. } => Kind::PlayerRenamed,
        Change::SeatAdded { .. } => Kind::SeatAdded,
        Change::AnswerEntered { .. } => Kind::AnswerEntered,
        Change::Answers(_) => Kind::BundleStored,
        Change::MarkingUndone { .. } => Kind::MarkingUndone,
        Change::QuestionClosed { .. } => Kind::QuestionClosed,
        Change::QuestionClosing { .. } => Kind::QuestionClosing,
        Change::OptionsSet(_) => Kind::OptionsSet,
        Change::RoundEnded if event.command_id.is_none() => Kind::RoundTimedOut,
        Change::TimerSet(_) => Kind::TimerSet,
        Change::TimerHeld { .. } => Kind::TimersHeld,
        Change::TimerMark { .. } => Kind::TimersMarked,
        Change::AutopilotSet { plan: Some(_) } => Kind::AutopilotSet,
        Change::ExtraTimeSet { .. } => Kind::ExtraTimeSet,
        Change::TimeOver { .. } => Kind::TimeOver,
        Change::AnswerRevealed { .. } => Kind::AnswerRevealed,
        Change::BreakStarted { .. } => Kind::BreakStarted,
        Change::BreakMark { .. } => Kind::BreakMarked,
        Change::JokerPlayed { .. } => Kind::JokerPlayed,
        Change::TieBreakStarted { .. } => Kind::TieBreakStarted,
        Change::TieBreakAnswered { .. } => Kind::TieBreakAnswered,
        Change::TieBreakEnded { .. } => Kind::TieBreakEnded,
        Change::BreakEnded if event.command_id.is_none() => Kind::BreakOver,
        Change::QuestionReleased { .. } if event.command_id.is_none() => Kind::AutopilotReleased,
        Change::ScoresReleased { held: true } => Kind::StandingsHeld,
        Change::ScoresReleased { .. } if were_held => Kind::StandingsShown,
        _ => return None,
    };
    Some(kind)
}
