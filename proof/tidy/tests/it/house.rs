//! The tree keeps the rules of the house.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::sync::LazyLock;

use quizhall_tidy::checks::{
    self, arrows, beside, book, documents, language, licences, migrations, promises, references, size,
};
use quizhall_tidy::exceptions::{EXCEPTIONS, judge};
use quizhall_tidy::lines;
use quizhall_tidy::tree::{Finding, Tree, has_extension, root};

/// Read once: to split every source into tokens takes seconds.
pub static TREE: LazyLock<Tree> = LazyLock::new(|| Tree::read().unwrap());

#[test]
fn sources_keep_the_rules() {
    let tree = &*TREE;
    assert!(tree.sources.len() > 30, "the tree was not found");
    let findings = checks::all(tree);
    let (left, idle) = judge(&findings, EXCEPTIONS);
    assert_none(&left);
    assert!(idle.is_empty(), "exceptions that excuse nothing any more, take them out: {idle:#?}");
    for exception in EXCEPTIONS {
        assert!(exception.why.len() > 20, "an exception needs a reason: {exception:?}");
    }
}

#[test]
fn files_to_look_at_again_are_listed() {
    let tree = &*TREE;
    for source in &tree.sources {
        let lines = source.text().lines().count();
        if lines > size::FILE_LOOK {
            eprintln!("look again: {} has {lines} lines", source.path());
        }
    }
}

#[test]
fn the_lines_of_rust_only_fall() {
    assert_none(&lines::lines(&read(lines::PAGE), &lines::counted(&TREE)));
}

#[test]
fn no_library_and_no_program_is_compiled_for_tests() {
    assert_none(&beside::compiled_twice(&quizhall_tidy::cargo::ours().unwrap()));
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
    assert_none(&migrations::migrations(&TREE.paths));
}

#[test]
fn documents_tell_the_truth() {
    let tree = &*TREE;
    let mut findings = documents::changelog(&read("CHANGELOG.md"));
    let (makefile, settings) = (read("Makefile"), read("docs/reference/configuration.md"));
    for path in tree.paths.iter().filter(|path| has_extension(path, "md") && !path.contains("/generate/")) {
        let text = read(path);
        findings.extend(documents::links(path, &text, &tree.paths));
        findings.extend(documents::commands(path, &text, &makefile));
        let is_ours = !path.starts_with("web/") && !path.starts_with("docs/reference/") && path != "CHANGELOG.md";
        findings.extend(is_ours.then(|| language::invented(path, &text)).into_iter().flatten());
        let is_of_clusters = path == "docs/operate/cluster.md"; // It names variables of the script that starts one here.
        if path == "README.md"
            || path == "docs/build/play-by-hand.md"
            || path.starts_with("docs/operate/") && !is_of_clusters
        {
            findings.extend(documents::settings(path, &text, &settings));
        }
    }
    for path in tree.paths.iter().filter(|path| path.starts_with("web/")) {
        findings.extend(fs::read_to_string(root().join(path)).iter().flat_map(|text| language::of_web(path, text)));
    }
    let workflows: Vec<_> = tree.paths.iter().filter(|path| path.starts_with(".github/workflows/")).collect();
    assert!(!workflows.is_empty());
    findings.extend(workflows.iter().flat_map(|path| documents::workflows(path, &read(path), &makefile)));
    assert_none(&findings);
}

#[test]
fn the_book_has_every_page() {
    let paths = TREE.paths.iter().filter(|path| has_extension(path, "md") && !path.contains("/generate/"));
    assert_none(&book::book(&paths.map(|path| (path.clone(), read(path))).collect()));
}

#[test]
fn promises_are_held_by_tests_that_exist() {
    let tree = &*TREE;
    let page = read(promises::PAGE);
    assert!(promises::count(&page) > 28, "the page was not understood");
    let of_the_tree = |path: &str| tree.paths.iter().any(|known| known == path).then(|| read(path));
    assert_none(&promises::promises(&page, of_the_tree));
}

#[test]
fn what_is_referred_to_is_in_the_repository() {
    let tree = &*TREE;
    let mut known = references::Known::default();
    for path in tree.paths.iter().filter(|path| has_extension(path, "md")) {
        known.add(path, &read(path));
    }
    // The build of the pages makes this one.
    known.add("licences.md", "");
    let written = |path: &&String| {
        // The snippets that break rules name what is not there; the generated copies are looked at where they come from.
        let is_excluded = [
            "proof/tidy/tests/",
            "proof/tidy/src/checks/references.rs",
            "docs/reference/",
            "web/sdk/src/generated/",
            "LICENSE",
            "web/words/",
        ];
        let kinds = ["rs", "ts", "js", "svelte", "md", "py", "toml", "yml", "yaml", "css", "c", "html"];
        let is_text = kinds.iter().any(|kind| has_extension(path, kind)) || *path == "Makefile" || is_script(path);
        is_text && !is_excluded.iter().any(|start| path.starts_with(start))
    };
    let paths: Vec<&String> = tree.paths.iter().filter(written).collect();
    assert!(paths.len() > 500, "the tree was not found");
    let findings: Vec<Finding> =
        paths.into_iter().flat_map(|path| references::references(path, &read(path), &known)).collect();
    assert_none(&findings);
}

/// A file without an extension among the scripts.
fn is_script(path: &str) -> bool {
    path.starts_with(".ci/") && !path.rsplit('/').next().unwrap_or_default().contains('.')
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn assert_none(findings: &[Finding]) {
    let list: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{} broken:\n{}", findings.len(), list.join("\n"));
}
