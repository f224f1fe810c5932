//! SIGTERM and SIGINT, and a signal that must not end the process.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Both signals, listened to from the start on.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// # Errors
    /// When signals cannot be listened to.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Resolves to the name of the next one.
    pub(super) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

/// SIGXFSZ on Linux (but MIPS), macOS and the BSDs.
const FILE_TOO_BIG: i32 = 25;

/// Makes a write beyond the limit on file sizes (`ulimit -f`) an error of that write, as on a full disk (promise P24),
/// instead of the end of the process.
///
/// # Errors
/// When signals cannot be listened to.
pub(super) fn outlive_file_size_limit() -> io::Result<()> {
    // The handler stays for the life of the process; nobody needs to hear of it.
    signal(SignalKind::from_raw(FILE_TOO_BIG)).map(drop)
}
