//! Everything that a bench has found, as it is kept: machine, settings, passes, table. Machine-readable JSON, and the text
//! that people read in a terminal.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::outcome::{Outcome, median};
use super::run::Options;
use super::table::{Pass, Row, markdown, rows};

/// A bench.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// When, in seconds since 1970.
    pub at: u64,
    /// The source it was built from, where git knows.
    pub commit: String,
    /// Where it ran.
    pub machine: Machine,
    /// Players of the big game.
    pub players: usize,
    /// All of it, this often.
    pub passes: Vec<Pass>,
    /// The targets and the measured values.
    pub table: Vec<Row>,
}

/// The machine that a bench ran on: service, players and baseline together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// What the processor calls itself.
    pub processor: String,
    /// How many cores there are.
    pub cores: usize,
    /// Memory, in MiB.
    pub memory: u64,
    /// The kernel's release.
    pub kernel: String,
    /// Descriptors that a process may have.
    pub descriptors: u64,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let value = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let memory = value(&read("/proc/meminfo"), "MemTotal").unwrap_or_default();
        Self {
            processor: value(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            memory: memory.trim_end_matches(" kB").parse::<u64>().unwrap_or(0) / 1_024,
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            descriptors: rlimit::getrlimit(rlimit::Resource::NOFILE).map_or(0, |(_, hard)| hard),
        }
    }
}

impl Document {
    pub(super) fn of(options: &Options, passes: Vec<Pass>) -> Self {
        let at = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self {
            at: at.map_or(0, |since| since.as_secs()),
            commit: commit().unwrap_or_else(|| "unknown".to_owned()),
            machine: Machine::here(),
            players: options.sizes.players,
            table: rows(&passes, options.sizes.players),
            passes,
        }
    }

    /// Whether everything that was checked holds.
    pub fn holds(&self) -> bool {
        !self.passes.is_empty() && self.outcomes().all(Outcome::holds)
    }

    /// All outcomes of all passes.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.passes.iter().flat_map(|pass| &pass.outcomes)
    }
}

/// The commit of the working directory.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git").args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let hash = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|text| !text.is_empty());
    Some(if changed { format!("{hash} and changes") } else { hash })
}

impl fmt::Display for Document {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<&str> = Vec::new();
        for outcome in self.outcomes() {
            if !names.contains(&outcome.scenario.as_str()) {
                names.push(&outcome.scenario);
            }
        }
        for name in names {
            let same: Vec<&Outcome> = self.outcomes().filter(|outcome| outcome.scenario == name).collect();
            scenario(out, &same)?;
        }
        let Machine { processor, cores, memory, kernel, .. } = &self.machine;
        writeln!(out, "\n{processor}, {cores} cores, {memory} MiB, Linux {kernel}; commit {}", self.commit)?;
        if !self.table.is_empty() {
            writeln!(out, "{} passes of {} players:\n\n{}", self.passes.len(), self.players, markdown(&self.table))?;
        }
        write!(out, "{}", if self.holds() { "Everything that was checked holds." } else { "CHECKS FAILED; see above." })
    }
}

fn scenario(out: &mut fmt::Formatter<'_>, same: &[&Outcome]) -> fmt::Result {
    let Some(first) = same.first() else { return Ok(()) };
    writeln!(out, "\n{} ({} × {} players)", first.scenario, first.games, first.players)?;
    for figure in &first.figures {
        let values: Vec<f64> = same.iter().filter_map(|outcome| outcome.value(&figure.name)).collect();
        let (min, max) = values.iter().fold((f64::MAX, f64::MIN), |(min, max), one| (min.min(*one), max.max(*one)));
        let (name, unit) = (&figure.name, &figure.unit);
        writeln!(out, "  {name:<44} {:>10.2} {unit:<4} ({min:.2} – {max:.2})", median(values))?;
    }
    for latency in &first.latencies {
        let mut all = latency.spread.clone();
        for other in same.iter().skip(1).flat_map(|outcome| &outcome.latencies) {
            if other.name == latency.name {
                all.add(&other.spread);
            }
        }
        let ms = |share: f64| std::time::Duration::from_micros(all.at(share)).as_secs_f64() * 1e3;
        writeln!(
            out,
            "  {:<44} p50 {:.1} · p90 {:.1} · p99 {:.1} · most {:.1} ms ({})",
            latency.name,
            ms(0.5),
            ms(0.9),
            ms(0.99),
            ms(1.0),
            all.count()
        )?;
    }
    let checks: usize = same.iter().map(|outcome| outcome.checks.len()).sum();
    let failed: Vec<_> = same.iter().flat_map(|outcome| &outcome.checks).filter(|check| !check.holds()).collect();
    for check in &failed {
        writeln!(out, "  FAILED: {}: {} instead of {}", check.name, check.seen, check.expected)?;
    }
    if failed.is_empty() {
        writeln!(out, "  {checks} checks hold")?;
    }
    Ok(())
}
