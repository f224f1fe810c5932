//! `quizhall backup FOLDER`: files are named after the time, and `--keep` deletes only earlier backups of its own.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use super::{database, err, names, quizhall};

fn back_up(data: &Path, words: &[&str]) -> Output {
    let words: Vec<_> = ["backup"].iter().chain(words).map(AsRef::as_ref).collect();
    quizhall(data, &words).output().unwrap()
}

#[tokio::test]
async fn a_folder_keeps_the_latest_backups_and_everything_else() {
    let (data, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    database(data.path(), 1).await;
    let folder = shelf.path().to_str().unwrap();
    let old = ["quizhall-2024-01-01T040000Z.db", "quizhall-2025-06-01T040000Z.db", "quizhall-2025-06-02T040000Z.db"];
    let others = ["backup.db", "quizhall-2024-01-01.db", "quizhall-2024-01-01T040000Z.db.partial-1", "quizhall.db"];
    for name in old.iter().chain(&others) {
        fs::write(shelf.path().join(name), "older").unwrap();
    }
    fs::write(shelf.path().join(format!("{}.media", old[0])), "pictures").unwrap();
    fs::create_dir(shelf.path().join("quizhall-2023-01-01T040000Z.db")).unwrap();

    let output = back_up(data.path(), &[folder]);
    assert!(output.status.success(), "{}", err(&output));
    let all = names(shelf.path());
    assert_eq!(all.len(), old.len() + others.len() + 3, "without --keep nothing is deleted: {all:?}");
    let first = all.iter().find(|name| name.starts_with("quizhall-2") && name.as_str() > old[2]).unwrap();
    // Names contain whole seconds: the next backup must not get the same name.
    let renamed = "quizhall-2025-07-01T040000Z.db";
    fs::rename(shelf.path().join(first), shelf.path().join(renamed)).unwrap();

    let output = back_up(data.path(), &["--verify", "--keep", "2", folder]);
    assert!(output.status.success(), "{}", err(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Earlier backups that were deleted: 3."), "{output:?}");
    let left = names(shelf.path());
    assert!(
        left.contains(&renamed.to_owned()) && others.iter().all(|name| left.contains(&(*name).to_owned())),
        "{left:?}"
    );
    assert_eq!(left.len(), others.len() + 3, "two backups, the files that are no backups, and a folder: {left:?}");
}

#[tokio::test]
async fn nothing_is_deleted_when_there_is_no_sound_backup() {
    let (data, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    database(data.path(), 1).await;
    let file = shelf.path().join("file.db");
    let refused = |words: &[&str], code: i32, sentence: &str| {
        let output = back_up(data.path(), words);
        assert_eq!(output.status.code(), Some(code), "{}", err(&output));
        assert!(err(&output).contains(sentence), "{}", err(&output));
    };
    refused(&["--keep", "2", file.to_str().unwrap()], 1, "--keep needs a folder");
    refused(&["--keep", "0", shelf.path().to_str().unwrap()], 2, "--keep");
    assert!(names(shelf.path()).is_empty());

    let old = "quizhall-2024-01-01T040000Z.db";
    fs::write(shelf.path().join(old), "older").unwrap();
    fs::write(data.path().join("quizhall.db"), "damaged").unwrap();
    let output = back_up(data.path(), &["--keep", "1", shelf.path().to_str().unwrap()]);
    assert!(!output.status.success());
    assert_eq!(names(shelf.path()), [old]);
}
