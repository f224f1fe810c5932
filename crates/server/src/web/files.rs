//! The files of the app as `build.rs` found them. Nothing here is computed at run time.

/// A file in its encodings. An encoding that would save nothing is empty.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// The path at which it is served.
    pub path: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Identifies its content.
    pub tag: &'static str,
    /// Without encoding.
    pub plain: &'static [u8],
    /// For `Accept-Encoding: br`.
    pub brotli: &'static [u8],
    /// For `Accept-Encoding: gzip`: browsers accept brotli only over TLS, which venues rarely have.
    pub gzip: &'static [u8],
}

/// The files of the app, sorted by path; empty when the app was not built.
pub const EMBEDDED: &[File] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));

/// The file served at this path. The path is only compared, never interpreted, so it cannot lead anywhere else.
pub(super) fn find<'a>(files: &'a [File], path: &str) -> Option<&'a File> {
    files.iter().find(|file| file.path == path)
}
