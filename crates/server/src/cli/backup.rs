//! `quizhall backup` and `quizhall restore`: the data of one machine into a file, and back.
//!
//! With PostgreSQL its own programs do that, and the sentence here says where they are described.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use secrecy::ExposeSecret as _;

use super::progress::Progress;
use super::stopping::unless_stopped;
use super::streams::{self, Given, Room};
use super::verify::{self, Say};
use super::{backup_folder, complain, print};
use crate::clock;
use crate::config::Storage;
use crate::store::sqlite;

/// Where an operator of PostgreSQL reads more.
const PAGE: &str = "docs/operate/databases.md, “The data in PostgreSQL”";

/// The service gets the processors first when both need them.
const LEAST_PRIORITY: i32 = 19;

#[derive(Debug, Args)]
pub(super) struct BackupArgs {
    /// The file, which must not exist; a folder, in which the file is named after the time; or `-` for standard output. The copy for
    /// `-` is first made in the folder that TMPDIR names, or else in /var/tmp, and is removed afterwards.
    #[arg(value_name = "FILE")]
    to: PathBuf,
    /// Read every game of the copy as well, as `quizhall verify` does.
    #[arg(long)]
    verify: bool,
    /// Once the backup is complete, delete all but this many of the latest in the folder.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    keep: Option<u16>,
}

#[derive(Debug, Args)]
pub(super) struct RestoreArgs {
    /// The file that a backup made, or `-` for standard input.
    file: PathBuf,
    /// Restore even when games in it are damaged. They are named, and cannot be played.
    #[arg(long)]
    with_damaged_games: bool,
}

/// Writes the database into a new file. When something is damaged, or the command fails, no earlier backup is deleted.
pub(super) async fn back_up(BackupArgs { to, verify, keep }: BackupArgs, storage: &Storage) -> anyhow::Result<()> {
    if storage.is_postgres() {
        bail!("the database is PostgreSQL: back it up with pg_dump or pg_basebackup, see {PAGE}");
    }
    let is_stream = streams::is_stream(&to);
    let folder = (to.is_dir() && !is_stream).then_some(to.as_path());
    if keep.is_some() && folder.is_none() {
        bail!("--keep needs a folder for the backups, and {} is none", to.display());
    }
    if is_stream {
        return send(verify, storage).await;
    }
    let file = folder.map_or_else(|| to.clone(), |folder| folder.join(backup_folder::name_at(clock::unix_ms())));
    let done = copy(&file, storage).await?;
    mark(storage);
    print(format!("{} holds the database: {} bytes.", file.display(), done.bytes))?;
    if let Some((media, bytes)) = done.media {
        print(format!("{} holds its pictures and sounds: {bytes} bytes. Keep both.", media.display()))?;
    }
    if verify {
        examine(&file, storage, print).await?;
    }
    let (Some(folder), Some(latest)) = (folder, keep) else { return Ok(()) };
    let deleted = backup_folder::keep(folder, latest.into());
    match deleted.with_context(|| format!("the backup is complete, but earlier ones in {} stay", folder.display()))? {
        0 => Ok(()),
        count => print(format!("Earlier backups that were deleted: {count}.")),
    }
}

/// Writes the database to standard output, and everything else to standard error.
async fn send(verify: bool, storage: &Storage) -> anyhow::Result<()> {
    streams::check_output()?;
    let room = Room::make().context("there is no backup")?;
    let file = room.file();
    let done = copy(&file, storage).await?;
    let files = [file.clone()].into_iter().chain(done.media.map(|(media, _)| media)).collect();
    let bytes = unless_stopped(streams::send(files)).await.context("there is no backup")?;
    mark(storage);
    complain(format!("standard output has the whole backup: {bytes} bytes."));
    if verify {
        let say: Say = |line| {
            complain(line);
            Ok(())
        };
        examine(&file, storage, say).await?;
    }
    Ok(())
}

async fn copy(file: &Path, storage: &Storage) -> anyhow::Result<sqlite::BackedUp> {
    // All threads of this process start after this call and share its priority. When the system refuses it, the copy is
    // just as good.
    let _ = rustix::process::nice(LEAST_PRIORITY);
    let mut progress = Progress::new("copying");
    let mut show = |done, all| progress.show(done, all);
    let work = sqlite::backup(storage.database_url.expose_secret(), file, &mut show);
    unless_stopped(work).await.context("there is no backup")
}

/// Lets the service know the time of this backup.
fn mark(storage: &Storage) {
    if let Err(why) = sqlite::mark_backup(storage.database_url.expose_secret()) {
        complain(format!("the time of this backup is not known to the service: {why}"));
    }
}

async fn examine(file: &Path, storage: &Storage, say: Say) -> anyhow::Result<()> {
    match unless_stopped(damage_in(file, storage, say)).await.context("the copy was not read to its end")? {
        None => Ok(()),
        Some(what) => bail!("the backup is complete, but {what} in it are damaged, as they are in the database"),
    }
}

/// Replaces the database with a backup.
pub(super) async fn restore(args: RestoreArgs, storage: &Storage) -> anyhow::Result<()> {
    if storage.is_postgres() {
        bail!("the database is PostgreSQL: restore it with pg_restore or from a base backup, see {PAGE}");
    }
    let done = unless_stopped(examined_and_put(&args, storage)).await.context("nothing was restored")?;
    if let Some(kept) = &done.kept {
        eprintln!("The database that was there is kept as {}.", kept.display());
    }
    print(format!("{} is restored: {} games.", done.database.display(), done.games))
}

async fn examined_and_put(args: &RestoreArgs, storage: &Storage) -> anyhow::Result<sqlite::Restored> {
    let given = Given::find(&args.file).await?;
    let backup = sqlite::Backup::examine(storage.database_url.expose_secret(), &given.file).await?;
    let damaged = damage_in(&given.file, storage, print).await?;
    if let Some(what) = damaged.filter(|_| !args.with_damaged_games) {
        bail!(
            "{what} in {} are damaged; take an earlier backup, or give --with-damaged-games to restore it as it is",
            given.name
        );
    }
    let mut progress = Progress::new("restoring");
    Ok(backup.restore(&mut |done, all| progress.show(done, all)).await?)
}

/// Replays every game of a file and reads every picture and sound; says a line for each damaged one. Resolves to the kinds
/// of damaged data, or `None`.
async fn damage_in(file: &Path, storage: &Storage, say: Say) -> anyhow::Result<Option<&'static str>> {
    let report = verify::games_of(file, storage).await?;
    verify::name_damage(&report, say)?;
    Ok(match (report.damaged.is_empty(), report.damaged_files.is_empty()) {
        (true, true) => None,
        (false, true) => Some("games"),
        (true, false) => Some("pictures or sounds"),
        (false, false) => Some("games, and pictures or sounds,"),
    })
}
