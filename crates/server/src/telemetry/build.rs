//! The identity of this build: its version, and the commit and date that `make dist` compiles in.
//!
//! Read by the command line, the start line of the log, `/metrics` and the list of nodes. Reads nothing at run time.

/// The version of the release.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit, in hexadecimal, shortened; `unknown` in a build that was not made for distribution.
pub const COMMIT: &str = match option_env!("QUIZHALL_BUILD_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

/// The day of the commit, such as `2026-11-24`, so that two builds of one commit are the same. Empty in an image that
/// was built without it.
const DATE: Option<&str> = option_env!("QUIZHALL_BUILD_DATE");

/// The text that `quizhall --version` prints after the name.
pub fn long_version() -> String {
    match DATE {
        Some("") => format!("{VERSION} ({COMMIT})"),
        Some(date) => format!("{VERSION} ({COMMIT} {date})"),
        None => format!("{VERSION} (development build)"),
    }
}
