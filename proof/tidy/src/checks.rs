//! The rules, one file per kind. Each takes the tree (or a part of it) and returns what breaks the rule.
//!
//! Called by the tests of this crate; exceptions are applied afterwards, in one place. A check never fixes anything.

pub mod arrows;
pub mod beside;
pub mod book;
pub mod circles;
pub mod documents;
mod houses;
pub mod language;
pub mod licences;
pub mod migrations;
pub mod names;
pub mod promises;
pub mod references;
pub mod size;
pub mod walls;
pub mod words;

use crate::tree::{Finding, Source, Tree};

/// Every rule that looks at files, over the whole tree.
pub fn all(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<Finding> = tree.sources.iter().flat_map(source).collect();
    findings.extend(names::forbidden_names(&tree.paths));
    findings.extend(walls::rows(tree));
    findings.extend(circles::circles(tree));
    findings.extend(size::packed_arguments(tree));
    findings.extend(beside::unit_tests(tree));
    findings
}

/// Every rule that looks at one Rust file.
pub fn source(source: &Source) -> Vec<Finding> {
    let rules: [fn(&Source) -> Vec<Finding>; 9] = [
        size::long_file,
        size::long_functions,
        names::missing_header,
        words::unfinished,
        words::clocks,
        words::close_codes,
        walls::rooms,
        walls::directions,
        language::of_source,
    ];
    rules.iter().flat_map(|rule| rule(source)).collect()
}
