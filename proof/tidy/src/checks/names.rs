//! What files are called, and that each says at its top what it is for.

use std::path::Path;

use crate::tree::{Finding, Source};

/// Names that say nothing: whatever has no better name ends up in them.
const SAY_NOTHING: [&str; 11] =
    ["core", "common", "util", "utils", "helper", "helpers", "shared", "manager", "managers", "types", "misc"];

/// Rule `file-header`: a Rust file opens with `//!`.
pub fn missing_header(source: &Source) -> Vec<Finding> {
    let what = "open the file with `//!`: what it owns, who calls it, what it never does";
    let missing = !source.text().starts_with("//! ");
    missing.then(|| Finding::new("file-header", source.path(), 1, what)).into_iter().collect()
}

/// Rule `file-name`: nothing under `crates`, `proof` or `web` has a name that says nothing.
pub fn forbidden_names(paths: &[String]) -> Vec<Finding> {
    let ours = paths.iter().filter(|path| ["crates/", "proof/", "web/"].iter().any(|root| path.starts_with(root)));
    let named = |path: &&String| {
        let parts = path.split('/').map(|part| Path::new(part).file_stem().unwrap_or_default().to_string_lossy());
        parts.into_iter().any(|part| SAY_NOTHING.contains(&part.as_ref()))
    };
    let finding = |path: &String| Finding::new("file-name", path, 1, "this name says nothing: name what is inside");
    ours.filter(named).map(finding).collect()
}
