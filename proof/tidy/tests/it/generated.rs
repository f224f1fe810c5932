//! The generated files in the tree are those that the types generate.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::sync::LazyLock;

use quizhall_tidy::generate::{self, File};
use quizhall_tidy::tree::root;

use crate::house::TREE;

static FILES: LazyLock<Vec<File>> = LazyLock::new(generate::all);

#[test]
fn generated_files_are_fresh() {
    for file in &*FILES {
        let on_disk = fs::read_to_string(root().join(file.path)).unwrap_or_default();
        assert!(on_disk == file.text, "{} is stale: run `make generate` and look at the difference", file.path);
    }
}

#[test]
fn generating_twice_gives_the_same_bytes() {
    assert_eq!(*FILES, generate::all());
}

fn declares_wire_types(path: &str) -> bool {
    ["crates/protocol/src/", "crates/quiz/src/"].iter().any(|folder| path.starts_with(folder))
}

#[test]
fn no_type_of_the_wire_is_missing_in_typescript() {
    let module = fs::read_to_string(root().join("web/sdk/src/generated/protocol.ts")).unwrap();
    let mut types = 0;
    for source in TREE.sources.iter().filter(|source| declares_wire_types(source.path())) {
        let derived = source.code().split("#[derive(").skip(1).filter_map(|rest| {
            let (derive, item) = rest.split_once(")]").unwrap();
            let item = item.lines().find(|line| line.starts_with("pub ")).unwrap_or_default();
            item.split_whitespace().nth(2).filter(|_| derive.contains("TS"))
        });
        // The table's macros derive it.
        let declared = source
            .code()
            .split("payload! {")
            .skip(1)
            .filter_map(|rest| rest.lines().find_map(|line| line.strip_suffix(" {")).map(str::trim));
        for name in derived.chain(declared).filter(|name| !name.contains('$')) {
            types += 1;
            let declared = module.contains(&format!("export type {name} ="));
            assert!(declared, "{name} of {} is missing in typescript.rs", source.path());
        }
    }
    assert!(types > 40, "only {types} types found");
}

#[test]
fn lists_that_can_be_absent_are_optional_in_typescript() {
    let mut lists = 0;
    for source in TREE.sources.iter().filter(|source| declares_wire_types(source.path())) {
        let text = fs::read_to_string(root().join(source.path())).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let mut is_exported = false;
        for (number, line) in lines.iter().enumerate() {
            if line.starts_with("#[derive(") || line.ends_with("payload! {") {
                is_exported = line.contains("TS") || line.ends_with("payload! {");
            }
            if !is_exported || !line.contains(r#"if = "Vec::is_empty""#) {
                continue;
            }
            lists += 1;
            let says_so = lines[number + 1].starts_with("#[ts(as = \"Option<_>\", optional");
            assert!(says_so, "{}:{}: add #[ts(as = \"Option<_>\", optional)]", source.path(), number + 2);
        }
    }
    assert!(lists > 15, "only {lists} lists found");
}
