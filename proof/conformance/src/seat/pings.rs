//! The pings of a connection, numbered, and kept within what a server allows.

use std::time::Duration;

use tokio::time::Instant;

/// The pings that a connection may send at once, and then per second: below the rates (20 and 10) above which a server closes
/// with 4008.
const PING_BURST: f64 = 15.0;
const PINGS_PER_SECOND: f64 = 8.0;

/// Numbers pings and keeps them within the limits of a server: a barrier must not cause the close of the socket.
#[derive(Debug)]
pub(super) struct Pings {
    sent: u64,
    left: f64,
    counted: Instant,
}

impl Pings {
    pub fn new() -> Self {
        Self { sent: 0, left: PING_BURST, counted: Instant::now() }
    }

    pub async fn next(&mut self) -> Vec<u8> {
        self.refill();
        if self.left < 1.0 {
            tokio::time::sleep(Duration::from_secs_f64((1.0 - self.left) / PINGS_PER_SECOND)).await;
            self.refill();
        }
        self.left -= 1.0;
        self.sent += 1;
        self.sent.to_be_bytes().to_vec()
    }

    fn refill(&mut self) {
        let now = Instant::now();
        let passed = now.duration_since(self.counted).as_secs_f64();
        self.left = passed.mul_add(PINGS_PER_SECOND, self.left).min(PING_BURST);
        self.counted = now;
    }
}
