//! How strictly tests check a promise in seconds.

use std::env;
use std::time::Duration;

/// How long a machine that runs many tests may stall although the service is in time.
const STALL: Duration = Duration::from_secs(3);

/// The longest time that a test accepts for this promise. With `QUIZHALL_QUIET_MACHINE` set it is the promise itself; an
/// ordinary run adds the time that a busy machine may lose, so that a failed test means a fault.
pub fn promised(promise: Duration) -> Duration {
    if env::var_os("QUIZHALL_QUIET_MACHINE").is_some() { promise } else { promise + STALL }
}
