//! A folder on a disk that can lose power: the server runs with `.ci/powercut/shim.c` between it and its files.
//!
//! Used by the tests of `powercut`. The layer writes nothing outside of the temporary folder.

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rand::rngs::StdRng;
use tempfile::TempDir;

use super::record::{Fate, Files, Record, Toll};
use crate::process::{Launch, Server};
use crate::small_bundles;

/// The words of the control page, in the order of `struct control`.
#[derive(Debug, Clone, Copy)]
pub enum Control {
    /// The process ends before the nth call from now; 0: it continues.
    CallsLeft = 0,
    /// How many of 1,000 syncs of files fail with EIO.
    FailPerMille = 1,
    /// Not 0: syncs succeed and make nothing durable.
    Lie = 2,
    /// A sync takes up to this many microseconds.
    MostMicroseconds = 3,
    /// Not 0: only syncs of the database file fail, not those of its log.
    DatabaseOnly = 4,
}

/// Microseconds of the slowest sync: a fast disk.
const SYNC: u32 = 400;

/// The folder, and the other files that the layer needs.
pub struct Disk {
    home: TempDir,
    control: fs::File,
    /// The contents of the folder when the server started.
    base: Files,
}

impl Disk {
    /// An empty disk.
    pub fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("data")).unwrap();
        let path = home.path().join("control");
        let control = fs::OpenOptions::new().read(true).write(true).create_new(true).open(path).unwrap();
        let disk = Self { home, control, base: Files::new() };
        for word in [Control::CallsLeft, Control::FailPerMille, Control::Lie, Control::DatabaseOnly] {
            disk.set(word, 0);
        }
        disk.set(Control::MostMicroseconds, SYNC);
        disk
    }

    /// Starts the server on the contents of the disk.
    pub fn start(&mut self, environment: &[(&str, &str)]) -> Server {
        self.set(Control::CallsLeft, 0);
        self.set(Control::FailPerMille, 0);
        self.base = read(&self.folder());
        let _ = fs::remove_file(self.beside("record"));
        let paths = [
            ("LD_PRELOAD", shim().to_path_buf()),
            ("POWERCUT_FOLDER", self.folder()),
            ("POWERCUT_RECORD", self.beside("record")),
            ("POWERCUT_CONTROL", self.beside("control")),
        ];
        let layer = paths.iter().map(|(name, path)| (*name, path.to_str().unwrap()));
        let environment: Vec<_> = layer.chain(environment.iter().copied()).collect();
        Server::start(&Launch { environment: &environment, ..Launch::new(&self.folder()) })
    }

    /// Sets a word of the control page, also while the server runs.
    pub fn set(&self, word: Control, value: u32) {
        self.control.write_all_at(&value.to_le_bytes(), 4 * word as u64).unwrap();
    }

    /// The power fails: the server is killed, and the folder gets the contents that a disk could have.
    pub fn cut(&self, server: &mut Server, fate: Fate, chance: &mut StdRng) -> Toll {
        server.kill();
        let record = Record::read(&self.base, &fs::read(self.beside("record")).unwrap());
        let (files, toll) = record.after_the_cut(fate, chance);
        for entry in fs::read_dir(self.folder()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        write(&self.folder(), &files);
        toll
    }

    /// How many rows of the log hold bundles of answers.
    pub async fn bundles(&self) -> i64 {
        small_bundles::rows_in(self.copy().path()).await
    }

    /// The result of `SQLite`'s check of the database.
    pub async fn integrity(&self) -> String {
        use sqlx::ConnectOptions as _;
        let copy = self.copy();
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(copy.path().join("quizhall.db"));
        let mut database = options.connect().await.unwrap();
        sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut database).await.unwrap()
    }

    /// A copy of the files, because opening the database changes it.
    fn copy(&self) -> TempDir {
        let copy = tempfile::tempdir().unwrap();
        write(copy.path(), &read(&self.folder()));
        copy
    }

    fn folder(&self) -> PathBuf {
        self.beside("data")
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }
}

/// Only the files, without the shared memory of `SQLite`, which no loss of power leaves.
fn read(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let named = files.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()));
    named.filter(|(name, _)| !name.ends_with("-shm")).collect()
}

fn write(folder: &Path, files: &Files) {
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
}

/// The layer, compiled once per run.
fn shim() -> &'static Path {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/powercut/shim.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("powercut-{}.so", std::process::id()));
        let words = ["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o"];
        let mut compiler = Command::new("cc");
        compiler.args(words).arg(&library).arg(source).args(["-ldl", "-lpthread"]);
        assert!(compiler.status().expect("this test needs cc").success(), "the layer does not compile");
        library
    })
}
