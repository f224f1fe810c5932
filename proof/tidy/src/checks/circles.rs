//! No circles among the files of a crate: what two files need of each other belongs into a third below both.

use std::collections::{BTreeMap, BTreeSet};

use crate::rust::module_of;
use crate::tree::{Finding, Source, Tree};

/// Crates whose files may not use each other in a circle.
const CRATES: [&str; 1] = ["crates/rules/src/"];

/// Rule `circle`: no file uses, over any number of others, one that uses it.
pub fn circles(tree: &Tree) -> Vec<Finding> {
    CRATES.iter().flat_map(|source| in_circles(&uses(tree, source))).collect()
}

/// For each file the others that it mentions, by their modules.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn uses(tree: &Tree, folder: &str) -> Uses {
    let files = tree.sources.iter().filter(|source| source.path().starts_with(folder) && is_module(source.path()));
    let files: BTreeMap<String, &Source> = files.map(|source| (module_of(source.path()), source)).collect();
    let used_by = |module: &String, source: &Source| -> BTreeSet<String> {
        let paths = source.mentions().iter().map(|mention| mention.path.clone());
        // A path that begins with a child is relative to the file.
        let absolute = paths.map(|path| if path.starts_with("crate::") { path } else { format!("{module}::{path}") });
        absolute.filter_map(|path| file_of(&path, &files)).filter(|other| other != module).collect()
    };
    files.iter().map(|(module, source)| (module.clone(), used_by(module, source))).collect()
}

/// The file that declares what a path names: the longest module that the path begins with.
fn file_of(path: &str, files: &BTreeMap<String, &Source>) -> Option<String> {
    let ends = path.match_indices("::").map(|(at, _)| at).chain([path.len()]);
    ends.map(|end| &path[..end]).filter(|module| files.contains_key(*module)).last().map(str::to_owned)
}

/// Leaves out, until nothing changes, files that use none of the others or that none of them uses: circles are left.
fn in_circles(uses: &Uses) -> Vec<Finding> {
    let mut left = uses.clone();
    loop {
        let known: BTreeSet<String> = left.keys().cloned().collect();
        for others in left.values_mut() {
            others.retain(|other| known.contains(other));
        }
        let named: BTreeSet<String> = left.values().flatten().cloned().collect();
        left.retain(|module, others| !others.is_empty() && named.contains(module));
        if left.len() == known.len() {
            break;
        }
    }
    let finding = |(module, others): (&String, &BTreeSet<String>)| {
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        Finding::new("circle", module, 1, format!("uses {} in a circle", others.join(", ")))
    };
    left.iter().map(finding).collect()
}

/// The file of the crate itself declares and passes on everything.
fn is_module(path: &str) -> bool {
    !path.ends_with("/lib.rs")
}
