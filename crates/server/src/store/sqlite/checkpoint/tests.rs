//! Unit tests of `store::sqlite::checkpoint`.

#![allow(clippy::unwrap_used)]

use super::super::open;
use super::*;

/// Each writes at least one page.
const COMMITS: u32 = 400;

async fn run(connection: &mut SqliteConnection, statement: &'static str) -> Result<(), StoreError> {
    connection.execute(statement).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_begins_anew_under_constant_writing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quizhall.db");
    open::prepare_file(&path).unwrap();
    let options = open::options(&path).busy_timeout(Duration::from_secs(2));
    let file = Arc::new(DataFile::find(&path, 0).unwrap());
    let (gate, writer) = (Arc::<Gate>::default(), Link::new(options.clone(), &file));
    writer.with(&gate, |connection| run(connection, "CREATE TABLE t (x)").boxed()).await.unwrap();
    let writing = tokio::spawn({
        let gate = Arc::clone(&gate);
        async move {
            for _ in 0..COMMITS {
                let add = "INSERT INTO t VALUES (randomblob(3000))";
                writer.with(&gate, |connection| run(connection, add).boxed()).await.unwrap();
            }
            writer
        }
    });
    let mover = Link::new(options, &file);
    let mut times = 0;
    while !writing.is_finished() {
        both_steps(&gate, &mover).await.unwrap();
        times += 1;
    }
    // The connection stays open until the log has been read: closing the last one deletes the log.
    let _writer = writing.await.unwrap();
    let restarts = restarts(&std::fs::read(path.with_extension("db-wal")).unwrap());
    assert!(restarts >= COMMITS.min(times) / 2, "{restarts} restarts, {COMMITS} commits, {times} checkpoints");
}

/// How often the log started over. The first commit after a complete checkpoint adds one to this field of the log's
/// header. The length of the log would depend on the speed of the disk.
fn restarts(log: &[u8]) -> u32 {
    u32::from_be_bytes(log[12..16].try_into().unwrap())
}
