//! The database file of a running service is removed, replaced or moved, and a second service is started with it: no answer is
//! acknowledged into a file that a restart would not find, and the health checks give the reason.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::company::{Company, acknowledged, answer, closed_unacknowledged, quiet, sync_messages, types};
use super::probes::becomes;
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::ws_wire::Wire;

/// The promise for noticing the fault, and for noticing its end.
const NOTICED: Duration = Duration::from_secs(3);
const ENVIRONMENT: &[(&str, &str)] = &[("COMMAND_TIMEOUT", "3s")];

/// A game in which Ann's first answer is acknowledged and her second question is open.
struct Play {
    folder: TempDir,
    server: Server,
    company: Company,
    host: Wire,
    ann: Wire,
}

impl Play {
    async fn begin() -> Self {
        let folder = TempDir::new().unwrap();
        let server = Server::start(&Launch { environment: ENVIRONMENT, ..Launch::new(folder.path()) });
        let (company, host, ann) = Company::with_an_answer(&server, 2).await;
        Self { folder, server, company, host, ann }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An answer is not acknowledged, no client is sent anything of it, and the health checks give this reason.
    async fn refuses(&mut self, reason: &str) {
        // Another text each time: one that is stored already would be acknowledged without a commit.
        answer(&mut self.ann, self.company.rounds[0][1], reason).await;
        let closed = closed_unacknowledged(&mut self.ann).await;
        assert_eq!(closed, (4102, "storage_unavailable".to_owned()));
        quiet(&mut self.host).await;
        self.gives(reason).await;
    }

    /// The health checks give this reason.
    async fn gives(&self, reason: &str) {
        for path in ["/healthz", "/readyz"] {
            let body = becomes(&self.server, (path, 503), NOTICED).await;
            assert!(body.contains(&format!(r#""reason":"database: {reason}""#)), "{body}");
        }
    }

    /// Health returns without a restart, and the acknowledged answer is there.
    async fn comes_back(&mut self) {
        for path in ["/healthz", "/readyz"] {
            becomes(&self.server, (path, 200), NOTICED).await;
        }
        self.host = self.company.host(&self.server).await;
        sync_messages(&mut self.host).await;
        self.ann = self.company.player(&self.server, 0).await;
        let expected = ["question_released", "question_released", "answer_accepted"];
        // A refused answer may nevertheless have been stored; an acknowledged one must have been.
        assert_eq!(types(&sync_messages(&mut self.ann).await)[..3], expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_acknowledged_into_a_removed_or_replaced_file_and_all_goes_on_when_it_is_moved_back() {
    let mut play = Play::begin().await;
    let (file, elsewhere) = (play.path("quizhall.db"), play.path("elsewhere.db"));
    fs::rename(&file, &elsewhere).unwrap();
    play.refuses("file removed").await;
    let body = format!(r#"{{"gameCode":"{}","displayName":"Late"}}"#, play.company.code);
    let join = reqwest::Client::new().post(format!("{}/join", play.server.url())).body(body);
    let join = join.header("content-type", "application/json").send().await.unwrap();
    assert_eq!(join.status().as_u16(), 503);
    assert!(play.server.api().create_game(play.company.game).await.is_err(), "no other answer is stored");
    fs::rename(&elsewhere, &file).unwrap();
    play.comes_back().await;

    fs::rename(&file, &elsewhere).unwrap();
    fs::copy(&elsewhere, &file).unwrap();
    let replacement = fs::read(&file).unwrap();
    play.refuses("file replaced, restart the service").await;
    assert_eq!(fs::read(&file).unwrap(), replacement, "it is never written to");
    fs::rename(&elsewhere, &file).unwrap();
    play.comes_back().await;
    answer(&mut play.ann, play.company.rounds[0][1], "after").await;
    acknowledged(&mut play.ann, play.company.rounds[0][1]).await;
    assert_eq!(play.company.stored(&play.server).await, ["before", "after"]);
}

/// `cp` writes into the existing file: neither its path nor its inode changes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_acknowledged_into_a_file_that_another_was_written_over() {
    let mut other = Play::begin().await;
    other.server.terminate(Duration::from_secs(30));
    let mut play = Play::begin().await;
    let (file, backup) = (play.path("quizhall.db"), play.path("backup.db"));
    let made = quizhall(&["backup", &backup.display().to_string()], &file, "");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for from in [&backup, &other.path("quizhall.db")] {
        let inode = fs::metadata(&file).unwrap().ino();
        fs::copy(from, &file).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().ino(), inode);
        answer(&mut play.ann, play.company.rounds[0][1], "after").await;
        // The bytes read may already be those of the other file, which makes the game a damaged one.
        let (code, _) = closed_unacknowledged(&mut play.ann).await;
        assert!([1011, 4102].contains(&code), "{code}");
        play.gives("file overwritten, stop the service and restore a backup").await;
        play.server.kill();
        let restored = quizhall(&["restore", &backup.display().to_string()], &file, "");
        assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
        play.server = Server::start(&Launch { environment: ENVIRONMENT, ..Launch::new(play.folder.path()) });
        play.ann = play.company.player(&play.server, 0).await;
        play.host = play.company.host(&play.server).await;
        for wire in [&mut play.host, &mut play.ann] {
            sync_messages(wire).await;
        }
        assert_eq!(play.company.stored(&play.server).await, ["before"]);
    }
    answer(&mut play.ann, play.company.rounds[0][1], "after").await;
    acknowledged(&mut play.ann, play.company.rounds[0][1]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_write_ahead_log_it_stops_acknowledging_and_a_restart_has_all_of_it() {
    let mut play = Play::begin().await;
    fs::remove_file(play.path("quizhall.db-wal")).unwrap();
    play.refuses("write-ahead log removed, restart the service").await;
    play.server.kill();
    play.server = Server::start(&Launch { environment: ENVIRONMENT, ..Launch::new(play.folder.path()) });
    // A refused answer may nevertheless have been stored; an acknowledged one must have been.
    let mut ann = play.company.player(&play.server, 0).await;
    assert_eq!(
        types(&sync_messages(&mut ann).await)[..3],
        ["question_released", "question_released", "answer_accepted"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_service_on_the_file_is_refused_and_commands_are_not() {
    let folder = TempDir::new().unwrap();
    let mut first = Server::start(&Launch::new(folder.path()));
    let file = folder.path().join("quizhall.db");
    symlink(&file, folder.path().join("link.db")).unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::hard_link(&file, folder.path().join("hard.db")).unwrap();
    for path in ["quizhall.db", "link.db", "sub/../quizhall.db", "hard.db", "quizhall.db"] {
        if path == "hard.db" {
            fs::remove_file(folder.path().join("quizhall.db.lock")).unwrap();
        }
        let second = quizhall(&["serve"], &folder.path().join(path), "");
        let said = String::from_utf8_lossy(&second.stderr).into_owned();
        assert_eq!(second.status.code(), Some(1), "{path}: {said}");
        assert!(said.contains("another service uses the database") && said.lines().count() == 1, "{path}: {said}");
    }
    for words in
        [&["host", "add", "Grace"][..], &["host", "token", "Grace"], &["quiz", "list", "--host", "Grace"], &["init"]]
    {
        let beside = quizhall(words, &file, "a long enough password\n");
        assert!(beside.status.success(), "{words:?}: {}", String::from_utf8_lossy(&beside.stderr));
    }
    becomes(&first, ("/readyz", 200), NOTICED).await;
    // The lock ends with its process, however the process ends.
    first.kill();
    let next = Server::start(&Launch::new(folder.path()));
    becomes(&next, ("/readyz", 200), NOTICED).await;
}

/// Runs the binary on a file with this standard input; a command that does not end is stopped.
fn quizhall(words: &[&str], file: &Path, input: &str) -> Output {
    use std::io::Write as _;
    let mut child = Command::new("timeout")
        .args(["--signal=KILL", "20", env!("CARGO_BIN_EXE_quizhall")])
        .args(words)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("BIND_ADDR", "127.0.0.1:0")
        .env("QUIZHALL_HOST_TOKEN", HOST_TOKEN)
        .env("DATABASE_URL", format!("sqlite://{}", file.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads no input may have ended, so that the write fails.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}
