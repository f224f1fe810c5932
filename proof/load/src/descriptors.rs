//! File descriptors: every bot needs one, and the usual soft limit is 1,024.

use anyhow::bail;

/// Descriptors besides the bots' sockets: HTTP connections, standard streams, the runtime.
const SPARE: u64 = 256;

/// Raises the soft limit as far as the hard one allows; an error when that is not enough for this many bots.
pub fn provide_for(bots: usize) -> anyhow::Result<()> {
    let needed = bots as u64 + SPARE;
    let allowed = rlimit::increase_nofile_limit(needed.max(1_024))?;
    if allowed < needed {
        bail!(
            "{bots} bots need {needed} file descriptors, {allowed} are allowed: raise the limit with `ulimit -n {needed}`"
        );
    }
    Ok(())
}

/// Raises the soft limit to the hard one.
pub fn provide_all() -> anyhow::Result<u64> {
    Ok(rlimit::increase_nofile_limit(u64::MAX)?)
}
