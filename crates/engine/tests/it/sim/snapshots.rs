//! The snapshots of a world: written late, interrupted by crashes, damaged, of another format, or left over from another history;
//! and the loads that read them, each compared with a replay of all rows.

use quizhall_engine::claim::{Claim, Row};
use quizhall_engine::{Head, Reading, SNAPSHOT_FORMAT, Snapshot, Wanted};
use quizhall_rules::{Change, Event, Setting, State};

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::mutation::Mutation;

/// Complete snapshots that a store keeps.
const KEPT: usize = 2;

/// A snapshot in the database.
#[derive(Debug)]
struct Stored {
    number: u64,
    head: Head,
    next_seq: u64,
    format: u32,
    body: Vec<u8>,
    /// The checksum of the body when it was complete; `None` before that.
    checksum: Option<u64>,
}

/// All snapshots, in the order in which they were begun.
#[derive(Debug, Default)]
pub struct Snapshots {
    all: Vec<Stored>,
    begun: u64,
}

/// The answer to a reading.
#[derive(Debug)]
pub enum Found {
    Heads(Vec<Head>),
    Snapshot(Option<Snapshot>),
    Page(Vec<Row>, bool),
}

impl Snapshots {
    fn begin(&mut self, snapshot: &Snapshot, body: Vec<u8>) -> u64 {
        self.begun += 1;
        let Snapshot { head, next_seq, .. } = *snapshot;
        let (number, format) = (self.begun, SNAPSHOT_FORMAT);
        self.all.push(Stored { number, head, next_seq, format, body, checksum: None });
        number
    }

    /// The last part of a snapshot is written. Then older ones are deleted, except for the newest complete one before it.
    fn complete(&mut self, number: u64) {
        let Some(stored) = self.all.iter_mut().find(|stored| stored.number == number) else { return };
        stored.checksum = Some(checksum(&stored.body));
        let complete = self.all.iter().rev().filter(|stored| stored.checksum.is_some());
        let oldest = complete.take(KEPT).last().map_or(0, |stored| stored.number);
        self.all.retain(|stored| stored.number >= oldest);
    }

    fn heads(&self) -> Vec<Head> {
        self.all.iter().rev().filter(|stored| stored.checksum.is_some()).map(|stored| stored.head).collect()
    }

    /// The newest snapshot after this row, if it is intact.
    fn find(&self, head: Head) -> Option<&Stored> {
        let stored = self.all.iter().rev().find(|stored| stored.head == head && stored.checksum.is_some())?;
        (stored.checksum == Some(checksum(&stored.body))).then_some(stored)
    }
}

/// FNV-1a: enough to notice one changed byte.
fn checksum(body: &[u8]) -> u64 {
    body.iter().fold(0xCBF2_9CE4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

impl World {
    /// A node begins to write a snapshot; it takes a while.
    pub fn write_snapshot(&mut self, node: usize, snapshot: &Snapshot) {
        let Some(id) = self.nodes[node].id else { return };
        let Some(body) = snapshot.clone().encode() else {
            return self.fail("13: a snapshot does not give the same state again".to_owned());
        };
        let number = self.snapshots.begin(snapshot, body);
        self.trace.note(self.agenda.now, "snapshot", &[node as u64, number, snapshot.head.seq]);
        let takes = self.dice.millis(1, 5_000);
        self.agenda.after(takes, What::SnapshotWritten(node, id, number));
    }

    /// As in the service: the edge of the owner's node makes the snapshot.
    pub fn snapshot_of_replica(&mut self, node: usize) {
        let snapshot = self.nodes[node].edge.as_ref().and_then(|slot| slot.edge.snapshot());
        if let Some(snapshot) = snapshot {
            self.write_snapshot(node, &snapshot);
        }
    }

    /// Unless its writer died or is cut off, the snapshot is complete.
    pub fn snapshot_written(&mut self, node: usize, id: quizhall_engine::EdgeId, number: u64) {
        if self.nodes[node].id != Some(id) || !self.reaches_database(node) {
            return self.coverage.note(Kind::SnapshotCut);
        }
        self.coverage.note(Kind::SnapshotWritten);
        self.snapshots.complete(number);
    }

    /// Causes one of the faults of snapshots.
    pub fn spoil_snapshot(&mut self) {
        let newest = self.snapshots.all.iter().rposition(|stored| stored.checksum.is_some());
        match (self.dice.range(0, 3), newest) {
            (0, Some(at)) => {
                let stored = &mut self.snapshots.all[at];
                let byte = self.dice.index(stored.body.len());
                stored.body[byte] ^= 1;
            }
            (1, Some(at)) => self.snapshots.all[at].format += 1,
            _ => self.leave_foreign_snapshot(),
        }
    }

    /// Leaves a snapshot of another history of this game: the database was set back, the game continued differently, and an earlier
    /// snapshot was completed afterwards. Its row has the place of an existing row.
    fn leave_foreign_snapshot(&mut self) {
        let rows = self.store.rows();
        if rows.len() < 2 {
            return;
        }
        let at = 1 + self.dice.index(rows.len() - 1);
        let mut state = State::replay(rows[..at].iter().flat_map(|row| &row.events)).expect("it was legal");
        let (seq, count) = (rows[at].head.seq, rows[at].events.len() as u64);
        let locked = !state.is_locked();
        state.apply(&Event::new(Change::Set(Setting::Locked(locked)), None));
        let head = Head { seq, batch: self.dice.next() };
        let snapshot = Snapshot { head, next_seq: seq + count, state: state.into() };
        let body = snapshot.clone().encode().expect("it is a state");
        let number = self.snapshots.begin(&snapshot, body);
        self.snapshots.complete(number);
    }

    /// The database answers a reading.
    pub fn look_up(&mut self, wanted: Wanted) -> Found {
        match wanted {
            Wanted::Heads => Found::Heads(self.snapshots.heads()),
            Wanted::Snapshot(head) => {
                let stored = self.snapshots.find(head);
                let found = stored.and_then(|it| Snapshot::decode((it.head, it.next_seq), it.format, &it.body));
                match (stored, &found) {
                    (None, _) => self.coverage.note(Kind::SnapshotDamaged),
                    (Some(_), None) => self.coverage.note(Kind::SnapshotOtherFormat),
                    _ => {}
                }
                Found::Snapshot(found)
            }
            Wanted::Page { from } => {
                let mut rows = self.store.rows_from(from);
                let ends = rows.len() <= self.page && self.dice.chance(500);
                rows.truncate(self.page);
                Found::Page(rows, ends)
            }
            Wanted::Nothing => Found::Page(Vec::new(), true),
        }
    }

    /// Gives a reading what was found.
    pub fn feed(&mut self, reading: &mut Reading, found: Found) {
        match found {
            Found::Heads(heads) => reading.heads(heads),
            Found::Snapshot(snapshot) => {
                self.trusted = snapshot
                    .as_ref()
                    .filter(|_| self.is_mutant(Mutation::SnapshotTrusted))
                    .map(|it| (it.head, it.next_seq));
                reading.snapshot(snapshot);
            }
            Found::Page(rows, ends) => {
                let rows = self.trust(rows);
                let skipped = reading.skipped();
                reading.page(&rows, ends);
                if reading.skipped() > skipped {
                    self.coverage.note(Kind::SnapshotStale);
                }
            }
        }
    }

    /// For a mutant: the row that a snapshot names is taken to be in the log.
    fn trust(&mut self, rows: Vec<Row>) -> Vec<Row> {
        let Some((head, next_seq)) = self.trusted.take() else { return rows };
        let events = vec![Event::new(Change::HostLeft, None); usize::try_from(next_seq - head.seq).expect("few")];
        let behind = rows.into_iter().filter(|row| row.head.seq >= next_seq);
        std::iter::once(Row { head, events }).chain(behind).collect()
    }

    /// A whole reading at one moment.
    pub fn read_at_once(&mut self) -> Option<Claim> {
        let mut reading = Reading::new();
        while reading.wanted() != Wanted::Nothing {
            let found = self.look_up(reading.wanted());
            self.feed(&mut reading, found);
        }
        self.loaded(reading)
    }

    /// Compares a finished reading with the replay from the beginning (invariant 13).
    pub fn loaded(&mut self, reading: Reading) -> Option<Claim> {
        let skipped = reading.skipped();
        let claim = match reading.finish() {
            Ok(claim) => claim,
            Err(error) => {
                self.fail(format!("1: {error}"));
                return None;
            }
        };
        let next = usize::try_from(claim.next_seq()).expect("few events");
        let replayed = self.store.events.get(..next).and_then(|events| State::replay(events).ok());
        if replayed.as_ref() != Some(claim.state()) || !self.store.knows(claim.head()) {
            self.fail(format!("13: what was loaded at event {next} is not the replay of the log"));
        }
        let used = claim.replayed() < claim.next_seq();
        match (used, skipped) {
            (true, 0) => self.coverage.note(Kind::SnapshotUsed),
            (true, _) => self.coverage.note(Kind::SnapshotOlder),
            (false, 1..) => self.coverage.note(Kind::SnapshotNone),
            (false, 0) => {}
        }
        Some(claim)
    }

    /// As in the service: a node that had to replay much leaves a snapshot for the next load.
    pub fn snapshot_of_load(&mut self, node: usize, claim: &mut Claim) {
        if let Some(snapshot) = claim.take_snapshot(self.snapshot_every) {
            self.write_snapshot(node, &snapshot);
        }
    }
}
