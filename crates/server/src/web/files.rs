//! The files of the app as `build.rs` found them. Used by this folder only; nothing here is computed at run time.

/// A file in its forms. A form that would save nothing is empty.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct File {
    /// Where it is served.
    pub(super) path: &'static str,
    /// Its media type.
    pub(super) kind: &'static str,
    /// Names its content.
    pub(super) tag: &'static str,
    /// As it is.
    pub(super) plain: &'static [u8],
    /// For `Accept-Encoding: br`.
    pub(super) brotli: &'static [u8],
    /// For `Accept-Encoding: gzip`: browsers take brotli over TLS only, and venues rarely have it.
    pub(super) gzip: &'static [u8],
}

/// Sorted by path; empty when the app was not built.
pub(super) const EMBEDDED: &[File] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));

/// The file served at this path. The path is compared, never interpreted, so it cannot lead anywhere else.
pub(super) fn find<'a>(files: &'a [File], path: &str) -> Option<&'a File> {
    files.iter().find(|file| file.path == path)
}
