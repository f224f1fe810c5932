//! The bill of materials of the program `quizhall`, in the format `CycloneDX` 1.5: every crate that is linked in and every
//! library in the pages.
//!
//! Called by `package`. Checksums are those of `Cargo.lock`; the libraries of the pages are those that their build lists.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cargo_metadata::{DependencyKind, Metadata, Node, NodeDep, Package};
use serde_json::{Value, json};

/// The crate whose binary is shipped.
const PROGRAM: &str = "quizhall";

/// The bill. `pages` is the list of licences that the build of the pages writes: a heading `## name - version (LICENCE)` each.
///
/// # Errors
/// When the graph does not hold the program.
pub fn bill(metadata: &Metadata, lock: &str, pages: &str) -> Result<Value, String> {
    let packages = &metadata.packages;
    let nodes = metadata.resolve.as_ref().map_or(&[][..], |graph| &graph.nodes);
    let by_id: HashMap<&str, &Package> = packages.iter().map(|package| (package.id.repr.as_str(), package)).collect();
    let program = packages.iter().find(|package| *package.name == PROGRAM && package.source.is_none());
    let program = program.ok_or_else(|| format!("cargo metadata names no crate {PROGRAM}"))?;
    let linked = linked(nodes, &program.id.repr);
    let known = |id: &str| by_id.get(id).map(|package| purl(package)).unwrap_or_default();
    let checksums = checksums(lock);
    let crates = linked.keys().filter(|id| **id != program.id.repr).filter_map(|id| by_id.get(id));
    let crates = crates.map(|package| {
        component(package, checksums.get(&(package.name.as_str(), package.version.to_string())).copied())
    });
    let components: Vec<Value> = crates.chain(pages.lines().filter_map(library)).collect();
    let dependency = |(id, uses): (&&str, &BTreeSet<&str>)| json!({"ref": known(id), "dependsOn": uses.iter().map(|id| known(id)).collect::<Vec<_>>()});
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application", "bom-ref": purl(program), "purl": purl(program), "name": PROGRAM,
            "version": program.version, "licenses": licenses(program.license.as_deref()),
        }},
        "components": components,
        "dependencies": linked.iter().map(dependency).collect::<Vec<_>>(),
    }))
}

/// Every crate that can be reached from `first` by links, with those that it links itself.
fn linked<'a>(nodes: &'a [Node], first: &'a str) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let nodes: HashMap<&str, &Node> = nodes.iter().map(|node| (node.id.repr.as_str(), node)).collect();
    let mut found = BTreeMap::new();
    let mut open = vec![first];
    while let Some(id) = open.pop() {
        let edges = nodes.get(id).map_or(&[][..], |node| &node.deps);
        let uses: BTreeSet<&str> =
            edges.iter().filter(|edge| is_linked(edge)).map(|edge| edge.pkg.repr.as_str()).collect();
        if !found.contains_key(id) {
            open.extend(&uses);
            found.insert(id, uses);
        }
    }
    found
}

/// Whether the crate is linked in, and not only used by tests or by the build.
fn is_linked(edge: &NodeDep) -> bool {
    edge.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal)
}

fn component(package: &Package, checksum: Option<&str>) -> Value {
    let mut component = json!({
        "type": "library", "bom-ref": purl(package), "purl": purl(package), "name": package.name,
        "version": package.version, "licenses": licenses(package.license.as_deref()),
    });
    if let Some(checksum) = checksum {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    component
}

/// A library of the pages, from a heading of their licences.
fn library(line: &str) -> Option<Value> {
    let (name, rest) = line.strip_prefix("## ")?.split_once(" - ")?;
    let (version, licence) = rest.strip_suffix(')')?.split_once(" (")?;
    let purl = format!("pkg:npm/{}@{version}", name.replace('@', "%40"));
    let licenses = licenses(Some(licence));
    Some(
        json!({"type": "library", "bom-ref": purl, "purl": purl, "name": name, "version": version, "licenses": licenses}),
    )
}

fn purl(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

/// Old manifests write `A/B` for `A OR B`.
fn licenses(expression: Option<&str>) -> Value {
    expression.map_or_else(|| json!([]), |expression| json!([{"expression": expression.replace('/', " OR ")}]))
}

/// The checksum of each crate of the registry, by name and version.
fn checksums(lock: &str) -> HashMap<(&str, String), &str> {
    let of_block =
        |block| Some(((field(block, "name")?, field(block, "version")?.to_owned()), field(block, "checksum")?));
    lock.split("[[package]]").filter_map(of_block).collect()
}

/// The text of a field of a block of `Cargo.lock`.
fn field<'a>(block: &'a str, name: &str) -> Option<&'a str> {
    block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"'))
}
