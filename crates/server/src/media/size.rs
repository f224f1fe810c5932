//! The size of a picture, as the beginning of its file states it, so that pages can reserve its space before it is
//! loaded.
//!
//! Used by the upload. Reads only the bytes that it is given, decodes nothing, and gives no size rather than a wrong
//! one.

use super::kind::MediaType;

/// No accepted format has more pixels in a row.
const LONGEST: usize = 65_535;

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSize {
    /// At least 1.
    pub width: u32,
    /// At least 1.
    pub height: u32,
}

impl PictureSize {
    /// The size of a picture that begins with these bytes. `None` for a sound, for a file that does not state it, and
    /// for one with data about its camera, because those may turn the picture.
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

/// Whether a `WebP` file of the extended format has a chunk of such data, which comes at its end.
fn has_notes(first: &[u8]) -> bool {
    first.get(12..16) == Some(b"VP8X") && first.get(20).is_none_or(|flags| flags & 0x08 != 0)
}
