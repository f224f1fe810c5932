//! The files made from the types: references for people and programs, schemas, TypeScript.
//!
//! `cargo run -p quizhall-tidy -- generate` writes them, a test compares them. Every text depends only on the sources:
//! no date, no path, no order of a hash map.

mod asyncapi;
mod chart;
mod configuration;
mod connecting;
mod limits;
mod messages;
mod reference;
mod schemas;
mod typescript;

use std::fs;
use std::io;

use serde_json::Value;

use crate::lines;
use crate::tree::{Tree, root};

/// A generated file.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// Path relative to the root.
    pub path: &'static str,
    /// All of it.
    pub text: String,
}

/// Every generated file, in a fixed order.
pub fn all() -> Vec<File> {
    let mut files = vec![
        File { path: "docs/reference/asyncapi.json", text: pretty(&asyncapi::document()) },
        File { path: "docs/reference/messages.schema.json", text: pretty(&schemas::document()) },
        File { path: "docs/reference/messages.md", text: reference::page() },
        File { path: "docs/reference/openapi.json", text: openapi() },
        File { path: "docs/reference/configuration.md", text: configuration::page() },
        File { path: "docs/reference/conformance.md", text: quizhall_conformance::markdown() },
        File { path: "web/sdk/src/generated/protocol.ts", text: typescript::module() },
        File { path: "web/sdk/src/generated/limits.ts", text: limits::module() },
        File { path: lines::PAGE, text: architecture() },
    ];
    files.extend(chart::files());
    files
}

/// Writes what is not on disk yet; returns the paths of the files that changed.
pub fn write() -> io::Result<Vec<&'static str>> {
    let mut changed = Vec::new();
    for file in all() {
        let path = root().join(file.path);
        if fs::read_to_string(&path).is_ok_and(|text| text == file.text) {
            continue;
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, file.text)?;
        changed.push(file.path);
    }
    Ok(changed)
}

/// The page that is written by hand, with its table of lines.
fn architecture() -> String {
    let page = fs::read_to_string(root().join(lines::PAGE)).expect("the page is in the tree");
    lines::page(&page, &lines::counted(&Tree::read().expect("the tree can be read")))
}

/// The HTTP side, as the service itself shows it under `/api/openapi.json`.
fn openapi() -> String {
    let document = serde_json::to_value(quizhall::http::openapi()).expect("a description has string keys");
    pretty(&document)
}

/// JSON for files: keys sorted, whatever map another crate of the build made `serde_json` use.
fn pretty(document: &Value) -> String {
    format!("{:#}\n", sorted(document))
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_unstable();
            names.into_iter().map(|name| (name.clone(), sorted(&fields[name]))).collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}
