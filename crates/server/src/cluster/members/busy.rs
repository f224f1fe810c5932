//! How many cores this process uses: its CPU time, averaged over the last seconds.

use std::time::Duration;

/// The time over which it is averaged.
const WINDOW: Duration = Duration::from_secs(3);

/// The cores that a process used lately.
#[derive(Debug, Default)]
pub struct Busy {
    /// The moment and the CPU time of the last reading.
    last: Duration,
    used: Duration,
    cores: f64,
}

impl Busy {
    /// Takes a reading: the time since the process started, and the CPU time that it has used. Returns thousandths of a core.
    pub fn read(&mut self, up: Duration, used: Duration) -> u32 {
        let passed = up.saturating_sub(self.last).as_secs_f64();
        if passed > 0.0 {
            let cores = used.saturating_sub(self.used).as_secs_f64() / passed;
            // A long pause between two readings counts for as much as it was.
            let weight = 1.0 - (-passed / WINDOW.as_secs_f64()).exp();
            self.cores += (cores - self.cores) * weight;
            (self.last, self.used) = (up, used);
        }
        millicores(self.cores)
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped before")]
fn millicores(cores: f64) -> u32 {
    (cores * 1_000.0).round().clamp(0.0, f64::from(u32::MAX)) as u32
}
