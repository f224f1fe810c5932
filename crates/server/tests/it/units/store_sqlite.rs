//! The file of an `SQLite` database: its lock, its header, its write-ahead log and the free space of its pages.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use quizhall::store::sqlite::ServiceLock;
use quizhall::store::sqlite::header::Seen;
use quizhall::store::sqlite::scrub::gap;
use quizhall::store::{Append, Outcome, StoreOptions, connect};
use tempfile::TempDir;

use crate::store_stage::{a_game, append_one, head_of, next};

#[test]
fn every_spelling_of_the_path_leads_to_one_lock_before_there_is_a_file() {
    let folder = TempDir::new().unwrap();
    let (file, nested) = (folder.path().join("quizhall.db"), folder.path().join("nested"));
    fs::create_dir(folder.path().join("inner")).unwrap();
    symlink(folder.path(), &nested).unwrap();
    let held = ServiceLock::try_take(&file).unwrap();
    for other in [nested.join("quizhall.db"), folder.path().join("inner/../quizhall.db")] {
        let refused = ServiceLock::try_take(&other).unwrap_err().to_string();
        assert!(refused.contains("another service"), "{other:?}: {refused}");
    }
    ServiceLock::try_take(&folder.path().join("other.db")).unwrap();
    drop(held);
    ServiceLock::try_take(&file).unwrap();
    let mode = fs::metadata(folder.path().join("quizhall.db.lock")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_database_grows_and_never_becomes_another_or_an_earlier_one() {
    let seen = Seen { number: 7, age: (5, 100) };
    for later in [seen, Seen { age: (5, 101), ..seen }, Seen { age: (6, 90), ..seen }] {
        assert!(later.follows(seen), "{later:?}");
    }
    let fresh = Seen { number: 0, ..seen };
    assert!(seen.follows(fresh) && !fresh.follows(seen), "the number comes once");
    for other in [Seen { number: 8, age: (9, 900) }, Seen { age: (4, 900), ..seen }, Seen { age: (5, 99), ..seen }] {
        assert!(!other.follows(seen), "{other:?}");
    }
}

#[tokio::test]
async fn the_log_begins_anew_under_constant_writing() {
    const COMMITS: u32 = 400;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("quizhall.db");
    // Every commit makes a checkpoint due, unless one is under way.
    let options = StoreOptions { checkpoint_after: 1, ..StoreOptions::default() };
    let store = connect(&format!("sqlite://{}", file.display()), options).await.unwrap();
    let (game, mut head) = a_game(&store, "AAAAAA").await;
    for _ in 0..COMMITS {
        let row = Append { body: format!("[\"{}\"]", "x".repeat(3_000)), ..next(game, head, 1) };
        head = head_of(&row);
        assert_eq!(append_one(&store, row).await, Outcome::Committed);
    }
    // The first commit after a complete checkpoint adds one to this field of the log's header. The length of the log would
    // depend on the speed of the disk.
    let log = fs::read(folder.path().join("quizhall.db-wal")).unwrap();
    let restarts = u32::from_be_bytes(log[12..16].try_into().unwrap());
    assert!(restarts >= COMMITS / 80, "{restarts} restarts");
    store.close().await;
}

/// A leaf of a table with two cells of 4 bytes at the end, and other bytes in between.
fn leaf() -> Vec<u8> {
    let mut page = vec![0xff; 64];
    page[..8].copy_from_slice(&[13, 0, 0, 0, 2, 0, 56, 0]);
    page
}

#[test]
fn the_gap_of_a_page_is_what_neither_directory_nor_cells_hold() {
    assert_eq!(gap(2, &leaf()), Some(12..56));
    let mut inner = leaf();
    inner[0] = 5;
    assert_eq!(gap(2, &inner), Some(16..56));
    let mut first = vec![0; 100];
    first.extend([13, 0, 0, 0, 0, 0, 120, 0, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(gap(1, &first), Some(108..120));
    // Pages of another kind and damaged ones have none.
    for page in [vec![], vec![0; 64], vec![13], vec![13, 0, 0, 0xff, 0xff, 0, 56, 0], [13; 64].to_vec()] {
        assert_eq!(gap(2, &page), None, "{page:?}");
    }
}
