//! The files of the app as `build.rs` found them. Used only by this folder; nothing here is computed at run time.

/// A file in its encodings. An encoding that would save nothing is empty.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct File {
    /// The path at which it is served.
    pub(super) path: &'static str,
    /// Its media type.
    pub(super) kind: &'static str,
    /// Identifies its content.
    pub(super) tag: &'static str,
    /// Without encoding.
    pub(super) plain: &'static [u8],
    /// For `Accept-Encoding: br`.
    pub(super) brotli: &'static [u8],
    /// For `Accept-Encoding: gzip`: browsers accept brotli only over TLS, which venues rarely have.
    pub(super) gzip: &'static [u8],
}

/// Sorted by path; empty when the app was not built.
pub(super) const EMBEDDED: &[File] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));

/// The file served at this path. The path is only compared, never interpreted, so it cannot lead anywhere else.
pub(super) fn find<'a>(files: &'a [File], path: &str) -> Option<&'a File> {
    files.iter().find(|file| file.path == path)
}
