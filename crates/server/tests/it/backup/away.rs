//! `quizhall backup -` and the other end of the pipe: `verify -` and `restore -`. Whatever happens, no temporary file stays.

use std::env;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use quizhall::store::sqlite::last_backup;
use tempfile::TempDir;

use super::{database, done, err, filler, media, names, quizhall, quizzes};
use crate::http_media::picture;
use crate::process::signal;

const TIMEOUT: Duration = Duration::from_secs(20);

/// The folder of a database, one for temporary files and one for everything else.
struct Stage {
    folder: TempDir,
    temporary: TempDir,
    shelf: TempDir,
}

impl Stage {
    fn new() -> Self {
        let folder = || TempDir::new().unwrap();
        Self { folder: folder(), temporary: folder(), shelf: folder() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn command(&self, words: &[&str]) -> Command {
        let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
        let mut command = quizhall(self.path(), &words);
        command.env("TMPDIR", self.temporary.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The stream of a backup that succeeds.
    fn stream(&self) -> Vec<u8> {
        let output = self.command(&["backup", "-"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert!(err(&output).contains("standard output has the whole backup"), "{}", err(&output));
        self.check_clean();
        output.stdout
    }

    /// Runs a command with these bytes on standard input.
    fn read(&self, words: &[&str], bytes: &[u8]) -> Output {
        let file = self.shelf.path().join("input");
        fs::write(&file, bytes).unwrap();
        let output = self.command(words).stdin(File::open(file).unwrap()).output().unwrap();
        self.check_clean();
        output
    }

    fn check_clean(&self) {
        assert!(names(self.temporary.path()).is_empty(), "{:?}", names(self.temporary.path()));
    }

    /// Waits until a file in the temporary folder has this many bytes; checks that only its user can read it.
    fn wait_for_copy(&self, child: &mut Child, bytes: u64) {
        let begun = Instant::now();
        let found = || {
            let rooms = fs::read_dir(self.temporary.path()).unwrap();
            let files = rooms.flat_map(|room| fs::read_dir(room.unwrap().path()).into_iter().flatten());
            files.filter_map(|file| file.ok()?.metadata().ok()).find(|file| file.len() >= bytes)
        };
        loop {
            if let Some(file) = found() {
                assert_eq!(file.permissions().mode() & 0o777, 0o600);
                break;
            }
            assert!(begun.elapsed() < TIMEOUT && child.try_wait().unwrap().is_none(), "there is no copy");
            std::thread::yield_now();
        }
        for room in fs::read_dir(self.temporary.path()).unwrap() {
            assert_eq!(room.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o700);
        }
    }
}

#[tokio::test]
async fn the_stream_is_the_file_that_a_path_gets() {
    let stage = Stage::new();
    database(stage.path(), 3).await;
    let file = stage.shelf.path().join("backup.db");
    done(stage.path(), "backup", &file);
    fs::remove_file(stage.path().join("quizhall.db.last-backup")).unwrap();
    let stream = stage.stream();
    assert!(stream == fs::read(&file).unwrap(), "the stream is the file");
    assert!(last_backup(&stage.path().join("quizhall.db")).is_some(), "it counts as a backup");

    let verified = stage.read(&["verify", "-"], &stream);
    assert_eq!(verified.status.code(), Some(0), "{}", err(&verified));
    assert!(String::from_utf8_lossy(&verified.stdout).contains("no damage found"), "{verified:?}");
    let with_verify = stage.command(&["backup", "--verify", "-"]).output().unwrap();
    assert!(with_verify.status.success() && with_verify.stdout == stream, "{}", err(&with_verify));
    let elsewhere = Stage::new();
    let restored = elsewhere.read(&["restore", "-"], &stream);
    assert_eq!(restored.status.code(), Some(0), "{}", err(&restored));
    assert_eq!(quizzes(elsewhere.path()).await, 3);
}

#[tokio::test]
async fn pictures_and_sounds_are_in_the_same_stream() {
    let stage = Stage::new();
    let id = media::with_picture(stage.path()).await;
    let stream = stage.stream();
    let verified = stage.read(&["verify", "-"], &stream);
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(said.contains(", 1 pictures and sounds read: no damage found.") && verified.status.success(), "{said}");
    // The same bytes as a file, as they come back from where the stream went.
    let file = stage.shelf.path().join("input");
    for words in [["restore", "-"], ["restore", file.to_str().unwrap()]] {
        let elsewhere = Stage::new();
        let restored = elsewhere.command(&words).stdin(File::open(&file).unwrap()).output().unwrap();
        assert_eq!(restored.status.code(), Some(0), "{}", err(&restored));
        elsewhere.check_clean();
        assert_eq!(media::read(elsewhere.path(), [id]).await, [(200, picture(600_000, 7))]);
    }
    let verified = stage.command(&["verify", file.to_str().unwrap()]).output().unwrap();
    assert!(String::from_utf8_lossy(&verified.stdout).contains(", 1 pictures"), "{verified:?}");
    // A cut in the pictures, and one between both files.
    let database = stage.shelf.path().join("database.db");
    done(stage.path(), "backup", &database);
    let length = usize::try_from(fs::metadata(&database).unwrap().len()).unwrap();
    for cut in [length, length + 50, length + 5_000, stream.len() - 1] {
        let refused = stage.read(&["verify", "-"], &stream[..cut]);
        assert_eq!(refused.status.code(), Some(1), "{cut}: {refused:?}");
    }
}

#[tokio::test]
async fn a_damaged_stream_is_refused_and_changes_nothing() {
    let stage = Stage::new();
    database(stage.path(), 1).await;
    let stream = stage.stream();
    let before = names(stage.path());
    let longer = [&stream[..], b"more"].concat();
    let (half, text) =
        (stream.len() / 2, "this is no database at all, but it is as long as the header of one".repeat(9));
    let cases = [
        (&stream[..0], "cut off within the first 100 bytes"),
        (&stream[..99], "cut off within the first 100 bytes"),
        (&stream[..half], "cut off after"),
        (&stream[..stream.len() - 1], "cut off after"),
        (&longer[..], "goes on after its end"),
        (text.as_bytes(), "does not begin as a database of SQLite does"),
    ];
    for (bytes, sentence) in cases {
        for command in ["verify", "restore"] {
            let refused = stage.read(&[command, "-"], bytes);
            assert_eq!(refused.status.code(), Some(1), "{command} {sentence}: {}", err(&refused));
            assert!(err(&refused).contains(sentence), "{}", err(&refused));
        }
    }
    let mut changed = stream.clone();
    changed[half..half + 4_096].fill(0xa5);
    assert_eq!(stage.read(&["verify", "-"], &changed).status.code(), Some(1));
    assert_eq!(names(stage.path()), before);
    assert_eq!(quizzes(stage.path()).await, 1);
}

#[tokio::test]
async fn an_output_that_takes_no_more_is_reported_and_leaves_nothing() {
    let stage = Stage::new();
    filler::database(stage.path(), 1 << 20).await;
    let mut closed = stage.command(&["backup", "-"]).spawn().unwrap();
    drop(closed.stdout.take());
    let output = closed.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert!(err(&output).contains("standard output was closed before it had the whole backup"), "{}", err(&output));
    stage.check_clean();

    let mut reader = stage.command(&["backup", "-"]).spawn().unwrap();
    reader.stdout.take().unwrap().read_exact(&mut [0; 4_096]).unwrap();
    let output = reader.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "closed in the middle: {}", err(&output));
    stage.check_clean();

    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = stage.command(&["backup", "-"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert!(err(&output).contains("standard output has no room"), "{}", err(&output));
    stage.check_clean();

    let output = stage.command(&["backup", "-"]).env("TMPDIR", "/nowhere").output().unwrap();
    assert!(output.status.code() == Some(1) && err(&output).contains("TMPDIR"), "{}", err(&output));
    assert!(output.stdout.is_empty());
    assert_eq!(last_backup(&stage.path().join("quizhall.db")), None, "none of them was a backup");
}

#[tokio::test]
async fn a_stop_ends_a_command_whose_pipe_stands_still() {
    let stage = Stage::new();
    filler::database(stage.path(), 1 << 20).await;
    for name in ["INT", "TERM"] {
        // The test reads nothing, so the pipe is full after 64 KiB.
        let mut child = stage.command(&["backup", "-"]).spawn().unwrap();
        stage.wait_for_copy(&mut child, 512 << 10);
        stopped(child, name);
        stage.check_clean();
        let mut child = stage.command(&["verify", "-"]).stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // The first bytes of the database itself: the rest never comes.
        input.write_all(&fs::read(stage.path().join("quizhall.db")).unwrap()[..100]).unwrap();
        stage.wait_for_copy(&mut child, 100);
        stopped(child, name);
        drop(input);
        stage.check_clean();
    }
}

/// Ends the command by this signal.
fn stopped(mut child: Child, name: &str) {
    signal(child.id(), name);
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < TIMEOUT, "it still runs");
        std::thread::yield_now();
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert!(err(&output).contains(&format!("stopped by SIG{name}")), "{}", err(&output));
}

/// `script` gives its command a terminal.
#[tokio::test]
async fn a_terminal_and_what_only_files_can_do_are_refused() {
    let stage = Stage::new();
    database(stage.path(), 1).await;
    for (words, sentence) in
        [("backup -", "standard output is a terminal"), ("verify -", "standard input is a terminal")]
    {
        let mut terminal = Command::new("script");
        let command = format!("{} {words}", env!("CARGO_BIN_EXE_quizhall"));
        terminal.args(["--quiet", "--return", "--command", &command, "/dev/null"]).stdin(Stdio::null());
        terminal.env_clear().env("PATH", env::var("PATH").unwrap_or_default());
        terminal.env("DATABASE_URL", format!("sqlite://{}/quizhall.db", stage.path().display()));
        let output = terminal.env("TMPDIR", stage.temporary.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(sentence) && output.status.code() == Some(2), "{said}");
        stage.check_clean();
    }
    let output = stage.command(&["backup", "--keep", "3", "-"]).output().unwrap();
    assert!(output.status.code() == Some(1) && err(&output).contains("--keep needs a folder"), "{}", err(&output));
    let mut postgres = stage.command(&["backup", "-"]);
    let output = postgres.env("DATABASE_URL", "postgres://u:p@127.0.0.1:1/q").output().unwrap();
    assert!(output.status.code() == Some(1) && err(&output).contains("pg_dump"), "{}", err(&output));
    assert!(output.stdout.is_empty());
}
