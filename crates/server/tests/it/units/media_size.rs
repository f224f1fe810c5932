//! Sizes of the accepted formats, and none for files that are damaged, turned or not pictures.

use proptest::prelude::*;
use quizhall::media::{MediaType, PictureSize};

const TYPES: [MediaType; 4] = [MediaType::Png, MediaType::Jpeg, MediaType::WebP, MediaType::Ogg];

fn png(width: u32, height: u32) -> Vec<u8> {
    [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &width.to_be_bytes()[..], &height.to_be_bytes(), b"\x08\x06\0\0\0"].concat()
}

/// A file with a segment of this content before the frame.
fn jpeg(segment: &[u8], width: u16, height: u16) -> Vec<u8> {
    let length = u16::try_from(segment.len() + 2).unwrap().to_be_bytes();
    let frame = [b"\xff\xc0\0\x11\x08", &height.to_be_bytes()[..], &width.to_be_bytes()].concat();
    [b"\xff\xd8\xff\xe1", &length[..], segment, &frame].concat()
}

/// A file of the extended format, 300 by 200.
fn webp(flags: u8) -> Vec<u8> {
    [b"RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0", &[flags, 0, 0, 0, 43, 1, 0, 199, 0, 0][..]].concat()
}

#[test]
fn a_picture_says_its_size_unless_it_may_be_drawn_turned_or_says_nonsense() {
    for (of, first, size) in [
        (MediaType::Png, png(640, 480), Some((640, 480))),
        (MediaType::Jpeg, jpeg(b"JFIF\0", 1_600, 500), Some((1_600, 500))),
        (MediaType::WebP, webp(0), Some((300, 200))),
        (MediaType::Jpeg, jpeg(b"Exif\0\0MM\0*", 1_600, 500), None),
        (MediaType::WebP, webp(0x08), None),
        (MediaType::Png, [png(640, 480), b"\0\0\0\0eXIf".to_vec()].concat(), None),
        (MediaType::Png, png(0, 480), None),
        (MediaType::Png, png(640, u32::MAX), None),
        (MediaType::Png, png(640, 480)[..20].to_vec(), None),
        (MediaType::Ogg, png(640, 480), None),
    ] {
        let found = PictureSize::of_first_bytes(of, &first).map(|size| (size.width, size.height));
        assert_eq!(found, size, "{of:?} {first:?}");
    }
}

proptest! {
    /// Whatever the bytes are: no panic, no endless loop, no impossible size.
    #[test]
    fn damaged_files_cost_nothing(
        of in 0..TYPES.len(),
        start in 0..4_usize,
        cut in 0..64_usize,
        noise in proptest::collection::vec(any::<u8>(), 0..512),
    ) {
        let starts = [png(1, 1), jpeg(b"JFIF\0", 1, 1), webp(0), Vec::new()];
        let first: Vec<u8> = starts[start].iter().copied().take(cut).chain(noise).collect();
        if let Some(size) = PictureSize::of_first_bytes(TYPES[of], &first) {
            prop_assert!((1..=65_535).contains(&size.width) && (1..=65_535).contains(&size.height));
        }
    }
}
