//! Puts the built web app into the binary: every file of `web/dist` with its media type, its tag and its compressed
//! forms, as a table that `src/web/files.rs` includes.
//!
//! Run by cargo. It only reads `web/dist` (made by `make web`) and never runs npm. Without the app the table is empty and
//! the server shows a placeholder, unless `QUIZHALL_REQUIRE_WEB=1` asks for an error. Written by hand, because a table is
//! enough: the crates for this read the disk in debug builds, unpack at every start, or fail without a folder.

#![allow(clippy::print_stdout, reason = "cargo is spoken to over standard output")]

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quizhall_pack::Effort;
use sha2::{Digest as _, Sha256};

/// The documents that every app has; `src/web/mod.rs` routes to them.
const DOCUMENTS: [&str; 4] = ["index.html", "host.html", "results.html", "screen.html"];

/// Set to 1: a missing app is an error of the build.
const REQUIRE: &str = "QUIZHALL_REQUIRE_WEB";

/// Bytes of a tag, in hexadecimal twice as many: a collision of 64 bits would show an old file, but is too unlikely to happen.
const TAG_BYTES: usize = 8;

fn main() -> ExitCode {
    match embed() {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            println!("cargo::error={sentence}");
            ExitCode::FAILURE
        }
    }
}

fn embed() -> Result<(), String> {
    let web = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("../../web");
    let out = PathBuf::from(variable("OUT_DIR")?);
    let dist = web.join("dist");
    // cargo treats a missing path as always changed; without `dist`, its parent changes when `dist` is made.
    for watched in [Path::new("build.rs"), if dist.is_dir() { &dist } else { &web }] {
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    let table = match DOCUMENTS.into_iter().find(|document| !dist.join(document).is_file()) {
        None => table(&dist, &out)?,
        Some(document) => without(document)?,
    };
    named("web_files.rs", fs::write(out.join("web_files.rs"), table))
}

/// The table without the app. Only here the variable matters: with the app, setting it must not cause another build.
fn without(document: &str) -> Result<String, String> {
    println!("cargo::rerun-if-env-changed={REQUIRE}");
    if env::var(REQUIRE).is_ok_and(|value| value == "1") {
        return Err(format!("web/dist/{document} is missing and {REQUIRE}=1 is set: run `make web` first"));
    }
    Ok("&[]\n".to_owned())
}

/// The table, in Rust; the bytes of each form are in files next to it.
fn table(dist: &Path, out: &Path) -> Result<String, String> {
    let folder = out.join("web");
    // Removes the files of an earlier run, because cargo keeps the folder.
    let _ = fs::remove_dir_all(&folder);
    named("web", fs::create_dir_all(&folder))?;
    // The profiles for trying and testing inherit from `dev`, whose name is debug here.
    let effort = if variable("PROFILE")? == "release" { Effort::Most } else { Effort::Little };
    let mut paths = Vec::new();
    walk(dist, "", &mut paths)?;
    paths.sort();
    let mut table = "&[\n".to_owned();
    for (number, path) in paths.iter().enumerate() {
        let (kind, is_text) = media_type(path);
        let plain = named(path, fs::read(dist.join(path)))?;
        let (brotli, gzip) = if is_text {
            (named(path, quizhall_pack::brotli(&plain, effort))?, named(path, quizhall_pack::gzip(&plain, effort))?)
        } else {
            (Vec::new(), Vec::new())
        };
        let forms = [("plain", &plain), ("brotli", &brotli), ("gzip", &gzip)];
        let _ = write!(table, "    File {{ path: \"/{path}\", kind: \"{kind}\", tag: \"{}\"", tag(&plain));
        for (form, bytes) in forms {
            // A form that saves nothing is left out.
            if form != "plain" && bytes.len() >= plain.len() {
                let _ = write!(table, ", {form}: &[]");
                continue;
            }
            let file = format!("{number}.{form}");
            named(path, fs::write(folder.join(&file), bytes))?;
            let _ = write!(table, ", {form}: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/web/{file}\"))");
        }
        table.push_str(" },\n");
    }
    table.push_str("]\n");
    Ok(table)
}

/// Every file in the folder, by its path with `/` between the parts.
fn walk(folder: &Path, prefix: &str, paths: &mut Vec<String>) -> Result<(), String> {
    for entry in named(prefix, fs::read_dir(folder))? {
        let entry = named(prefix, entry)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        // A path is a route and a literal of the table: nothing in it may need escaping.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        if !name.bytes().all(is_plain) {
            return Err(format!("web/dist/{path} has a name that cannot be served: use letters, digits, . - _"));
        }
        if named(&path, entry.file_type())?.is_dir() {
            walk(&entry.path(), &format!("{path}/"), paths)?;
        } else if !name.starts_with('.') {
            paths.push(path);
        }
    }
    Ok(())
}

/// The media type by the file's ending, and whether the file is worth compressing.
fn media_type(path: &str) -> (&'static str, bool) {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "html" => ("text/html; charset=utf-8", true),
        "js" | "mjs" => ("text/javascript; charset=utf-8", true),
        "css" => ("text/css; charset=utf-8", true),
        "json" | "map" => ("application/json", true),
        "webmanifest" => ("application/manifest+json", true),
        "svg" => ("image/svg+xml", true),
        "txt" => ("text/plain; charset=utf-8", true),
        "md" => ("text/markdown; charset=utf-8", true),
        "xml" => ("application/xml", true),
        "ico" => ("image/x-icon", true),
        "wasm" => ("application/wasm", true),
        "png" => ("image/png", false),
        "jpg" | "jpeg" => ("image/jpeg", false),
        "webp" => ("image/webp", false),
        "avif" => ("image/avif", false),
        "woff2" => ("font/woff2", false),
        "mp3" => ("audio/mpeg", false),
        "ogg" => ("audio/ogg", false),
        _ => {
            println!("cargo::warning=web/dist/{path}: build.rs does not know the media type of this ending");
            ("application/octet-stream", false)
        }
    }
}

fn tag(plain: &[u8]) -> String {
    hex::encode(&Sha256::digest(plain)[..TAG_BYTES])
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set: this is run by cargo"))
}

/// An error with the name of its file.
fn named<T>(what: &str, result: io::Result<T>) -> Result<T, String> {
    result.map_err(|error| format!("{what}: {error}"))
}
