//! Where unit tests are: in files of their own beside what they test, and only in libraries that are compiled for them.

use crate::rust::line_of;
use crate::tree::{Finding, Tree};

/// The crates whose library has unit tests. The others say `test = false`: there, a unit test would never run.
const WITH_UNIT_TESTS: &[&str] = &["crates/server/"];

/// Rule `unit-tests`: no `mod tests { … }` in a source file, and no unit tests in a library that is not compiled for them.
pub fn unit_tests(tree: &Tree) -> Vec<Finding> {
    let sources = tree.sources.iter().filter(|source| source.path().contains("/src/"));
    let found = sources.filter_map(|source| {
        let has_tests = WITH_UNIT_TESTS.iter().any(|folder| source.path().starts_with(folder));
        let (mark, what) = if has_tests {
            ("#[cfg(test)]\nmod tests {", "tests are in a file beside this one: `mod tests;`")
        } else {
            ("#[cfg(test)]", "this library is not compiled for tests: they are in `tests/it`")
        };
        let at = source.code().find(mark)?;
        Some(Finding::new("unit-tests", source.path(), line_of(source.code(), at), what))
    });
    found.collect()
}
