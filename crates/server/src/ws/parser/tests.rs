//! The parser with streams that are cut in every way.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::config::Config;

use super::*;

/// A masked client frame with the mask 1 2 3 4.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..126 => bytes.push(0x80 | u8::try_from(short).unwrap()),
        long => {
            bytes.push(0xfe);
            bytes.extend_from_slice(&u16::try_from(long).unwrap().to_be_bytes());
        }
    }
    let mask = [1, 2, 3, 4];
    bytes.extend_from_slice(&mask);
    bytes.extend(payload.iter().enumerate().map(|(at, byte)| byte ^ mask[at % 4]));
    bytes
}

fn limits() -> SocketLimits {
    Config::from_pairs(&[]).unwrap().sockets
}

fn start() -> Moment {
    Moment::NEVER.plus(Duration::from_secs(1_000))
}

/// The meaning of `stream` when it arrives in pieces of `cut` bytes.
fn read(stream: &[u8], cut: usize) -> Vec<Input> {
    let (mut parser, limits, mut inputs) = (Parser::new(Role::Player), limits(), Vec::new());
    for piece in stream.chunks(cut) {
        parser.feed(piece, Allowance { now: start(), limits: &limits }, &mut inputs);
    }
    inputs
}

fn text(text: &'static str) -> Input {
    Input::Text(Utf8Bytes::from_static(text))
}

fn refused(code: CloseCode) -> Input {
    Input::Refused(code.into())
}

#[track_caller]
fn assert_read(stream: &[u8], expected: &[Input]) {
    for cut in [1, 2, 3, 5, 7, 13, 64, 1_000, stream.len()] {
        let seen: Vec<Input> = read(stream, cut);
        assert_eq!(seen, expected, "in pieces of {cut}");
    }
}

#[test]
fn texts_fragments_pings_and_a_close_come_in_order() {
    let mut stream = frame(0x81, b"one");
    stream.extend(frame(0x01, "tw\u{f6}".as_bytes().split_at(3).0));
    stream.extend(frame(0x89, b"hi"));
    stream.extend(frame(0x80, "tw\u{f6}".as_bytes().split_at(3).1));
    stream.extend(frame(0x82, b"\xff"));
    stream.extend(frame(0x88, &[0x03, 0xe8]));
    stream.extend(frame(0x81, b"after the close"));
    let pong = Input::Pong(Bytes::from_static(&[0x8a, 2, b'h', b'i']));
    let closed = Input::Closed(Bytes::from_static(&[0x88, 2, 0x03, 0xe8]));
    let binary = Input::Binary(Bytes::from_static(b"\xff"));
    assert_read(&stream, &[text("one"), pong, text("tw\u{f6}"), binary, closed]);
}

#[test]
fn each_breach_has_its_code_and_what_came_before_counts() {
    let unmasked = [0x81, 0x01, b'x'];
    let mut rsv1 = frame(0x81, b"x");
    rsv1[0] |= 0x40;
    let huge = [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4];
    let mut fragments = frame(0x01, b"x");
    (0..32).for_each(|_| fragments.extend(frame(0x00, b"x")));
    for (breach, code) in [
        (frame(0x81, b"\xff"), CloseCode::InvalidUtf8),
        (unmasked.to_vec(), CloseCode::ProtocolError),
        (rsv1, CloseCode::ProtocolError),
        (frame(0x83, b"x"), CloseCode::ProtocolError),
        (frame(0x80, b"x"), CloseCode::ProtocolError),
        (frame(0x09, b"x"), CloseCode::ProtocolError),
        (frame(0x88, &1_005_u16.to_be_bytes()), CloseCode::ProtocolError),
        (frame(0x88, &999_u16.to_be_bytes()), CloseCode::ProtocolError),
        (frame(0x88, b"x"), CloseCode::ProtocolError),
        (frame(0x88, b"\x03\xe8\xff"), CloseCode::InvalidUtf8),
        (huge.to_vec(), CloseCode::MessageTooBig),
        (frame(0x81, &vec![b'x'; 16_385]), CloseCode::MessageTooBig),
        (fragments, CloseCode::MessageTooBig),
    ] {
        let mut stream = frame(0x81, b"good");
        stream.extend(breach);
        assert_read(&stream, &[text("good"), refused(code)]);
    }
}

#[test]
fn a_length_over_the_limit_is_refused_at_the_header() {
    let too_long = frame(0x81, &vec![b'x'; 16_385]);
    assert_read(&too_long[..8], &[refused(CloseCode::MessageTooBig)]);
    assert_read(&frame(0x81, &vec![b'x'; 16_384])[..8], &[]);
}

#[test]
fn rates_refuse_the_message_too_many() {
    let messages: Vec<u8> = (0..25).flat_map(|_| frame(0x81, b"x")).collect();
    let mut expected = vec![text("x"); 20];
    expected.push(refused(CloseCode::RateLimited));
    assert_read(&messages, &expected);
    let pings: Vec<u8> = (0..100).flat_map(|_| frame(0x89, b"")).collect();
    let seen = read(&pings, pings.len());
    assert_eq!(seen.last(), Some(&refused(CloseCode::RateLimited)));
    assert!(seen.len() <= 21);
}

#[test]
fn an_unfinished_message_is_timed_from_its_first_byte_and_a_finished_one_leaves_no_memory() {
    let (mut parser, limits, mut inputs) = (Parser::new(Role::Player), limits(), Vec::new());
    let message = frame(0x81, b"a message");
    parser.feed(&message[..1], Allowance { now: start(), limits: &limits }, &mut inputs);
    assert_eq!(parser.begun(), start());
    parser.feed(&message[1..5], Allowance { now: start().plus(Duration::from_secs(3)), limits: &limits }, &mut inputs);
    assert_eq!(parser.begun(), start(), "more bytes do not buy more time");
    parser.feed(&message[5..], Allowance { now: start().plus(Duration::from_secs(4)), limits: &limits }, &mut inputs);
    assert!(parser.begun().is_never());
    assert!(parser.open.is_none(), "an idle socket holds no buffer");
    assert_eq!(inputs, [text("a message")]);
}

/// A frame as a client might send it: usually a valid one, sometimes with valid text that is cut in the middle of a
/// letter.
fn any_frame(dice: &mut SmallRng) -> Vec<u8> {
    let first = match dice.random_range(0..20) {
        0 => 0x01,
        1 => 0x80,
        2 => 0x00,
        3 => 0x89,
        4 => 0xc1,
        5 => dice.random_range(0..=u8::MAX),
        _ => 0x81,
    };
    let letters = ["a", "\u{e4}", "\u{1f600}", "\0", "\""];
    let text: String = (0..dice.random_range(0..50)).map(|_| letters[dice.random_range(0..letters.len())]).collect();
    let mut payload = text.into_bytes();
    match dice.random_range(0..10) {
        0 => payload.truncate(payload.len() / 2),
        1 => payload.resize(dice.random_range(120..130), b'x'),
        _ => {}
    }
    let mut bytes = frame(first, &payload);
    match dice.random_range(0..40) {
        0 => bytes[1] ^= 0x80,
        1 => bytes[1] = bytes[1].wrapping_add(1),
        _ => {}
    }
    bytes
}

#[test]
fn whole_texts_mean_what_tungstenite_makes_of_them() {
    let (limits, mut short, mut long) = (limits(), 0, 0);
    for seed in 0..5_000 {
        let mut dice = SmallRng::seed_from_u64(seed);
        let (mut parser, mut tungstenite) = (Parser::new(Role::Player), Parser::new(Role::Player));
        let (mut seen, mut expected) = (Vec::new(), Vec::new());
        for number in 0..12 {
            // Sometimes two at once, or one in pieces.
            let mut bytes = any_frame(&mut dice);
            if dice.random_ratio(1, 8) {
                bytes.extend(any_frame(&mut dice));
            }
            let cut = if dice.random_ratio(1, 8) { dice.random_range(1..=bytes.len()) } else { bytes.len() };
            for piece in bytes.chunks(cut) {
                let shortly = !parser.ended && parser.whole_text(piece, &limits).is_some();
                (short, long) = (short + usize::from(shortly), long + usize::from(!shortly && !parser.ended));
                parser.feed(piece, Allowance { now: start(), limits: &limits }, &mut seen);
                if !tungstenite.ended {
                    tungstenite.follow(piece, Allowance { now: start(), limits: &limits }, &mut expected);
                }
            }
            assert_eq!(seen, expected, "seed {seed}, frame {number}: {bytes:02x?}");
            let state = |parser: &Parser| (parser.begun(), parser.ended, parser.close_seen(), parser.open.is_some());
            assert_eq!(state(&parser), state(&tungstenite), "seed {seed}, frame {number}: {bytes:02x?}");
        }
    }
    assert!(short > 5_000 && long > 5_000, "{short} past tungstenite, {long} not");
}

#[test]
fn a_whole_text_keeps_to_the_limits() {
    let narrow = SocketLimits { player_message_bytes: 5, ..limits() };
    let (mut parser, mut inputs) = (Parser::new(Role::Player), Vec::new());
    parser.feed(&frame(0x81, b"right"), Allowance { now: start(), limits: &narrow }, &mut inputs);
    parser.feed(&frame(0x81, b"larger"), Allowance { now: start(), limits: &narrow }, &mut inputs);
    assert_eq!(inputs, [text("right"), refused(CloseCode::MessageTooBig)]);
}
