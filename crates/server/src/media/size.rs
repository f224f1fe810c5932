//! How large a picture is drawn, as the beginning of its file says it: so pages keep its room before it is there.
//!
//! Used by the upload. Reads no more than it is given, decodes nothing, and knows no size rather than a wrong one.

use super::kind::MediaType;

/// No format that is taken draws more in a row.
const LONGEST: usize = 65_535;

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSize {
    /// From 1.
    pub width: u32,
    /// From 1.
    pub height: u32,
}

impl PictureSize {
    /// The size of a picture that begins with these bytes; `None` for a sound, for a file that does not say it, and for one with
    /// data about its camera, which may say that it is drawn turned.
    pub fn of_first_bytes(of: MediaType, first: &[u8]) -> Option<Self> {
        let notes: &[u8] = match of {
            MediaType::Png => b"eXIf",
            MediaType::Jpeg => b"Exif\0\0",
            MediaType::WebP if has_notes(first) => return None,
            MediaType::WebP => b"EXIF",
            MediaType::Mp3 | MediaType::M4a | MediaType::Ogg => return None,
        };
        if first.windows(notes.len()).any(|bytes| bytes == notes) {
            return None;
        }
        let found = imagesize::blob_size(first).ok()?;
        let side = |length: usize| u32::try_from(length).ok().filter(|_| (1..=LONGEST).contains(&length));
        Some(Self { width: side(found.width)?, height: side(found.height)? })
    }
}

/// Whether a `WebP` file of the extended format has a chunk of such data, which stands at its end.
fn has_notes(first: &[u8]) -> bool {
    first.get(12..16) == Some(b"VP8X") && first.get(20).is_none_or(|flags| flags & 0x08 != 0)
}

#[cfg(test)]
mod tests;
