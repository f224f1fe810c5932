//! Where tests are: outside of the libraries, which `make test` compiles once.

use cargo_metadata::{Package, TargetKind};

use crate::rust::line_of;
use crate::tree::{Finding, Tree};

/// Rule `unit-tests`: nothing in a library is compiled for tests only, because no library is compiled for tests.
pub fn unit_tests(tree: &Tree) -> Vec<Finding> {
    let sources = tree.sources.iter().filter(|source| source.path().contains("/src/"));
    let found = sources.filter_map(|source| {
        let at = source.code().find("#[cfg(test)]")?;
        let what = "libraries are not compiled for tests: they are in `tests/it`";
        Some(Finding::new("unit-tests", source.path(), line_of(source.code(), at), what))
    });
    found.collect()
}

/// Rule `unit-tests` of the manifests: libraries and programs say `test = false`. Otherwise `make test` compiles them a second time.
pub fn compiled_twice(ours: &[Package]) -> Vec<Finding> {
    let found = ours.iter().filter_map(|package| {
        let is_twice = |kind| package.targets.iter().any(|target| target.test && target.kind.contains(&kind));
        let what = format!("`{}` needs `test = false` for its library and its programs", package.name);
        (is_twice(TargetKind::Lib) || is_twice(TargetKind::Bin))
            .then(|| Finding::new("unit-tests", &package.name, 1, what))
    });
    found.collect()
}
