//! The tree keeps the rules of the house.

#![allow(clippy::unwrap_used)]

use std::fs;

use quizhall_tidy::checks::{self, arrows, documents, licences, migrations, size};
use quizhall_tidy::exceptions::{EXCEPTIONS, judge};
use quizhall_tidy::tree::{Finding, Tree, has_extension, root};

#[test]
fn sources_keep_the_rules() {
    let tree = Tree::read().unwrap();
    assert!(tree.sources.len() > 30, "the tree was not found");
    let findings = checks::all(&tree);
    let (left, idle) = judge(&findings, EXCEPTIONS);
    assert_none(&left);
    assert!(idle.is_empty(), "exceptions that excuse nothing any more, take them out: {idle:#?}");
    for exception in EXCEPTIONS {
        assert!(exception.why.len() > 20, "an exception needs a reason: {exception:?}");
    }
}

#[test]
fn files_to_look_at_again_are_listed() {
    let tree = Tree::read().unwrap();
    for source in &tree.sources {
        let lines = source.text().lines().count();
        if lines > size::FILE_LOOK {
            eprintln!("look again: {} has {lines} lines", source.path());
        }
    }
}

#[test]
fn crates_depend_only_downwards() {
    assert_none(&arrows::arrows(&quizhall_tidy::cargo::ours().unwrap()));
}

#[test]
fn everything_linked_in_may_be_used() {
    let allowed = licences::allowed(&read("deny.toml"));
    assert!(allowed.len() > 3, "deny.toml lists no licences: {allowed:?}");
    assert_none(&licences::licences(&quizhall_tidy::cargo::all().unwrap(), &allowed));
}

#[test]
fn migrations_are_numbered_and_paired() {
    assert_none(&migrations::migrations(&Tree::read().unwrap().paths));
}

#[test]
fn documents_tell_the_truth() {
    let tree = Tree::read().unwrap();
    let mut findings = documents::changelog(&read("CHANGELOG.md"));
    let (makefile, settings) = (read("Makefile"), read("docs/reference/configuration.md"));
    for path in tree.paths.iter().filter(|path| has_extension(path, "md") && !path.contains("/generate/")) {
        let text = read(path);
        findings.extend(documents::links(path, &text, &tree.paths));
        findings.extend(documents::commands(path, &text, &makefile));
        if ["README.md", "docs/operations.md", "docs/security.md", "docs/play-by-hand.md"].contains(&path.as_str()) {
            findings.extend(documents::settings(path, &text, &settings));
        }
    }
    let workflows: Vec<_> = tree.paths.iter().filter(|path| path.starts_with(".github/workflows/")).collect();
    assert!(!workflows.is_empty());
    findings.extend(workflows.iter().flat_map(|path| documents::workflows(path, &read(path), &makefile)));
    assert_none(&findings);
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn assert_none(findings: &[Finding]) {
    let list: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{} broken:\n{}", findings.len(), list.join("\n"));
}
