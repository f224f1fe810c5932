//! The resources that a process has used, read from the kernel by process id. Adds up over several processes.

use nix::time::clock_getcpuclockid;
use nix::unistd::Pid;

use crate::monotonic;

/// Processes that are measured together; none when the server is elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Processes(Vec<u32>);

impl Processes {
    pub(super) fn new(ids: impl IntoIterator<Item = u32>) -> Self {
        Self(ids.into_iter().collect())
    }

    /// Whether there is anything to measure.
    pub(super) fn known(&self) -> bool {
        !self.0.is_empty()
    }

    /// CPU time of all threads so far, user and kernel, in nanoseconds; of threads that have ended too.
    pub(super) fn cpu(&self) -> u64 {
        let of = |id: &u32| {
            let id = Pid::from_raw(i32::try_from(*id).ok()?);
            clock_getcpuclockid(id).ok().map(monotonic::nanoseconds)
        };
        self.0.iter().filter_map(of).sum()
    }

    /// Memory in use that is the process's own or mapped, in bytes (RSS): what the program holds, without what the kernel
    /// holds for its sockets.
    pub(super) fn memory(&self) -> u64 {
        self.0.iter().filter_map(|id| resident(*id)).sum()
    }

    /// Bytes that were written to files on a disk so far: those that reach it with the next sync. None to files in memory.
    pub(super) fn written(&self) -> u64 {
        self.0.iter().filter_map(|id| number_in(&format!("/proc/{id}/io"), "write_bytes:")).sum()
    }

    /// Open descriptors.
    pub(super) fn descriptors(&self) -> usize {
        self.0.iter().filter_map(|id| Some(std::fs::read_dir(format!("/proc/{id}/fd")).ok()?.count())).sum()
    }
}

fn resident(id: u32) -> Option<u64> {
    Some(number_in(&format!("/proc/{id}/status"), "VmRSS:")? * 1_024)
}

/// The number behind a word at the beginning of a line of a file of the kernel.
fn number_in(file: &str, word: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(word))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

#[cfg(test)]
mod tests;
