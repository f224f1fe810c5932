//! `quizhall restore`: what it refuses without changing anything, what it keeps, and the state after a kill in the middle.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;

use super::{count_quizzes, database, done, err, filler, names, quizhall, quizzes, run};
use crate::process::{Launch, Server};

/// Number of kills, at moments spread over the time that a restore takes.
const KILLS: u32 = 8;

#[tokio::test]
async fn a_restore_puts_the_backup_in_place_and_keeps_what_was_there() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    database(folder.path(), 1).await;
    let file = shelf.path().join("backup.db");
    done(folder.path(), "backup", &file);
    let backup = fs::read(&file).unwrap();
    // The service was killed, so its last quiz is in the write-ahead log and nowhere else.
    database(folder.path(), 1).await;
    assert!(folder.path().join("quizhall.db-wal").exists());

    let output = run(folder.path(), "restore", &file);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("quizhall.db is restored: 0 games."), "{output:?}");
    let kept = names(folder.path()).into_iter().find(|name| name.contains(".before-restore-")).unwrap();
    assert!(err(&output).contains(&kept), "it names the place: {}", err(&output));
    let mode = fs::metadata(folder.path().join("quizhall.db")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(fs::read(&file).unwrap(), backup, "the backup is unchanged");
    assert_eq!(names(shelf.path()), ["backup.db"], "and alone");
    assert_eq!(quizzes(folder.path()).await, 1, "that of the backup");

    done(folder.path(), "restore", &folder.path().join(kept));
    assert_eq!(quizzes(folder.path()).await, 2, "the kept database is complete, with the part in the write-ahead log");
}

#[tokio::test]
async fn a_restore_is_refused_while_the_database_is_in_use() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    database(folder.path(), 1).await;
    let file = shelf.path().join("backup.db");
    done(folder.path(), "backup", &file);
    let options = SqliteConnectOptions::new().filename(folder.path().join("quizhall.db"));
    let mut reader = options.connect().await.unwrap();
    let _: i64 = sqlx::query_scalar("SELECT count(*) FROM quiz").fetch_one(&mut reader).await.unwrap();
    let refused = |sentence: &str| {
        let output = run(folder.path(), "restore", &file);
        assert_eq!(output.status.code(), Some(1));
        assert!(err(&output).contains(sentence), "{}", err(&output));
        assert!(!names(folder.path()).iter().any(|name| name.contains("before-restore") || name.contains("partial")));
    };
    refused("is used by another process");
    reader.close().await.unwrap();
    let mut server = Server::start(&Launch::new(folder.path()));
    server.api().create_quiz(&super::play::quiz()).await.unwrap();
    refused("stop that one first");
    assert_eq!(count_quizzes(&server).await, 2);
    server.kill();
    done(folder.path(), "restore", &file);
}

#[tokio::test]
async fn a_file_that_is_no_backup_is_reported_and_nothing_is_written() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    filler::database(folder.path(), 1 << 20).await;
    let file = |name: &str| shelf.path().join(name);
    done(folder.path(), "backup", &file("good.db"));
    let good = fs::read(file("good.db")).unwrap();
    fs::write(file("text.db"), "hello, this is no database at all; but it is long enough").unwrap();
    fs::write(file("empty.db"), "").unwrap();
    fs::write(file("short.db"), &good[..good.len() / 2]).unwrap();
    let mut torn = good.clone();
    torn[512 << 10..(512 << 10) + 40_000].fill(0x5a);
    fs::write(file("torn.db"), &torn).unwrap();
    fs::write(file("newer.db"), &good).unwrap();
    change(&file("newer.db"), "UPDATE _sqlx_migrations SET version = 9999 WHERE version = 2").await;
    fs::write(file("orphan.db"), &good).unwrap();
    change(&file("orphan.db"), "PRAGMA foreign_keys = OFF; DELETE FROM host").await;
    change(&file("other.db"), "CREATE TABLE t (x)").await;
    let (data, before) = (fs::read(folder.path().join("quizhall.db")).unwrap(), names(folder.path()));
    let shelved = names(shelf.path());
    for (name, sentence) in [
        ("missing.db", "cannot read"),
        (".", "is no file"),
        ("text.db", "cannot be restored"),
        ("empty.db", "it is no database of Quizhall"),
        ("short.db", "cannot be restored"),
        ("torn.db", "cannot be restored"),
        ("newer.db", "newer version of Quizhall"),
        ("orphan.db", "it is damaged"),
        ("other.db", "it is no database of Quizhall"),
    ] {
        let output = run(folder.path(), "restore", &file(name));
        assert_eq!(output.status.code(), Some(1), "{name}: {}", err(&output));
        assert!(err(&output).contains(sentence), "{name}: {}", err(&output));
        assert_eq!(names(folder.path()), before, "{name}");
        assert_eq!(names(shelf.path()), shelved, "{name}");
    }
    let itself = run(folder.path(), "restore", &folder.path().join("quizhall.db"));
    assert!(err(&itself).contains("is the database itself"), "{}", err(&itself));
    assert_eq!(fs::read(folder.path().join("quizhall.db")).unwrap(), data);
    let mut postgres = quizhall(folder.path(), &["restore".as_ref(), file("good.db").as_ref()]);
    let output = postgres.env("DATABASE_URL", "postgres://u:pass-word@127.0.0.1:1/q").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("pg_restore") && !err(&output).contains("pass-word"), "{}", err(&output));
}

/// The file is intact, but a game in it cannot be replayed: the damage that `quizhall verify` finds is found before any change.
#[tokio::test]
async fn a_backup_with_a_damaged_game_is_named_and_restored_only_when_asked() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    filler::database(folder.path(), 1 << 20).await;
    let file = shelf.path().join("backup.db");
    let whole = quizhall(folder.path(), &["backup".as_ref(), "--verify".as_ref(), file.as_ref()]).output().unwrap();
    assert_eq!(whole.status.code(), Some(0), "{}", err(&whole));
    change(&file, "UPDATE game_log SET n = n + 1 WHERE game_id = (SELECT max(game_id) FROM game_log) AND seq > 0")
        .await;
    let (data, before) = (fs::read(folder.path().join("quizhall.db")).unwrap(), names(folder.path()));
    let output = run(folder.path(), "restore", &file);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.starts_with("game ") && said.lines().count() == 1, "{said}");
    assert!(
        err(&output).contains("nothing was restored: games in") && err(&output).contains("damaged"),
        "{}",
        err(&output)
    );
    assert_eq!((fs::read(folder.path().join("quizhall.db")).unwrap(), names(folder.path())), (data, before));

    let asked = ["restore".as_ref(), "--with-damaged-games".as_ref(), file.as_os_str()];
    let output = quizhall(folder.path(), &asked).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with(&said), "the damage is named here too");

    // The same game is damaged in the next backup, which is written and reports it.
    let next = shelf.path().join("next.db");
    let output = quizhall(folder.path(), &["backup".as_ref(), "--verify".as_ref(), next.as_ref()]).output().unwrap();
    assert_eq!((output.status.code(), next.exists()), (Some(1), true));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with(&said), "{output:?}");
    assert!(err(&output).contains("the backup is complete"), "{}", err(&output));
}

#[tokio::test]
async fn a_damaged_database_is_kept_as_it_is_with_its_log() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    filler::database(folder.path(), 1 << 20).await;
    let file = shelf.path().join("backup.db");
    done(folder.path(), "backup", &file);
    database(folder.path(), 1).await;
    let log = fs::read(folder.path().join("quizhall.db-wal")).unwrap();
    let mut damaged = fs::read(folder.path().join("quizhall.db")).unwrap();
    damaged[512 << 10..(512 << 10) + 40_000].fill(0x5a);
    fs::write(folder.path().join("quizhall.db"), damaged).unwrap();
    done(folder.path(), "restore", &file);
    let kept = names(folder.path()).into_iter().find(|name| name.contains("restore-") && name.ends_with("-wal"));
    assert_eq!(fs::read(folder.path().join(kept.unwrap())).unwrap(), log);
    assert_eq!(quizzes(folder.path()).await, 0, "the log of the other database is not applied to it");
}

#[tokio::test]
async fn a_kill_in_the_middle_leaves_the_one_or_the_other() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    filler::database(folder.path(), 1 << 20).await;
    let file = shelf.path().join("backup.db");
    done(folder.path(), "backup", &file);
    database(folder.path(), 1).await;
    let before = shelf.path().join("before");
    copy_folder(folder.path(), &before);
    let begun = std::time::Instant::now();
    done(folder.path(), "restore", &file);
    let whole = begun.elapsed();
    let (mut old, mut new) = (0, 0);
    for kill in 0..KILLS {
        fs::remove_dir_all(folder.path()).unwrap();
        copy_folder(&before, folder.path());
        let mut child =
            quizhall(folder.path(), &["restore".as_ref(), file.as_ref()]).stderr(Stdio::null()).spawn().unwrap();
        tokio::time::sleep(whole.mul_f64(f64::from(kill) / f64::from(KILLS - 1)) + Duration::from_micros(300)).await;
        let _ = child.kill();
        child.wait().unwrap();
        match state(&folder.path().join("quizhall.db")).await {
            1 => old += 1,
            0 => new += 1,
            quizzes => panic!("{quizzes} quizzes"),
        }
    }
    println!("{KILLS} kills: the old one {old} times, the new one {new} times");
    assert!(old > 0, "it was killed in time");
    done(folder.path(), "restore", &file);
    assert_eq!(state(&folder.path().join("quizhall.db")).await, 0, "the restore can be repeated");
}

/// How many quizzes of the stage an intact database holds; the filler adds one quiz of another title.
async fn state(file: &Path) -> i64 {
    let mut database = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    let whole: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut database).await.unwrap();
    assert_eq!(whole, "ok");
    let games: i64 = sqlx::query_scalar("SELECT count(*) FROM game").fetch_one(&mut database).await.unwrap();
    assert!(games > 10, "{games}");
    let quizzes = "SELECT count(*) FROM quiz WHERE title = 'Backup'";
    let quizzes = sqlx::query_scalar(quizzes).fetch_one(&mut database).await.unwrap();
    database.close().await.unwrap();
    quizzes
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

async fn change(file: &Path, statement: &'static str) {
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
    let mut database = options.connect().await.unwrap();
    sqlx::raw_sql(statement).execute(&mut database).await.unwrap();
    database.close().await.unwrap();
}
