//! What a database holds, compared with the tables that this version needs.
//!
//! Used by both engines. Only `serve` and `quizhall init` make or change tables; every other command refuses a database
//! that it would have to change first.

use std::sync::LazyLock;

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{AppliedMigration, MigrateError, Migration, MigrationType, Migrator};

use super::error::StoreError;
use super::error::unusable_tables;

/// The table of applied migrations.
pub(super) const APPLIED: &str = "_sqlx_migrations";

/// The steps to the tables of this version. A released step is never changed, because every database stores its number
/// and description.
macro_rules! migrations {
    ($folder:literal) => {
        migrations!(
            $folder, "000" 1 start, "000" 2 quiz_of_game, "000" 3 nodes, "000" 4 snapshots, "000" 5 probe,
            "000" 6 accounts, "000" 7 media, "000" 8 results_links, "000" 9 keys_and_identities,
            "00" 10 roles_and_webhooks, "00" 11 library, "00" 12 screen_pairings, "00" 13 following_games,
            "00" 14 turns_of_webhooks, "00" 15 named_tokens, "00" 16 deliveries_that_are_over,
            "00" 17 ended_invitations, "00" 18 sizes_of_pictures, "00" 19 log_versions_of_nodes
        )
    };
    ($folder:literal, $($zeros:literal $version:literal $name:ident),+) => {
        Migrator::with_migrations(vec![$(Migration::new(
            $version,
            stringify!($name).replace('_', " ").into(),
            MigrationType::Simple,
            include_str!(concat!(
                "../../migrations/", $folder, "/", $zeros, $version, "_", stringify!($name), ".sql"
            ))
            .into_sql_str(),
            false,
        )),+])
    };
}

pub(super) static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrations!("sqlite"));
pub(super) static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrations!("postgres"));

/// How the tables of a database compare with those of this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// There is no database.
    NoDatabase,
    /// There is a database without tables of Quizhall.
    Missing,
    /// They are those of an earlier version; holds its last migration.
    Older(i64),
    /// They are those of this version.
    Current,
}

impl Tables {
    /// Compares the applied migrations with those of this version.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when a newer version wrote the tables, or their definition was changed by hand.
    pub(super) fn compare(applied: &[AppliedMigration], wanted: &Migrator) -> Result<Self, StoreError> {
        for migration in applied {
            match wanted.iter().find(|known| known.version == migration.version) {
                None => return Err(unusable_tables(MigrateError::VersionMissing(migration.version))),
                Some(known) if known.checksum != migration.checksum => {
                    return Err(unusable_tables(MigrateError::VersionMismatch(migration.version)));
                }
                Some(_) => {}
            }
        }
        Ok(match applied.iter().map(|migration| migration.version).max() {
            None => Self::Missing,
            Some(_) if applied.len() == wanted.iter().len() => Self::Current,
            Some(last) => Self::Older(last),
        })
    }

    /// Refuses tables that a command would have to change; `database` names the database in the sentence.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] with a sentence that names the setting and what to do.
    pub(super) fn must_be_current(self, database: &str) -> Result<(), StoreError> {
        let sentence = match self {
            Self::Current => return Ok(()),
            Self::NoDatabase => {
                format!("DATABASE_URL names {database}, which does not exist: `quizhall init` creates it")
            }
            Self::Missing => {
                format!(
                    "DATABASE_URL names {database}, which holds no tables of Quizhall: `quizhall init` creates them"
                )
            }
            Self::Older(_) => format!(
                "{database} holds the tables of an earlier version: `quizhall init`, or a start of the service, brings \
                 them up to this one"
            ),
        };
        Err(StoreError::Unusable(sentence))
    }
}

#[cfg(test)]
mod tests;
