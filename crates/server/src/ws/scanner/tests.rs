//! Unit tests of `ws::scanner`.

use super::*;

const FIN: u8 = 0x80;

/// A masked frame, as clients send them.
fn frame(first: u8, payload: usize) -> Vec<u8> {
    let mut bytes = vec![first];
    if let Ok(short @ 0..126) = u8::try_from(payload) {
        bytes.push(FIN | short);
    } else {
        bytes.push(0xfe);
        bytes.extend_from_slice(&u16::try_from(payload).unwrap_or(u16::MAX).to_be_bytes());
    }
    bytes.extend_from_slice(&[0; 4]);
    bytes.resize(bytes.len() + payload, b'x');
    bytes
}

#[test]
fn any_cut_of_the_bytes_gives_the_same_end() {
    let mut stream = frame(0x01, 3);
    stream.extend(frame(FIN | 0x09, 5));
    stream.extend(frame(FIN, 300));
    stream.extend(frame(FIN | 0x08, 2));
    for cut in 1..stream.len() {
        let mut scanner = Scanner::default();
        let closes: usize = stream.chunks(cut).filter(|chunk| scanner.scan(chunk, 32).close_seen).count();
        assert_eq!(closes, 1, "chunks of {cut}");
        assert!(!scanner.is_unfinished(), "chunks of {cut}");
    }
    for end in 1..stream.len() - frame(FIN | 0x08, 2).len() {
        let mut scanner = Scanner::default();
        let _ = scanner.scan(&stream[..end], 32);
        assert!(scanner.is_unfinished(), "the message is open after {end} bytes");
    }
}

#[test]
fn the_fragment_too_many_is_refused_and_what_came_before_is_not() {
    let mut stream = frame(FIN | 0x01, 1);
    let whole = stream.len();
    stream.extend(frame(0x01, 1));
    for _ in 0..31 {
        stream.extend(frame(0x00, 1));
    }
    let allowed = stream.len();
    stream.extend(frame(FIN, 1));
    let mut scanner = Scanner::default();
    let outcome = scanner.scan(&stream, 32);
    assert_eq!((outcome.usable, outcome.refused), (allowed, Some(CloseCode::MessageTooBig)));
    assert!(whole < allowed && outcome.was_clean);
}

/// Cases 4.1 and 4.2 of Autobahn's suite: without this, TCP stays open for the whole time limit of a close.
#[test]
fn the_close_is_seen_after_whatever_is_refused() {
    let close = frame(FIN | 0x08, 2);
    let refused = [0x3_u8, 0x7, 0xb, 0xf].map(|opcode| frame(FIN | opcode, 130));
    for mut stream in refused.into_iter().chain([vec![frame(0x01, 1); 40].concat()]) {
        stream.extend(&close);
        for cut in 1..stream.len() {
            let mut scanner = Scanner::default();
            let closes = stream.chunks(cut).filter(|chunk| scanner.scan(chunk, 32).close_seen).count();
            assert_eq!(closes, 1, "{:x} in chunks of {cut}", stream[0]);
        }
    }
}

#[test]
fn a_second_message_that_is_unfinished_began_in_this_stretch() {
    let mut scanner = Scanner::default();
    assert!(scanner.scan(&frame(0x01, 1), 32).was_clean, "clean at its start");
    assert!(!scanner.scan(&frame(0x00, 1), 32).was_clean, "still the same message");
    let mut last_and_next = frame(FIN, 1);
    last_and_next.push(FIN | 0x01);
    assert!(scanner.scan(&last_and_next, 32).was_clean, "clean in between");
    assert!(scanner.is_unfinished());
}
