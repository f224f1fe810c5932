//! `quizhall backup` and `quizhall restore` with the real binary: a backup during play, the refusals, and the state after a loss of
//! power in the middle.

mod away;
mod documented;
mod filler;
mod folder;
mod media;
pub mod play;
mod point_in_time;
mod precaution;
mod refusals;
mod restoring;
mod small_disk;
mod under_load;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::process::{HOST_TOKEN, Launch, Server};

/// A command that runs the binary with the database of this folder and no other environment variables.
pub fn quizhall(folder: &Path, words: &[&OsStr]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    command.args(words).env_clear().current_dir(folder).env("QUIZHALL_HOST_TOKEN", HOST_TOKEN);
    command.env("DATABASE_URL", format!("sqlite://{}/quizhall.db", folder.display()));
    command
}

/// Runs `quizhall backup FILE` or `quizhall restore FILE`.
pub fn run(folder: &Path, what: &str, file: &Path) -> Output {
    quizhall(folder, &[what.as_ref(), file.as_ref()]).output().unwrap()
}

/// The same; the command must succeed. Returns its standard output.
pub fn done(folder: &Path, what: &str, file: &Path) -> String {
    let output = run(folder, what, file);
    assert_eq!(output.status.code(), Some(0), "{what}: {}", err(&output));
    String::from_utf8(output.stdout).unwrap()
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A database with this many quizzes, without a running service.
pub async fn database(folder: &Path, quizzes: usize) {
    let mut server = Server::start(&Launch::new(folder));
    for _ in 0..quizzes {
        server.api().create_quiz(&play::quiz()).await.unwrap();
    }
    server.kill();
}

/// How many of the quizzes of [`database`] the service of this folder has.
pub async fn quizzes(folder: &Path) -> usize {
    count_quizzes(&Server::start(&Launch::new(folder))).await
}

/// The same for a service that is running.
pub async fn count_quizzes(server: &Server) -> usize {
    let list = server.api().quizzes().await.unwrap().quizzes;
    list.iter().filter(|quiz| quiz.title == play::TITLE).count()
}
