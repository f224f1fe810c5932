//! Backups through pipes: `-` instead of a file is standard output for `backup`, and standard input for `verify` and `restore`.
//!
//! `SQLite` needs files, so a stream is made from temporary files or put into them. They are in a folder that only this user can
//! enter, and are removed with it, also after Ctrl-C and SIGTERM. `store/sqlite/stream.rs` has the form of the stream.

use std::env;
use std::fs::{File, Permissions};
use std::io::{self, ErrorKind, IsTerminal as _, Read};
use std::os::fd::AsFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use tempfile::TempDir;
use tokio::task::spawn_blocking;

use super::WrongUse;
use crate::store::sqlite;

/// The variable that names the folder for temporary files, and the folder without it: unlike /tmp, it is on a disk everywhere.
const VARIABLE: &str = "TMPDIR";
const LARGE: &str = "/var/tmp";

/// The name of the database in the temporary folder.
const NAME: &str = "backup.db";

/// Whether the argument means standard input or standard output.
pub(super) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A new folder for temporary files. It is removed with them when it is dropped.
pub(super) struct Room(TempDir);

impl Room {
    pub(super) fn make() -> anyhow::Result<Self> {
        let is_named = env::var_os(VARIABLE).is_some_and(|folder| !folder.is_empty());
        let place = if is_named { env::temp_dir() } else { PathBuf::from(LARGE) };
        let mut builder = tempfile::Builder::new();
        let made = builder.prefix("quizhall-").permissions(Permissions::from_mode(0o700)).tempdir_in(&place);
        let folder =
            made.with_context(|| format!("cannot write into {} ({VARIABLE} names another)", place.display()))?;
        Ok(Self(folder))
    }

    /// Where the database is in it.
    pub(super) fn file(&self) -> PathBuf {
        self.0.path().join(NAME)
    }
}

/// Refuses a terminal, on which nothing can be done with the bytes of a database.
///
/// # Errors
/// [`WrongUse`].
pub(super) fn check_output() -> Result<(), WrongUse> {
    if io::stdout().is_terminal() {
        let sentence =
            "standard output is a terminal: send the backup to a program or into a file, as in `quizhall backup - | …`";
        return Err(WrongUse(sentence.to_owned()));
    }
    Ok(())
}

/// Writes these files to standard output, one after the other; returns the number of bytes.
pub(super) async fn send(files: Vec<PathBuf>) -> anyhow::Result<u64> {
    spawn_blocking(move || write_all(&files)).await?
}

fn write_all(files: &[PathBuf]) -> anyhow::Result<u64> {
    let mut bytes = 0;
    let out = io::stdout().as_fd().try_clone_to_owned();
    let mut out = File::from(out.map_err(|error| refused(&error))?);
    for file in files {
        let mut file = File::open(file).context("the copy cannot be read")?;
        bytes += io::copy(&mut file, &mut out).map_err(|error| refused(&error))?;
    }
    match out.sync_all() {
        // A pipe has nothing to sync.
        Err(error) if error.kind() != ErrorKind::InvalidInput => Err(refused(&error)),
        _ => Ok(bytes),
    }
}

fn refused(error: &io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::BrokenPipe => anyhow!("standard output was closed before it had the whole backup"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            anyhow!("standard output has no room for the backup: {error}")
        }
        _ => anyhow!("standard output does not take the backup: {error}"),
    }
}

/// A backup that was given as a file or as a stream.
pub(super) struct Given {
    /// The file, temporary if it came from a stream.
    pub(super) file: PathBuf,
    /// What the operator calls it.
    pub(super) name: String,
    _room: Option<Room>,
}

impl Given {
    /// The backup at a path or, for `-`, on standard input, which is read to its end. A file that holds a stream is accepted too.
    pub(super) async fn find(path: &Path) -> anyhow::Result<Self> {
        if is_stream(path) {
            if io::stdin().is_terminal() {
                let sentence =
                    "standard input is a terminal: send a backup into this command, as in `… | quizhall verify -`";
                return Err(WrongUse(sentence.to_owned()).into());
            }
            return Self::receive(io::stdin(), "standard input".to_owned()).await;
        }
        let name = path.display().to_string();
        if sqlite::is_stream(path) {
            return Self::receive(File::open(path).with_context(|| format!("cannot read {name}"))?, name).await;
        }
        Ok(Self { file: path.to_owned(), name, _room: None })
    }

    async fn receive(mut stream: impl Read + Send + 'static, name: String) -> anyhow::Result<Self> {
        let room = Room::make()?;
        let (file, to) = (room.file(), room.file());
        let received = spawn_blocking(move || sqlite::receive(&mut stream, &to)).await?;
        received.with_context(|| format!("{name} was refused"))?;
        Ok(Self { file, name, _room: Some(room) })
    }
}
