//! A backup as one stream of bytes: the file of the database and, after it, the file of its pictures and sounds if there are any.
//!
//! Called by `quizhall verify` and `quizhall restore`, which need files again; `quizhall backup -` only writes one file after the
//! other. The header of each file states its length. So the stream needs no frame of its own, a cut stream is recognised, and a
//! stream without pictures and sounds is an ordinary database. Checks no content.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

use super::super::error::StoreError;
use super::copy::{folder_of, unusable};
use super::header::{BYTES, MAGIC, PAGES};
use super::media::media_of;

/// The offset of the size of a page in the header; 1 stands for the size that does not fit.
const PAGE_SIZE: usize = 16;
const LARGEST_PAGE: u64 = 1 << 16;

/// Whether the file has the pictures and sounds after the database, as a stream does.
pub fn is_stream(path: &Path) -> bool {
    // Opening a pipe without a writer would wait.
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let Some(file) = file else { return false };
    let (mut header, mut next) = ([0; BYTES], [0; MAGIC.len()]);
    let read = file.read_exact_at(&mut header, 0);
    let Some(length) = read.ok().and_then(|()| stated_length(&header)) else { return false };
    file.read_exact_at(&mut next, length).is_ok() && next == MAGIC
}

/// Reads a stream to its end into the new file `database` and, if it has any, its pictures and sounds into the file next to it.
/// Only this user can read the files.
///
/// # Errors
/// [`StoreError::Unusable`] with a sentence: the stream is cut, too long or no backup, or there is no room. The files that exist
/// then are useless.
pub fn receive(stream: &mut dyn Read, database: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| failed(&error, database);
    let header = begin(stream).map_err(failed)?;
    take(stream, &header, database)?;
    let header = begin(stream).map_err(failed)?;
    if header.is_empty() {
        return Ok(());
    }
    if !MAGIC.starts_with(&header[..header.len().min(MAGIC.len())]) {
        return Err(wrong("it goes on after its end"));
    }
    take(stream, &header, &media_of(database))?;
    if begin(stream).map_err(failed)?.is_empty() { Ok(()) } else { Err(wrong("it goes on after its end")) }
}

/// The next bytes, as many as a header has, or fewer at the end of the stream.
fn begin(stream: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut header = Vec::with_capacity(BYTES);
    stream.take(BYTES as u64).read_to_end(&mut header)?;
    Ok(header)
}

/// Writes the file that begins with this header.
fn take(stream: &mut dyn Read, header: &[u8], to: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| failed(&error, to);
    let Ok(whole) = <&[u8; BYTES]>::try_from(header) else {
        return Err(wrong(&format!("it is cut off within the first {BYTES} bytes of a file")));
    };
    let length = stated_length(whole).ok_or_else(|| wrong("it does not begin as a database of SQLite does"))?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to).map_err(failed)?;
    file.write_all(header).map_err(failed)?;
    let rest = length.saturating_sub(BYTES as u64);
    let read = BYTES as u64 + io::copy(&mut stream.take(rest), &mut file).map_err(failed)?;
    if read < length {
        return Err(wrong(&format!("it is cut off after {read} of {length} bytes of a file")));
    }
    Ok(())
}

/// The length of the file with this header; `None` when the header belongs to no file of `SQLite`.
fn stated_length(header: &[u8; BYTES]) -> Option<u64> {
    let size = u64::from(u16::from_be_bytes([header[PAGE_SIZE], header[PAGE_SIZE + 1]]));
    let size = if size == 1 { LARGEST_PAGE } else { size };
    let pages = u32::from_be_bytes(*header[PAGES..].first_chunk()?);
    let is_header = header.starts_with(MAGIC) && size.is_power_of_two() && size >= 512 && pages > 0;
    is_header.then(|| size * u64::from(pages))
}

fn wrong(what: &str) -> StoreError {
    StoreError::Unusable(format!("this is no whole backup: {what}"))
}

fn failed(error: &io::Error, file: &Path) -> StoreError {
    let folder = folder_of(file);
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            unusable("there is no room for the backup in", &folder, error)
        }
        _ => unusable("cannot put the backup into", &folder, error),
    }
}
