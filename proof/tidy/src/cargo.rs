//! What `cargo metadata` says about our crates and everything they are built from.
//!
//! The tests call it. It works offline, because the workspace is already built when they run.

use std::process::Command;

use serde::Deserialize;

/// A crate, ours or not.
#[derive(Debug, Clone, Deserialize)]
pub struct Package {
    /// What the graph calls it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// SPDX expression, if it has one.
    pub license: Option<String>,
    /// Where it comes from; `None` for our own.
    pub source: Option<String>,
    /// What its manifest names.
    pub dependencies: Vec<Dependency>,
}

/// A line of a manifest's dependencies.
#[derive(Debug, Clone, Deserialize)]
pub struct Dependency {
    /// The crate's name.
    pub name: String,
    /// Whether only tests, examples and benches use it.
    #[serde(rename = "kind", deserialize_with = "is_dev")]
    pub is_for_tests: bool,
}

/// What a crate is built with: a node of the graph.
#[derive(Debug, Clone, Deserialize)]
pub struct Node {
    /// Of which crate.
    pub id: String,
    /// The crates that it uses.
    pub deps: Vec<Edge>,
}

/// A use of another crate.
#[derive(Debug, Clone, Deserialize)]
pub struct Edge {
    /// Which one.
    pub pkg: String,
    dep_kinds: Vec<EdgeKind>,
}

#[derive(Debug, Clone, Deserialize)]
struct EdgeKind {
    /// `None`: it is linked in.
    kind: Option<String>,
}

impl Edge {
    /// Whether the crate is linked in, and not only used by tests or by the build.
    pub fn is_linked(&self) -> bool {
        self.dep_kinds.iter().any(|kind| kind.kind.is_none())
    }
}

fn is_dev<'de, D: serde::Deserializer<'de>>(kind: D) -> Result<bool, D::Error> {
    Ok(Option::<String>::deserialize(kind)?.as_deref() == Some("dev"))
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Option<Graph>,
}

#[derive(Deserialize)]
struct Graph {
    nodes: Vec<Node>,
}

/// Our own crates.
pub fn ours() -> Result<Vec<Package>, String> {
    Ok(metadata(&["--no-deps"])?.packages)
}

/// Every crate that is built for this machine, ours included.
pub fn all() -> Result<Vec<Package>, String> {
    Ok(graph(&host_triple()?)?.0)
}

/// The same for the machine that is given as a target of the compiler, with the graph of what uses what.
pub fn graph(target: &str) -> Result<(Vec<Package>, Vec<Node>), String> {
    let metadata = metadata(&["--filter-platform", target])?;
    Ok((metadata.packages, metadata.resolve.map(|graph| graph.nodes).unwrap_or_default()))
}

fn metadata(arguments: &[&str]) -> Result<Metadata, String> {
    let fixed = ["metadata", "--format-version", "1", "--locked", "--offline"];
    let text = run(env!("CARGO"), fixed.iter().chain(arguments))?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}

/// What this machine is for the compiler.
pub fn host_triple() -> Result<String, String> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let text = run(&rustc, ["-vV"].iter())?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}

fn run<'a>(program: &str, arguments: impl Iterator<Item = &'a &'a str>) -> Result<String, String> {
    let output = Command::new(program).args(arguments).current_dir(crate::tree::root()).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{program}: {error}"))
}
