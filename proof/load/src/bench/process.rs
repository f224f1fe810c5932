//! The resources that a process has used, read from the kernel by process id. Adds up over several processes.

use anyhow::Context as _;
use nix::sys::signal::{Signal, kill};
use nix::time::clock_getcpuclockid;
use nix::unistd::Pid;

use std::collections::HashMap;
use std::str::FromStr;

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

    /// Kills the first, which this program may not have started.
    pub(super) fn kill_first(&mut self) -> anyhow::Result<()> {
        let first = self.0.first().copied().context("the number of the process is not known")?;
        kill(Pid::from_raw(i32::try_from(first)?), Signal::SIGKILL).context("killing a node")?;
        self.0.remove(0);
        Ok(())
    }

    /// Open descriptors.
    pub(super) fn descriptors(&self) -> usize {
        self.0.iter().filter_map(|id| Some(std::fs::read_dir(format!("/proc/{id}/fd")).ok()?.count())).sum()
    }
}

/// The unit in which the kernel gives times of processes, in nanoseconds.
const TICK: u64 = 10_000_000;

/// A process beside the service, such as a database, which is measured with everything that it has started. Written
/// `NAME=PID`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    pub(super) name: String,
    root: u32,
}

impl FromStr for Beside {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, id) = text.split_once('=').ok_or("write NAME=PID")?;
        let root = id.parse().map_err(|_| "PID is the number of a process")?;
        Ok(Self { name: name.to_owned(), root })
    }
}

impl Beside {
    /// CPU time of the process and its descendants so far, in nanoseconds, with their children that
    /// have ended.
    pub(super) fn cpu(&self) -> u64 {
        let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let all: HashMap<u32, Ticks> = ids.filter_map(|id| Some((id, Ticks::of(id)?))).collect();
        let descends = |mut id: u32| {
            while id != self.root
                && let Some(ticks) = all.get(&id)
            {
                id = ticks.parent;
            }
            id == self.root
        };
        let used = all.iter().filter(|(id, _)| descends(**id)).map(|(_, ticks)| ticks.used).sum::<u64>();
        used * TICK
    }
}

/// What the kernel says of a process.
struct Ticks {
    parent: u32,
    /// Its own time and that of its children that have ended.
    used: u64,
}

impl Ticks {
    fn of(id: u32) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name, in parentheses, may contain spaces.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let parent = fields.get(1)?.parse().ok()?;
        let used = fields.get(11..15)?.iter().filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Some(Self { parent, used })
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
