//! What `quizhall backup` creates, and what it refuses with a message and without writing anything.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use quizhall::store::sqlite::last_backup;
use tempfile::TempDir;

use super::{database, err, filler, names, quizhall, run, small_disk};
use crate::process::signal;

#[tokio::test]
async fn a_backup_is_one_private_file_and_leaves_a_mark() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    database(folder.path(), 1).await;
    let (file, data) = (shelf.path().join("backup.db"), folder.path().join("quizhall.db"));
    assert_eq!(last_backup(&data), None);
    let output = run(folder.path(), "backup", &file);
    assert!(String::from_utf8_lossy(&output.stdout).contains("backup.db holds the database"), "{output:?}");
    let progress = err(&output);
    assert!(progress.lines().all(|line| line.starts_with("copying: ")) && progress.ends_with("100 %\n"), "{progress}");
    assert_eq!(names(shelf.path()), ["backup.db"]);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let marked = last_backup(&data).unwrap();
    let now = i64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap().as_secs()).unwrap();
    assert!((now - 60..=now).contains(&marked), "{marked} {now}");
    let link = shelf.path().join("link.db");
    symlink(&data, &link).unwrap();
    assert_eq!(last_backup(&link), Some(marked), "by every name of the database");
}

#[tokio::test]
async fn a_backup_that_cannot_be_made_is_reported_and_nothing_is_written() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    database(folder.path(), 1).await;
    let before = names(folder.path());
    let refused = |file: &Path, sentence: &str| {
        let output = run(folder.path(), "backup", file);
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        assert!(err(&output).contains(sentence), "{}", err(&output));
        assert_eq!(names(folder.path()), before);
    };
    let taken = shelf.path().join("taken.db");
    fs::write(&taken, "mine").unwrap();
    refused(&taken, "exists already");
    assert_eq!(fs::read(&taken).unwrap(), b"mine");
    refused(&folder.path().join("quizhall.db"), "exists already");
    let dangling = shelf.path().join("dangling.db");
    symlink(shelf.path().join("nowhere"), &dangling).unwrap();
    refused(&dangling, "exists already");
    refused(&shelf.path().join("missing/backup.db"), "is no folder");
    assert_eq!(names(shelf.path()), ["dangling.db", "taken.db"]);
    let without = quizhall(folder.path(), &["backup".as_ref()]).output().unwrap();
    assert_eq!(without.status.code(), Some(2), "no file was named");
}

#[tokio::test]
async fn a_foreign_database_is_reported_and_nothing_is_written() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let file = shelf.path().join("backup.db");
    let refused = |sentence: &str, left: &[&str]| {
        let output = run(folder.path(), "backup", &file);
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        assert!(err(&output).contains(sentence), "{}", err(&output));
        assert_eq!(names(folder.path()), left);
        assert!(names(shelf.path()).is_empty());
    };
    refused("DATABASE_URL names", &[]);
    fs::write(folder.path().join("quizhall.db"), "not a database at all, but long enough to look").unwrap();
    refused("cannot be read", &["quizhall.db"]);
    fs::write(folder.path().join("quizhall.db"), "").unwrap();
    refused("is no database of Quizhall", &["quizhall.db"]);
    let mut postgres = quizhall(folder.path(), &["backup".as_ref(), file.as_ref()]);
    let output = postgres.env("DATABASE_URL", "postgres://u:pass-word@127.0.0.1:1/q").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("pg_dump") && !err(&output).contains("pass-word"), "{}", err(&output));
}

#[tokio::test]
async fn a_damaged_database_gives_no_backup() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    filler::database(folder.path(), 1 << 20).await;
    let mut file = fs::OpenOptions::new().write(true).open(folder.path().join("quizhall.db")).unwrap();
    std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(300 << 10)).unwrap();
    file.write_all(&vec![0xa5; 128 << 10]).unwrap();
    let output = run(folder.path(), "backup", &shelf.path().join("backup.db"));
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert!(err(&output).contains("damaged"), "{}", err(&output));
    assert!(names(shelf.path()).is_empty());
}

#[tokio::test]
async fn ctrl_c_leaves_no_file() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    filler::database(folder.path(), 24 << 20).await;
    for name in ["INT", "TERM"] {
        let mut command = quizhall(folder.path(), &["backup".as_ref(), shelf.path().join("backup.db").as_ref()]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        let grows =
            || fs::read_dir(shelf.path()).unwrap().any(|file| file.unwrap().metadata().unwrap().len() > 1 << 20);
        while !grows() {
            assert!(
                begun.elapsed() < Duration::from_secs(20) && child.try_wait().unwrap().is_none(),
                "it has not begun"
            );
            std::thread::yield_now();
        }
        for partial in names(shelf.path()) {
            assert!(partial.starts_with(".backup.db.partial-"), "{partial:?}");
            let mode = fs::metadata(shelf.path().join(&partial)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "private from the beginning");
        }
        signal(child.id(), name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        assert!(err(&output).contains(&format!("stopped by SIG{name}")), "{}", err(&output));
        assert!(names(shelf.path()).is_empty());
    }
}

#[tokio::test]
async fn a_disk_without_room_is_said_and_nothing_is_kept() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    filler::database(folder.path(), 2 << 20).await;
    let command = quizhall(folder.path(), &["backup".as_ref(), shelf.path().join("backup.db").as_ref()]);
    let Some(output) = small_disk::run(&command, (shelf.path(), "1m"), None) else { return };
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert!(err(&output).contains("has no room for the copy"), "{}", err(&output));
    assert!(output.stdout.is_empty(), "nothing is left: {}", String::from_utf8_lossy(&output.stdout));
}
