//! The capacity of the process: descriptors, sockets, memory. Determined once at start, and printed as the formula of
//! promise 15.

use std::fs;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::config::SocketLimits;
use crate::games::{LOAD_BYTES, LOADS};

/// Descriptors reserved for the database, the log, health checks and requests over the limit.
const RESERVE: u64 = 512;
/// User memory of an idle player's socket, its player in the game included: the bound of the speed targets.
const PER_SOCKET: usize = 4 << 10;
/// Memory of a join under way: its connection with hyper's buffers, the request, and the game's part.
const PER_JOIN: usize = 16 << 10;
/// Memory of the process without connections: code, runtime, database cache, and what many arriving players leave in
/// the allocator. `quizhall-load bench lobby` checks the process against it.
const BASE: usize = 96 << 20;
/// Assumed when the memory limit is unknown.
const UNKNOWN_MEMORY: usize = 2 << 30;

/// How much the process holds at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// TCP connections that are served.
    pub connections: usize,
    /// Connections above that, for health checks and a polite 503.
    pub reserve: usize,
    /// Sockets of games.
    pub sockets: usize,
    /// Joins that may wait at once.
    pub joins: usize,
    /// Bytes that may wait for slow sockets.
    pub outbound_budget: usize,
}

/// Raises the soft limit of descriptors to the hard one; returns the resulting limit.
fn raise_descriptors() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    // `None` means no limit.
    if raised.is_ok() { maximum } else { current }.unwrap_or(u64::MAX)
}

impl Capacity {
    /// Raises the soft limit of descriptors to the hard one and divides the descriptors.
    pub(super) fn find(limits: &SocketLimits, join_queue: usize) -> Self {
        let descriptors = raise_descriptors();
        let budget = limits.outbound_budget.unwrap_or_else(|| memory_limit() / 4);
        let capacity = Self::divide(descriptors, limits.max_sockets, budget);
        // Each waiting join has a connection of its own.
        Self { joins: join_queue.min(capacity.connections), ..capacity }
    }

    /// Divides the descriptors of the process between connections and a reserve, without joins. `max_sockets` is the setting, if there is
    /// one, and `outbound_budget` the bytes that may wait for slow sockets.
    pub fn divide(descriptors: u64, max_sockets: Option<usize>, outbound_budget: usize) -> Self {
        // With few descriptors, half of them are the reserve: the service is small, but it answers.
        let reserve = RESERVE.min(descriptors / 2);
        let connections = usize::try_from(descriptors - reserve).unwrap_or(usize::MAX);
        Self {
            connections,
            reserve: usize::try_from(reserve / 2).unwrap_or(0),
            sockets: max_sockets.unwrap_or(connections).min(connections),
            joins: 0,
            outbound_budget,
        }
    }

    /// The most memory that the process should ever need, in bytes: base + sockets × per socket + joins × per join +
    /// the budget and a quarter + logs that are loaded at once × pages of one. However long a log is, a load holds two
    /// pages of it, and replays only the rows after the latest snapshot.
    pub fn memory(&self) -> usize {
        let held = self.sockets * PER_SOCKET + self.joins * PER_JOIN;
        BASE + held + self.outbound_budget / 4 * 5 + LOADS * LOAD_BYTES
    }

    /// The same as text.
    pub fn formula(&self) -> String {
        let mib = |bytes: usize| bytes.div_ceil(1 << 20);
        format!(
            "{} MiB + {} sockets x {} KiB + {} joins x {} KiB + {} MiB waiting x 1.25 + {LOADS} loads x {} MiB = {} MiB",
            mib(BASE),
            self.sockets,
            PER_SOCKET >> 10,
            self.joins,
            PER_JOIN >> 10,
            mib(self.outbound_budget),
            mib(LOAD_BYTES),
            mib(self.memory()),
        )
    }
}

/// The smaller of the limits of the container and the machine.
fn memory_limit() -> usize {
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let containers = limits.iter().filter_map(|path| fs::read_to_string(path).ok()?.trim().parse().ok());
    containers.chain(machine_memory()).min().unwrap_or(UNKNOWN_MEMORY)
}

fn machine_memory() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1_024)
}
