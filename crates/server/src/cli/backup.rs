//! `quizhall backup` and `quizhall restore`: the data of one machine into a file, and back.
//!
//! With PostgreSQL its own programs do that, and the sentence here says where they are described.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use secrecy::ExposeSecret as _;
use tokio::signal::unix::{SignalKind, signal};

use super::progress::Progress;
use super::{backup_folder, print, verify};
use crate::clock;
use crate::config::Storage;
use crate::store::sqlite;

/// Where an operator of PostgreSQL reads more.
const PAGE: &str = "docs/operate/databases.md, “The data in PostgreSQL”";

/// The service gets the processors first when both need them.
const LEAST_PRIORITY: i32 = 19;

#[derive(Debug, Args)]
pub(super) struct BackupArgs {
    /// The file, which must not exist; or a folder, in which the file is named after the time.
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
    /// The file that a backup made.
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
    let folder = to.is_dir().then_some(to.as_path());
    if keep.is_some() && folder.is_none() {
        bail!("--keep needs a folder for the backups, and {} is none", to.display());
    }
    let file = folder.map_or_else(|| to.clone(), |folder| folder.join(backup_folder::name_at(clock::unix_ms())));
    write(&file, storage).await?;
    if verify {
        examine(&file, storage).await?;
    }
    let (Some(folder), Some(latest)) = (folder, keep) else { return Ok(()) };
    let deleted = backup_folder::keep(folder, latest.into());
    match deleted.with_context(|| format!("the backup is complete, but earlier ones in {} stay", folder.display()))? {
        0 => Ok(()),
        count => print(format!("Earlier backups that were deleted: {count}.")),
    }
}

async fn write(file: &Path, storage: &Storage) -> anyhow::Result<()> {
    // All threads of this process start after this call and share its priority. When the system refuses it, the copy is
    // just as good.
    let _ = rustix::process::nice(LEAST_PRIORITY);
    let mut progress = Progress::new("copying");
    let mut show = |done, all| progress.show(done, all);
    let work = sqlite::backup(storage.database_url.expose_secret(), file, &mut show);
    let done = unless_stopped(work).await.context("there is no backup")?;
    drop(progress);
    if let Some(why) = done.unmarked {
        eprintln!("quizhall: the time of this backup is not known to the service: {why}");
    }
    print(format!("{} holds the database: {} bytes.", file.display(), done.bytes))?;
    if let Some((media, bytes)) = done.media {
        print(format!("{} holds its pictures and sounds: {bytes} bytes. Keep both.", media.display()))?;
    }
    Ok(())
}

async fn examine(file: &Path, storage: &Storage) -> anyhow::Result<()> {
    match unless_stopped(damage_in(file, storage)).await.context("the copy was not read to its end")? {
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
    let backup = sqlite::Backup::examine(storage.database_url.expose_secret(), &args.file).await?;
    if let Some(what) = damage_in(&args.file, storage).await?.filter(|_| !args.with_damaged_games) {
        bail!(
            "{what} in {} are damaged; take an earlier backup, or give --with-damaged-games to restore it as it is",
            args.file.display()
        );
    }
    let mut progress = Progress::new("restoring");
    Ok(backup.restore(&mut |done, all| progress.show(done, all)).await?)
}

/// Replays every game of a file and reads every picture and sound; prints a line on standard output for each damaged
/// one. Resolves to the kinds of damaged data, or `None`.
async fn damage_in(file: &Path, storage: &Storage) -> anyhow::Result<Option<&'static str>> {
    let report = verify::games_of(file, storage).await?;
    verify::name_damage(&report)?;
    Ok(match (report.damaged.is_empty(), report.damaged_files.is_empty()) {
        (true, true) => None,
        (false, true) => Some("games"),
        (true, false) => Some("pictures or sounds"),
        (false, false) => Some("games, and pictures or sounds,"),
    })
}

/// Runs `work` until Ctrl-C or SIGTERM; then it is dropped, which removes its temporary file.
async fn unless_stopped<T, E>(work: impl Future<Output = Result<T, E>>) -> anyhow::Result<T>
where
    anyhow::Error: From<E>,
{
    let mut terminate = signal(SignalKind::terminate()).context("signals cannot be listened to")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("signals cannot be listened to")?;
    tokio::select! {
        done = work => Ok(done?),
        _ = terminate.recv() => bail!("stopped by SIGTERM"),
        _ = interrupt.recv() => bail!("stopped by SIGINT"),
    }
}
