//! `quizhall verify-game`: whether the proof of a sealed game agrees with its seal, and what its host decided. Reads one file and
//! nothing else.

use std::fs;
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

/// Prints each thing that the host decided, then the verdict.
pub(super) fn run(VerifyGameArgs { file, seal }: &VerifyGameArgs) -> anyhow::Result<()> {
    let bytes = fs::read(file).map_err(|error| WrongUse(format!("{} cannot be read: {error}", file.display())))?;
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
