//! The source tree as the checks see it: text files with their path, and findings that point into them.
//!
//! Called by the tests and the generator. Reads only; build output and installed packages are never looked at.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::rust::{self, Function, Mention};

/// Folders of the root that hold what people wrote.
const FOLDERS: [&str; 8] = ["crates", "proof", "web", "docs", "deploy", ".cargo", ".ci", ".github"];
/// Folders that tools fill.
const SKIPPED: [&str; 6] = ["target", "node_modules", "dist", "data", "test-results", "__pycache__"];

/// Root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file of the tree, by path.
pub struct Tree {
    /// Paths relative to the root with `/` between the parts, sorted.
    pub paths: Vec<String>,
    /// The Rust files among them.
    pub sources: Vec<Source>,
}

impl Tree {
    /// Reads the tree from disk.
    pub fn read() -> io::Result<Self> {
        let root = root();
        let mut paths = Vec::new();
        for entry in fs::read_dir(&root)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_file() {
                paths.push(name);
            } else if FOLDERS.contains(&name.as_str()) {
                walk(&root, &name, &mut paths)?;
            }
        }
        paths.sort();
        let rust_files = paths.iter().filter(|path| has_extension(path, "rs"));
        let sources = rust_files.map(|path| Ok(Source::new(path, fs::read_to_string(root.join(path))?)));
        let sources = sources.collect::<io::Result<_>>()?;
        Ok(Self { paths, sources })
    }
}

/// Whether a path ends in `.extension`.
pub fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

fn walk(root: &Path, folder: &str, paths: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        if entry.path().is_file() {
            paths.push(path);
        } else if !SKIPPED.contains(&name.as_str()) {
            walk(root, &path, paths)?;
        }
    }
    Ok(())
}

/// A Rust file.
pub struct Source {
    path: String,
    text: String,
    code: String,
    functions: OnceLock<Vec<Function>>,
    mentions: OnceLock<Vec<Mention>>,
}

impl Source {
    /// A file of this path and text; tests make their own.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let code = rust::code_only(&text);
        Self { path: path.into(), text, code, functions: OnceLock::new(), mentions: OnceLock::new() }
    }

    /// Path relative to the root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The file as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file with comments and the insides of literals blanked out, line for line.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Every function with a body.
    pub fn functions(&self) -> &[Function] {
        self.functions.get_or_init(|| rust::functions(&self.code))
    }

    /// Every path that the code that ships mentions.
    pub fn mentions(&self) -> &[Mention] {
        self.mentions.get_or_init(|| rust::mentions(self.production(), &rust::module_of(&self.path)))
    }

    /// The code that ships: empty for a file of tests or benchmarks.
    pub fn production(&self) -> &str {
        if ["/tests/", "/benches/"].iter().any(|part| self.path.contains(part)) { "" } else { &self.code }
    }
}

/// Something that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which rule.
    pub rule: &'static str,
    /// In which file.
    pub path: String,
    /// On which line, from 1.
    pub line: usize,
    /// The fault, and its cure.
    pub what: String,
    /// For rules about size: how big it is. Otherwise 0.
    pub size: usize,
}

impl Finding {
    /// A finding that is not about size.
    pub fn new(rule: &'static str, path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { rule, path: path.to_owned(), line, what: what.into(), size: 0 }
    }

    /// The same, about something of this size.
    #[must_use]
    pub fn sized(mut self, size: usize) -> Self {
        self.size = size;
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: [{}] {}", self.path, self.line, self.rule, self.what)
    }
}
