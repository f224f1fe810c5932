//! The first bytes of the database file. They show that another file was written over it (`cp other.db quizhall.db`):
//! its path and its number stay the same, and `SQLite` does not check.
//!
//! Used by `file`, and by `lock`, which shares the open file. Every database has a random number of its own in the
//! header, and a counter that only grows; an earlier copy of the same database has a smaller one. Writes nothing.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use sqlx::{AssertSqlSafe, Executor as _, SqliteConnection};

use super::super::error::StoreError;
use super::file::Identity;

/// Bytes of the header.
pub(super) const BYTES: usize = 100;
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";
/// Offsets in it: the counter of changes, the size in pages, and the number that users of `SQLite` may set.
const CHANGES: usize = 24;
pub(super) const PAGES: usize = 28;
const NUMBER: usize = 60;

/// How often it is read before a difference counts: a page is not written at once.
const READS: usize = 3;

/// Open files, each opened once however many stores use it: closing one ends every lock that the process has on it,
/// `SQLite`'s too.
static FILES: LazyLock<Mutex<HashMap<Identity, Weak<File>>>> = LazyLock::new(Mutex::default);

/// The header of one file as it was seen last.
#[derive(Debug)]
pub(super) struct Header {
    file: Arc<File>,
    seen: Mutex<Option<Seen>>,
}

/// What a header says of its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The number of the database; 0: the file has no number yet.
    pub number: u32,
    /// Changes, then pages.
    pub age: (u32, u32),
}

impl Header {
    /// The header of the file at `path`, which has this identity.
    pub(super) fn of(path: &Path, identity: Identity) -> io::Result<Self> {
        let file = opened(path, identity)?;
        Ok(Self { seen: Mutex::new(read(&file)), file })
    }

    /// Whether it can still be the same database.
    pub(super) fn is_ours(&self) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        (0..READS).any(|_| {
            let now = read(&self.file);
            let follows = now.is_some_and(|now| seen.is_none_or(|before| now.follows(before))) || now == *seen;
            if follows {
                *seen = now;
            }
            follows
        })
    }
}

/// The file at `path`, which has this identity, as this process has it open.
pub(super) fn opened(path: &Path, identity: Identity) -> io::Result<Arc<File>> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let file = match files.get(&identity).and_then(Weak::upgrade) {
        Some(file) => file,
        None => Arc::new(File::open(path)?),
    };
    files.retain(|_, file| file.strong_count() > 0);
    files.insert(identity, Arc::downgrade(&file));
    Ok(file)
}

impl Seen {
    /// Whether a file that had the header `before` can have this one now, if it is still the same database.
    pub fn follows(self, before: Self) -> bool {
        (self.number == before.number || before.number == 0) && self.age >= before.age
    }
}

/// `None` when it has no header, such as a new file.
fn read(file: &File) -> Option<Seen> {
    let mut header = [0; BYTES];
    file.read_exact_at(&mut header, 0).ok()?;
    let word = |at: usize| header.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    let seen = Seen { number: word(NUMBER)?, age: (word(CHANGES)?, word(PAGES)?) };
    header.starts_with(MAGIC).then_some(seen)
}

/// Gives a database without a number one, in the file itself and not only in its write-ahead log.
pub(super) async fn number(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let number: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *connection).await?;
    if number == 0 {
        let number = rand::random_range(1..=i32::MAX);
        connection.execute(AssertSqlSafe(format!("PRAGMA user_version = {number}"))).await?;
        // The log is cut to nothing: the room of an old log would hide a full disk from the first commits.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").await?;
    }
    Ok(())
}
