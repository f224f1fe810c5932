//! Which files are accepted and which are refused: the first bytes of each type.

use quizhall::media::MediaType;

#[test]
fn a_type_is_known_by_its_first_bytes() {
    let files: [(&[u8], MediaType); 8] = [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", MediaType::Png),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01", MediaType::Jpeg),
        (b"RIFF\x24\0\0\0WEBPVP8 ", MediaType::WebP),
        (b"ID3\x04\0\0\0\0\0\0\0\0", MediaType::Mp3),
        (b"\xff\xfb\x90\x64\0\0\0\0\0\0\0\0", MediaType::Mp3),
        (b"\xff\xf3\x44\xc4\0\0\0\0\0\0\0\0", MediaType::Mp3),
        (b"\0\0\0\x20ftypM4A \0\0\0\0", MediaType::M4a),
        (b"OggS\0\x02\0\0\0\0\0\0", MediaType::Ogg),
    ];
    for (first, expected) in files {
        assert_eq!(MediaType::of_first_bytes(first), Some(expected), "{first:?}");
        assert_eq!(MediaType::of_name(expected.as_str()), Some(expected));
    }
    let others: [&[u8]; 9] = [
        b"<svg xmlns=\"http://www.w3.org/2000/svg\">",
        b"<?xml version=\"1.0\"?><svg/>",
        b"<!doctype html><script>",
        b"GIF89a\x01\0\x01\0\0\0",
        b"RIFF\x24\0\0\0WAVEfmt ",
        b"\0\0\0\x20ftypavif\0\0\0\0",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3",
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        b"",
    ];
    for first in others {
        assert_eq!(MediaType::of_first_bytes(first), None, "{first:?}");
    }
}
