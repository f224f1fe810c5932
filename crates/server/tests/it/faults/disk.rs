//! Promise 24: no room left on the disk, as reported by a real file system and by a limit of the process.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use sqlx::ConnectOptions as _;

use super::company::{Company, acknowledged, answer, closed_unacknowledged, quiet, sync_messages, types};
use super::probes::becomes;
use crate::process::{Launch, Server};

/// The promise for noticing the fault, and for noticing its end.
const NOTICED: Duration = Duration::from_secs(3);

/// How the test takes away the room of the server's disk.
pub enum Disk {
    /// `RLIMIT_FSIZE`: a write beyond it fails, and its signal would end a process that does not expect it.
    Limit,
    /// A file system of a few megabytes; from outside of its namespace it has this path.
    Small(PathBuf),
}

impl Disk {
    pub fn fill(&self, server: &Server) {
        match self {
            Self::Limit => limit_files(server, "0:"),
            Self::Small(path) => {
                let mut filler = fs::File::create(path.join("filler")).unwrap();
                let mut piece = vec![0; 1 << 16];
                // Fills the disk to the last byte.
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
    assert_eq!(types(&sync_messages(&mut ann).await), expected, "after a restart as well");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_stores_nothing_acknowledges_nothing_and_is_over_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    // The default of `MIN_FREE_DISK` would refuse earlier, but here a commit has to fail.
    let environment = &[("COMMAND_TIMEOUT", "3s"), ("MIN_FREE_DISK", "0")];
    let Some((server, _)) = on_a_small_disk(folder.path(), environment) else { return };
    let inside = PathBuf::from(format!("/proc/{}/root{}", server.id(), folder.path().display()));
    full_and_free_again(&server, (&Disk::Small(inside.clone()), "disk full"), &inside).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_with_less_room_than_required_or_read_only_is_reported_by_health_before_commits_fail() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, namespace)) = on_a_small_disk(folder.path(), &[("MIN_FREE_DISK", "2MiB")]) else { return };
    becomes(&server, ("/healthz", 200), NOTICED).await;
    let gives = async |reason: &str| {
        for path in ["/healthz", "/readyz"] {
            let body = becomes(&server, (path, 503), NOTICED).await;
            assert!(body.contains(&format!(r#""reason":"database: {reason}""#)), "{body}");
        }
    };
    let filler = PathBuf::from(format!("/proc/{}/root{}/filler", server.id(), folder.path().display()));
    fs::write(&filler, vec![0; 5 << 19]).unwrap();
    gives("disk full: 1 MiB free, MIN_FREE_DISK is 2 MiB").await;
    Company::open(&server, &[1], &["Ann"]).await;
    fs::remove_file(&filler).unwrap();
    becomes(&server, ("/readyz", 200), NOTICED).await;

    let folder = folder.path().display();
    inside(&server, &namespace, &format!("mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}"));
    gives("read-only").await;
    inside(&server, &namespace, &format!("mount -o remount,bind,rw {folder}"));
    becomes(&server, ("/readyz", 200), NOTICED).await;
}

/// A server whose folder is a file system of 4 MiB in a mount namespace of its own, and the words of the command that created
/// it. Prints a line and returns `None` where this machine allows no mount.
pub fn on_a_small_disk(folder: &Path, environment: &[(&str, &str)]) -> Option<(Server, Vec<&'static str>)> {
    let mount = format!("mount -t tmpfs -o size=4m tmpfs {} && exec \"$@\"", folder.display());
    let namespaces = [vec!["unshare", "-m"], vec!["unshare", "-Ur", "-m"]];
    let Some(namespace) = namespaces.into_iter().find(|words| may(words, &mount)) else {
        // Written to the real standard error, so that it is shown without --nocapture.
        let _ = writeln!(std::io::stderr(), "NOT RUN: a small file system (this machine allows no mount); see disk.rs");
        return None;
    };
    let wrapper: Vec<&str> = namespace.iter().copied().chain(["sh", "-c", mount.as_str(), "sh"]).collect();
    Some((Server::start(&Launch { folder, environment, wrapper: &wrapper }), namespace))
}

/// Runs a command in the namespace where the server sees its files.
fn inside(server: &Server, namespace: &[&str], command: &str) {
    let user: &[&str] = if namespace.contains(&"-Ur") { &["-U", "--preserve-credentials"] } else { &[] };
    let process = server.id().to_string();
    let mut words = Command::new("nsenter");
    words.args(["-t", &process, "-m"]).args(user).args(["sh", "-c", command]);
    assert!(words.status().expect("this test needs nsenter (util-linux)").success(), "{command}");
}

/// Answers are sent before, during and after; the health checks give the reason meanwhile; the database is intact at the end.
async fn full_and_free_again(server: &Server, (disk, reason): (&Disk, &str), folder: &Path) -> Company {
    let (company, mut host, mut ann) = Company::with_an_answer(server, 2).await;
    let questions = &company.rounds[0];
    disk.fill(server);
    // Longer than the space that may remain in the last page.
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
    assert_eq!(types(&sync_messages(&mut ann).await), expected, "the stored answer is still there");

    let said = server.log().into_iter().filter(|line| line.contains("appending to the log failed")).count();
    assert_eq!(said, 1, "one line a minute, not one for each attempt");
    disk.free(server);
    becomes(server, ("/healthz", 200), NOTICED).await;
    becomes(server, ("/readyz", 200), NOTICED).await;
    answer(&mut ann, questions[1], &long).await;
    acknowledged(&mut ann, questions[1]).await;
    assert_eq!(integrity(folder).await, "ok");
    assert_eq!(company.stored(server).await, ["before", long.as_str()]);
    company
}

/// What the database reports about a copy: the path of a folder in another namespace has no meaning for it.
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
    assert!(set.expect("this test needs prlimit (util-linux)").success(), "the server has ended");
}

fn may(namespace: &[&str], mount: &str) -> bool {
    let mut command = Command::new(namespace[0]);
    command.args(&namespace[1..]).args(["sh", "-c", mount, "sh", "true"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
