//! The options of a run. `main` reads them from the command line; tests create them directly.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The options of a run.
#[derive(Clone)]
pub struct Options {
    /// `http://host:port` or `https://host` of the server under test.
    pub url: String,
    /// A PEM file of certificate authorities to trust besides the system's.
    pub ca: Option<PathBuf>,
    /// The address for the host's sockets and API, if it is another node of the same service.
    pub host_url: Option<String>,
    /// A host's bearer token.
    pub host_token: String,
    /// Another host's token; without it the suite creates an account for itself.
    pub second_host_token: Option<String>,
    /// Only rows whose id contains this.
    pub filter: Option<String>,
    /// Groups of rows (`payload` of `payload/…`) that are left out, and with them the questions that only a whole run answers.
    pub without: &'static [&'static str],
    /// Groups of rows played at the same time; each holds one live game, and a host may have 20.
    pub jobs: usize,
    /// How long a row waits for one thing.
    pub time_limit: Duration,
    /// How long a row waits for a close that needs time: the longest is `game_over`, 60 s after the end by default.
    pub longest_wait: Duration,
    /// The server's limit of failed joins per minute and address; 0 leaves the row about it out.
    pub failed_joins_per_minute: u32,
    /// Whether the run stays below the server's default limits of sockets, see [`crate::pace::Pace`].
    pub default_limits: bool,
}

impl Options {
    /// The defaults, for a server whose limits of sockets are raised.
    pub fn new(url: &str, host_token: &str) -> Self {
        Self {
            url: url.to_owned(),
            ca: None,
            host_url: None,
            host_token: host_token.to_owned(),
            second_host_token: None,
            filter: None,
            without: &[],
            jobs: 6,
            time_limit: Duration::from_secs(10),
            longest_wait: Duration::from_secs(75),
            failed_joins_per_minute: 10,
            default_limits: false,
        }
    }

    /// Whether a row with this id is wanted.
    pub fn wants(&self, id: &str) -> bool {
        let group = id.split('/').next().unwrap_or(id);
        self.filter.as_deref().is_none_or(|part| id.contains(part)) && !self.without.contains(&group)
    }

    /// Whether some rows are left out.
    pub fn is_partial(&self) -> bool {
        self.filter.is_some() || !self.without.is_empty()
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Options").field("url", &self.url).field("filter", &self.filter).finish_non_exhaustive()
    }
}
