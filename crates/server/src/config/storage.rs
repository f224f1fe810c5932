//! Which database and which cache.

use std::time::Duration;

use clap::Args;
use secrecy::{ExposeSecret as _, SecretString};

use super::Problems;
use crate::cluster::bus;
use crate::store::{self, StoreOptions};

/// Where the data are.
#[derive(Debug, Clone)]
pub struct Storage {
    /// `sqlite://path` or `postgres://…`. A secret, because addresses hold passwords.
    pub database_url: SecretString,
    /// How to open it.
    pub options: StoreOptions,
    /// `redis://…`: Redis or Valkey, for traffic between nodes and shared limits. `None`: everything stays in this
    /// process.
    pub redis_url: Option<SecretString>,
    /// Most bytes of the pictures and sounds of one host together; 0: none are accepted.
    pub media_per_host: u64,
    /// How long a start waits for a database, or in production for a cache store, that cannot be reached yet.
    pub time_limit: Duration,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Storage")]
pub(super) struct StorageArgs {
    /// The database: `sqlite://path` (folder and file are made by the start of the service and by `quizhall init`) or `postgres://user:password@host/name`, also with several hosts (`host1:5432,host2:5432`).
    #[arg(long, env = "DATABASE_URL", default_value = DEFAULT_URL, value_name = "URL", global = true)]
    database_url: String,
    /// A file that holds the database's address.
    #[arg(long, env = "DATABASE_URL_FILE", value_name = "FILE", global = true)]
    database_url_file: Option<String>,
    /// Connections to PostgreSQL, besides three for the log, the list of nodes and the health check.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value = "16", value_name = "N", global = true)]
    database_connections: String,
    /// Accept a PostgreSQL that may lose what it has acknowledged, for tests: true or false.
    #[arg(long, env = "UNSAFE_DATABASE", default_value = "false", value_name = "BOOL", global = true)]
    unsafe_database: String,
    /// Room on the disk of an `sqlite:` file below which the health checks answer 503; 0: no minimum.
    #[arg(long, env = "MIN_FREE_DISK", default_value = "64MiB", value_name = "SIZE", global = true)]
    min_free_disk: String,
    /// Bytes written to the log of an `sqlite:` file before they are moved into the file. The log grows a little larger
    /// than this.
    #[arg(long, env = "CHECKPOINT_AFTER", default_value = "128MiB", value_name = "SIZE", global = true)]
    checkpoint_after: String,
    /// Bytes of the pictures and sounds of one host together; 0: none are accepted.
    #[arg(long, env = "MEDIA_PER_HOST", default_value = "500MiB", value_name = "SIZE", global = true)]
    media_per_host: String,
    /// The cache store, Redis or Valkey: `redis://host` and its kin. With PostgreSQL, several nodes may serve together [default: a cache in process].
    #[arg(long, env = "REDIS_URL", value_name = "URL", global = true)]
    redis_url: Option<String>,
    /// A file that holds the cache store's address.
    #[arg(long, env = "REDIS_URL_FILE", value_name = "FILE", global = true)]
    redis_url_file: Option<String>,
    /// How long a start waits for the database, and in production for the cache store, before it gives up.
    #[arg(long, env = "STORES_PATIENCE", default_value = "30s", value_name = "DURATION", global = true)]
    stores_patience: String,
}

/// The most room that can be required: 1 TiB.
const MOST_FREE_DISK: usize = 1 << 40;

/// The most that can be allowed for the pictures and sounds of one host: 1 TiB.
const MOST_MEDIA: usize = 1 << 40;

/// How much may be written between two checkpoints. Checkpoints have to be rare: many games write to the same pages
/// over and over, a page is moved only once however often it was written since the last time, and a commit that
/// coincides with the sync of the file waits for it. A thousand busy games write 128 MiB in some five seconds. The
/// log's own limit, after which commits move it themselves, is 512 MiB (`store/sqlite/checkpoint.rs`).
const CHECKPOINT_AFTER: std::ops::RangeInclusive<usize> = 64 << 10..=256 << 20;

const DEFAULT_URL: &str = "sqlite://data/quizhall.db";

impl StorageArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> Storage {
        Storage {
            database_url: self.database_url(problems).unwrap_or_else(|| DEFAULT_URL.into()),
            options: StoreOptions {
                connections: problems.number("DATABASE_CONNECTIONS", &self.database_connections, 1..=1_000),
                unsafe_durability: problems.flag("UNSAFE_DATABASE", &self.unsafe_database),
                min_free_disk: problems.bytes("MIN_FREE_DISK", &self.min_free_disk, 0..=MOST_FREE_DISK) as u64,
                checkpoint_after: problems.bytes("CHECKPOINT_AFTER", &self.checkpoint_after, CHECKPOINT_AFTER) as u64,
                ..StoreOptions::default()
            },
            media_per_host: problems.bytes("MEDIA_PER_HOST", &self.media_per_host, 0..=MOST_MEDIA) as u64,
            redis_url: self.redis_url(problems),
            time_limit: problems.duration(
                "STORES_PATIENCE",
                &self.stores_patience,
                Duration::ZERO..=Duration::from_secs(600),
            ),
        }
    }

    fn database_url(&self, problems: &mut Problems) -> Option<SecretString> {
        const NAME: &str = "DATABASE_URL";
        // A file overrides the default, but not a value that was given.
        let file = self.database_url_file.as_deref();
        let given = (self.database_url != DEFAULT_URL || file.is_none()).then_some(self.database_url.as_str());
        let url = problems.secret(NAME, given, file);
        match url.as_ref().map(|url| store::check_url(url.expose_secret())) {
            Some(Err(mistake)) => problems.add(NAME, unusable(&mistake.to_string())),
            None if file.is_none() => problems.add(NAME, "is empty and must be like sqlite://data/quizhall.db."),
            _ => {}
        }
        url
    }

    fn redis_url(&self, problems: &mut Problems) -> Option<SecretString> {
        const NAME: &str = "REDIS_URL";
        let given = self.redis_url.as_deref().map(str::trim);
        let url = problems.secret(NAME, given, self.redis_url_file.as_deref())?;
        if let Err(mistake) = bus::redis::check_url(url.expose_secret()) {
            problems.add(NAME, unusable(&mistake.to_string()));
        }
        Some(url)
    }
}

impl Storage {
    /// Whether several processes can share the database.
    pub fn is_postgres(&self) -> bool {
        !self.database_url.expose_secret().starts_with("sqlite:")
    }
}

fn unusable(mistake: &str) -> String {
    format!("cannot be used: {}.", mistake.trim_end_matches('.'))
}
