//! Where tests are: outside of the libraries, which `make test` compiles once.

use crate::rust::line_of;
use crate::tree::{Finding, Tree};

/// Rule `unit-tests`: nothing in a library is compiled for tests only, because every library says `test = false` and they would never run.
pub fn unit_tests(tree: &Tree) -> Vec<Finding> {
    let sources = tree.sources.iter().filter(|source| source.path().contains("/src/"));
    let found = sources.filter_map(|source| {
        let at = source.code().find("#[cfg(test)]")?;
        let what = "libraries are not compiled for tests: they are in `tests/it`";
        Some(Finding::new("unit-tests", source.path(), line_of(source.code(), at), what))
    });
    found.collect()
}
