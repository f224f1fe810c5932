//! `docs/promises.md`: numbered without gaps, and every test that it names is in the tree. Reads nothing itself.

use crate::tree::{Finding, has_extension};

/// The page.
pub const PAGE: &str = "docs/promises.md";

/// The number in a heading such as `### 7. The review is complete`.
fn number_of(line: &str) -> Option<usize> {
    line.strip_prefix("### ")?.split_once(". ")?.0.parse().ok()
}

/// How many promises the page holds.
pub fn count(page: &str) -> usize {
    page.lines().filter_map(number_of).count()
}

/// Rule `promise`: promises are numbered from 1, and each is held by tests that exist. `read` gives the text of a file of the
/// tree.
pub fn promises(page: &str, read: impl Fn(&str) -> Option<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut open: Option<(usize, usize, usize)> = None;
    let mut expected = 1;
    for (at, line) in page.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        let mut broken = |what: String| findings.push(Finding::new("promise", PAGE, at, what));
        if line.starts_with('#') {
            if let Some((number, _, 0)) = open {
                broken(format!("nothing holds promise {number}, above this line"));
            }
            open = number_of(line).map(|number| (number, at, 0));
            if let Some((number, ..)) = open {
                if number != expected {
                    broken(format!("promise {number} stands where {expected} is expected"));
                }
                expected = number + 1;
            }
        } else if let Some((path, tests)) = held_by(line) {
            let text = read(path);
            for test in tests {
                let is_there = text.as_deref().is_some_and(|text| holds(path, text, test));
                if !is_there {
                    broken(format!("{path} has no test `{test}`"));
                }
                open = open.map(|(number, at, tests)| (number, at, tests + 1));
            }
        }
    }
    if let Some((number, at, 0)) = open {
        findings.push(Finding::new("promise", PAGE, at, format!("nothing holds promise {number}")));
    }
    findings
}

/// The file and the names of a line such as ``* `path`: `test`, `test` ``.
fn held_by(line: &str) -> Option<(&str, Vec<&str>)> {
    let (path, tests) = line.strip_prefix("* `")?.split_once("`: `")?;
    Some((path, tests.trim_end_matches('`').split("`, `").collect()))
}

/// Whether the file has a test of this name: a function with a test attribute, or in TypeScript a test with this title.
fn holds(path: &str, text: &str, name: &str) -> bool {
    if has_extension(path, "ts") {
        return ["it(", "test("].iter().any(|call| text.contains(&format!("{call}'{name}'")));
    }
    let lines: Vec<&str> = text.lines().collect();
    let declares = |line: &str| line.trim_start().trim_start_matches("async ").starts_with(&format!("fn {name}("));
    let Some(at) = lines.iter().position(|line| declares(line)) else { return false };
    let attributes = lines[..at].iter().rev().map(|line| line.trim()).take_while(|line| line.starts_with("#["));
    attributes.into_iter().any(|attribute| attribute.contains("test"))
}
