//! The calls of the process on its files, as `.ci/powercut/shim.c` recorded them, and what a loss of power leaves of them.
//!
//! Used by `disk`. It reads no file: its input and output are bytes.

use std::collections::{BTreeMap, HashMap};

use rand::RngExt as _;
use rand::rngs::StdRng;

/// The files of a folder by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The file that checkpoints write to.
const DATABASE: &[u8] = b"quizhall.db";

/// The bytes of a line of the record before its payload: kind, inode, offset, length, each a `u64`.
const HEADER: usize = 32;

/// What happens to writes that no successful sync covers.
#[derive(Debug, Clone, Copy)]
pub struct Fate {
    /// The probability that such a write is on the disk as a whole.
    pub kept: f64,
    /// If it is not: the size of the sectors in bytes of which some are on the disk; `None`: no part is.
    pub torn: Option<usize>,
}

/// The number of writes, and what happened to them.
#[derive(Debug, Default, Clone, Copy)]
pub struct Toll {
    /// Recorded writes.
    pub writes: usize,
    /// Writes to the database file itself, by checkpoints.
    pub in_place: usize,
    /// Writes that are not on the disk as a whole afterwards.
    pub dropped: usize,
    /// Writes that are partly on the disk afterwards.
    pub torn: usize,
    /// Syncs that failed.
    pub failed_syncs: usize,
}

/// A record that has been read.
#[derive(Default)]
pub struct Record {
    files: Vec<File>,
    by_inode: HashMap<u64, usize>,
    /// The inode of the database file.
    database: Option<u64>,
    /// The names in the folder when the process started; their files are the first of `files`.
    names: BTreeMap<String, usize>,
    entries: Vec<Entry>,
    durable_entries: usize,
    /// Syncs that have begun: of which file (`None`: the folder), and how many of its changes they cover.
    syncs: HashMap<u64, (Option<usize>, usize)>,
    toll: Toll,
}

#[derive(Default)]
struct File {
    base: Vec<u8>,
    changes: Vec<Change>,
}

struct Change {
    what: What,
    state: State,
}

enum What {
    Written { at: usize, bytes: Vec<u8> },
    Cut { to: usize },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Only in the page cache.
    Pending,
    /// Covered by a successful sync.
    Durable,
    /// Covered by a failed sync: the kernel considers it written, so no later sync writes it.
    Lost,
}

enum Entry {
    Created(String, usize),
    Unlinked(String),
    Renamed(String, String),
}

impl Record {
    /// Reads the record of a process that started with these files. An incomplete last line is ignored.
    pub fn read(base: &Files, mut bytes: &[u8]) -> Self {
        let mut record = Self::default();
        for (name, content) in base {
            record.names.insert(name.clone(), record.files.len());
            record.files.push(File { base: content.clone(), changes: Vec::new() });
        }
        while let Some((header, rest)) = bytes.split_at_checked(HEADER) {
            let [kind, inode, offset, length] =
                [0, 8, 16, 24].map(|at| u64::from_le_bytes(header[at..at + 8].try_into().unwrap()));
            let Some((payload, rest)) = rest.split_at_checked(usize::try_from(length).unwrap()) else { break };
            record.line(kind, (inode, offset), payload);
            bytes = rest;
        }
        record
    }

    fn line(&mut self, kind: u64, (inode, offset): (u64, u64), payload: &[u8]) {
        let name = || String::from_utf8_lossy(payload).into_owned();
        let at = usize::try_from(offset).unwrap();
        if kind <= 1 && payload == DATABASE {
            self.database = Some(inode);
        }
        match kind {
            0 => {
                let named = self.names.get(&name()).copied();
                if let (false, Some(file)) = (self.by_inode.contains_key(&inode), named) {
                    self.by_inode.insert(inode, file);
                }
            }
            1 => {
                self.by_inode.insert(inode, self.files.len());
                self.entries.push(Entry::Created(name(), self.files.len()));
                self.files.push(File::default());
            }
            2 => self.change(inode, What::Written { at, bytes: payload.to_vec() }),
            3 => self.change(inode, What::Cut { to: at }),
            4 => self.entries.push(Entry::Unlinked(name())),
            5 => {
                let (from, to) = payload.split_at(payload.iter().position(|byte| *byte == 0).unwrap());
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                self.entries.push(Entry::Renamed(text(from), text(&to[1..])));
            }
            6 => {
                let file = (inode != 0).then(|| self.by_inode[&inode]);
                let covered = file.map_or(self.entries.len(), |file| self.files[file].changes.len());
                self.syncs.insert(offset, (file, covered));
            }
            7 => self.synced(offset, State::Durable),
            8 => {
                self.toll.failed_syncs += 1;
                self.synced(offset, State::Lost);
            }
            other => panic!("the record holds a line of kind {other}"),
        }
    }

    fn change(&mut self, inode: u64, what: What) {
        let (file, written) = (self.by_inode[&inode], matches!(what, What::Written { .. }));
        self.toll.writes += usize::from(written);
        self.toll.in_place += usize::from(written && self.database == Some(inode));
        self.files[file].changes.push(Change { what, state: State::Pending });
    }

    fn synced(&mut self, number: u64, state: State) {
        let (file, covered) = self.syncs.remove(&number).expect("only a sync that has begun can end");
        let Some(file) = file else {
            self.durable_entries = self.durable_entries.max(covered);
            return;
        };
        let pending = |change: &&mut Change| change.state == State::Pending;
        self.files[file].changes[..covered].iter_mut().filter(pending).for_each(|change| change.state = state);
    }

    /// The files on the disk after the loss of power, and the losses.
    pub fn after_the_cut(mut self, fate: Fate, chance: &mut StdRng) -> (Files, Toll) {
        let mut contents: Vec<Option<Vec<u8>>> = Vec::new();
        for file in std::mem::take(&mut self.files) {
            let mut content = file.base;
            for change in file.changes {
                if change.state == State::Durable || chance.random_bool(fate.kept) {
                    apply(&mut content, &change.what);
                } else if let What::Written { at, bytes } = &change.what {
                    self.toll.dropped += 1;
                    self.toll.torn += usize::from(fate.torn.is_some());
                    tear(&mut content, (*at, bytes), fate.torn, chance);
                }
            }
            contents.push(Some(content));
        }
        // The folder's own changes are written in order, as in a file system with a journal.
        let loose = self.entries.len() - self.durable_entries;
        let kept = if fate.kept > 0.0 { chance.random_range(0..=loose) } else { 0 };
        self.entries.truncate(self.durable_entries + kept);
        for entry in self.entries {
            match entry {
                Entry::Created(name, file) => drop(self.names.insert(name, file)),
                Entry::Unlinked(name) => drop(self.names.remove(&name)),
                Entry::Renamed(from, to) => {
                    if let Some(file) = self.names.remove(&from) {
                        self.names.insert(to, file);
                    }
                }
            }
        }
        let files = self.names.into_iter().filter_map(|(name, file)| Some((name, contents[file].take()?)));
        (files.collect(), self.toll)
    }
}

fn apply(content: &mut Vec<u8>, what: &What) {
    match what {
        What::Written { at, bytes } => put(content, *at, bytes),
        What::Cut { to } => content.resize(*to, 0),
    }
}

/// Writes some of the sectors that contain the bytes.
fn tear(content: &mut Vec<u8>, (at, bytes): (usize, &[u8]), sector: Option<usize>, chance: &mut StdRng) {
    let Some(sector) = sector else { return };
    let mut begin = at;
    while begin < at + bytes.len() {
        let end = ((begin / sector + 1) * sector).min(at + bytes.len());
        if chance.random_bool(0.5) {
            put(content, begin, &bytes[begin - at..end - at]);
        }
        begin = end;
    }
}

/// A hole before the bytes reads as zeros.
fn put(content: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    if content.len() < at + bytes.len() {
        content.resize(at + bytes.len(), 0);
    }
    content[at..at + bytes.len()].copy_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    const NOTHING: Fate = Fate { kept: 0.0, torn: None };
    const EVERYTHING: Fate = Fate { kept: 1.0, torn: None };

    fn line(kind: u64, (inode, offset): (u64, u64), payload: &[u8]) -> Vec<u8> {
        let header = [kind, inode, offset, payload.len() as u64].map(u64::to_le_bytes).concat();
        [header, payload.to_vec()].concat()
    }

    fn after(lines: &[Vec<u8>], fate: Fate) -> Files {
        let base = Files::from([("a".to_owned(), b"base".to_vec())]);
        let record = Record::read(&base, &lines.concat());
        record.after_the_cut(fate, &mut StdRng::seed_from_u64(1)).0
    }

    #[test]
    fn synced_writes_stay_and_later_ones_may_be_lost() {
        let lines = [
            line(0, (7, 0), b"a"),
            line(2, (7, 0), b"B"),
            line(6, (7, 1), b""),
            line(2, (7, 1), b"A"),
            line(7, (7, 1), b""),
            line(3, (7, 3), b""),
        ];
        assert_eq!(after(&lines, NOTHING)["a"], b"Base");
        assert_eq!(after(&lines, EVERYTHING)["a"], b"BAs");
    }

    #[test]
    fn writes_of_a_failed_sync_are_not_written_by_the_next() {
        let sync = |number, kind| [line(6, (7, number), b""), line(kind, (7, number), b"")].concat();
        let lines = [line(0, (7, 0), b"a"), line(2, (7, 0), b"B"), sync(1, 8), line(2, (7, 1), b"A"), sync(2, 7)];
        assert_eq!(after(&lines, NOTHING)["a"], b"bAse");
    }

    #[test]
    fn a_name_is_there_once_its_folder_is_synced() {
        let made =
            [line(1, (8, 0), b"b"), line(2, (8, 0), b"new"), line(6, (8, 1), b""), line(7, (8, 1), b"")].concat();
        assert!(!after(std::slice::from_ref(&made), NOTHING).contains_key("b"));
        let synced = [line(6, (0, 2), b""), line(5, (0, 0), b"b\0c"), line(7, (0, 2), b"")].concat();
        assert_eq!(after(&[made, synced], NOTHING)["b"], b"new", "the renaming came after the sync had begun");
    }

    #[test]
    fn a_torn_write_is_there_in_sectors() {
        let lines = [line(0, (7, 0), b"a"), line(2, (7, 0), &[b'x'; 4_096])];
        let torn = &after(&lines, Fate { kept: 0.0, torn: Some(512) })["a"];
        let written = |sector: &[u8]| sector.contains(&b'x');
        let whole = |sector: &[u8]| !written(sector) || sector.iter().all(|byte| *byte == b'x');
        assert!(torn.chunks(512).all(whole), "a sector is written as a whole or not at all");
        let count = torn.chunks(512).filter(|sector| written(sector)).count();
        assert!((1..8).contains(&count), "{count} of 8 sectors are written");
    }
}
