//! What the processes of a run use: CPU time, memory, and bytes through Redis.

use std::collections::HashMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

/// The unit in which the kernel gives times of processes, in seconds.
const TICK: f64 = 0.01;

/// CPU seconds so far of a process, and of all that it has started.
pub fn cpu(root: u32) -> f64 {
    let ids = fs::read_dir("/proc").unwrap().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let all: HashMap<u32, (u32, u64)> = ids.filter_map(|id| Some((id, ticks(id)?))).collect();
    let descends = |mut id: u32| {
        while id != root
            && let Some((parent, _)) = all.get(&id)
        {
            id = *parent;
        }
        id == root
    };
    let ticks: u64 = all.iter().filter(|(id, _)| descends(**id)).map(|(_, (_, used))| *used).sum();
    as_f64(ticks) * TICK
}

/// The same without the processes that it has started.
pub fn own_cpu(id: u32) -> f64 {
    ticks(id).map_or(0.0, |(_, used)| as_f64(used) * TICK)
}

/// The parent of a process, and its own time; not that of its children that have ended.
fn ticks(id: u32) -> Option<(u32, u64)> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let used = fields.get(11..13)?.iter().filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Some((fields.get(1)?.parse().ok()?, used))
}

/// The most memory that a process has had so far, MiB.
pub fn peak_memory(id: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1_024
}

/// Bytes that Redis has received and sent so far.
pub fn redis_bytes(port: u16) -> [u64; 2] {
    let mut connection = TcpStream::connect(("127.0.0.1", port)).unwrap();
    connection.write_all(b"INFO stats\r\nQUIT\r\n").unwrap();
    let mut text = String::new();
    connection.read_to_string(&mut text).unwrap();
    ["total_net_input_bytes:", "total_net_output_bytes:"].map(|name| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().parse().unwrap()
    })
}

/// The sum of a counter in the metrics of a node.
pub async fn counter(url: String, name: &str) -> f64 {
    let text = reqwest::get(format!("{url}/metrics")).await.unwrap().text().await.unwrap();
    let of = |line: &str| {
        let rest = line.strip_prefix(name).filter(|rest| rest.starts_with([' ', '{']))?;
        rest.rsplit_once(' ')?.1.parse::<f64>().ok()
    };
    text.lines().filter_map(of).sum()
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn as_f64(count: u64) -> f64 {
    count as f64
}
