//! Licences and origin of everything that is linked in. The list of allowed licences is `deny.toml`'s.
//!
//! So the rule holds where cargo-deny is not installed. What cargo-deny adds (advisories) is reported as NOT RUN there.

use cargo_metadata::Package;
use spdx::{Expression, ParseMode};

use crate::tree::Finding;

/// The licences that the text of `deny.toml` allows.
pub fn allowed(deny: &str) -> Vec<String> {
    let section = deny.split_once("[licenses]").map_or("", |(_, rest)| rest);
    let list = section.split_once("allow = [").map_or("", |(_, rest)| rest);
    let list = list.split_once(']').map_or("", |(list, _)| list);
    let names = list.split(',').map(|name| name.trim().trim_matches('"').to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// Rules `licence` and `origin`: every crate may be used as we use it, and comes from the registry.
pub fn licences(packages: &[Package], allowed: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let expression = package.license.as_deref().unwrap_or_default();
        let named = format!("{} {}", package.name, package.version);
        if !is_satisfied(expression, allowed) {
            let what = format!("{named}: `{expression}` is not allowed by deny.toml");
            findings.push(Finding::new("licence", "Cargo.lock", 1, what));
        }
        if package.source.as_ref().is_some_and(|source| !source.is_crates_io()) {
            findings.push(Finding::new("origin", "Cargo.lock", 1, format!("{named} is not from the registry")));
        }
    }
    findings
}

/// Whether an SPDX expression can be met with the allowed licences. `a/b` is an old way to write `a OR b`.
pub fn is_satisfied(expression: &str, allowed: &[String]) -> bool {
    let expression = Expression::parse_mode(expression, ParseMode::LAX);
    expression.is_ok_and(|expression| expression.evaluate(|licence| allowed.contains(&licence.to_string())))
}
