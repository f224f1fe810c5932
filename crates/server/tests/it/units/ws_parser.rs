//! `ws::parser`, with streams that are cut in every way.

use std::time::Duration;

use bytes::Bytes;
use quizhall::config::{Config, SocketLimits};
use quizhall::moment::Moment;
use quizhall::ws::parser::{Allowance, Input, Parser};
use quizhall_protocol::{CloseCode, Role};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::ws_wire::frame;

fn limits() -> SocketLimits {
    Config::from_pairs(&[]).unwrap().sockets
}

fn after(seconds: u64) -> Moment {
    Moment::NEVER.plus(Duration::from_secs(1_000 + seconds))
}

/// What `stream` means when it arrives in pieces of `cut` bytes, and whether the client's close was seen.
fn read(stream: &[u8], cut: usize) -> (Vec<Input>, bool) {
    let (mut parser, limits, mut inputs, mut closed) = (Parser::new(Role::Player), limits(), Vec::new(), false);
    for piece in stream.chunks(cut) {
        match inputs.last() {
            Some(Input::Refused(_)) => closed |= parser.discard(piece),
            _ => parser.feed(piece, Allowance { now: after(0), limits: &limits }, &mut inputs),
        }
    }
    (inputs, closed || parser.close_seen())
}

fn text(text: &'static str) -> Input {
    Input::Text(text.into())
}

#[track_caller]
fn assert_read(stream: &[u8], expected: &[Input], closed: bool) {
    let every = if stream.len() < 400 { 1..stream.len() } else { 1..8 };
    for cut in every.chain([13, 64, 1_000, stream.len()]) {
        let (seen, close_seen) = read(stream, cut);
        assert_eq!((seen.as_slice(), close_seen), (expected, closed), "in pieces of {cut}: {:02x?}", &stream[..20]);
    }
}

#[test]
fn texts_fragments_pings_and_a_close_come_in_order() {
    let (begin, end) = "tw\u{f6}".as_bytes().split_at(3);
    let stream = [
        frame(0x81, b"one"),
        frame(0x01, begin),
        frame(0x89, b"hi"),
        frame(0x80, end),
        frame(0x82, b"\xff"),
        frame(0x88, &[0x03, 0xe8]),
        frame(0x81, b"after the close"),
    ];
    let pong = Input::Pong(Bytes::from_static(&[0x8a, 2, b'h', b'i']));
    let closed = Input::Closed(Bytes::from_static(&[0x88, 2, 0x03, 0xe8]));
    let binary = Input::Binary(Bytes::from_static(b"\xff"));
    assert_read(&stream.concat(), &[text("one"), pong, text("tw\u{f6}"), binary, closed], true);
}

/// What came before a breach counts, and the close after it is found, so that TCP does not stay open for the time limit of a close
/// (cases 4.1 and 4.2 of Autobahn's suite).
#[test]
fn each_breach_has_its_code() {
    let mut rsv1 = frame(0x81, b"x");
    rsv1[0] |= 0x40;
    let huge = [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4];
    let fragments = [frame(0x01, b"x"), frame(0x00, b"x").repeat(32)].concat();
    for (breach, code) in [
        (frame(0x81, b"\xff"), CloseCode::InvalidUtf8),
        (vec![0x81, 0x01, b'x'], CloseCode::ProtocolError),
        (rsv1, CloseCode::ProtocolError),
        (frame(0x83, &[b'x'; 130]), CloseCode::ProtocolError),
        (frame(0x87, b"x"), CloseCode::ProtocolError),
        (frame(0x8b, b"x"), CloseCode::ProtocolError),
        (frame(0x8f, &[b'x'; 130]), CloseCode::ProtocolError),
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
        let ends = breach != huge;
        let stream = [frame(0x81, b"good"), breach, frame(0x88, &[0x03, 0xe8])].concat();
        assert_read(&stream, &[text("good"), Input::Refused(code.into())], ends);
    }
}

#[test]
fn an_unfinished_message_is_timed_from_its_first_byte_and_a_finished_one_leaves_no_memory() {
    let (mut parser, limits, mut inputs) = (Parser::new(Role::Player), limits(), Vec::new());
    let (whole, mut last_and_next) = (frame(0x81, b"whole"), frame(0x80, b"d"));
    last_and_next.push(0x81);
    for (at, (bytes, begun)) in (0..).zip([
        (&whole[..1], after(0)),
        // More bytes do not buy more time.
        (&whole[1..5], after(0)),
        (&whole[5..], Moment::NEVER),
        (&frame(0x01, b"cut ")[..], after(3)),
        (&frame(0x00, b"an"), after(3)),
        (&frame(0x89, b"ping"), after(3)),
        (&last_and_next, after(6)),
        (&frame(0x81, b"next")[1..], Moment::NEVER),
    ]) {
        parser.feed(bytes, Allowance { now: after(at), limits: &limits }, &mut inputs);
        assert_eq!((parser.begun(), parser.is_between_messages()), (begun, begun.is_never()), "after {at} s");
    }
    inputs.retain(|input| !matches!(input, Input::Pong(_)));
    assert_eq!(inputs, ["whole", "cut and", "next"].map(text));
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

/// A frame whose first byte comes by itself is no whole text, so tungstenite reads it.
#[test]
fn whole_texts_mean_what_tungstenite_makes_of_them() {
    let (limits, mut short, mut pieces) = (limits(), 0, 0);
    let allowance = Allowance { now: after(0), limits: &limits };
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
                let (began_between, before) = (parser.is_between_messages(), seen.len());
                parser.feed(piece, allowance, &mut seen);
                let alone = usize::from(tungstenite.is_between_messages());
                tungstenite.feed(&piece[..alone], allowance, &mut expected);
                tungstenite.feed(&piece[alone..], allowance, &mut expected);
                let is_one_text = matches!(seen[before..], [Input::Text(_)]) && piece.len() < 132;
                short += usize::from(is_one_text && began_between && parser.is_between_messages());
                pieces += 1;
            }
            assert_eq!(seen, expected, "seed {seed}, frame {number}: {bytes:02x?}");
            let state = |parser: &Parser| (parser.begun(), parser.close_seen(), parser.is_between_messages());
            assert_eq!(state(&parser), state(&tungstenite), "seed {seed}, frame {number}: {bytes:02x?}");
        }
    }
    assert!(short > 5_000 && pieces > short + 5_000, "{short} of {pieces} are whole texts");
}

#[test]
fn a_whole_text_keeps_to_the_limits() {
    let narrow = SocketLimits { player_message_bytes: 5, ..limits() };
    let (mut parser, mut inputs) = (Parser::new(Role::Player), Vec::new());
    for message in ["right", "larger"] {
        parser.feed(&frame(0x81, message.as_bytes()), Allowance { now: after(0), limits: &narrow }, &mut inputs);
    }
    assert_eq!(inputs, [text("right"), Input::Refused(CloseCode::MessageTooBig.into())]);
}
