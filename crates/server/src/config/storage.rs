//! Which database and which cache.

use clap::Args;
use secrecy::SecretString;

use super::Problems;

/// Where the data is.
#[derive(Debug, Clone)]
pub struct Storage {
    /// `sqlite://path`. A secret, because other engines' addresses hold passwords.
    pub database_url: SecretString,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Storage")]
pub(super) struct StorageArgs {
    /// The database: `sqlite://path` (folder and file are made at the start of the service).
    #[arg(long, env = "DATABASE_URL", default_value = DEFAULT_URL, value_name = "URL", global = true)]
    database_url: String,
    /// A file that holds the database's address.
    #[arg(long, env = "DATABASE_URL_FILE", value_name = "FILE", global = true)]
    database_url_file: Option<String>,
    /// The cache store. Not supported yet: leave it unset for the one in process.
    #[arg(long, env = "REDIS_URL", value_name = "URL", global = true)]
    redis_url: Option<String>,
}

const DEFAULT_URL: &str = "sqlite://data/quizhall.db";

impl StorageArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> Storage {
        if self.redis_url.as_deref().is_some_and(|url| !url.trim().is_empty()) {
            problems
                .add("REDIS_URL", "is given, but Redis is not supported yet; unset it to use the cache in process.");
        }
        // The default gives way to a file; a value that was given does not.
        let file = self.database_url_file.as_deref();
        let given = (self.database_url != DEFAULT_URL || file.is_none()).then_some(self.database_url.as_str());
        let url = problems.secret("DATABASE_URL", given, file);
        if let Some(wrong) = url.as_ref().and_then(mistake) {
            problems.add("DATABASE_URL", wrong);
        } else if url.is_none() && file.is_none() {
            problems.add("DATABASE_URL", "is empty and must be like sqlite://data/quizhall.db.");
        }
        Storage { database_url: url.unwrap_or_else(|| DEFAULT_URL.into()) }
    }
}

fn mistake(url: &SecretString) -> Option<&'static str> {
    use secrecy::ExposeSecret;
    let url = url.expose_secret();
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Some("names PostgreSQL, which is not supported yet; use sqlite://path.");
    }
    match url.strip_prefix("sqlite://") {
        Some(path) if !path.is_empty() && !path.contains('\0') => None,
        _ => Some("must be like sqlite://data/quizhall.db."),
    }
}
