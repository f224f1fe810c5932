//! The commands for backup and restore in docs/operate/databases.md do what the page says.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{count_quizzes, quizzes};
use crate::docs::{blocks, not_run};
use crate::process::{Launch, Server};
use crate::services::postgres::{program, shared};

#[tokio::test]
async fn with_sqlite() {
    let folder = TempDir::new().unwrap();
    come_back(folder.path(), "backup", [""; 2]).await;
}

/// rclone with a folder as its remote.
#[tokio::test]
async fn away_from_the_machine() {
    if Command::new("rclone").arg("version").output().is_err() {
        return not_run("a backup through rclone (rclone not installed)");
    }
    let folder = TempDir::new().unwrap();
    let there = folder.path().display();
    let remote = format!(
        "export RCLONE_CONFIG=/dev/null RCLONE_CONFIG_REMOTE_TYPE=alias RCLONE_CONFIG_REMOTE_REMOTE={there}/remote\n"
    );
    let with_name = format!("{remote}name=$(ls remote)\n");
    come_back(folder.path(), "away", [&remote, &with_name]).await;
}

/// The blocks of the page make a backup and restore it, each after these lines.
async fn come_back(folder: &Path, tag: &str, before: [&str; 2]) {
    let data = folder.join("data");
    std::fs::create_dir(&data).unwrap();
    let [backup, restore] = &blocks("docs/operate/databases.md", tag)[..] else { panic!("other steps") };
    let binary = Path::new(env!("CARGO_BIN_EXE_quizhall")).parent().unwrap();
    let mut server = Server::start(&Launch::new(&data));
    server.api().create_quiz(&super::play::quiz()).await.unwrap();
    run(&format!("{}{backup}", before[0]), binary, folder);
    server.api().create_quiz(&super::play::quiz()).await.unwrap();
    server.kill();
    run(&format!("{}{restore}", before[1]), binary, folder);
    assert_eq!(quizzes(&data).await, 1);
}

#[tokio::test]
async fn with_postgres() {
    let folder = TempDir::new().unwrap();
    let [backup, restore] = &blocks("docs/operate/databases.md", "dump")[..] else { panic!("other steps") };
    // The page names its database; no other test has one of this name on the shared server.
    let postgres = shared();
    postgres.say("CREATE DATABASE quizhall").await;
    let url = postgres.url("quizhall");
    let environment = [("DATABASE_URL", url.as_str()), ("UNSAFE_DATABASE", "true")];
    let serve = || Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let step = |script: &str| {
        let variables = format!("export DATABASE_URL='{url}' PGHOST=127.0.0.1 PGUSER=quizhall PGDATABASE=postgres");
        let port = url.rsplit(':').next().unwrap().split('/').next().unwrap();
        let script = format!("{variables} PGPORT={port}\n{script}");
        run(&script, program("psql").parent().unwrap(), folder.path());
    };
    let mut server = serve();
    server.api().create_quiz(&super::play::quiz()).await.unwrap();
    step(backup);
    server.api().create_quiz(&super::play::quiz()).await.unwrap();
    server.kill();
    // The connections end a moment later, and a database in use cannot be dropped.
    postgres.terminate_backends(&url).await;
    step(restore);
    assert_eq!(count_quizzes(&serve()).await, 1);
    postgres.drop_database(&url).await;
}

/// Runs commands with these programs on the path.
fn run(script: &str, programs: &Path, folder: &Path) {
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", script])
        .current_dir(folder)
        .env_clear()
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
}
