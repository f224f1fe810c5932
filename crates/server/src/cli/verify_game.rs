//! `quizhall verify-game`: whether the proof of a sealed game agrees with its seal, and what its host decided. Reads one file and
//! nothing else.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::{WrongUse, print};
use crate::sealed;

#[derive(Debug, Args)]
pub(super) struct VerifyGameArgs {
    /// The file that the page of results gave.
    file: PathBuf,
    /// The seal that was shown before the game, or at least its first 12 digits; spaces do not matter.
    #[arg(long, value_name = "HEX")]
    seal: Option<String>,
}

/// Bytes of the largest file that is read: a million answers take about 180 MB.
const LARGEST: u64 = 1 << 30;

/// Prints each thing that the host decided, then the verdict.
pub(super) fn run(VerifyGameArgs { file, seal }: &VerifyGameArgs) -> anyhow::Result<()> {
    let bytes = File::open(file).and_then(|opened| read_whole(opened, LARGEST));
    let bytes = bytes.map_err(|error| WrongUse(format!("{} cannot be read: {error}", file.display())))?;
    let checked = sealed::read(&bytes).and_then(|proof| sealed::check(&proof, seal.as_deref()));
    match checked {
        Ok(checked) => {
            for what in checked.decided {
                print(what)?;
            }
            print("The file agrees with its seal and its boards.")
        }
        Err(disagreement) => bail!("{disagreement}"),
    }
}

/// All bytes of a source.
///
/// # Errors
/// Those of the source; [`io::ErrorKind::FileTooLarge`] when there are more than `most` bytes, as in a device without an end.
pub fn read_whole(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = source.take(most + 1).read_to_end(&mut bytes)?;
    if read as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than any proof"));
    }
    Ok(bytes)
}
