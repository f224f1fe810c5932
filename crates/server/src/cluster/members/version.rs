//! Compares versions of nodes: a node of an earlier version cannot read what later versions added to the log.
//!
//! Used by `membership` for each node of the list.

pub(super) const THIS: &str = env!("CARGO_PKG_VERSION");

/// Whether a node of this version is older than this process. An unreadable version counts as older.
pub(super) fn is_older(version: &str) -> bool {
    numbers(version) < numbers(THIS)
}

/// Major, minor and patch; the rest is ignored.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let mut parts = version.split(['-', '+']).next()?.split('.').map(str::parse);
    let numbers = [parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?];
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests;
