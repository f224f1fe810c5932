//! SIGTERM, SIGINT and SIGHUP, and a signal that must not end the process.

use std::fs;
use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that stop the service, received from the start on.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    /// `None` when the process was started to ignore it (`nohup`).
    hang_up: Option<Signal>,
}

impl Signals {
    /// # Errors
    /// When signals cannot be listened to.
    pub(super) fn listen() -> io::Result<Self> {
        let hang_up = if ignores_hang_up() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())?, hang_up })
    }

    /// Resolves to the name of the next signal.
    pub(super) async fn next(&mut self) -> &'static str {
        let Self { terminate, interrupt, hang_up } = self;
        tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
            () = received(hang_up) => "SIGHUP",
        }
    }

    /// Resolves to the name of the next signal that ends a stop at once. SIGHUP does not: a closing terminal sends it
    /// twice, by the shell and by the kernel.
    pub(super) async fn next_urgent(&mut self) -> &'static str {
        loop {
            match self.next().await {
                "SIGHUP" => {}
                urgent => return urgent,
            }
        }
    }
}

async fn received(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Whether SIGHUP (number 1) is ignored, as Linux reports; elsewhere it is assumed not to be.
fn ignores_hang_up() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// SIGXFSZ on Linux (except MIPS), macOS and the BSDs.
const FILE_TOO_BIG: i32 = 25;

/// Makes a write beyond the limit on file sizes (`ulimit -f`) an error of that write, as on a full disk (promise 24),
/// instead of the end of the process.
///
/// # Errors
/// When signals cannot be listened to.
pub(super) fn outlive_file_size_limit() -> io::Result<()> {
    // The handler stays for the life of the process, and the returned stream is not needed.
    signal(SignalKind::from_raw(FILE_TOO_BIG)).map(drop)
}
