//! How often a picture that changes all the time is shown: at most four times a second, and within a budget of bytes.
//!
//! Used by `edge` for the sockets of screens, and by `moments`, which finds the same pictures in a log. Knows no picture.

use std::time::Duration;

use crate::ids::Time;

/// The pause between two pictures.
const PAUSE: Duration = Duration::from_millis(250);
/// The bytes of pictures per second that each viewer receives when the picture changes all the time: a full lobby is 15 kB.
const BYTES_A_SECOND: u32 = 12_000;
/// For this long unused bytes are saved up, so that nothing waits after a pause without changes.
const SAVED_UP: Duration = Duration::from_secs(3);

/// The pictures that were shown so far, as far as they delay the next one.
#[derive(Debug, Default)]
pub(crate) struct Sampling {
    due: Time,
    /// The time until which the pictures that were shown take at [`BYTES_A_SECOND`].
    paid: Time,
}

impl Sampling {
    /// When the next picture may be shown.
    pub fn due(&self) -> Time {
        self.due
    }

    /// A picture of this many bytes is shown now.
    pub fn note(&mut self, now: Time, bytes: usize) {
        let takes = Duration::from_secs(bytes as u64) / BYTES_A_SECOND;
        self.paid = self.paid.max(now) + takes;
        self.due = (now + PAUSE).max(self.paid.saturating_sub(SAVED_UP));
    }
}
