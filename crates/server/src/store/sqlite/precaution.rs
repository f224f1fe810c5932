//! The copy of a database that is kept before its tables are changed.
//!
//! Called when `serve` or `quizhall init` opens a database, before the migrations. A start that is repeated keeps one
//! copy, unless the database was written to in between; no copy is ever overwritten.

use std::path::{Path, PathBuf};

use super::super::error::StoreError;
use super::super::tables::Tables;
use super::copy::{Copy, Source, refused};
use super::lock::{beside, real_path};
use super::open;
use super::pace::Pace;

/// Most copies of different states before the same migration, so that they do not fill a disk.
const MOST: u32 = 5;

/// A database without rows needs no copy.
const IS_EMPTY: &str = "
    SELECT NOT EXISTS (SELECT 1 FROM host) AND NOT EXISTS (SELECT 1 FROM quiz) AND NOT EXISTS (SELECT 1 FROM game)";

/// Equal for a database and its copy, and different after any write. Uses only columns that every version has.
const FINGERPRINT: &str = "
    SELECT json_array(
        (SELECT json_array(count(*), total(n), total(batch)) FROM game_log),
        (SELECT json_group_array(json_array(hex(id), phase, closed, active_at_ms)) FROM (SELECT * FROM game ORDER BY id)),
        (SELECT json_group_array(json_array(hex(id), updated_at_ms)) FROM (SELECT * FROM quiz ORDER BY id)),
        (SELECT json_group_array(json_array(hex(id), name, password_hash)) FROM (SELECT * FROM host ORDER BY id)),
        (SELECT json_group_array(version) FROM (SELECT version FROM _sqlx_migrations ORDER BY version)))";

/// Keeps a copy of the database at `path` if this version will change its tables.
///
/// # Errors
/// [`StoreError::Unusable`] with a sentence when the copy cannot be made; then nothing was changed.
pub(super) async fn keep_copy(path: &Path) -> Result<(), StoreError> {
    let database = real_path(path);
    let mut source = Source::live(&database).await?;
    if !is_to_be_kept(&mut source).await? {
        source.close().await;
        return Ok(());
    }
    let state = fingerprint(&mut source).await?;
    for number in 1..=MOST {
        let copy = name(&database, number);
        if copy.exists() {
            // A copy that cannot be read counts as none.
            let Ok(mut copy) = Source::still(&copy).await else { continue };
            if fingerprint(&mut copy).await.is_ok_and(|kept| kept == state) {
                source.close().await;
                return Ok(());
            }
            continue;
        }
        let mut unseen = |_, _| {};
        let made = Copy::make(source, &copy, Pace::Full, &mut unseen).await.map_err(|error| explained(&error))?;
        let bytes = made.bytes();
        if !made.publish(&copy)? {
            return Err(refused("was made by another process meanwhile; start again", &copy));
        }
        tracing::info!(copy = %copy.display(), bytes, "a copy of the database is kept, for its tables are about to change");
        return Ok(());
    }
    Err(refused(
        "and its like are too many copies of before a migration: remove those you do not need",
        &name(&database, 1),
    ))
}

async fn is_to_be_kept(source: &mut Source) -> Result<bool, StoreError> {
    let tables = open::read_tables(&mut source.connection).await?;
    if !matches!(tables, Tables::Older(_)) {
        return Ok(false);
    }
    let is_empty: bool = sqlx::query_scalar(IS_EMPTY).fetch_one(&mut source.connection).await?;
    Ok(!is_empty)
}

async fn fingerprint(source: &mut Source) -> Result<String, StoreError> {
    Ok(sqlx::query_scalar(FINGERPRINT).fetch_one(&mut source.connection).await?)
}

/// Named after the schema before which it was copied: `quizhall.db.before-schema-6`, then `….2`.
fn name(database: &Path, number: u32) -> PathBuf {
    let version = open::newest();
    match number {
        1 => beside(database, &format!(".before-schema-{version}")),
        _ => beside(database, &format!(".before-schema-{version}.{number}")),
    }
}

fn explained(error: &StoreError) -> StoreError {
    StoreError::Unusable(format!("no copy could be kept before the tables are changed, so they were not: {error}"))
}
