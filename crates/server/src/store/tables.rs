//! What a database holds, compared with the tables that this version needs.
//!
//! Used by both engines. Only `serve` and `quizhall init` make or change tables; every other command refuses a database
//! that it would have to change first.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use sqlx::migrate::{AppliedMigration, Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, Connection as _, Database, Executor, SqlSafeStr as _};

use super::error::StoreError;
use super::error::unusable_tables;

/// The table of applied migrations.
pub(super) const APPLIED: &str = "_sqlx_migrations";

/// The steps to the tables of this version: number, description, statements. A released step is never changed, because
/// every database stores its number and checksum.
fn migrator(steps: &[(i64, &'static str, &'static str)]) -> Migrator {
    let step = |&(number, name, sql): &(i64, &'static str, &'static str)| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(steps.iter().map(step).collect())
}

pub(super) static SQLITE: LazyLock<Migrator> = LazyLock::new(|| {
    migrator(&[
        (1, "base", include_str!("../../migrations/sqlite/0001_base.sql")),
        (2, "proof", include_str!("../../migrations/sqlite/0002_proof.sql")),
        (3, "replay", include_str!("../../migrations/sqlite/0003_replay.sql")),
        (4, "placement", include_str!("../../migrations/sqlite/0004_placement.sql")),
    ])
});
pub(super) static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| {
    migrator(&[
        (1, "base", include_str!("../../migrations/postgres/0001_base.sql")),
        (2, "proof", include_str!("../../migrations/postgres/0002_proof.sql")),
        (3, "replay", include_str!("../../migrations/postgres/0003_replay.sql")),
        (4, "placement", include_str!("../../migrations/postgres/0004_placement.sql")),
    ])
});

/// The last steps of pre-releases whose tables become those of 0.1.0.
const ADOPTED: RangeInclusive<i64> = 18..=19;

/// How the checksum of the pre-releases' first step begins, in either engine. They had 19 steps, which 0.1.0 joined to one.
const PRE_RELEASE: [[u8; 8]; 2] =
    [[0x53, 0xc1, 0x0f, 0x06, 0x28, 0xa0, 0x2a, 0x2f], [0x98, 0x2a, 0x9b, 0xcc, 0xde, 0xb6, 0xb2, 0x73]];

/// Makes tables of the last two pre-release steps those of 0.1.0, in one transaction. Does nothing to others. `integer` is
/// the engine's name for an integer of 8 bytes.
///
/// # Errors
/// [`StoreError::Unusable`] when the tables are not what their steps made; then they are unchanged.
pub(super) async fn adopt<D>(
    connection: &mut D::Connection,
    wanted: &'static Migrator,
    integer: &str,
) -> Result<(), StoreError>
where
    D: Database,
    D::Connection: Migrate,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
{
    connection.ensure_migrations_table(APPLIED).await.map_err(unusable_tables)?;
    let applied = connection.list_applied_migrations(APPLIED).await.map_err(unusable_tables)?;
    let last = match Tables::compare(&applied, wanted)? {
        Tables::Older(last) if ADOPTED.contains(&last) => last,
        _ => return Ok(()),
    };
    let mut steps = format!("DELETE FROM {APPLIED};");
    if last < *ADOPTED.end() {
        steps = format!("ALTER TABLE node ADD COLUMN log_version {integer} NOT NULL DEFAULT 1; {steps}");
    }
    let mut transaction = connection.begin().await?;
    transaction.execute(AssertSqlSafe(steps)).await.map_err(|error| unusable_tables(error.into()))?;
    let base = wanted.iter().next().expect("there is a first step");
    transaction.skip(APPLIED, base).await.map_err(unusable_tables)?;
    Ok(transaction.commit().await?)
}

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
    /// [`StoreError::Unusable`] when a newer version or an early pre-release wrote the tables, or they were changed by hand.
    pub(super) fn compare(applied: &[AppliedMigration], wanted: &Migrator) -> Result<Self, StoreError> {
        let last = applied.iter().map(|migration| migration.version).max();
        let is_first = |start: &[u8; 8]| applied.first().is_some_and(|first| first.checksum.starts_with(start));
        if let Some(last) = last.filter(|_| PRE_RELEASE.iter().any(is_first)) {
            let early = format!(
                "the tables are those of an early pre-release (migration {last}): see \"Pre-releases\" in docs/operate/databases.md"
            );
            return if ADOPTED.contains(&last) { Ok(Self::Older(last)) } else { Err(StoreError::Unusable(early)) };
        }
        for migration in applied {
            match wanted.iter().find(|known| known.version == migration.version) {
                None => return Err(unusable_tables(MigrateError::VersionMissing(migration.version))),
                Some(known) if known.checksum != migration.checksum => {
                    return Err(unusable_tables(MigrateError::VersionMismatch(migration.version)));
                }
                Some(_) => {}
            }
        }
        Ok(match last {
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
            Self::NoDatabase => "does not exist: `quizhall init` creates it",
            Self::Missing => "holds no tables of Quizhall: `quizhall init` creates them",
            Self::Older(_) => {
                "holds the tables of an earlier version: `quizhall init`, or a start of the service, brings them up to this one"
            }
        };
        Err(StoreError::Unusable(format!("DATABASE_URL names {database}, which {sentence}")))
    }
}
