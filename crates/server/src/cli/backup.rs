//! `quizhall backup` and `quizhall restore`: the data of one machine into a file, and back.
//!
//! With PostgreSQL its own programs do that, and the sentence here says where they are described.

use std::path::Path;

use anyhow::{Context as _, bail};
use secrecy::ExposeSecret as _;
use tokio::signal::unix::{SignalKind, signal};

use super::print;
use super::progress::Progress;
use crate::config::Storage;
use crate::store::sqlite;

/// Where an operator of PostgreSQL reads on.
const PAGE: &str = "docs/operations.md, “The data in PostgreSQL”";

/// Writes the database into the new file `to`.
pub(super) async fn back_up(storage: &Storage, to: &Path) -> anyhow::Result<()> {
    if storage.is_postgres() {
        bail!("the database is PostgreSQL: back it up with pg_dump or pg_basebackup, see {PAGE}");
    }
    let mut progress = Progress::new("copying");
    let mut show = |done, all| progress.show(done, all);
    let work = sqlite::backup(storage.database_url.expose_secret(), to, &mut show);
    let done = unless_stopped(work).await.context("there is no backup")?;
    drop(progress);
    if let Some(why) = done.unmarked {
        eprintln!("quizhall: the time of this backup is not known to the service: {why}");
    }
    print(format!("{} holds the database: {} bytes.", to.display(), done.bytes))
}

/// Puts the backup in the file `from` in the place of the database.
pub(super) async fn restore(storage: &Storage, from: &Path) -> anyhow::Result<()> {
    if storage.is_postgres() {
        bail!("the database is PostgreSQL: restore it with pg_restore or from a base backup, see {PAGE}");
    }
    let mut progress = Progress::new("restoring");
    let mut show = |done, all| progress.show(done, all);
    let work = sqlite::restore(storage.database_url.expose_secret(), from, &mut show);
    let done = unless_stopped(work).await.context("nothing was restored")?;
    drop(progress);
    if let Some(kept) = &done.kept {
        eprintln!("The database that was there is kept as {}.", kept.display());
    }
    print(format!("{} is restored: {} games.", done.database.display(), done.games))
}

/// Runs `work` until Ctrl-C or SIGTERM; what it has begun then is dropped, and removes its temporary file.
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
