//! Unit tests are in files of their own, beside what they test, so that a source file shows what the program does.

use crate::rust::line_of;
use crate::tree::{Finding, Tree};

/// How many source files of a crate still hold their tests. A number only goes down; crates without a row have none.
const LEFT: &[(&str, usize)] =
    &[("crates/engine/", 1), ("crates/protocol/", 2), ("crates/quiz/", 1), ("crates/rules/", 2)];

/// Rule `inline-tests`: `mod tests { … }` is in no source file, but for what [`LEFT`] says.
pub fn inline_tests(tree: &Tree) -> Vec<Finding> {
    let inline = tree.sources.iter().filter(|source| source.path().contains("/src/")).filter_map(|source| {
        let at = source.code().find("#[cfg(test)]\nmod tests {")?;
        let what = "tests are in a file beside this one: `mod tests;`";
        Some(Finding::new("inline-tests", source.path(), line_of(source.code(), at), what))
    });
    let (mut findings, mut counts) = (Vec::new(), vec![0; LEFT.len()]);
    for finding in inline {
        let place = LEFT.iter().position(|(folder, _)| finding.path.starts_with(folder));
        if place.is_none_or(|place| {
            counts[place] += 1;
            counts[place] > LEFT[place].1
        }) {
            findings.push(finding);
        }
    }
    findings
}
