//! The table of targets: each row has a figure of a scenario, its limit or aim, and the measured value.
//! Ratios are computed within one pass, because the machine drifts; the row shows their median and their extremes.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};

use super::baseline::{BIG_GAME, MANY_GAMES};
use super::outcome::{Outcome, median};
use super::{many, phones, preload};

/// Figures of many games that the service and the baseline both have.
const CPU_IN_ALL: &str = "CPU per answer, everything included";
const TAIL_OF_ALL: &str = "acknowledgement p99 of all games";
const WRITTEN: &str = "bytes written to disk per answer";

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The measured figure.
    pub figure: String,
    /// The limit, in its unit.
    pub must: f64,
    /// The aim.
    pub aim: f64,
    /// Whether more is better.
    pub more_is_better: bool,
    /// Its unit.
    pub unit: String,
    /// The middle of all passes.
    pub value: f64,
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// For ratios: the two values. For CPU, their difference is the work that moves to other machines.
    pub absolute: Option<Absolute>,
}

/// The values of a ratio.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Absolute {
    /// The service.
    pub ours: f64,
    /// The baseline, or another value with which it is compared.
    pub baseline: f64,
    /// Of both: `µs` of CPU per item, or `ms`.
    pub unit: String,
}

/// One pass: the outcome of the service, and of the baseline right after it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// The scenarios, in the order in which they were played.
    pub outcomes: Vec<Outcome>,
}

impl Pass {
    fn value(&self, scenario: &str, figure: &str) -> Option<f64> {
        self.outcomes.iter().find(|outcome| outcome.scenario == scenario)?.value(figure)
    }
}

/// Above this number of players the targets are those of a game of 100,000 over several processes.
const HUGE: usize = 50_000;

/// The rows of a game of this many players; a figure that no pass has is left out.
pub fn rows(passes: &[Pass], players: usize) -> Vec<Row> {
    if players > HUGE { of_a_huge_game(passes) } else { of_a_big_game(passes) }
}

fn of_a_huge_game(passes: &[Pass]) -> Vec<Row> {
    let ours = |scenario: &'static str, figure: &'static str| move |pass: &Pass| pass.value(scenario, figure);
    let question = ours("question", "the last has the question");
    let acks = ours("burst", "all acknowledgements are out");
    let rows = [
        target("the last has the question", 1_000.0, 500.0, "ms").row(passes, question),
        target("all acks out and durable", 2_000.0, 1_600.0, "ms").row(passes, acks),
    ];
    rows.into_iter().flatten().collect()
}

fn of_a_big_game(passes: &[Pass]) -> Vec<Row> {
    let ours = |scenario: &'static str, figure: &'static str| move |pass: &Pass| pass.value(scenario, figure);
    let small = |figure: &'static str| ours("many-games", figure);
    let baseline = |figure: &'static str| ours(BIG_GAME, figure);
    let small_baseline = |figure: &'static str| ours(MANY_GAMES, figure);
    let rows = [
        target("broadcast CPU per recipient / baseline", 1.10, 1.05, "µs").ratio(
            passes,
            ours("question", "CPU per recipient"),
            baseline("CPU per recipient"),
        ),
        target("answer + ack CPU / durable baseline", 1.60, 1.30, "µs").ratio(
            passes,
            ours("burst", "CPU per answer"),
            baseline("CPU per answer"),
        ),
        target("many games busy: answer + ack CPU / durable baseline", 2.50, 1.60, "µs").ratio(
            passes,
            small(CPU_IN_ALL),
            small_baseline(CPU_IN_ALL),
        ),
        target("many games busy: answer + ack CPU / that of one big game", 4.00, 2.00, "µs").ratio(
            passes,
            small(CPU_IN_ALL),
            ours("burst", "CPU per answer"),
        ),
        target("many games busy: ack p99 / durable baseline", 1.50, 1.10, "ms").ratio(
            passes,
            small(TAIL_OF_ALL),
            small_baseline(TAIL_OF_ALL),
        ),
        target("many games busy on several nodes: CPU of all nodes / of one with SQLite", 1.50, 1.20, "µs").ratio(
            passes,
            small(CPU_IN_ALL),
            ours(many::ON_SQLITE, CPU_IN_ALL),
        ),
        target("many games busy: bytes written to disk per answer", 600.0, 300.0, "").row(passes, small(WRITTEN)),
        target("answers per fsync, all answering at once", 500.0, 2_000.0, "")
            .row(passes, ours("burst", "answers per commit"))
            .map(|row| Row { more_is_better: true, ..row }),
        target("user memory per idle player", 3.0, 2.0, "KiB").row(passes, ours("lobby", "memory per idle player")),
        target("the last has the question", 100.0, 75.0, "ms")
            .row(passes, ours("question", "the last has the question")),
        target("all acks out and durable", 200.0, 130.0, "ms")
            .row(passes, ours("burst", "all acknowledgements are out")),
        target("spread between first and last player", 100.0, 60.0, "ms")
            .row(passes, ours("question", "between the first and the last")),
        target("many games busy: ack p99 / one idle game's", 3.0, 2.0, "×")
            .row(passes, small("acknowledgement p99, ratio")),
        target("join storm", 6_000.0, 3_000.0, "ms").row(passes, ours("lobby", "everybody is in")),
        target("10 % stalled phones: p99 of the others / none stalled", 1.10, 1.03, "×")
            .row(passes, ours("stalled", "question p99, ratio")),
        target("release of scores", 1_500.0, 800.0, "ms")
            .row(passes, ours("release", "everybody has scores and boards")),
        target("restart with live games to replay", 2_000.0, 800.0, "ms")
            .row(passes, ours("restart", "every game is replayed and shown")),
    ];
    rows.into_iter().flatten().chain(of_phones(passes)).collect()
}

/// The rows about messages to the phones of players over `quizhall.v1`.
fn of_phones(passes: &[Pass]) -> Vec<Row> {
    let ours = |scenario: &'static str, figure: &'static str| move |pass: &Pass| pass.value(scenario, figure);
    let bytes = |figure: &'static str| ours("phones", figure);
    let rows = [
        target("bytes to a phone before the first question", 20_000.0, 8_000.0, "").row(passes, bytes(phones::BEFORE)),
        target("bytes to a phone of a released round", 6_000.0, 3_000.0, "").row(passes, bytes(phones::SCORES)),
        target("preloaded pictures shown within 300 ms of the release", 95.0, 99.0, "%")
            .row(passes, ours("preload", preload::SHARE))
            .map(|row| Row { more_is_better: true, ..row }),
    ];
    rows.into_iter().flatten().collect()
}

/// A figure with its limit and its aim.
struct Target {
    figure: &'static str,
    must: f64,
    aim: f64,
    unit: &'static str,
}

const fn target(figure: &'static str, must: f64, aim: f64, unit: &'static str) -> Target {
    Target { figure, must, aim, unit }
}

impl Target {
    fn row(self, passes: &[Pass], of: impl Fn(&Pass) -> Option<f64>) -> Option<Row> {
        let values: Vec<f64> = passes.iter().filter_map(of).collect();
        let min = values.iter().copied().reduce(f64::min)?;
        let max = values.iter().copied().reduce(f64::max)?;
        Some(Row {
            figure: self.figure.to_owned(),
            must: self.must,
            aim: self.aim,
            more_is_better: false,
            unit: self.unit.to_owned(),
            value: median(values),
            min,
            max,
            absolute: None,
        })
    }

    /// The unit is that of both values.
    fn ratio(
        self,
        passes: &[Pass],
        ours: impl Fn(&Pass) -> Option<f64>,
        baseline: impl Fn(&Pass) -> Option<f64>,
    ) -> Option<Row> {
        let both = |pass: &Pass| Some((ours(pass)?, baseline(pass)?));
        let pairs: Vec<(f64, f64)> = passes.iter().filter_map(both).collect();
        let (all_ours, all_baseline) = pairs.into_iter().unzip();
        let (ours, baseline) = (median(all_ours), median(all_baseline));
        let absolute = Absolute { ours, baseline, unit: self.unit.to_owned() };
        let ratio = |pass: &Pass| both(pass).map(|(ours, baseline)| ours / baseline.max(1e-9));
        Some(Row { absolute: Some(absolute), ..Self { unit: "×", ..self }.row(passes, ratio)? })
    }
}

/// The result of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// An aim, which may be missed.
    Aim,
    /// The limit holds.
    Must,
    /// The limit is exceeded.
    Missed,
}

impl Row {
    /// The result for the median of all passes.
    pub fn reached(&self) -> Reached {
        let within = |bound: f64| if self.more_is_better { self.value >= bound } else { self.value <= bound };
        match (within(self.aim), within(self.must)) {
            (true, _) => Reached::Aim,
            (false, true) => Reached::Must,
            (false, false) => Reached::Missed,
        }
    }
}

impl fmt::Display for Reached {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Aim => "aim",
            Self::Must => "must",
            Self::Missed => "MISSED",
        })
    }
}

/// The table in Markdown.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = "| Figure | must | aim | median | min – max | ours, baseline, difference | reached |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    for row in rows {
        let sign = if row.more_is_better { "≥" } else { "≤" };
        let number = |value: f64| number(value, &row.unit);
        let absolute = row.absolute.as_ref().map_or_else(String::new, |Absolute { ours, baseline, unit }| {
            format!("{ours:.2}, {baseline:.2}, {:+.2} {unit}", ours - baseline)
        });
        let _ = writeln!(
            text,
            "| {} | {sign} {} | {} | **{}** | {} – {} | {absolute} | {} |",
            row.figure,
            number(row.must),
            number(row.aim),
            number(row.value),
            number(row.min),
            number(row.max),
            row.reached()
        );
    }
    text
}

/// A number as people read it.
fn number(value: f64, unit: &str) -> String {
    let digits = match value.abs() {
        small if small < 10.0 => 2,
        middle if middle < 100.0 => 1,
        _ => 0,
    };
    let space = if unit.is_empty() { "" } else { " " };
    format!("{value:.digits$}{space}{unit}")
}
