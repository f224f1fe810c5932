//! How strictly tests hold the service to a promise in seconds.

use std::env;
use std::time::Duration;

/// What a machine on which many tests run at once may stand still for, while the service is in time.
const STALL: Duration = Duration::from_secs(3);

/// The longest that something may take which is promised within this. With `QUIZHALL_QUIET_MACHINE` set it is the promise
/// itself; an ordinary run adds what a busy machine may lose, so that a red test means a fault.
pub fn promised(promise: Duration) -> Duration {
    if env::var_os("QUIZHALL_QUIET_MACHINE").is_some() { promise } else { promise + STALL }
}
