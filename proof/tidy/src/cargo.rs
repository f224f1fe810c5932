//! What `cargo metadata` says about our crates and everything they are built from.
//!
//! The tests call it. It works offline, because the workspace is already built when they run.

use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand, Package};

/// Our own crates.
///
/// # Errors
/// What cargo says.
pub fn ours() -> Result<Vec<Package>, String> {
    Ok(metadata(&["--no-deps"])?.packages)
}

/// Every crate that is built for this machine, ours included.
///
/// # Errors
/// What cargo says.
pub fn all() -> Result<Vec<Package>, String> {
    Ok(graph(&host_triple()?)?.packages)
}

/// The same for the machine that is given as a target of the compiler, with the graph of what uses what.
///
/// # Errors
/// What cargo says.
pub fn graph(target: &str) -> Result<Metadata, String> {
    metadata(&["--filter-platform", target])
}

fn metadata(arguments: &[&str]) -> Result<Metadata, String> {
    let arguments = ["--locked", "--offline"].iter().chain(arguments).map(|argument| (*argument).to_owned());
    let mut command = MetadataCommand::new();
    command.cargo_path(env!("CARGO")).current_dir(crate::tree::root()).other_options(arguments.collect::<Vec<_>>());
    command.exec().map_err(|error| format!("cargo metadata: {error}"))
}

/// What this machine is for the compiler.
///
/// # Errors
/// When the compiler cannot be asked.
pub fn host_triple() -> Result<String, String> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(&rustc).arg("-vV").output().map_err(|error| format!("{rustc}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| format!("{rustc} -vV names no host"))
}
