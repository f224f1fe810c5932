//! Frames that break RFC 6455, and closes that do not.

use quizhall_protocol::{CloseCode, Role};

use super::Group;
use super::messages::{ROLES, role_name, row};
use crate::row::{Framing, MessageCase, Row, Verdict, Wanted};
use crate::stage::cast::Cast;
use crate::stage::substate::SubState;
use crate::wire::Build;
use crate::wire::frame::{BINARY, CONTINUATION, PING, PONG, TEXT};

/// The group.
pub const GROUP: Group = Group {
    name: "frames",
    title: "Frames that break RFC 6455",
    about: "Bytes below the message, from both roles. Broken framing is 1002, text that is not UTF-8 is 1007, a length over the limit is \
            1009 before anything is allocated.",
    rows,
};

/// More than any message may have, and the largest length RFC 6455 can declare.
const LONGEST: u64 = (1 << 63) - 1;

type Broken = (&'static str, &'static str, CloseCode, fn(&str) -> Vec<u8>);

const BROKEN: &[Broken] = &[
    ("unmasked", "an unmasked text frame", CloseCode::ProtocolError, |_| Build::text("{}").unmasked().bytes()),
    ("rsv1", "RSV1 set, as a compressed frame has it", CloseCode::ProtocolError, |_| {
        Build::text("{}").reserved(4).bytes()
    }),
    ("rsv2", "RSV2 set", CloseCode::ProtocolError, |_| Build::text("{}").reserved(2).bytes()),
    ("rsv3", "RSV3 set", CloseCode::ProtocolError, |_| Build::text("{}").reserved(1).bytes()),
    ("opcode_3", "a reserved data opcode", CloseCode::ProtocolError, |_| Build::new(3, "{}").bytes()),
    ("opcode_7", "a reserved data opcode", CloseCode::ProtocolError, |_| Build::new(7, "{}").bytes()),
    ("opcode_11", "a reserved control opcode", CloseCode::ProtocolError, |_| Build::new(11, "").bytes()),
    ("ping_too_long", "a ping of 126 bytes", CloseCode::ProtocolError, |_| Build::new(PING, vec![0; 126]).bytes()),
    ("ping_in_parts", "a ping without FIN", CloseCode::ProtocolError, |_| Build::new(PING, "a").unfinished().bytes()),
    ("pong_in_parts", "a pong without FIN", CloseCode::ProtocolError, |_| Build::new(PONG, "a").unfinished().bytes()),
    ("lone_continuation", "a continuation of nothing", CloseCode::ProtocolError, |_| {
        Build::new(CONTINUATION, "{}").bytes()
    }),
    ("text_inside_text", "a new message before the last has ended", CloseCode::ProtocolError, |_| {
        [Build::text("{").unfinished().bytes(), Build::text("{}").bytes()].concat()
    }),
    ("binary_inside_text", "a binary frame inside a text message", CloseCode::ProtocolError, |_| {
        [Build::text("{").unfinished().bytes(), Build::new(BINARY, "}").bytes()].concat()
    }),
    ("not_utf8", "text that is not UTF-8", CloseCode::InvalidUtf8, |_| {
        Build::new(TEXT, vec![b'"', 0xC3, 0x28, b'"']).bytes()
    }),
    ("overlong_utf8", "an overlong encoding", CloseCode::InvalidUtf8, |_| Build::new(TEXT, vec![0xC0, 0xAF]).bytes()),
    ("encoded_surrogate", "a surrogate encoded as UTF-8", CloseCode::InvalidUtf8, |_| {
        Build::new(TEXT, vec![0xED, 0xA0, 0x80]).bytes()
    }),
    ("not_utf8_in_parts", "fragments that are not UTF-8 together", CloseCode::InvalidUtf8, |_| {
        [Build::new(TEXT, vec![0xC3]).unfinished().bytes(), Build::new(CONTINUATION, vec![0x28]).bytes()].concat()
    }),
    ("cut_code_point", "text that ends inside a code point", CloseCode::InvalidUtf8, |_| {
        Build::new(TEXT, vec![b'a', 0xE2, 0x82]).bytes()
    }),
    ("length_2_63", "a header that declares 2^63 − 1 bytes", CloseCode::MessageTooBig, |_| {
        Build::new(TEXT, "").declaring(LONGEST).bytes()
    }),
    ("length_1_mib", "a header that declares 1 MiB, and no more", CloseCode::MessageTooBig, |_| {
        Build::new(TEXT, "").declaring(1 << 20).bytes()
    }),
    ("length_100_mib", "a header that declares 100 MiB", CloseCode::MessageTooBig, |_| {
        Build::new(TEXT, "").declaring(100 << 20).bytes()
    }),
    ("close_of_one_byte", "a close frame with half a code", CloseCode::ProtocolError, |_| {
        Build::new(0x8, vec![3]).bytes()
    }),
    ("close_reserved_code", "a close frame with 1005, which no endpoint may send", CloseCode::ProtocolError, |_| {
        Build::close(1005, b"").bytes()
    }),
    ("close_low_code", "a close frame with code 999", CloseCode::ProtocolError, |_| Build::close(999, b"").bytes()),
    ("close_not_utf8", "a close frame whose reason is not UTF-8", CloseCode::InvalidUtf8, |_| {
        Build::close(4321, &[0xC3, 0x28]).bytes()
    }),
    ("http_in_websocket", "an HTTP request line", CloseCode::ProtocolError, |_| b"GET / HTTP/1.1\r\n\r\n".to_vec()),
];

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for role in ROLES {
        rows.extend(BROKEN.iter().map(|broken| broken_row(role, broken)));
    }
    rows
}

fn broken_row(role: Role, (name, what, code, framing): &Broken) -> Row {
    let case = MessageCase {
        state: SubState::OneOpen,
        cast: Cast::Interface,
        role,
        text: String::new(),
        framing: Framing::By(*framing),
        verdict: Verdict::closed(Wanted::bare(*code)),
    };
    Row { send: (*what).to_owned(), ..row(format!("frames/{}/{name}", role_name(role)), case) }
}
