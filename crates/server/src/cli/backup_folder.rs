//! A folder of backups: the name of the next one, and which earlier ones are deleted.
//!
//! Called by `backup`. Touches only files named by this module, and their pictures and sounds.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::clock;
use crate::store::sqlite;

const BEGIN: &str = "quizhall-";
const END: &str = "Z.db";
/// The time in a name, in UTC; a digit for each 0. Later backups have greater names.
const TIME: &[u8] = b"0000-00-00T000000";

/// The name of a backup made at `now_ms` (milliseconds since 1970).
pub(super) fn name_at(now_ms: i64) -> String {
    let time: String = clock::rfc3339(now_ms).chars().filter(|letter| *letter != ':').take(TIME.len()).collect();
    format!("{BEGIN}{time}{END}")
}

/// Deletes all backups except the `latest` newest ones; returns how many it deleted.
///
/// # Errors
/// A folder that cannot be read, or a file that cannot be deleted; later files are kept then.
pub(super) fn keep(folder: &Path, latest: usize) -> io::Result<usize> {
    let mut backups = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name().to_str().is_some_and(is_name) {
            backups.push(entry.path());
        }
    }
    backups.sort_unstable();
    backups.truncate(backups.len().saturating_sub(latest));
    for backup in &backups {
        delete(backup)?;
    }
    Ok(backups.len())
}

fn is_name(name: &str) -> bool {
    let time = name.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END)).unwrap_or_default().as_bytes();
    let fits = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
    time.len() == TIME.len() && time.iter().zip(TIME).all(fits)
}

/// Deletes the database last: if the command is killed after deleting only the pictures, the next one still finds the
/// backup.
fn delete(backup: &Path) -> io::Result<()> {
    let media: PathBuf = sqlite::media_of(backup);
    match fs::remove_file(media) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => fs::remove_file(backup),
    }
}
