//! Migrations are numbered without gaps and come in pairs: one folder per database, the same file names in each.

use std::collections::BTreeMap;

use crate::tree::Finding;

const FOLDER: &str = "crates/server/migrations/";

/// Rules `migration-number` and `migration-pair`.
pub fn migrations(paths: &[String]) -> Vec<Finding> {
    let mut engines: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in paths.iter().filter_map(|path| path.strip_prefix(FOLDER)) {
        if let Some((engine, name)) = file.split_once('/') {
            engines.entry(engine).or_default().push(name);
        }
    }
    let mut findings: Vec<Finding> = engines.iter().flat_map(|(engine, names)| numbers(engine, names)).collect();
    let Some((first, expected)) = engines.first_key_value() else {
        return vec![Finding::new("migration-number", FOLDER, 1, "there are no migrations")];
    };
    for (engine, names) in engines.iter().filter(|(_, names)| *names != expected) {
        let what = format!("{engine} has {names:?}, {first} has {expected:?}");
        findings.push(Finding::new("migration-pair", FOLDER, 1, what));
    }
    findings
}

fn numbers(engine: &str, names: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let expected = format!("{:04}_", index + 1);
        if !name.starts_with(&expected) || !crate::tree::has_extension(name, "sql") {
            let what = format!("`{name}` should be named {expected}….sql");
            findings.push(Finding::new("migration-number", &format!("{FOLDER}{engine}"), 1, what));
        }
    }
    findings
}
