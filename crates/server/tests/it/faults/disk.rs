//! P24: no room left on the disk, as a real file system says it and as a limit of the process says it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use sqlx::ConnectOptions as _;

use super::company::{Company, acknowledged, answer, closed_unacknowledged, quiet, release, say, standing, types};
use super::probes::becomes;
use crate::process::{Launch, Server};

/// The promise for both directions.
const NOTICED: Duration = Duration::from_secs(3);

/// What stands between the server and its disk.
enum Disk {
    /// `RLIMIT_FSIZE`: a write beyond it fails, and its signal would end a process that does not expect it.
    Limit,
    /// A file system of a few megabytes, seen from outside under this path.
    Small(PathBuf),
}

impl Disk {
    fn fill(&self, server: &Server) {
        match self {
            Self::Limit => limit_files(server, "0:"),
            Self::Small(path) => {
                let mut filler = fs::File::create(path.join("filler")).unwrap();
                let mut piece = vec![0; 1 << 16];
                // Down to the last byte.
                while !piece.is_empty() {
                    if filler.write_all(&piece).is_err() {
                        piece.truncate(piece.len() / 2);
                    }
                }
            }
        }
    }

    fn free(&self, server: &Server) {
        match self {
            Self::Limit => limit_files(server, "unlimited:"),
            Self::Small(path) => fs::remove_file(path.join("filler")).unwrap(),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_beyond_the_file_size_limit_is_an_error_and_not_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let launch = Launch { environment: &[("COMMAND_TIMEOUT", "3s")], ..Launch::new(folder.path()) };
    let mut server = Server::start(&launch);
    let company = full_and_free_again(&server, (&Disk::Limit, "disk I/O error"), folder.path()).await;
    server.kill();
    let server = Server::start(&launch);
    let mut ann = company.player(&server, 0).await;
    let expected = ["question_released", "question_released", "answer_accepted", "answer_accepted"];
    assert_eq!(types(&standing(&mut ann).await), expected, "after a restart as well");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_stores_nothing_acknowledges_nothing_and_is_over_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let mount = format!("mount -t tmpfs -o size=4m tmpfs {} && exec \"$@\"", folder.path().display());
    // In a namespace of its own: the mount is gone when the server is.
    let Some(namespace) =
        [&["unshare", "-m"][..], &["unshare", "-Ur", "-m"]].into_iter().find(|words| may(words, &mount))
    else {
        // To the real standard error, so that it is seen without --nocapture.
        let _ = writeln!(std::io::stderr(), "NOT RUN: a full file system (this machine allows no mount); see disk.rs");
        return;
    };
    let wrapper: Vec<&str> = namespace.iter().copied().chain(["sh", "-c", mount.as_str(), "sh"]).collect();
    // Less room than the default demands is not what this is about: a commit has to fail.
    let environment = &[("COMMAND_TIMEOUT", "3s"), ("MIN_FREE_DISK", "0")];
    let server = Server::start(&Launch { folder: folder.path(), environment, wrapper: &wrapper });
    let inside = PathBuf::from(format!("/proc/{}/root{}", server.id(), folder.path().display()));
    full_and_free_again(&server, (&Disk::Small(inside.clone()), "disk full"), &inside).await;
}

/// Answers before, during and after; the health checks say why while it lasts; the database is whole at the end.
async fn full_and_free_again(server: &Server, (disk, reason): (&Disk, &str), folder: &Path) -> Company {
    let company = Company::open(server, &[2], &["Ann", "Bob"]).await;
    let questions = &company.rounds[0];
    let (mut host, mut ann) = (company.host(server).await, company.player(server, 0).await);
    say(&mut host, "start_game").await;
    release(&mut host, questions[0]).await;
    release(&mut host, questions[1]).await;
    answer(&mut ann, questions[0], "before").await;
    acknowledged(&mut ann, questions[0]).await;
    host.until("scoreboard_update").await;

    disk.fill(server);
    // Longer than what may be left of the last page.
    let long = "x".repeat(1_000);
    answer(&mut ann, questions[1], &long).await;
    assert_eq!(closed_unacknowledged(&mut ann).await, (4102, "storage_unavailable".to_owned()));
    quiet(&mut host).await;
    for path in ["/healthz", "/readyz"] {
        let body = becomes(server, (path, 503), NOTICED).await;
        assert!(body.contains(&format!(r#""reason":"database: {reason}"#)), "{body}");
    }
    let mut ann = company.player(server, 0).await;
    let expected = ["question_released", "question_released", "answer_accepted"];
    assert_eq!(types(&standing(&mut ann).await), expected, "what was stored is still there");

    disk.free(server);
    becomes(server, ("/healthz", 200), NOTICED).await;
    becomes(server, ("/readyz", 200), NOTICED).await;
    answer(&mut ann, questions[1], &long).await;
    acknowledged(&mut ann, questions[1]).await;
    let state = integrity(folder).await;
    assert_eq!(state, "ok");
    let results = server.api().results(company.game).await.unwrap();
    let answers: Vec<_> = results.rounds[0].questions.iter().flat_map(|question| &question.answers).collect();
    let answers: Vec<_> = answers.iter().map(|answer| (answer.player_id, answer.answer.as_str())).collect();
    assert_eq!(answers, [(company.players[0].id, "before"), (company.players[0].id, &long)]);
    company
}

/// What the database says of a copy: the path of a folder inside another namespace means nothing to it.
async fn integrity(folder: &Path) -> String {
    let copy = tempfile::tempdir().unwrap();
    for name in ["quizhall.db", "quizhall.db-wal"] {
        fs::copy(folder.join(name), copy.path().join(name)).unwrap();
    }
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(copy.path().join("quizhall.db"));
    let mut database = options.connect().await.unwrap();
    sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut database).await.unwrap()
}

/// Sets the soft limit of the running process.
fn limit_files(server: &Server, limit: &str) {
    let process = server.id().to_string();
    let set = Command::new("prlimit").args(["--pid", &process, &format!("--fsize={limit}")]).status();
    assert!(set.expect("this test needs prlimit (util-linux)").success(), "the server is gone");
}

fn may(namespace: &[&str], mount: &str) -> bool {
    let mut command = Command::new(namespace[0]);
    command.args(&namespace[1..]).args(["sh", "-c", mount, "sh", "true"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
