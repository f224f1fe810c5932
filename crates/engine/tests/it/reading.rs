//! Loading a game: the input is snapshots and pages of rows, the output is the state of the log.

use quizhall_engine::claim::{Claim, ClaimError, Row};
use quizhall_engine::{Head, LogRow, Reading, Snapshot, Wanted};
use quizhall_rules::{Change, Device, Event, Setting, State};

use crate::stage::{answered, created, event, joined, player, question};

/// A log, its snapshots, and how many rows it returns at once.
struct Shelf {
    rows: Vec<Row>,
    /// Newest first.
    snapshots: Vec<Snapshot>,
    page: usize,
    /// The requests so far.
    asked: Vec<Wanted>,
}

fn row(seq: u64, batch: u64, events: Vec<Event>) -> Row {
    Row { head: Head { seq, batch }, events }
}

/// A log of rows with one to three events, with other ids in each history.
fn log(rows: u64, history: u64) -> Vec<Row> {
    let mut log = vec![row(0, 1, vec![created(), joined(1), joined(2), joined(3)])];
    let mut seq = 4;
    for number in 1..rows {
        let events: Vec<Event> = (0..=number % 3).map(|part| change(number + part + history)).collect();
        let length = events.len() as u64;
        log.push(row(seq, number * 1_000 + history, events));
        seq += length;
    }
    log
}

fn change(number: u64) -> Event {
    let player = player(1 + number % 3);
    event(match number % 4 {
        0 => Change::Left { player, device: Device::FIRST },
        1 => Change::Returned { player, device: Device::FIRST },
        2 => Change::Set(Setting::Locked(number % 8 == 2)),
        _ => Change::HostReturned,
    })
}

/// A snapshot after the row with this index.
fn snapshot(rows: &[Row], last: usize) -> Snapshot {
    let state = State::replay(rows[..=last].iter().flat_map(|row| &row.events)).unwrap();
    let next_seq = rows[last].head.seq + rows[last].count();
    Snapshot { head: rows[last].head, next_seq, state: state.into() }
}

impl Shelf {
    fn new(rows: Vec<Row>, snapshots: Vec<Snapshot>, page: usize) -> Self {
        Self { rows, snapshots, page, asked: Vec::new() }
    }

    fn give(&mut self, reading: &mut Reading) {
        let wanted = reading.wanted();
        self.asked.push(wanted);
        match wanted {
            Wanted::Heads => reading.heads(self.snapshots.iter().map(|snapshot| snapshot.head).collect()),
            Wanted::Snapshot(head) => {
                reading.snapshot(self.snapshots.iter().find(|snapshot| snapshot.head == head).cloned());
            }
            Wanted::Page { from } => {
                let rows: Vec<_> =
                    self.rows.iter().filter(|row| row.head.seq >= from).take(self.page).cloned().collect();
                reading.page(&rows, false);
            }
            Wanted::Nothing => {}
        }
    }

    fn read(&mut self) -> Result<Claim, ClaimError> {
        let mut reading = Reading::new();
        while reading.wanted() != Wanted::Nothing {
            self.give(&mut reading);
        }
        reading.finish()
    }

    /// The first event of the pages that led to the end: the lowest event requested since the last step back.
    fn begun_at(&self) -> Option<u64> {
        let mut begun = None;
        let mut last = 0;
        for wanted in &self.asked {
            match *wanted {
                Wanted::Page { from } if begun.is_some() && from >= last => last = from,
                Wanted::Page { from } => (begun, last) = (Some(from), from),
                _ => begun = None,
            }
        }
        begun
    }

    fn loads_the_log(&mut self) {
        let claim = self.read().unwrap();
        let last = self.rows.last().unwrap();
        let state = State::replay(self.rows.iter().flat_map(|row| &row.events)).unwrap();
        assert_eq!((claim.head(), claim.next_seq()), (last.head, last.head.seq + last.count()));
        assert!(*claim.state() == state, "another state than the replay's");
    }
}

#[test]
fn a_log_is_read_in_pages_of_any_size() {
    for rows in 1..12 {
        for page in 2..14 {
            let mut shelf = Shelf::new(log(rows, 0), Vec::new(), page);
            shelf.loads_the_log();
            assert_eq!(shelf.begun_at(), Some(0));
        }
    }
}

#[test]
fn a_snapshot_spares_the_rows_before_it() {
    let rows = log(40, 0);
    for last in 0..40 {
        for page in [2, 3, 7, 100] {
            let newest = snapshot(&rows, last);
            let begins = newest.head.seq;
            let mut shelf = Shelf::new(rows.clone(), vec![newest], page);
            shelf.loads_the_log();
            assert_eq!(shelf.begun_at(), Some(begins), "snapshot after row {last}, pages of {page}");
            let lowest = shelf.asked.iter().filter_map(|wanted| match wanted {
                Wanted::Page { from } => Some(*from),
                _ => None,
            });
            assert_eq!(lowest.min(), Some(begins), "no row before it is read");
        }
    }
}

#[test]
fn events_of_a_snapshot_do_not_count_as_replayed() {
    let rows = log(40, 0);
    let all = rows.iter().map(LogRow::count).sum::<u64>();
    let begins = snapshot(&rows, 30).next_seq;
    let claim = Shelf::new(rows.clone(), vec![snapshot(&rows, 30)], 5).read().unwrap();
    assert_eq!(claim.replayed(), all - begins);
    assert_eq!(Shelf::new(rows, Vec::new(), 5).read().unwrap().replayed(), all);
}

/// A snapshot of another history, as after a restored backup, of rows that the log has lost, and one that ends elsewhere than its row.
#[test]
fn a_snapshot_that_is_not_of_this_log_is_skipped_and_an_older_one_used() {
    let (rows, other) = (log(40, 0), log(40, 1));
    let shifted = |shift| {
        let mut wrong = snapshot(&rows, 30);
        wrong.next_seq = wrong.next_seq.saturating_add_signed(shift);
        wrong
    };
    let cases = [(40, snapshot(&other, 30)), (25, snapshot(&rows, 30)), (40, shifted(-1)), (40, shifted(1))];
    for (number, (length, wrong)) in cases.into_iter().enumerate() {
        for page in [2, 7, 100] {
            let mut shelf = Shelf::new(rows[..length].to_vec(), vec![wrong.clone(), snapshot(&rows, 10)], page);
            shelf.loads_the_log();
            assert_eq!(shelf.begun_at(), Some(rows[10].head.seq), "case {number}, pages of {page}");
            let mut shelf = Shelf::new(rows[..length].to_vec(), vec![wrong.clone()], page);
            shelf.loads_the_log();
            assert_eq!(shelf.begun_at(), Some(0), "the whole log in case {number}, pages of {page}");
        }
    }
}

#[test]
fn a_snapshot_that_cannot_be_read_is_skipped() {
    let rows = log(40, 0);
    let mut reading = Reading::new();
    reading.heads(vec![rows[30].head, rows[20].head]);
    assert_eq!(reading.wanted(), Wanted::Snapshot(rows[30].head));
    reading.snapshot(None);
    assert_eq!(reading.wanted(), Wanted::Snapshot(rows[20].head));
    reading.snapshot(Some(snapshot(&rows, 30)));
    assert_eq!(reading.wanted(), Wanted::Page { from: 0 }, "a page that was not requested is ignored");
    assert_eq!(reading.skipped(), 2);
}

/// Between two pages the database is set back, and the game continues differently.
#[test]
fn a_log_that_is_replaced_between_two_pages_is_read_again() {
    let (rows, other) = (log(40, 0), log(60, 1));
    for pages in 1..6 {
        let mut shelf = Shelf::new(rows.clone(), Vec::new(), 6);
        let mut reading = Reading::new();
        for _ in 0..=pages {
            shelf.give(&mut reading);
        }
        shelf.rows.clone_from(&other);
        while reading.wanted() != Wanted::Nothing {
            shelf.give(&mut reading);
        }
        let claim = reading.finish().unwrap();
        let state = State::replay(other.iter().flat_map(|row| &row.events)).unwrap();
        assert!(*claim.state() == state, "a mixture, after {pages} pages");
    }
}

#[test]
fn a_log_that_never_holds_still_is_given_up() {
    let mut reading = Reading::new();
    reading.heads(Vec::new());
    for history in 0..100 {
        if reading.wanted() == Wanted::Nothing {
            break;
        }
        let rows = log(10, history);
        let Wanted::Page { from } = reading.wanted() else { panic!("no page") };
        let rows: Vec<_> = rows.into_iter().filter(|row| row.head.seq >= from).take(5).collect();
        reading.page(&rows, false);
    }
    assert!(matches!(reading.finish(), Err(ClaimError::Moved)));
}

#[test]
fn a_log_that_ended_is_not_asked_for_more() {
    let rows = log(10, 0);
    let mut reading = Reading::new();
    reading.heads(Vec::new());
    reading.page(&rows, true);
    assert_eq!(reading.wanted(), Wanted::Nothing);
    assert_eq!(reading.finish().unwrap().head(), rows[9].head);
}

/// A row that declares another number of events than it holds, or has events that cannot be read.
struct Broken(Row, u64, bool);

impl LogRow for Broken {
    fn head(&self) -> Head {
        self.0.head
    }

    fn count(&self) -> u64 {
        self.1
    }

    fn replay(&self, apply: &mut dyn FnMut(&Event)) -> bool {
        self.0.events.iter().for_each(apply);
        self.2
    }
}

#[test]
fn a_row_that_cannot_be_read_ends_the_load() {
    for (count, readable) in [(3, true), (5, true), (4, false)] {
        let first = Broken(log(1, 0).remove(0), count, readable);
        let mut reading = Reading::new();
        reading.heads(Vec::new());
        reading.page(&[first], true);
        assert!(matches!(reading.finish(), Err(ClaimError::Unreadable(0))), "{count}, {readable}");
    }
}

#[test]
fn a_log_without_a_row_or_without_its_beginning_makes_no_game() {
    assert!(matches!(Shelf::new(Vec::new(), Vec::new(), 5).read(), Err(ClaimError::Empty)));
    let mut holed = log(10, 0);
    holed.remove(4);
    let gap = holed[3].head.seq + holed[3].count();
    for page in [2, 3, 4, 5, 100] {
        let read = Shelf::new(holed.clone(), Vec::new(), page).read();
        assert!(matches!(read, Err(ClaimError::Gap(at)) if at == gap), "pages of {page}");
    }
    let headless = vec![row(0, 1, vec![joined(1)])];
    assert!(matches!(Shelf::new(headless, Vec::new(), 5).read(), Err(ClaimError::Replay(_))));
}

/// A long replay leaves a snapshot: when it had as many events as asked for, and as the last snapshot is worth.
#[test]
fn a_long_replay_leaves_a_snapshot() {
    let rows = log(40, 0);
    let mut claim = Shelf::new(rows.clone(), Vec::new(), 6).read().unwrap();
    let all = claim.replayed();
    assert_eq!(claim.take_snapshot(all + 1), None);
    assert_eq!(claim.take_snapshot(all), Some(snapshot(&rows, 39)));
    assert_eq!((claim.replayed(), claim.take_snapshot(1)), (0, None), "once");
    let answers = (1..=3).map(|number| answered(number, 1, "key1"));
    let mut events = vec![created(), joined(1), joined(2), joined(3), event(Change::Started)];
    events.push(event(Change::QuestionReleased { question: question(1) }));
    events.extend(answers);
    let mut rows = vec![row(0, 1, events)];
    let worth = snapshot(&rows, 0);
    assert_eq!(worth.state.weight(), 6, "three players and three answers");
    rows.push(row(9, 2, vec![event(Change::HostReturned); 5]));
    let load = |rows: &[Row]| Shelf::new(rows.to_vec(), vec![worth.clone()], 6).read().unwrap();
    assert_eq!(load(&rows).take_snapshot(1), None);
    rows.push(row(14, 3, vec![event(Change::HostReturned)]));
    assert!(load(&rows).take_snapshot(1).is_some());
}
