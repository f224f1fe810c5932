//! How many lines of Rust there are, in three kinds, and the table of ARCHITECTURE.md that holds their ceilings.
//!
//! A ceiling only falls: `generate` lowers it to the next full hundred above the count, and never raises it. The rule `lines`
//! finds a kind that has grown beyond its ceiling.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::tree::{Finding, Tree};

/// The page with the table.
pub const PAGE: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- lines: written by `make generate` -->\n";
const END: &str = "<!-- lines: end -->\n";

/// Lines that are counted together.
struct Kind {
    name: &'static str,
    what: &'static str,
    /// The highest number wanted.
    goal: usize,
}

const PRODUCT: Kind = Kind { name: "product", what: "`crates/*/src`", goal: 56_000 };
const PROOF: Kind = Kind { name: "proof", what: "`proof/*/src`", goal: 27_000 };
const TESTS: Kind = Kind { name: "tests", what: "everything else: tests, benches", goal: 57_000 };
const KINDS: [Kind; 3] = [PRODUCT, PROOF, TESTS];

/// Lines by kind and by crate, as `("product", "crates/server")`.
pub type Counts = BTreeMap<(&'static str, String), usize>;

/// Counts the Rust files of the tree.
pub fn counted(tree: &Tree) -> Counts {
    let mut counts = Counts::new();
    for source in &tree.sources {
        let path = source.path();
        let krate = path.split('/').take(2).collect::<Vec<_>>().join("/");
        let code = source.production().lines().count();
        let kind = if path.starts_with("crates/") { PRODUCT } else { PROOF };
        *counts.entry((kind.name, krate.clone())).or_default() += code;
        *counts.entry((TESTS.name, krate)).or_default() += source.text().lines().count().saturating_sub(code);
    }
    counts
}

/// The counts as text, a line for each kind and crate.
pub fn listed(counts: &Counts) -> String {
    let mut text = String::new();
    for kind in KINDS {
        let _ = writeln!(text, "{:>7}  {}, to reach {}", total(counts, kind.name), kind.name, kind.goal);
        for ((_, krate), lines) in counts.iter().filter(|((name, _), lines)| *name == kind.name && **lines > 0) {
            let _ = writeln!(text, "{lines:>7}    {krate}");
        }
    }
    text
}

/// The page with its table made new: each ceiling is the lower one of that on the page and the count's next full hundred.
pub fn page(page: &str, counts: &Counts) -> String {
    let Some((before, _, after)) = parts(page) else { return page.to_owned() };
    let mut table = "| Rust | Where | Lines, at most | Goal |\n|---|---|---|---|\n".to_owned();
    for kind in KINDS {
        let counted = total(counts, kind.name).next_multiple_of(100);
        let ceiling = ceiling(page, kind.name).map_or(counted, |ceiling| ceiling.min(counted));
        let _ = writeln!(table, "| {} | {} | {ceiling} | {} |", kind.name, kind.what, kind.goal);
    }
    format!("{before}{BEGIN}{table}{END}{after}")
}

/// Rule `lines`: no kind has more lines than its ceiling on the page.
pub fn lines(page: &str, counts: &Counts) -> Vec<Finding> {
    let finding = |kind: Kind| {
        let (lines, ceiling) = (total(counts, kind.name), ceiling(page, kind.name).unwrap_or_default());
        let what = format!("{}: {lines} lines, at most {ceiling}: cut elsewhere, or raise it and say why", kind.name);
        (lines > ceiling).then(|| Finding::new("lines", PAGE, 1, what).sized(lines))
    };
    KINDS.into_iter().filter_map(finding).collect()
}

fn total(counts: &Counts, kind: &str) -> usize {
    counts.iter().filter(|((name, _), _)| *name == kind).map(|(_, lines)| lines).sum()
}

/// The page before the table, the table, and the page after it.
fn parts(page: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (table, after) = rest.split_once(END)?;
    Some((before, table, after))
}

/// The ceiling that the page states.
fn ceiling(page: &str, kind: &str) -> Option<usize> {
    let row = parts(page)?.1.lines().find(|line| line.starts_with(&format!("| {kind} |")))?;
    row.split('|').nth(3)?.trim().parse().ok()
}
