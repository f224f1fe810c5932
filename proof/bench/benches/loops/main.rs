//! What an answer costs the owner of a game of 1,000,000 players, and a node that follows it: one by one, and as bundles.
//!
//! Every pass answers another question of the same game, in random order. It measures the time of this thread on the processor, so
//! other programs disturb it only through the caches. `loops 100000` measures a smaller game.

mod bundles;
mod game;
mod singles;

use std::io::{self, Write};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use game::{Given, Kind, Stage};
use singles::measure;

/// Questions of each kind whose answers come one by one, and as bundles.
const PASSES: usize = 3;
const PLAYERS: usize = 1_000_000;

fn main() -> io::Result<()> {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let stage = Stage::of(asked.unwrap_or(PLAYERS), 2 * PASSES);
    let mut table = Table { players: stage.players(), lines: Vec::new(), sizes: Vec::new() };
    for (first, kind) in [(0, Kind::Choices), (2 * PASSES, Kind::Distinct)] {
        let given: Vec<Given> = (first..first + 2 * PASSES).map(|question| stage.answers(question, kind)).collect();
        let (singly, bundled) = given.split_at(PASSES);
        measure(&stage, ("one by one", singles::frames), kind, singly, &mut table);
        measure(&stage, ("bundles", bundles::frames), kind, bundled, &mut table);
    }
    table.print(&mut io::stdout().lock())
}

/// The measured parts, each with the time of every pass.
struct Table {
    players: usize,
    lines: Vec<(String, Vec<Duration>)>,
    sizes: Vec<String>,
}

impl Table {
    /// Adds the passes of one part.
    fn add(&mut self, way: &str, part: &str, kind: Kind, passes: Vec<Duration>) {
        self.lines.push((format!("{way}: {part}, {}", kind.name()), passes));
    }

    /// Notes the bytes of an answer in its edge's frame and in the events.
    fn bytes(&mut self, way: &str, kind: Kind, (sent, stored): (usize, usize), answers: usize) {
        self.sizes.push(format!(
            "{way}, {}: {} bytes to the owner, {} in the events",
            kind.name(),
            sent / answers,
            stored / answers
        ));
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "ns per answer, {} players: median, least and most of {PASSES} passes", self.players)?;
        for (name, passes) in &self.lines {
            let each = |pass: &Duration| pass.as_nanos() / self.players as u128;
            let mut passes: Vec<u128> = passes.iter().map(each).collect();
            passes.sort_unstable();
            let (median, most) = (passes[passes.len() / 2], passes[passes.len() - 1]);
            writeln!(out, "{name:<56} {median:>6} {:>6} {most:>6}", passes[0])?;
        }
        self.sizes.iter().try_for_each(|size| writeln!(out, "{size}"))
    }
}

/// Adds the time that this thread takes for something.
fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("times are positive");
    let begin = now();
    let done = work();
    *total += now().saturating_sub(begin);
    done
}
