//! What a package for distribution holds besides the program and is made from the sources: manual pages and the bill of materials.
//!
//! `cargo run -p quizhall-tidy -- package FOLDER [TARGET]` writes it; `deploy/package` puts it in place. Every text
//! depends only on the sources and the target: no date, no path.

mod bill;

use std::fs;
use std::path::Path;

use crate::cargo;
use crate::tree::root;

pub use bill::bill;

/// The name of the bill of materials.
pub const BILL: &str = "quizhall.cdx.json";

/// What the build of the pages writes about the libraries in them.
const LICENCES: &str = "licences.md";

/// Writes the manual pages (a page for each command) and the bill of materials into a folder that exists. `target` is the
/// compiler's name of the machine the package is for; `None`: this one.
///
/// # Errors
/// What cannot be read or written.
pub fn write(folder: &Path, target: Option<&str>) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    clap_mangen::generate_to(quizhall::cli::command(), folder).map_err(named)?;
    let target = target.map_or_else(cargo::host_triple, |target| Ok(target.to_owned()))?;
    let metadata = cargo::graph(&target)?;
    let read = |path: &str| fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"));
    // A program without the pages is one that tests have built.
    let pages = read(&format!("web/dist/{LICENCES}")).unwrap_or_default();
    let bill = bill(&metadata, &read("Cargo.lock")?, &pages)?;
    fs::write(folder.join(BILL), format!("{bill:#}\n")).map_err(named)
}
