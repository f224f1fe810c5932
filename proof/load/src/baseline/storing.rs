//! The thread that stores answers: one transaction for all answers that arrived during the previous one, with one row for each of
//! its games, in one table that only grows. `SQLite` is configured as in the service. It does not read what it has written.

use std::path::Path;
use std::sync::{Arc, mpsc};

use anyhow::{Context as _, anyhow};
use mio::Waker;
use rusqlite::Connection;

use super::Received;

/// Like the service's log: write-ahead, synced with every commit, no checkpoint below 64 MiB, deleted content is overwritten.
const SETTINGS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 16384;
    PRAGMA secure_delete = ON;
    CREATE TABLE log (number INTEGER PRIMARY KEY, game INTEGER NOT NULL, body BLOB NOT NULL);";

const APPEND: &str = "INSERT INTO log (game, body) VALUES (?1, ?2)";

/// The writer, in the view of the thread of the connections. It holds one batch at a time.
pub(super) struct Storing {
    batches: mpsc::SyncSender<Vec<Received>>,
    stored: mpsc::Receiver<Vec<Received>>,
    busy: bool,
}

impl Storing {
    /// Creates the database and starts the thread, which wakes the caller after each commit.
    pub(super) fn start(file: &Path, waker: Arc<Waker>) -> anyhow::Result<Self> {
        let connection = Connection::open(file).context("the baseline's database")?;
        connection.execute_batch(SETTINGS).context("the baseline's database")?;
        let (batches, waiting) = mpsc::sync_channel::<Vec<Received>>(1);
        let (done, stored) = mpsc::sync_channel(1);
        std::thread::spawn(move || {
            while let Ok(mut batch) = waiting.recv() {
                if let Err(error) = append(&connection, &mut batch) {
                    eprintln!("the baseline's database: {error}");
                    return;
                }
                // A thread that has stopped acknowledges nothing.
                let _ = done.send(batch);
                let _ = waker.wake();
            }
        });
        Ok(Self { batches, stored, busy: false })
    }

    /// Takes the answers if no transaction is in progress.
    pub(super) fn store(&mut self, answers: &mut Vec<Received>) -> anyhow::Result<()> {
        if self.busy || answers.is_empty() {
            return Ok(());
        }
        self.busy = true;
        self.batches.send(std::mem::take(answers)).map_err(|_| anyhow!("the baseline cannot store answers"))
    }

    /// The answers of the transaction that has just been synced; none during a transaction.
    pub(super) fn stored(&mut self) -> Vec<Received> {
        let stored = self.stored.try_recv();
        self.busy &= stored.is_err();
        stored.unwrap_or_default()
    }
}

/// Writes a batch, one row for each of its games, and returns once it is synced.
fn append(connection: &Connection, batch: &mut [Received]) -> rusqlite::Result<()> {
    batch.sort_by_key(|received| received.game);
    let transaction = connection.unchecked_transaction()?;
    let mut insert = transaction.prepare_cached(APPEND)?;
    for of_game in batch.chunk_by(|one, other| one.game == other.game) {
        let body: Vec<u8> = of_game.iter().flat_map(encoded).collect();
        insert.execute((of_game[0].game, body))?;
    }
    drop(insert);
    transaction.commit()
}

/// An answer in a row: the player, the question, the length, the text.
fn encoded(received: &Received) -> impl Iterator<Item = u8> {
    let Received { peer, answer, .. } = received;
    let length = answer.answer.len().to_le_bytes();
    let parts = [&peer.to_le_bytes()[..4], answer.question.as_bytes(), &length[..2], answer.answer.as_bytes()].concat();
    parts.into_iter()
}
