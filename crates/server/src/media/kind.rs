//! The accepted types of files, recognized by their first bytes. The type that a client names is ignored.
//!
//! Used by the upload and by the check of a question. Reads only the beginning of a file: browsers decode the rest.

use quizhall_rules::MediaKind;

/// Most bytes of a picture.
const PICTURE_BYTES: u64 = 2 << 20;
/// Most bytes of a sound.
const SOUND_BYTES: u64 = 5 << 20;

/// An accepted type of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaType {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    WebP,
    /// MPEG audio, layer III.
    Mp3,
    /// AAC in an MPEG-4 container.
    M4a,
    /// Vorbis or Opus in Ogg.
    Ogg,
}

/// First bytes that are the same in all files of a type.
const BEGINNINGS: [(&[u8], MediaType); 4] = [
    (b"\x89PNG\r\n\x1a\n", MediaType::Png),
    (b"\xff\xd8\xff", MediaType::Jpeg),
    (b"ID3", MediaType::Mp3),
    (b"OggS", MediaType::Ogg),
];

/// Brands of MPEG-4 files that players accept as audio.
const BRANDS: [&[u8]; 6] = [b"M4A ", b"M4B ", b"mp41", b"mp42", b"isom", b"iso2"];

impl MediaType {
    /// The most bytes that a file of any type may have.
    pub const MOST_BYTES: u64 = SOUND_BYTES;

    const ALL: [Self; 6] = [Self::Png, Self::Jpeg, Self::WebP, Self::Mp3, Self::M4a, Self::Ogg];

    /// The type of a file that begins with these bytes, at least 12; `None` for a type that is not accepted.
    pub fn of_first_bytes(first: &[u8]) -> Option<Self> {
        let begins = BEGINNINGS.iter().find(|(beginning, _)| first.starts_with(beginning));
        match (begins, first.get(..4)?, first.get(4..8)?, first.get(8..12)?) {
            (Some((_, found)), ..) => Some(*found),
            (_, b"RIFF", _, b"WEBP") => Some(Self::WebP),
            (_, _, b"ftyp", brand) if BRANDS.contains(&brand) => Some(Self::M4a),
            (_, &[0xff, second, third, _], ..) if is_frame(second, third) => Some(Self::Mp3),
            _ => None,
        }
    }

    /// The type that is stored under this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|of| of.as_str() == name)
    }

    /// Its media type.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
            Self::Mp3 => "audio/mpeg",
            Self::M4a => "audio/mp4",
            Self::Ogg => "audio/ogg",
        }
    }

    /// Whether it is a picture or a sound.
    pub const fn kind(self) -> MediaKind {
        match self {
            Self::Png | Self::Jpeg | Self::WebP => MediaKind::Picture,
            Self::Mp3 | Self::M4a | Self::Ogg => MediaKind::Sound,
        }
    }

    /// The most bytes that a file of this type may have.
    pub const fn most_bytes(self) -> u64 {
        match self.kind() {
            MediaKind::Picture => PICTURE_BYTES,
            MediaKind::Sound => SOUND_BYTES,
        }
    }
}

/// Whether a frame of MPEG audio, layer III, has these bytes after its first one: a version, a bit rate and a sampling
/// rate that exist.
fn is_frame(second: u8, third: u8) -> bool {
    let (sync, version, layer) = (second & 0xe0 == 0xe0, second >> 3 & 3, second >> 1 & 3);
    let (bit_rate, sampling_rate) = (third >> 4, third >> 2 & 3);
    sync && version != 1 && layer == 1 && !matches!(bit_rate, 0 | 15) && sampling_rate != 3
}
