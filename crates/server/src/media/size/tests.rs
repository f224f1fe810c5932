//! Sizes of the accepted formats, and none for files that are damaged, turned or not pictures.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::{MediaType, PictureSize};

const TYPES: [MediaType; 4] = [MediaType::Png, MediaType::Jpeg, MediaType::WebP, MediaType::Ogg];

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    file.extend(width.to_be_bytes().into_iter().chain(height.to_be_bytes()));
    file.extend(b"\x08\x06\0\0\0");
    file
}

/// A file with a segment of this content before the frame.
fn jpeg(segment: &[u8], width: u16, height: u16) -> Vec<u8> {
    let length = u16::try_from(segment.len() + 2).unwrap();
    let mut file = b"\xff\xd8\xff\xe1".to_vec();
    file.extend(length.to_be_bytes());
    file.extend(segment);
    file.extend(b"\xff\xc0\0\x11\x08");
    file.extend(height.to_be_bytes().into_iter().chain(width.to_be_bytes()));
    file
}

/// A file of the extended format, 300 by 200.
fn webp(flags: u8) -> Vec<u8> {
    let mut file = b"RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0".to_vec();
    file.extend([flags, 0, 0, 0, 43, 1, 0, 199, 0, 0]);
    file
}

fn size(of: MediaType, first: &[u8]) -> Option<(u32, u32)> {
    PictureSize::of_first_bytes(of, first).map(|size| (size.width, size.height))
}

#[test]
fn a_picture_says_its_size() {
    assert_eq!(size(MediaType::Png, &png(640, 480)), Some((640, 480)));
    assert_eq!(size(MediaType::Jpeg, &jpeg(b"JFIF\0", 1_600, 500)), Some((1_600, 500)));
    assert_eq!(size(MediaType::WebP, &webp(0)), Some((300, 200)));
}

#[test]
fn one_that_may_be_drawn_turned_or_says_nonsense_has_none() {
    assert_eq!(size(MediaType::Jpeg, &jpeg(b"Exif\0\0MM\0*", 1_600, 500)), None);
    assert_eq!(size(MediaType::WebP, &webp(0x08)), None);
    assert_eq!(size(MediaType::Png, &[png(640, 480), b"\0\0\0\0eXIf".to_vec()].concat()), None);
    assert_eq!(size(MediaType::Png, &png(0, 480)), None);
    assert_eq!(size(MediaType::Png, &png(640, u32::MAX)), None);
    assert_eq!(size(MediaType::Png, &png(640, 480)[..20]), None);
    assert_eq!(size(MediaType::Ogg, &png(640, 480)), None);
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
